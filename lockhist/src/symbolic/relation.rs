//! Relations between lock histories, their composition and union.

use super::budget::{Budget, Exhausted};
use super::layout::{Bit, Layout, Orientation, Ply};
use crate::history::LockHistory;
use crate::lock::{Lock, LockSet, Operation};
use biodivine_lib_bdd::{Bdd, BddPartialValuation, BddValuation, BddVariable};
use std::sync::Arc;

/// A set of tuples of lock histories: the history of a path's first phase before the path, then the history at the end
/// of each of its phases.
///
/// Equality is equality of sets, for relations of the same [`Relations`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Relation {
    first: usize,
    last: usize,
    pub(super) bdd: Bdd,
}

impl Relation {
    /// The first phase of the paths.
    pub fn first_phase(&self) -> usize {
        self.first
    }

    /// Their last phase.
    pub fn last_phase(&self) -> usize {
        self.last
    }

    /// Whether the relation is empty.
    pub fn is_empty(&self) -> bool {
        self.bdd.is_false()
    }

    /// The number of nodes of the decision diagram.
    pub fn size(&self) -> usize {
        self.bdd.size()
    }
}

/// The relations over one layout, for processes of one orientation.
#[derive(Clone, Debug)]
pub struct Relations {
    layout: Arc<Layout>,
    orientation: Orientation,
}

impl Relations {
    /// Returns the relations over this layout.
    pub fn new(layout: Arc<Layout>, orientation: Orientation) -> Self {
        Self { layout, orientation }
    }

    /// `{(h, h)}`: the empty path in a phase.
    pub fn identity(&self, phase: usize) -> Relation {
        self.conjunction(self.functional(phase, |bit| self.read(phase, bit)), phase)
    }

    /// `{(h, h)}` for the history of the empty path that begins without locks.
    pub fn start(&self, phase: usize) -> Relation {
        let values = [Ply::IN, Ply::OUT].into_iter().flat_map(|ply| self.descending(phase, ply));
        let unset: Vec<_> = values.map(|(variable, _)| (variable, false)).collect();
        let bdd = self.layout.variables().mk_conjunctive_clause(&BddPartialValuation::from_values(&unset));
        Relation { first: phase, last: phase, bdd }
    }

    /// Returns `{(h, h)}` for the histories `h` with which tuples of the relation end.
    ///
    /// # Errors
    /// If the budget is spent.
    pub fn range(&self, relation: &Relation, budget: &Budget<'_>) -> Result<Relation, Exhausted> {
        let phase = relation.last;
        let is_end = |variable| self.layout.phase_of(variable) == phase && self.layout.ply_of(variable) == Ply::OUT;
        let all = self.layout.variables().mk_true();
        let ends = budget.and_exists(&relation.bdd, &all, |variable| !is_end(variable))?;
        Ok(Relation { first: phase, last: phase, bdd: budget.and(&self.identity(phase).bdd, &ends)? })
    }

    /// `{(h, post(h, operation))}`: one operation in a phase.
    pub fn operation(&self, phase: usize, operation: Operation) -> Relation {
        match operation {
            Operation::Acquire(lock) => {
                let lock = lock.index();
                self.conjunction(self.functional(phase, |bit| self.after_acquire(phase, lock, bit)), phase)
            }
            Operation::Release(lock) => {
                let lock = lock.index();
                self.conjunction(self.functional(phase, |bit| self.after_release(phase, lock, bit)), phase)
            }
        }
    }

    /// `{(h, h, ptrans(h))}`: the step from a phase to the next. Exponential in the number of locks, as the variables
    /// of one phase all come before those of the next, and a path of the diagram between them encodes the held locks.
    ///
    /// # Errors
    /// If the budget is spent.
    pub fn boundary(&self, phase: usize, budget: &Budget<'_>) -> Result<Relation, Exhausted> {
        let all = (0..self.layout.locks()).map(Lock::new).collect();
        self.boundary_where(phase, (all, all), budget)
    }

    /// The same for histories in which only locks of the first set are free and only locks of the second set are held.
    /// Exponential in the number of locks in both sets.
    ///
    /// # Errors
    /// If the budget is spent.
    pub fn boundary_where(
        &self,
        phase: usize,
        (free, held): (LockSet, LockSet),
        budget: &Budget<'_>,
    ) -> Result<Relation, Exhausted> {
        let is_held = |k| {
            let out = |bit| self.literal(phase, Ply::OUT, bit);
            out(Bit::Acquisitions(k, k)).or(&out(Bit::HeldThroughout(k)))
        };
        let entering = self.descending(phase + 1, Ply::OUT).into_iter().rev();
        let (held_on, unset): (Vec<_>, Vec<_>) = entering.partition(|(_, bit)| matches!(bit, Bit::HeldThroughout(_)));
        let unset: Vec<_> = unset.into_iter().map(|(variable, _)| (variable, false)).collect();
        let unset = self.layout.variables().mk_conjunctive_clause(&BddPartialValuation::from_values(&unset));
        let mut bdd = self.identity(phase).bdd;
        let mut after = unset;
        let mut remembered = Vec::new();
        for (variable, bit) in held_on {
            let Bit::HeldThroughout(k) = bit else { continue };
            let lock = Lock::new(k);
            match (free.contains(lock), held.contains(lock)) {
                // If neither is possible, there is no path at all.
                (is_free, may_be_held) if is_free == may_be_held => remembered.push((variable, k)),
                (is_free, _) => {
                    let known = if is_free { is_held(k).not() } else { is_held(k) };
                    bdd = budget.and(&bdd, &known)?;
                    after = budget.and(&after, &self.layout.variables().mk_literal(variable, !is_free))?;
                }
            }
        }
        bdd = budget.and(&bdd, &after)?;
        for (variable, k) in remembered {
            bdd = budget.and(&bdd, &self.layout.variables().mk_var(variable).iff(&is_held(k)))?;
        }
        Ok(Relation { first: phase, last: phase + 1, bdd })
    }

