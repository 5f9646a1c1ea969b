//! Checks of built graphs: names and ids first, then edges and nesting.

use super::super::assembly::Graphs;
use super::super::declarations::{Lock, LockKind};
use super::super::error::NameSpace;
use super::super::flow::{Choice, ChoiceKind, Exit, Flow, FlowBuilder, FlowNode, Point};
use super::super::graph::Operation;
use super::super::graph_error::{GraphError, GraphProblem, Places};
use super::super::ids::ProcessId;
use super::super::nesting::{self, LockNames};
use super::{Draft, GraphBuilder};
use crate::syntax::ast::{Mode, Multiplicity};
use crate::syntax::{Position, Span};
use std::collections::HashMap;
use std::collections::hash_map::Entry;

/// Returns the checked graphs of a model.
///
/// # Errors
/// All errors: in names and ids, or, if these are correct, in the graphs.
pub(super) fn checked(builder: &GraphBuilder) -> Result<Graphs, Vec<GraphError>> {
    let mut check = Check { places: Places { files: builder.files.clone() }, builder, errors: Vec::new() };
    check.strays();
    check.names();
    check.sets();
    check.operations();
    check.instances();
    let graphs = if check.errors.is_empty() { check.graphs() } else { Graphs::default() };
    if check.errors.is_empty() { Ok(graphs) } else { Err(check.errors) }
}

/// The state of the check.
struct Check<'a> {
    builder: &'a GraphBuilder,
    places: Places,
    errors: Vec<GraphError>,
}

