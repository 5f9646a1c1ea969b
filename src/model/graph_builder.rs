//! Models made of control-flow graphs: for front ends, which have graphs and source files, but neither text in EML nor
//! the nested statements that [`ModelBuilder`](super::ModelBuilder) takes.
//!
//! The graphs go through the same checks as those that are made of statements: the same locks and units are open on all
//! paths to a node, they are closed in the reverse order of opening, and all of them before a return. All that follows
//! from a model's graphs, such as how many instances can run, is computed by the same code.

use super::Model;
use super::assembly::{Graphs, Parts};
use super::declarations::{AtomicSet, Location, Lock, LockKind, Process};
use super::error::NameSpace;
use super::errors::Errors;
use super::flow::{Choice, ChoiceKind, Exit, Flow, FlowBuilder, FlowNode, Point};
use super::graph::Operation;
use super::graph_error::{GraphError, GraphProblem, Places};
use super::ids::{LocationId, LockId, ProcedureId, ProcessId};
use super::instances::InstanceBound;
use super::nesting::{self, LockNames};
use super::warning::Warning;
use crate::eml::ast::{Mode, Multiplicity};
use crate::eml::{FileId, Position, Span};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

/// A node of a graph that is being built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GraphNode {
    procedure: ProcedureId,
    number: usize,
}

impl GraphNode {
    /// The function or process that it belongs to.
    pub fn procedure(self) -> ProcedureId {
        self.procedure
    }
}

/// Builds a model node by node and edge by edge.
///
/// Names are any texts that are not empty; each is given once to things of one kind. A procedure begins at its first
/// node, unless [`enter_at`](Self::enter_at) says otherwise. Successors are kept in the order in which their edges are
/// added. Nodes that cannot be reached are left out of the model.
///
/// # Examples
///
/// ```
/// use asercheck::model::{GraphBuilder, Mode, Multiplicity, Operation};
///
/// let mut builder = GraphBuilder::new();
/// let pool = builder.file("Pool.java");
/// let lock = builder.lock("Pool.this", pool.at(1, 1));
/// let used = builder.location("Pool.used", pool.at(3, 5));
///
/// let take = builder.function("Pool.take()", pool.at(12, 5));
/// let acquire = builder.node(take, Operation::Acquire(lock, Mode::Write), pool.at(12, 5));
/// let write = builder.node(take, Operation::Write(used), pool.at(13, 9));
/// let release = builder.node(take, Operation::Release(lock, Mode::Write), pool.at(14, 5));
/// let back = builder.node(take, Operation::Return, pool.at(14, 5));
/// for (from, to) in [(acquire, write), (write, release), (release, back)] {
///     builder.edge(from, to);
/// }
///
/// let main = builder.file("Main.java");
/// let (_, client) = builder.process("Client", Multiplicity::Many, main.at(7, 1));
/// let call = builder.node(client, Operation::Call(take), main.at(8, 9));
/// builder.edge(call, call); // again and again
///
/// let (model, _) = builder.build().unwrap();
/// assert_eq!(model.nodes().len(), 5);
/// assert_eq!(model.file(main), Some("Main.java"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct GraphBuilder {
    files: Vec<Arc<str>>,
    file_ids: HashMap<Arc<str>, FileId>,
    locks: Vec<Lock>,
    locations: Vec<Location>,
    sets: Vec<(String, Vec<LocationId>, Position)>,
    processes: Vec<(ProcedureId, Multiplicity)>,
    procedures: Vec<Draft>,
    /// Edges from or to nodes that there are not, and entries of that kind.
    stray: Vec<(GraphNode, GraphProblem)>,
}

/// A function or the body of a process.
#[derive(Clone, Debug)]
struct Draft {
    name: String,
    position: Position,
    process: Option<ProcessId>,
    nodes: Vec<(Operation, Position)>,
    /// Numbers of nodes.
    edges: Vec<(usize, usize)>,
    entry: usize,
}

impl GraphBuilder {
    /// A model without anything.
    pub fn new() -> Self {
        Self::default()
    }