    /// Returns the union of two relations over the same phases.
    ///
    /// # Errors
    /// If the budget is spent.
    pub fn union(&self, left: &Relation, right: &Relation, budget: &Budget<'_>) -> Result<Relation, Exhausted> {
        debug_assert_eq!((left.first, left.last), (right.first, right.last));
        Ok(Relation { bdd: budget.or(&left.bdd, &right.bdd)?, ..*left })
    }

    /// Returns the tuples of `left` that are not in `right`; both are over the same phases.
    ///
    /// # Errors
    /// If the budget is spent.
    pub fn difference(&self, left: &Relation, right: &Relation, budget: &Budget<'_>) -> Result<Relation, Exhausted> {
        debug_assert_eq!((left.first, left.last), (right.first, right.last));
        Ok(Relation { bdd: budget.and_not(&left.bdd, &right.bdd)?, ..*left })
    }

    /// Returns the generalized relational composition (Definition 4); the last phase of `left` must be the first of
    /// `right`.
    ///
    /// # Errors
    /// If the budget is spent.
    pub fn compose(&self, left: &Relation, right: &Relation, budget: &Budget<'_>) -> Result<Relation, Exhausted> {
        debug_assert_eq!(left.last, right.first, "relations that meet in a phase are composed");
        let from = self.on_ply(&left.bdd, left.last, Ply::OUT, Ply::MIDDLE);
        let to = self.on_ply(&right.bdd, right.first, Ply::IN, Ply::MIDDLE);
        let met = |variable| self.layout.ply_of(variable) == Ply::MIDDLE;
        Ok(Relation { first: left.first, last: right.last, bdd: budget.and_exists(&from, &to, met)? })
    }

    /// Whether the relation has this tuple: the initial history, then the history at the end of each phase.
    pub fn contains(&self, relation: &Relation, tuple: &[LockHistory]) -> bool {
        let mut valuation = BddValuation::all_false(self.layout.variables().num_vars());
        for (variable, value) in self.tuple_values(relation, tuple) {
            valuation.set_value(variable, value);
        }
        relation.bdd.eval_in(&valuation)
    }

    /// Returns tuples of `left` and `right` whose composition is this tuple.
    pub fn split(
        &self,
        tuple: &[LockHistory],
        left: &Relation,
        right: &Relation,
    ) -> Option<(Vec<LockHistory>, Vec<LockHistory>)> {
        let phase = left.last;
        let (before, after) = tuple.split_at(phase - left.first + 1);
        let known: Vec<_> = self.tuple_values(left, before).collect();
        let middle_of_left = self.on_ply(&left.bdd.restrict(&known), phase, Ply::OUT, Ply::IN);
        let known: Vec<_> = self.tuple_values_after(right, after).collect();
        let middle = middle_of_left.and(&right.bdd.restrict(&known)).sat_witness()?;
        let middle = self.layout.decode(|bit| middle.value(self.variable(phase, Ply::IN, bit)));
        let join = |front: &[LockHistory], back: &[LockHistory]| [front, back].concat();
        Some((join(before, std::slice::from_ref(&middle)), join(std::slice::from_ref(&middle), after)))
    }

    /// Returns the tuples of paths that begin without locks, as a set over the histories at the ends of phases.
    ///
    /// # Errors
    /// If the budget is spent.
    pub(crate) fn without_locks_at_start(&self, relation: &Relation, budget: &Budget<'_>) -> Result<Bdd, Exhausted> {
        let variables = self.descending(relation.first, Ply::IN).into_iter();
        let unset: Vec<_> = variables.map(|(variable, _)| (variable, false)).collect();
        let start = self.layout.variables().mk_conjunctive_clause(&BddPartialValuation::from_values(&unset));
        budget.and_exists(&relation.bdd, &start, |variable| self.layout.ply_of(variable) == Ply::IN)
    }

    /// Returns the values of the variables of a tuple, or of a prefix of it.
    fn tuple_values(&self, relation: &Relation, tuple: &[LockHistory]) -> impl Iterator<Item = (BddVariable, bool)> {
        let read = self.values(relation.first, Ply::IN, &tuple[0]);
        read.chain(self.tuple_values_after(relation, &tuple[1..]))
    }

