//! The encoding that the paper compares with its own: relations on control states and the histories of all phases at
//! once.
//!
//! Section 7 of the paper: with the relations of Schwoon's thesis, *Model-checking pushdown systems* (2002), a weight
//! relates a control state of the automaton and a tuple of histories, one for each phase, to another such pair. Both
//! ends of a weight repeat the histories of phases that are over or have not begun, which the paper's power series
//! avoid. No engine uses this encoding; it exists for measurements.
//!
//! Blocks of variables are as in [`Layout`], with one more in front for the control states.

use super::budget::{Budget, Exhausted};
use super::layout::{Layout, Orientation, Ply};
use super::relation::{Relation, Relations, renamed};
use crate::lock::Operation;
use biodivine_lib_bdd::{Bdd, BddPartialValuation, BddVariable};
use std::sync::Arc;

/// A set of pairs of a control state and a tuple of histories.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct StateRelation(Bdd);

impl StateRelation {
    /// The number of nodes of the decision diagram.
    pub fn size(&self) -> usize {
        self.0.size()
    }

    /// Whether the relation is empty.
    pub fn is_empty(&self) -> bool {
        self.0.is_false()
    }
}

/// The relations for some number of locks and control states. Control state `i` is phase `i` of the [`Layout`], from 1;
/// the block of phase 0 encodes the control state.
#[derive(Clone, Debug)]
pub struct StateRelations {
    layout: Arc<Layout>,
    phases: Relations,
    states: usize,
}

impl StateRelations {
    /// Returns the layout for this many locks and control states; none if there are too many variables.
    pub fn layout(locks: usize, states: usize) -> Option<Layout> {
        Layout::new(locks, states + 1, 2)
    }

    /// Returns the relations over a layout from [`layout`](Self::layout).
    pub fn new(layout: Arc<Layout>) -> Self {
        let phases = Relations::new(layout.clone(), Orientation::Straight);
        Self { states: layout.phases() - 1, layout, phases }
    }

    /// The number of variables of a relation at both ends, for histories and control states.
    pub fn variables(&self) -> usize {
        let bits = 2 * self.layout.locks() * (self.layout.locks() + 1);
        2 * (self.states * bits + self.control_variables(Ply::IN).len())
    }

    /// Returns the relation of one operation, in any control state.
    ///
    /// # Errors
    /// If the budget is spent.
    pub fn operation(&self, operation: Operation, budget: &Budget<'_>) -> Result<StateRelation, Exhausted> {
        let parts = (1..=self.states).map(|phase| {
            let own = &self.phases.operation(phase, operation);
            self.in_states((phase, phase), own, |other| other != phase, budget)
        });
        self.any(parts, budget)
    }

    /// Returns the relation of the step from any control state to the next.
    ///
    /// # Errors
    /// If the budget is spent.
    pub fn boundary(&self, budget: &Budget<'_>) -> Result<StateRelation, Exhausted> {
        let parts = (1..self.states).map(|phase| {
            let own = &self.phases.boundary(phase, budget)?;
            self.in_states((phase, phase + 1), own, |other| other != phase && other != phase + 1, budget)
        });
        self.any(parts, budget)
    }

    /// Returns the relation of the empty path, in any control state.
    ///
    /// # Errors
    /// If the budget is spent.
    pub fn identity(&self, budget: &Budget<'_>) -> Result<StateRelation, Exhausted> {
        let parts = (1..=self.states)
            .map(|phase| self.in_states((phase, phase), &self.phases.identity(phase), |other| other != phase, budget));
        self.any(parts, budget)
    }

    /// Returns the union of two relations.
    ///
    /// # Errors
    /// If the budget is spent.
    pub fn union(
        &self,
        left: &StateRelation,
        right: &StateRelation,
        budget: &Budget<'_>,
    ) -> Result<StateRelation, Exhausted> {
        budget.or(&left.0, &right.0).map(StateRelation)
    }

    /// Returns the relational composition.
    ///
    /// # Errors
    /// If the budget is spent.
    pub fn compose(
        &self,
        left: &StateRelation,
        right: &StateRelation,
        budget: &Budget<'_>,
    ) -> Result<StateRelation, Exhausted> {
        let from = self.on_ply(&left.0, Ply::OUT);
        let to = self.on_ply(&right.0, Ply::IN);
        let met = |variable| self.layout.ply_of(variable) == Ply::MIDDLE;
        budget.and_exists(&from, &to, met).map(StateRelation)
    }