    /// A file of the front end's sources: the same one for the same name.
    pub fn file(&mut self, name: &str) -> FileId {
        if let Some(id) = self.file_ids.get(name) {
            return *id;
        }
        let name: Arc<str> = name.into();
        let id = FileId::new(self.files.len());
        self.files.push(name.clone());
        self.file_ids.insert(name, id);
        id
    }

    /// Declares a plain lock, which is acquired in write mode.
    pub fn lock(&mut self, name: impl Into<String>, position: Position) -> LockId {
        self.any_lock(name.into(), LockKind::Plain, position)
    }

    /// Declares a read-write lock.
    pub fn rwlock(&mut self, name: impl Into<String>, position: Position) -> LockId {
        self.any_lock(name.into(), LockKind::ReadWrite, position)
    }

    /// Lets a lock overlap with others instead of nesting: it may be released while one that was acquired after it
    /// stays held, and the other way round. The lock has to be one that was declared before; others are ignored.
    pub fn let_overlap(&mut self, lock: LockId) {
        if let Some(lock) = self.locks.get_mut(lock.index()) {
            lock.may_overlap = true;
        }
    }

    fn any_lock(&mut self, name: String, kind: LockKind, position: Position) -> LockId {
        self.locks.push(Lock { name, kind, position, may_overlap: false });
        LockId::new(self.locks.len() - 1)
    }

    /// Declares a shared location.
    pub fn location(&mut self, name: impl Into<String>, position: Position) -> LocationId {
        self.locations.push(Location { name: name.into(), position });
        LocationId::new(self.locations.len() - 1)
    }

    /// Declares an atomic set. A location that is named twice is a member once.
    pub fn atomic_set(
        &mut self,
        name: impl Into<String>,
        members: impl IntoIterator<Item = LocationId>,
        position: Position,
    ) {
        self.sets.push((name.into(), members.into_iter().collect(), position));
    }

    /// Declares a function, whose nodes may follow at any time.
    pub fn function(&mut self, name: impl Into<String>, position: Position) -> ProcedureId {
        self.procedure(name.into(), position, None)
    }

    /// Declares a process: what a start names, and its body, whose nodes may follow at any time.
    pub fn process(
        &mut self,
        name: impl Into<String>,
        multiplicity: Multiplicity,
        position: Position,
    ) -> (ProcessId, ProcedureId) {
        let process = ProcessId::new(self.processes.len());
        let body = self.procedure(name.into(), position, Some(process));
        self.processes.push((body, multiplicity));
        (process, body)
    }

    fn procedure(&mut self, name: String, position: Position, process: Option<ProcessId>) -> ProcedureId {
        self.procedures.push(Draft { name, position, process, nodes: Vec::new(), edges: Vec::new(), entry: 0 });
        ProcedureId::new(self.procedures.len() - 1)
    }

    /// Adds a node to a function or the body of a process.
    pub fn node(&mut self, procedure: ProcedureId, operation: Operation, position: Position) -> GraphNode {
        let Some(draft) = self.procedures.get_mut(procedure.index()) else {
            let node = GraphNode { procedure, number: 0 };
            let problem = GraphProblem::UnknownId { space: NameSpace::Function, index: procedure.index() };
            self.stray.push((node, problem));
            return node;
        };
        draft.nodes.push((operation, position));
        GraphNode { procedure, number: draft.nodes.len() - 1 }
    }

    /// Adds what waiting on a plain lock is: a node that gives the lock up and one that gets it back, with an edge from
    /// the first to the second. Gives both.
    pub fn wait(&mut self, procedure: ProcedureId, lock: LockId, position: Position) -> [GraphNode; 2] {
        let [waits, resumes] =
            [Operation::Wait(lock), Operation::Resume(lock)].map(|operation| self.node(procedure, operation, position));
        self.edge(waits, resumes);
        [waits, resumes]
    }

