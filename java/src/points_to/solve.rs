//! The solver: computes the least solution of all constraints.
//!
//! New constraints are processed first, then reached methods, then waiting nodes. A new constraint is applied to the
//! objects that its node has propagated already. A waiting node propagates the objects that are new in its set to its
//! edges and constraints (*difference propagation*: D. J. Pearce, P. H. J. Kelly and C. Hankin, *Online cycle detection
//! and difference propagation*, SCAM 2003). Nodes are visited in rounds, each in the order that
//! [`order`](super::order) computes, which also merges cycles; it is computed again when the graph has grown.
//!
//! **Termination.** Sets, edges and constraints only grow, and there are finitely many objects: each belongs to a
//! statement, a name or a type of the program or the table, and no view is a view of a view.
//!
//! **Correctness.** A node whose set has grown waits until it is visited. Debug builds check the result
//! ([`solution_check`](super::solution_check)).

use super::constraints::{Constraint, NodeId};
use super::error::PointsToError;
use super::order;
use super::sets::SetId;
use super::state::State;

/// Upper bound on the nodes of all sets, of 32 bytes each.
const MOST_SET_NODES: usize = 1 << 26;

/// Upper bound on the nodes of the graph.
const MOST_NODES: usize = 1 << 26;

impl State<'_> {
    /// Solves the constraints of all code that is reached from the roots; returns the number of rounds.
    pub(super) fn solve(&mut self, is_cancelled: &dyn Fn() -> bool) -> Result<usize, PointsToError> {
        let mut rounds = 0;
        loop {
            self.drain_pending(is_cancelled)?;
            if self.graph.is_out_of_order() {
                order::improve(&mut self.graph, &mut self.sets);
            }
            if !self.run_round(is_cancelled)? {
                debug_assert_eq!(self.solution_violations(), Vec::<String>::new());
                return Ok(rounds);
            }
            rounds += 1;
        }
    }

    /// Visits the waiting nodes, in order; returns whether there were any.
    fn run_round(&mut self, is_cancelled: &dyn Fn() -> bool) -> Result<bool, PointsToError> {
        const OFTEN: usize = 256;
        let (mut place, mut visited) = (0, 0);
        // A node that is taken has to be visited, so the end of the round is tested before.
        while (visited < OFTEN || !self.graph.is_out_of_order())
            && let Some((node, after)) = self.graph.next(place)
        {
            place = after;
            visited += 1;
            self.visit(node);
            self.visit(self.escaping);
            self.drain_pending(is_cancelled)?;
            if visited % OFTEN == 0 {
                self.check_limits(is_cancelled)?;
            }
        }
        Ok(visited > 0)
    }

    fn check_limits(&mut self, is_cancelled: &dyn Fn() -> bool) -> Result<(), PointsToError> {
        if is_cancelled() {
            return Err(PointsToError::Cancelled);
        }
        if self.sets.nodes() > self.sets_allowed {
            let sets: Vec<SetId> = self.graph.sets().chain(self.masks.sets()).collect();
            self.sets.keep_only(sets);
            self.masks.forget();
            self.heap.forget_sets();
            self.library_calls.forget_sets();
            self.sets_allowed = (self.sets.nodes() * 2).max(self.sets_allowed);
        }
        match self.sets.nodes() > MOST_SET_NODES || self.graph.len() > MOST_NODES {
            true => Err(PointsToError::TooLarge),
            false => Ok(()),
        }
    }

    /// Adds new constraints, and processes the code of reached methods.
    fn drain_pending(&mut self, is_cancelled: &dyn Fn() -> bool) -> Result<(), PointsToError> {
        loop {
            if let Some(failure) = self.failure {
                return Err(failure);
            }
            if let Some((node, constraint)) = self.pending_constraints.pop() {
                self.add_constraint(node, constraint);
            } else if let Some(method) = self.pending_methods.pop() {
                if is_cancelled() {
                    return Err(PointsToError::Cancelled);
                }
                // External objects cover escaped ones, so sets stay smaller if escapes are known early.
                self.visit(self.escaping);
                self.add_method(method, is_cancelled);
            } else {
                return Ok(());
            }
        }
    }

    fn add_constraint(&mut self, node: NodeId, constraint: Constraint) {
        let node = self.graph.find(node);
        self.graph.add_constraint(node, constraint);
        let done = self.graph.propagated(node);
        if !done.is_empty() {
            let is_escaping = node == self.graph.find(self.escaping);
            let done = if is_escaping { done } else { self.uncovered_part(done, done) };
            self.apply(constraint, done);
        }
    }

    /// Propagates the new objects of a node to its edges and constraints.
    fn visit(&mut self, node: NodeId) {
        let node = self.graph.find(node);
        let set = self.graph.set(node);
        let new = self.sets.difference(set, self.graph.propagated(node));
        self.graph.mark_propagated(node);
        let is_escaping = node == self.graph.find(self.escaping);
        let new = if is_escaping { new } else { self.uncovered_part(new, set) };
        if new.is_empty() {
            return;
        }
        let mut index = 0;
        while let Some(successor) = self.graph.successor(node, index) {
            self.flow(new, successor);
            index += 1;
        }
        for constraint in self.graph.constraints_of(node).collect::<Vec<_>>() {
            self.apply(constraint, new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::class_file::{ClassId, MethodId};
    use crate::ir::{BlockId, StatementId};
    use crate::library::Library;
    use crate::points_to::constraints::Field;
    use crate::points_to::mode::{Clients, Mode};
    use crate::points_to::objects::{Exactness, Object, Site};
    use crate::program::{Limits, Program};

    /// A program, one of its classes, and the constructor of the class.
    fn a_program() -> (Program, ClassId, MethodId) {
        let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/java/races/classes");
        let (program, _) = Program::load(&[path], &[], &Limits::default());
        let class = program.find("races/Signals").expect("the program has it");
        let method = program.class(class).methods().next().expect("a constructor");
        (program, class, method)
    }

    fn made(site: Site, of: crate::points_to::types::TypeId) -> Object {
        Object::Made { site, of, exactness: Exactness::Exact, depth: 0 }
    }

    /// Loads from a large set of lists go through a node for the set. Each of the lists holds a string of its own.
    #[test]
    fn loads_from_many_lists_find_the_contents_of_each() {
        let (program, _, method) = a_program();
        let (library, mode) = (Library::builtin(), Mode::Client(Clients::default()));
        let mut state = State::new(&program, &library, mode);
        let [list, held] = ["java/util/ArrayList", "java/lang/StringBuilder"].map(|of| state.types.of_text(of));
        let mut index = 0;
        let mut next = |of, state: &mut State<'_>| {
            let site = Site { method, statement: StatementId { block: BlockId::ENTRY, index } };
            index += 1;
            state.object(made(site, of))
        };
        let [lists, one, all] = [(); 3].map(|()| state.node());
        let mut elements = Vec::new();
        for _ in 0..20 {
            let (single, from) = (state.node(), state.node());
            let (object, element) = (next(list, &mut state), next(held, &mut state));
            for (object, node) in [(object, lists), (object, single), (element, from)] {
                state.add(object, node);
            }
            state.store(single, Field::Content, from);
            elements.push(element);
        }
        state.load(lists, Field::Content, one);
        state.constrain(lists, Constraint::LoadAll(all));
        state.solve(&|| false).expect("it is small");
        for node in [one, all] {
            let set = state.graph.set(state.graph.representative(node));
            assert!(elements.iter().all(|element| state.sets.contains(set, element.0)));
            assert_eq!(state.sets.len(set), elements.len());
        }
        assert!(state.heap.nodes_of_sets().next().is_some(), "the set has a node");
    }

    /// Stores into a field of an object and loads from it, then lets the object escape; each time, solves.
    #[test]
    fn objects_that_escape_after_their_accesses_share_their_fields() {
        let (program, class, method) = a_program();
        let (library, mode) = (Library::builtin(), Mode::Client(Clients::default()));
        let site = Site { method, statement: StatementId { block: BlockId::ENTRY, index: 0 } };
        let is_names = |field: &_| program.text(program.field(*field).name) == "names";
        let names = program.class(class).fields().find(is_names).expect("a field");
        for is_view in [false, true] {
            let mut state = State::new(&program, &library, mode);
            let [of, held] =
                [state.types.of_class(class), state.types.of_text("java/util/concurrent/ConcurrentHashMap")];
            let [base, held] = [of, held].map(|of| state.object(made(site, of)));
            let object = if is_view { state.object(Object::View { base, of }) } else { base };
            let [accessed, from, to] = [(); 3].map(|()| state.node());
            state.add(object, accessed);
            state.store(accessed, Field::Declared(names), from);
            state.load(accessed, Field::Declared(names), to);
            state.solve(&|| false).expect("it is small");
            state.add(object, state.escaping);
            state.solve(&|| false).expect("it is small");
            assert_eq!(state.solution_violations(), Vec::<String>::new(), "is it a view: {is_view}");
            state.add(held, from);
            state.solve(&|| false).expect("it is small");
            let shared = state.heap.shared(names).expect("the object has escaped");
            let [shared, to] = [shared, to].map(|node| state.graph.set(state.graph.representative(node)));
            assert!([shared, to].iter().all(|set| state.sets.contains(*set, held.0)), "is it a view: {is_view}");
        }
    }
}
