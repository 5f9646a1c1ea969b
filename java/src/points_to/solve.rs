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

use super::constraints::{Constraint, NodeId};
use super::error::PointsToError;
use super::order;
use super::sets::SetId;
use super::state::State;

/// The most nodes of sets that are kept, in all: 32 bytes each.
const MOST_SET_NODES: usize = 1 << 26;

/// The most nodes of the graph.
const MOST_NODES: usize = 1 << 26;

impl State<'_> {
    /// Solves everything that is reached from the roots; gives the number of rounds.
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

    /// Visits the nodes that wait, once each and in order; no if there are none.
    fn run_round(&mut self, is_cancelled: &dyn Fn() -> bool) -> Result<bool, PointsToError> {
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
            self.sets_allowed = (self.sets.nodes() * 2).max(self.sets_allowed);
        }
        match self.sets.nodes() > MOST_SET_NODES || self.graph.len() > MOST_NODES {
            true => Err(PointsToError::TooLarge),
            false => Ok(()),
        }
    }

    /// Looks at code that was reached, and adds constraints that are new.
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
                // What has escaped is not told apart where there are external objects, so it is good to know it early.
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

    /// Shows a node's edges and constraints the objects that are new in it.
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