    /// Returns the values of the variables of the histories at the ends of the first phases of a relation.
    fn tuple_values_after(
        &self,
        relation: &Relation,
        ends: &[LockHistory],
    ) -> impl Iterator<Item = (BddVariable, bool)> {
        let first = relation.first;
        ends.iter().enumerate().flat_map(move |(place, end)| self.values(first + place, Ply::OUT, end))
    }

    fn values(&self, phase: usize, ply: Ply, history: &LockHistory) -> impl Iterator<Item = (BddVariable, bool)> {
        self.layout.encode(history).map(move |(bit, value)| (self.variable(phase, ply, bit), value))
    }

    fn variable(&self, phase: usize, ply: Ply, bit: Bit) -> BddVariable {
        self.layout.variable(phase, ply, bit, self.orientation)
    }

    fn literal(&self, phase: usize, ply: Ply, bit: Bit) -> Bdd {
        self.layout.variables().mk_var(self.variable(phase, ply, bit))
    }

    fn read(&self, phase: usize, bit: Bit) -> Bdd {
        self.literal(phase, Ply::IN, bit)
    }

    /// Returns a bit of `post` for an acquisition (paper, section 5).
    fn after_acquire(&self, phase: usize, lock: usize, bit: Bit) -> Bdd {
        match bit {
            Bit::Acquisitions(i, j) if i == lock => self.constant(j == lock),
            Bit::Acquisitions(i, j) if j == lock => {
                self.read(phase, bit).or(&self.read(phase, Bit::Acquisitions(i, i)))
            }
            _ => self.read(phase, bit),
        }
    }

    /// Returns a bit of `post` for a release; the two cases of the paper differ in whether the lock is in A.
    fn after_release(&self, phase: usize, lock: usize, bit: Bit) -> Bdd {
        let acquired_here = || self.read(phase, Bit::Acquisitions(lock, lock));
        match bit {
            Bit::Used(k) if k == lock => self.read(phase, bit).or(&acquired_here()),
            Bit::HeldThroughout(k) if k == lock => self.constant(false),
            Bit::Acquisitions(i, _) if i == lock => self.constant(false),
            Bit::Releases(i, j) if i == lock => {
                let before = if j == lock {
                    self.constant(true)
                } else {
                    self.read(phase, Bit::Used(j)).or(&self.read(phase, Bit::Releases(j, j)))
                };
                Bdd::if_then_else(&acquired_here(), &self.read(phase, bit), &before)
            }
            _ => self.read(phase, bit),
        }
    }

    fn constant(&self, value: bool) -> Bdd {
        if value { self.layout.variables().mk_true() } else { self.layout.variables().mk_false() }
    }

    /// Returns for every bit of the history at the end of a phase, the last first, the condition that it has the given
    /// value, a function of the initial history.
    fn functional(&self, phase: usize, value: impl Fn(Bit) -> Bdd) -> Vec<Bdd> {
        let written = self.descending(phase, Ply::OUT).into_iter();
        written.map(|(variable, bit)| self.layout.variables().mk_var(variable).iff(&value(bit))).collect()
    }

    /// Returns the relation in a phase that is the conjunction of conditions in the order of their variables. It is
    /// computed as a balanced tree: a conjunction copies its operands, so a sequence would take quadratic time.
    fn conjunction(&self, mut parts: Vec<Bdd>, phase: usize) -> Relation {
        while parts.len() > 1 {
            parts =
                parts.chunks(2).map(|pair| pair[1..].iter().fold(pair[0].clone(), |all, part| all.and(part))).collect();
        }
        let bdd = parts.pop().unwrap_or_else(|| self.layout.variables().mk_true());
        Relation { first: phase, last: phase, bdd }
    }

    /// Returns the variables of a ply, the last first.
    pub(super) fn descending(&self, phase: usize, ply: Ply) -> Vec<(BddVariable, Bit)> {
        let mut all: Vec<_> = self.layout.bits().map(|bit| (self.variable(phase, ply, bit), bit)).collect();
        all.sort_by_key(|(variable, _)| std::cmp::Reverse(*variable));
        all
    }

    /// Moves the bits of a phase from one ply to another one with the same position among the other plies of the
    /// diagram, so that the order of its variables is preserved.
    fn on_ply(&self, bdd: &Bdd, phase: usize, from: Ply, to: Ply) -> Bdd {
        renamed(bdd, |variable| {
            let moves = self.layout.phase_of(variable) == phase && self.layout.ply_of(variable) == from;
            if moves { self.layout.on_ply(variable, to) } else { variable }
        })
    }
}

/// Returns the diagram with renamed variables; the renaming must preserve their order. Linear; faster than the
/// library's renaming in place, which computes the support of the diagram first.
pub(crate) fn renamed(bdd: &Bdd, rename: impl Fn(BddVariable) -> BddVariable) -> Bdd {
    let mut nodes = bdd.clone().to_nodes();
    for node in nodes.iter_mut().skip(2) {
        node.var = rename(node.var);
    }
    Bdd::from_nodes(&nodes).expect("the renaming keeps the order of the variables")
}