impl Check<'_> {
    fn report(&mut self, position: Position, procedure: Option<&str>, problem: GraphProblem) {
        let error = GraphError { place: self.places.of(position), procedure: procedure.map(str::to_string), problem };
        self.errors.push(error);
    }

    /// Reports ids and edges that the builder refused.
    fn strays(&mut self) {
        for (node, problem) in &self.builder.stray {
            let draft = self.builder.procedures.get(node.procedure.index());
            let position = draft.map(|draft| draft.nodes.get(node.number).map_or(draft.position, |node| node.1));
            let name = draft.map(|draft| draft.name.as_str());
            self.report(position.unwrap_or(Position::START), name, problem.clone());
        }
    }

    fn names(&mut self) {
        let builder = self.builder;
        self.distinct(NameSpace::Lock, builder.locks.iter().map(|lock| (lock.name.as_str(), lock.position)));
        let locations = builder.locations.iter().map(|location| (location.name.as_str(), location.position));
        self.distinct(NameSpace::Location, locations);
        self.distinct(NameSpace::AtomicSet, builder.sets.iter().map(|set| (set.0.as_str(), set.2)));
        for (space, is_process) in [(NameSpace::Function, false), (NameSpace::Process, true)] {
            let drafts = builder.procedures.iter().filter(|draft| draft.process.is_some() == is_process);
            self.distinct(space, drafts.map(|draft| (draft.name.as_str(), draft.position)));
        }
    }

    fn distinct<'n>(&mut self, space: NameSpace, names: impl Iterator<Item = (&'n str, Position)>) {
        let mut known = HashMap::new();
        for (name, position) in names {
            if name.is_empty() {
                self.report(position, None, GraphProblem::EmptyName(space));
                continue;
            }
            match known.entry(name) {
                Entry::Vacant(entry) => {
                    entry.insert(position);
                }
                Entry::Occupied(first) => {
                    let first = self.places.of(*first.get());
                    self.report(position, None, GraphProblem::Duplicate { space, name: name.to_string(), first });
                }
            }
        }
    }

    fn sets(&mut self) {
        for (name, members, position) in &self.builder.sets {
            if members.is_empty() {
                self.report(*position, None, GraphProblem::EmptyAtomicSet(name.clone()));
            }
            for member in members.iter().filter(|member| member.index() >= self.builder.locations.len()) {
                let problem = GraphProblem::UnknownId { space: NameSpace::Location, index: member.index() };
                self.report(*position, None, problem);
            }
        }
    }

    /// Checks that the operands of all nodes exist, and that no process is called.
    fn operations(&mut self) {
        for draft in &self.builder.procedures {
            for (operation, position) in &draft.nodes {
                if let Some(problem) = self.builder.unusable(*operation) {
                    self.report(*position, Some(&draft.name), problem);
                }
            }
        }
    }

    fn instances(&mut self) {
        let started = self.builder.started();
        for (index, (body, multiplicity)) in self.builder.processes.iter().enumerate() {
            let draft = &self.builder.procedures[body.index()];
            let name = draft.name.clone();
            if *multiplicity == Multiplicity::Times(0) {
                self.report(draft.position, None, GraphProblem::NoInstances(name));
            } else if let Some(start) = started.get(&ProcessId::new(index))
                && *multiplicity != Multiplicity::Single
            {
                let start = self.places.of(*start);
                self.report(draft.position, None, GraphProblem::StartedWithMultiplicity { process: name, start });
            }
        }
    }

    /// Builds the graphs and checks them; they are valid if nothing is reported.
    fn graphs(&mut self) -> Graphs {
        let mut graphs = Graphs::default();
        let declared = &self.builder.locks;
        let kinds = declared.iter().map(|lock| lock.kind).collect();
        let overlap = declared.iter().map(|lock| lock.may_overlap).collect();
        let locks = LockNames::new(declared.iter().map(|lock| lock.name.as_str().into()), kinds, overlap);
        for draft in &self.builder.procedures {
            if draft.nodes.is_empty() {
                self.report(draft.position, Some(&draft.name), GraphProblem::NoNodes);
                continue;
            }
            let flow = draft.flow();
            let nesting = nesting::check(&flow, &draft.name, &locks, &mut graphs.opened);
            for point in flow.points().filter(|point| nesting.opened[point.index()].is_some()) {
                self.end(draft, &flow, point);
                self.waiting(draft, &flow, point);
            }
            graphs.add(&draft.name, draft.position, draft.process, &flow, &nesting);
            self.errors.extend(nesting.errors.into_iter().map(|error| self.places.nesting(error)));
        }
        graphs
    }

    /// Checks that a `Wait` has one successor, a `Resume` of the same lock without other predecessors.
    fn waiting(&mut self, draft: &Draft, flow: &Flow, point: Point) {
        let operation = |point| flow.node(point).operation;
        let mut next = flow.successors(point).map(|(next, _)| operation(next));
        let is_right = match operation(point) {
            Operation::Wait(lock) => next.next() == Some(Operation::Resume(lock)) && next.next().is_none(),
            _ => !next.any(|next| matches!(next, Operation::Resume(_))),
        };
        let is_entry = point == flow.entry() && matches!(operation(point), Operation::Resume(_));
        if !is_right || is_entry {
            self.report(flow.node(point).place.start, Some(&draft.name), GraphProblem::HalfWait);
        }
    }

    /// Checks that exactly the `Return` nodes have no successor.
    fn end(&mut self, draft: &Draft, flow: &Flow, point: Point) {
        let node = flow.node(point);
        let problem = match (node.operation == Operation::Return, flow.successors(point).next().is_some()) {
            (true, true) => GraphProblem::ReturnGoesOn,
            (false, false) => GraphProblem::DeadEnd,
            (true, false) | (false, true) => return,
        };
        self.report(node.place.start, Some(&draft.name), problem);
    }
}