    /// Adds an edge: control can go from the first node to the second.
    pub fn edge(&mut self, from: GraphNode, to: GraphNode) {
        if !(self.has(from) && self.has(to)) {
            self.stray.push((from, GraphProblem::UnknownNode));
        } else if from.procedure != to.procedure {
            self.stray.push((from, GraphProblem::LeavesProcedure));
        } else {
            self.procedures[from.procedure.index()].edges.push((from.number, to.number));
        }
    }

    /// Lets a procedure begin at one of its nodes.
    pub fn enter_at(&mut self, node: GraphNode) {
        if self.has(node) {
            self.procedures[node.procedure.index()].entry = node.number;
        } else {
            self.stray.push((node, GraphProblem::UnknownNode));
        }
    }

    fn has(&self, node: GraphNode) -> bool {
        self.procedures.get(node.procedure.index()).is_some_and(|draft| node.number < draft.nodes.len())
    }

    /// The model, and what is probably not intended. Linear in the size of the graphs.
    ///
    /// # Errors
    /// Everything that is wrong: first with names and ids, then, if all of these are right, with the graphs.
    pub fn build(self) -> Result<(Model, Vec<Warning>), Errors<GraphError>> {
        let mut check = Check { places: Places { files: self.files.clone() }, builder: &self, errors: Vec::new() };
        check.strays();
        check.names();
        check.sets();
        check.operations();
        check.instances();
        let graphs = if check.errors.is_empty() { check.graphs() } else { Graphs::default() };
        if !check.errors.is_empty() {
            return Err(Errors::new(check.errors));
        }
        let sets = self
            .sets
            .iter()
            .map(|(name, members, _)| AtomicSet { name: Some(name.clone()), members: distinct(members) });
        let parts = Parts {
            sets: sets.collect(),
            processes: self.declared_processes(),
            graphs,
            first_unit: self.first_unit(),
            files: self.files.iter().map(ToString::to_string).collect(),
            locks: self.locks,
            locations: self.locations,
        };
        Ok(parts.finish())
    }

    /// The processes that some node starts, with the first such node.
    fn started(&self) -> HashMap<ProcessId, Position> {
        let mut started = HashMap::new();
        for (operation, position) in self.procedures.iter().flat_map(|draft| &draft.nodes) {
            if let Operation::Start(process) = operation {
                started.entry(*process).or_insert(*position);
            }
        }
        started
    }

    fn declared_processes(&self) -> Vec<Process> {
        let started = self.started();
        let declared = self.processes.iter().enumerate().map(|(index, (body, multiplicity))| Process {
            name: self.procedures[body.index()].name.clone(),
            position: self.procedures[body.index()].position,
            body: *body,
            multiplicity: *multiplicity,
            is_started: started.contains_key(&ProcessId::new(index)),
            bound: InstanceBound::Zero,
        });
        declared.collect()
    }

    fn first_unit(&self) -> Option<Span> {
        let mut nodes = self.procedures.iter().flat_map(|draft| &draft.nodes);
        nodes.find(|(operation, _)| *operation == Operation::Begin).map(|(_, position)| Span::at(*position))
    }
}

/// The members without repetition, in order.
fn distinct(members: &[LocationId]) -> Vec<LocationId> {
    let mut seen = std::collections::HashSet::new();
    members.iter().filter(|member| seen.insert(**member)).copied().collect()
}