    /// Whether the two encodings agree: the paths of `relation` from the first control state to the last, without locks
    /// at the start, end with the same histories as those of `other`, which is over all phases of the same layout.
    ///
    /// # Errors
    /// If the budget is spent.
    pub fn agrees(&self, relation: &StateRelation, other: &Relation, budget: &Budget<'_>) -> Result<bool, Exhausted> {
        let start = (1..=self.states).flat_map(|phase| self.phases.descending(phase, Ply::IN));
        let start: Vec<_> = start.map(|(variable, _)| (variable, false)).collect();
        let start = self.layout.variables().mk_conjunctive_clause(&BddPartialValuation::from_values(&start));
        let ends = budget.and(&self.in_state(Ply::IN, 1), &self.in_state(Ply::OUT, self.states))?;
        let start = budget.and(&start, &ends)?;
        let control = self.control_variables(Ply::OUT);
        let hidden = |variable: BddVariable| self.layout.ply_of(variable) == Ply::IN || control.contains(&variable);
        let own = budget.and_exists(&relation.0, &start, hidden)?;
        Ok(own == self.phases.without_locks_at_start(other, budget)?)
    }

    /// Returns a relation of the histories of some phases, between two control states; the phases that `stays` selects
    /// keep their histories.
    fn in_states(
        &self,
        (from, to): (usize, usize),
        own: &Relation,
        stays: impl Fn(usize) -> bool,
        budget: &Budget<'_>,
    ) -> Result<Bdd, Exhausted> {
        let mut all = own.bdd.clone();
        for phase in (1..=self.states).filter(|phase| stays(*phase)) {
            all = budget.and(&all, &self.phases.identity(phase).bdd)?;
        }
        let ends = budget.and(&self.in_state(Ply::IN, from), &self.in_state(Ply::OUT, to))?;
        budget.and(&all, &ends)
    }

    fn any(
        &self,
        parts: impl Iterator<Item = Result<Bdd, Exhausted>>,
        budget: &Budget<'_>,
    ) -> Result<StateRelation, Exhausted> {
        let none = self.layout.variables().mk_false();
        parts.into_iter().try_fold(none, |all, part| budget.or(&all, &part?)).map(StateRelation)
    }

    /// Returns the condition that the control state is this one.
    fn in_state(&self, ply: Ply, state: usize) -> Bdd {
        let variables = self.control_variables(ply).into_iter().enumerate();
        let values: Vec<_> = variables.map(|(bit, variable)| (variable, (state - 1) >> bit & 1 == 1)).collect();
        self.layout.variables().mk_conjunctive_clause(&BddPartialValuation::from_values(&values))
    }

    fn control_variables(&self, ply: Ply) -> Vec<BddVariable> {
        let count = usize::BITS - (self.states - 1).leading_zeros();
        let bits = self.layout.bits().take(count as usize);
        bits.map(|bit| self.layout.variable(0, ply, bit, Orientation::Straight)).collect()
    }

    /// Moves the variables of a ply to the middle one.
    fn on_ply(&self, bdd: &Bdd, from: Ply) -> Bdd {
        renamed(bdd, |variable| {
            if self.layout.ply_of(variable) == from { self.layout.on_ply(variable, Ply::MIDDLE) } else { variable }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lock::Lock;

    /// A path with two boundaries, and operations in each phase.
    #[test]
    fn both_encodings_agree_on_a_path() {
        let layout = Arc::new(StateRelations::layout(2, 3).expect("it fits"));
        let (flat, series) = (StateRelations::new(layout.clone()), Relations::new(layout, Orientation::Straight));
        let budget = &Budget::unlimited();
        let [first, second] = [0, 1].map(Lock::new);
        let path = [
            Some(Operation::Acquire(first)),
            None,
            Some(Operation::Acquire(second)),
            Some(Operation::Release(first)),
            None,
            Some(Operation::Release(second)),
            Some(Operation::Acquire(first)),
        ];
        let (mut phase, mut own, mut other) = (1, None, None);
        for step in path {
            let (flat_step, step) = match step {
                Some(operation) => (flat.operation(operation, budget), series.operation(phase, operation)),
                None => {
                    phase += 1;
                    (flat.boundary(budget), series.boundary(phase - 1, budget).expect("no limit"))
                }
            };
            let flat_step = flat_step.expect("no limit");
            own = Some(own.map_or(flat_step.clone(), |own| flat.compose(&own, &flat_step, budget).expect("no limit")));
            other = Some(other.map_or(step.clone(), |other| series.compose(&other, &step, budget).expect("no limit")));
        }
        let (own, other) = (own.expect("a path"), other.expect("a path"));
        assert_eq!(flat.agrees(&own, &other, budget), Ok(true));
        let longer = flat.compose(&own, &flat.operation(Operation::Release(first), budget).expect("no limit"), budget);
        assert_eq!(flat.agrees(&longer.expect("no limit"), &other, budget), Ok(false));
        assert_eq!(flat.variables(), 2 * (3 * 12 + 2));
    }
}