impl GraphBuilder {
    /// Returns the reason why an operation cannot be in a model, if there is one.
    fn unusable(&self, operation: Operation) -> Option<GraphProblem> {
        let unknown = |space, index, known| (index >= known).then_some(GraphProblem::UnknownId { space, index });
        match operation {
            Operation::Skip | Operation::Begin | Operation::End | Operation::Return => None,
            Operation::Read(location) | Operation::Write(location) => {
                unknown(NameSpace::Location, location.index(), self.locations.len())
            }
            Operation::Acquire(lock, mode) | Operation::Release(lock, mode) => match self.locks.get(lock.index()) {
                Some(Lock { name, kind: LockKind::Plain, .. }) if mode == Mode::Read => {
                    Some(GraphProblem::ReadsPlainLock(name.clone()))
                }
                _ => unknown(NameSpace::Lock, lock.index(), self.locks.len()),
            },
            Operation::Wait(lock) | Operation::Resume(lock) => match self.locks.get(lock.index()) {
                Some(Lock { name, kind: LockKind::ReadWrite, .. }) => {
                    Some(GraphProblem::WaitsOnReadWriteLock(name.clone()))
                }
                _ => unknown(NameSpace::Lock, lock.index(), self.locks.len()),
            },
            Operation::Start(process) => unknown(NameSpace::Process, process.index(), self.processes.len()),
            Operation::Call(callee) => match self.procedures.get(callee.index()) {
                None => Some(GraphProblem::UnknownId { space: NameSpace::Function, index: callee.index() }),
                Some(draft) => draft.process.map(|_| GraphProblem::CallsProcess(draft.name.clone())),
            },
        }
    }
}