/// Looks for everything that is wrong.
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

    /// Ids and edges that were not taken.
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

    /// What nodes name exists, and no process is called.
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

    /// The graphs, if nothing is reported.
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

    /// A node that waits leads to one node, which gets the same lock back, and nothing else leads there.
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

    /// Returns, and nothing else, have no successor.
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
    /// Why an operation cannot be in a model.
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
    /// The graph as the check of the nesting takes it.
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
    use super::super::ModelBuilder;
    use super::*;

    /// A function whose nodes do these one after the other, each in a line of its own from 10 on.
    fn line(builder: &mut GraphBuilder, procedure: ProcedureId, operations: &[Operation]) -> Vec<GraphNode> {
        let file = builder.file("Pool.java");
        let nodes: Vec<_> = (10..)
            .zip(operations)
            .map(|(line, operation)| builder.node(procedure, *operation, file.at(line, 5)))
            .collect();
        nodes.windows(2).for_each(|pair| builder.edge(pair[0], pair[1]));
        nodes
    }

    fn messages(builder: GraphBuilder) -> Vec<String> {
        builder.build().unwrap_err().iter().map(ToString::to_string).collect()
    }

    /// A builder with a lock, a location and a process without nodes.
    fn small() -> (GraphBuilder, LockId, LocationId, ProcedureId) {
        let mut builder = GraphBuilder::new();
        let file = builder.file("Pool.java");
        let lock = builder.lock("Pool.this", file.at(1, 1));
        let location = builder.location("Pool.used", file.at(2, 1));
        let (_, body) = builder.process("Client", Multiplicity::Many, file.at(3, 1));
        (builder, lock, location, body)
    }

    #[test]
    fn graphs_and_statements_make_the_same_model() {
        let (mut builder, lock, location, body) = small();
        let nodes = line(
            &mut builder,
            body,
            &[
                Operation::Skip,
                Operation::Begin,
                Operation::Acquire(lock, Mode::Write),
                Operation::Read(location),
                Operation::Release(lock, Mode::Write),
                Operation::End,
            ],
        );
        let back = builder.node(body, Operation::Return, Position::START);
        builder.edge(nodes[5], nodes[0]);
        builder.edge(nodes[0], back);
        let (graphs, warnings) = builder.build().unwrap();

        let mut builder = ModelBuilder::new();
        builder.lock("l").location("x");
        builder.process("Client", Multiplicity::Many, |body| {
            body.loop_(|body| {
                body.atomic(|body| {
                    body.sync("l", |body| {
                        body.read("x");
                    });
                });
            });
        });
        let (statements, others) = builder.build().unwrap();
        let nodes = |model: &Model| -> Vec<_> {
            let opened = |id| model.opened(id).iter().collect::<Vec<_>>();
            model.nodes().map(|(id, node)| (node.operation, model.successors(id).to_vec(), opened(id))).collect()
        };
        assert_eq!(nodes(&graphs), nodes(&statements));
        assert_eq!(warnings, others);
        assert_eq!(graphs.processes()[0].instance_bound(), InstanceBound::Several);
    }

    #[test]
    fn positions_name_their_files() {
        let (mut builder, _, location, body) = small();
        let other = builder.file("Main.java");
        let write = builder.node(body, Operation::Write(location), other.at(7, 3));
        let back = builder.node(body, Operation::Return, Position::START);
        builder.edge(write, back);
        assert_eq!(builder.file("Main.java"), other);
        let model = builder.build().unwrap().0;
        let files: Vec<_> = model.nodes().map(|(_, node)| model.file(node.position.file)).collect();
        assert_eq!(files, [Some("Main.java"), None]);
        assert_eq!(model.file(model.locks()[0].position().file), Some("Pool.java"));
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
    fn paths_that_meet_have_opened_the_same() {
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
    fn messages_do_not_speak_of_a_text() {
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
        // The edge back is what is wrong; the last node can be reached through it.
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
    fn what_is_named_exists() {
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

    #[test]
    fn any_depth_fits_on_a_small_stack() {
        const DEPTH: usize = 100_000;
        let build = || {
            let (mut builder, lock, location, body) = small();
            let mut operations = vec![Operation::Acquire(lock, Mode::Write); DEPTH];
            operations.push(Operation::Write(location));
            operations.extend(vec![Operation::Release(lock, Mode::Write); DEPTH]);
            operations.push(Operation::Return);
            line(&mut builder, body, &operations);
            let model = builder.build().unwrap().0;
            assert_eq!(model.nodes().map(|(id, _)| id).filter(|id| model.opened(*id).is_empty()).count(), 2);
        };
        let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(build).expect("a thread can be started");
        thread.join().expect("the stack is large enough");
    }
}
