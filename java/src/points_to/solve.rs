//! The least solution of all constraints.
//!
//! Work is done in this order: code that is reached becomes constraints; new constraints see what their nodes hold
//! already; a node with objects that its edges and constraints have not seen shows them these (*difference
//! propagation*: D. J. Pearce, P. H. J. Kelly and C. Hankin, *Online cycle detection and difference propagation*, SCAM
//! 2003). Nodes are visited in rounds, each in the order that [`order`](super::order) computes, which also merges
//! cycles; it is computed again when the graph has grown.
//!
//! **Why it ends.** Sets, edges and constraints only grow, and there are finitely many objects: each is of a statement,
//! a name or a type of the program or the table, and a view is no view of a view.
//!
//! **Why it is a solution.** A node whose set has grown waits, and stops to wait only when it is visited. Debug builds
//! look at the result again ([`solution`](super::solution)).

use super::constraints::{Constraint, Field};
use super::error::PointsToError;
use super::graph::NodeId;
use super::heap::Place;
use super::objects::{Object, ObjectId};
use super::order;
use super::sets::SetId;
use super::state::State;
use super::types::TypeId;

/// The most nodes of sets that are kept, in all: 32 bytes each.
const MOST_SET_NODES: usize = 1 << 26;

/// The most nodes of the graph.
const MOST_NODES: usize = 1 << 26;