impl Draft {
    /// Returns the graph for the check of nesting.
    fn flow(&self) -> Flow {
        let mut flow = FlowBuilder::default();
        let points: Vec<Point> = self
            .nodes
            .iter()
            .map(|(operation, position)| {
                let place = Span::at(*position);
                flow.add(FlowNode { operation: *operation, in_any_mode: false, statement: place, place }, &[])
            })
            .collect();
        flow.connect(&[Exit { from: None, choice: None, rank: 0 }], points[self.entry]);
        let mut successors = vec![0_usize; points.len()];
        self.edges.iter().for_each(|(from, _)| successors[*from] += 1);
        for (rank, (from, to)) in self.edges.iter().enumerate() {
            let branch = Choice { kind: ChoiceKind::Successor, span: Span::at(self.nodes[*to].1) };
            let choice = (successors[*from] > 1).then_some(branch);
            flow.connect(&[Exit { from: Some(points[*from]), choice, rank }], points[*to]);
        }
        flow.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::ids::{LocationId, LockId, ProcedureId};
    use super::super::GraphNode;
    use super::super::tests::{line, small};
    use super::*;

    fn messages(builder: GraphBuilder) -> Vec<String> {
        builder.build().unwrap_err().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn nesting_is_checked_in_terms_of_the_sources() {
        let (mut builder, lock, _, body) = small();
        line(
            &mut builder,
            body,
            &[Operation::Begin, Operation::Acquire(lock, Mode::Write), Operation::End, Operation::Return],
        );
        assert_eq!(
            messages(builder),
            [
                "Pool.java:12:5: in `Client`: a unit of work is ended, but on this path there are open: a unit of work (at \
              Pool.java:10:5), lock `Pool.this` (at Pool.java:11:5)"
            ]
        );
        let (mut builder, lock, _, body) = small();
        line(&mut builder, body, &[Operation::Release(lock, Mode::Write), Operation::Return]);
        assert_eq!(
            messages(builder),
            ["Pool.java:10:5: in `Client`: lock `Pool.this` is released, but on this path nothing is open"]
        );
        let (mut builder, lock, _, body) = small();
        line(&mut builder, body, &[Operation::Acquire(lock, Mode::Write), Operation::Return]);
        assert_eq!(
            messages(builder),
            [
                "Pool.java:11:5: in `Client`: something is still open at the return: there are open: lock `Pool.this` (at \
              Pool.java:10:5)"
            ]
        );
    }

    #[test]
    fn joining_paths_have_the_same_locks_open() {
        let (mut builder, lock, _, body) = small();
        let nodes = line(
            &mut builder,
            body,
            &[Operation::Skip, Operation::Acquire(lock, Mode::Write), Operation::Skip, Operation::Return],
        );
        builder.edge(nodes[0], nodes[2]);
        let message = messages(builder).remove(0);
        assert!(
            message.starts_with("Pool.java:12:5: in `Client`: two paths lead here with different locks"),
            "{message}"
        );
        assert!(message.contains("nothing is open, by way of Pool.java:12:5"), "{message}");
        assert!(message.contains("lock `Pool.this` (at Pool.java:11:5), by way of Pool.java:11:5"), "{message}");
    }

    #[test]
    fn messages_do_not_mention_eml_syntax() {
        let (mut builder, lock, _, body) = small();
        let nodes =
            line(&mut builder, body, &[Operation::Acquire(lock, Mode::Write), Operation::Skip, Operation::Return]);
        builder.edge(nodes[2], nodes[0]);
        for message in messages(builder) {
            assert!(!["{", "}", "block", "sync", "brace"].iter().any(|word| message.contains(word)), "{message}");
        }
    }

    #[test]
    fn graphs_end_at_returns_only() {
        let (mut builder, _, location, body) = small();
        let nodes = line(&mut builder, body, &[Operation::Skip, Operation::Return, Operation::Write(location)]);
        // The edge back is wrong; the last node can be reached through it.
        assert_eq!(
            messages(builder.clone()),
            [
                "Pool.java:11:5: in `Client`: a return has a successor",
                "Pool.java:12:5: in `Client`: the node has no successor and is no return",
            ]
        );
        builder.enter_at(nodes[2]);
        assert_eq!(messages(builder), ["Pool.java:12:5: in `Client`: the node has no successor and is no return"]);
    }

    #[test]
    fn operands_have_to_exist() {
        let (mut builder, _, location, body) = small();
        let nodes = line(
            &mut builder,
            body,
            &[
                Operation::Read(LocationId::new(1)),
                Operation::Acquire(LockId::new(3), Mode::Write),
                Operation::Call(body),
            ],
        );
        line(&mut builder, body, &[Operation::Start(ProcessId::new(1)), Operation::Call(ProcedureId::new(9))]);
        builder.node(ProcedureId::new(7), Operation::Skip, Position::START);
        builder.atomic_set("S", [location, LocationId::new(5)], Position::START);
        builder.edge(nodes[0], GraphNode { procedure: body, number: 99 });
        let errors = builder.build().unwrap_err();
        let unknown = |error: &&GraphError| matches!(error.problem, GraphProblem::UnknownId { .. });
        assert_eq!((errors.len(), errors.iter().filter(unknown).count()), (8, 6));
        assert!(errors.iter().any(|error| error.problem == GraphProblem::CallsProcess("Client".into())));
        assert!(errors.iter().any(|error| error.problem == GraphProblem::UnknownNode));
    }

    #[test]
    fn declarations_are_checked() {
        let (mut builder, _, location, body) = small();
        let other = builder.function("f", Position::START);
        let inside = builder.node(other, Operation::Return, Position::START);
        let start = builder.node(body, Operation::Start(ProcessId::new(0)), Position::START);
        builder.edge(start, inside);
        builder.lock("Pool.this", Position::START);
        builder.lock("", Position::START);
        builder.process("None", Multiplicity::Times(0), Position::START);
        builder.atomic_set("empty", [], Position::START);
        builder.atomic_set("full", [location, location], Position::START);
        let problems: Vec<_> = builder.clone().build().unwrap_err().into_iter().map(|error| error.problem).collect();
        assert!(matches!(
            &problems[..],
            [
                GraphProblem::LeavesProcedure,
                GraphProblem::Duplicate { space: NameSpace::Lock, .. },
                GraphProblem::EmptyName(NameSpace::Lock),
                GraphProblem::EmptyAtomicSet(_),
                GraphProblem::StartedWithMultiplicity { .. },
                GraphProblem::NoInstances(_),
            ]
        ));
        let (builder, ..) = small();
        assert_eq!(messages(builder), ["Pool.java:3:1: in `Client`: there is no node"]);
    }
}