impl State<'_> {
    /// Solves everything that is reached from the roots; gives the number of rounds.
    pub(super) fn solve(&mut self, is_cancelled: &dyn Fn() -> bool) -> Result<usize, PointsToError> {
        let mut rounds = 0;
        loop {
            self.take_in(is_cancelled)?;
            if self.graph.is_out_of_order() {
                order::improve(&mut self.graph, &mut self.sets);
            }
            if !self.round(is_cancelled)? {
                debug_assert_eq!(self.lacks(), Vec::<String>::new());
                return Ok(rounds);
            }
            rounds += 1;
        }
    }

    /// Visits the nodes that wait, once each and in order; no if there are none.
    fn round(&mut self, is_cancelled: &dyn Fn() -> bool) -> Result<bool, PointsToError> {
        const OFTEN: usize = 256;
        let (mut place, mut visited) = (0, 0);
        // What is taken out has to be visited: whether the round goes on is asked first.
        while (visited < OFTEN || !self.graph.is_out_of_order())
            && let Some((node, after)) = self.graph.next(place)
        {
            place = after;
            visited += 1;
            self.visit(node);
            self.visit(self.escaping);
            self.take_in(is_cancelled)?;
            if visited % OFTEN == 0 {
                self.check(is_cancelled)?;
            }
        }
        Ok(visited > 0)
    }

    fn check(&mut self, is_cancelled: &dyn Fn() -> bool) -> Result<(), PointsToError> {
        if is_cancelled() {
            return Err(PointsToError::Cancelled);
        }
        if self.sets.nodes() > self.sets_allowed {
            let sets: Vec<SetId> = self.graph.sets().chain(self.masks.sets()).collect();
            self.sets.keep_only(sets);
            self.masks.forget();
            self.sets_allowed = (self.sets.nodes() * 2).max(self.sets_allowed);
        }
        match self.sets.nodes() > MOST_SET_NODES || self.graph.len() > MOST_NODES {
            true => Err(PointsToError::TooLarge),
            false => Ok(()),
        }
    }

    /// Looks at code that was reached, and adds constraints that are new.
    fn take_in(&mut self, is_cancelled: &dyn Fn() -> bool) -> Result<(), PointsToError> {
        loop {
            if let Some(failure) = self.failure {
                return Err(failure);
            }
            if let Some((node, constraint)) = self.fresh.pop() {
                self.add_constraint(node, constraint);
            } else if let Some(method) = self.to_look_at.pop() {
                if is_cancelled() {
                    return Err(PointsToError::Cancelled);
                }
                // What has escaped is not told apart where there are external objects, so it is good to know it early.
                self.visit(self.escaping);
                self.look_at(method, is_cancelled);
            } else {
                return Ok(());
            }
        }
    }

    fn add_constraint(&mut self, node: NodeId, constraint: Constraint) {
        let node = self.graph.find(node);
        self.graph.add_constraint(node, constraint);
        let done = self.graph.done(node);
        if !done.is_empty() {
            let is_escaping = node == self.graph.find(self.escaping);
            let done = if is_escaping { done } else { self.uncovered_part(done, done) };
            self.apply(constraint, done);
        }
    }

    /// Shows a node's edges and constraints the objects that are new in it.
    fn visit(&mut self, node: NodeId) {
        let node = self.graph.find(node);
        let set = self.graph.set(node);
        let new = self.sets.difference(set, self.graph.done(node));
        self.graph.finish(node);
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

    /// Does what a constraint says for objects that are new.
    fn apply(&mut self, constraint: Constraint, new: SetId) {
        match constraint {
            Constraint::Load { field, to } => self.apply_load(new, field, to),
            Constraint::LoadAll(to) => self.apply_load_all(new, to),
            Constraint::Store { field, from } => self.apply_store(new, field, from),
            Constraint::Call(id) => self.call_on(id, new),
            Constraint::Functions(id) => self.call_functions_of(id, new),
            Constraint::Access(id) => self.access_by(id, new),
            Constraint::View { of, to } => self.apply_view(new, of, to),
            Constraint::HoldsView(of) => self.apply_holds_view(new, of),
            Constraint::Enumerates(to) => self.apply_enumerates(new, to),
            Constraint::Clone { site, to } => self.apply_clone(new, site, to),
            Constraint::ClassOf(to) => self.apply_class_of(new, to),
            Constraint::Escapes => self.escapes(new),
        }
    }

    fn apply_load(&mut self, new: SetId, field: Field, to: NodeId) {
        for object in self.objects_in(new) {
            let place = self.place(object, field);
            self.give(place, to);
        }
    }

    fn apply_load_all(&mut self, new: SetId, to: NodeId) {
        for object in self.objects_in(new) {
            let place = self.found_from(object);
            self.give(place, to);
        }
    }

    /// What is in a place flows to a node.
    fn give(&mut self, place: Place, to: NodeId) {
        match place {
            Place::Node(from) => self.edge(from, to),
            Place::External(of) => {
                let external = self.external(of);
                self.add(external, to);
            }
            Place::Value(of) => {
                let value = self.object(Object::Value(of));
                self.add(value, to);
            }
            Place::Nothing => {}
        }
    }

    fn apply_store(&mut self, new: SetId, field: Field, from: NodeId) {
        for object in self.objects_in(new) {
            match self.place(object, field) {
                Place::Node(to) => self.edge(from, to),
                Place::External(_) | Place::Value(_) => self.escape(from),
                Place::Nothing => {}
            }
        }
    }

    fn apply_view(&mut self, new: SetId, of: TypeId, to: NodeId) {
        for object in self.objects_in(new) {
            let view = self.view(object, of);
            self.add(view, to);
        }
    }

    /// A view of an object.
    fn view(&mut self, object: ObjectId, of: TypeId) -> ObjectId {
        match *self.objects.get(object) {
            Object::View { base, .. } => self.object(Object::View { base, of }),
            Object::Made { .. } | Object::Lambda { .. } => self.object(Object::View { base: object, of }),
            Object::External(_) => self.external(of),
            // There is nothing in it.
            Object::Value(_) | Object::Literal(_) | Object::Class(_) | Object::Handle { .. } => {
                self.object(Object::Value(of))
            }
        }
    }

    fn apply_holds_view(&mut self, new: SetId, of: TypeId) {
        for object in self.objects_in(new) {
            let view = self.view(object, of);
            if let Place::Node(content) = self.place(object, Field::Content) {
                self.add(view, content);
            }
        }
    }

    /// The constants of the enum classes that objects are, or are of: what their static fields of their own type hold.
    fn apply_enumerates(&mut self, new: SetId, to: NodeId) {
        for object in self.objects_in(new) {
            let of = match self.objects.get(object) {
                Object::Class(of) => *of,
                _ => self.objects.of(object),
            };
            let external = self.external(TypeId::OBJECT);
            let Some(class) = self.types.class(of) else {
                self.add(external, to);
                continue;
            };
            self.initialize(class);
            let fields = self.program.class(class).fields();
            let constants = fields.filter(|field| self.program.field(*field).flags.is_enum()).collect::<Vec<_>>();
            if constants.is_empty() {
                self.add(external, to);
            }
            for field in constants {
                if let Some(from) = self.static_node(field) {
                    self.edge(from, to);
                }
            }
        }
    }
}
