//! The compatibility check: one tuple of each process, compatible in every phase (the paper's Algorithm 2, line 4).

use super::budget::{Budget, Exhausted};
use super::layout::{Bit, Layout, Orientation, Ply};
use super::relation::{Relation, Relations, renamed};
use crate::history::LockHistory;
use biodivine_lib_bdd::{Bdd, BddValuation};
use std::collections::HashMap;
use std::sync::Arc;

/// Checks over one layout; keeps the conditions that it has built.
#[derive(Clone, Debug)]
pub struct Compatibility {
    layout: Arc<Layout>,
    conditions: HashMap<(usize, usize), Bdd>,
}

impl Compatibility {
    /// Checks over this layout.
    pub fn new(layout: Arc<Layout>) -> Self {
        Self { layout, conditions: HashMap::new() }
    }

    /// One tuple of each process, such that the histories of every phase are [compatible](crate::compatible); the tuples
    /// begin with the history without locks that is read, then have the end of each phase. `None` if there is no choice.
    ///
    /// The relations are over all phases of the layout, each in the [orientation](Orientation::of_thread) of its place.
    ///
    /// All processes but the last are joined; then their bits are projected away phase by phase, which leaves the tuples
    /// of the last process that are compatible with some choice of the others. For two processes nothing is joined at
    /// all.
    ///
    /// # Errors
    /// If the budget is spent.
    ///
    /// # Panics
    /// If there is no relation, or more than the layout has room for.
    pub fn choose(
        &mut self,
        relations: &[&Relation],
        budget: &Budget<'_>,
    ) -> Result<Option<Vec<Vec<LockHistory>>>, Exhausted> {
        assert!(!relations.is_empty() && relations.len() <= self.layout.threads(), "the layout is for so many");
        let last = relations.len() - 1;
        let mut joined = self.layout.variables().mk_true();
        for (thread, relation) in relations[..last].iter().enumerate() {
            joined = self.join(&joined, relation, thread, budget)?;
        }
        let mut allowed = joined.clone();
        for phase in 0..self.layout.phases() {
            let layout = self.layout.clone();
            let hidden = |variable| layout.phase_of(variable) == phase && layout.ply_of(variable) != Ply(last);
            allowed = budget.and_exists(&allowed, self.condition(phase, last), hidden)?;
        }
        let of_last = budget.and(&allowed, &self.set(relations[last], last, budget)?)?;
        let Some(valuation) = of_last.sat_witness() else { return Ok(None) };
        let others = self.others(joined, last, &valuation, budget)?;
        let mut tuples: Vec<_> = (0..last).map(|thread| self.tuple(&others, thread)).collect();
        tuples.push(self.tuple(&valuation, last));
        Ok(Some(tuples))
    }

    /// The tuples of a process that begin without locks, on the process's own ply.
    fn set(&self, relation: &Relation, thread: usize, budget: &Budget<'_>) -> Result<Bdd, Exhausted> {
        let relations = Relations::new(self.layout.clone(), Orientation::of_thread(thread));
        let set = relations.without_locks_at_start(relation, budget)?;
        Ok(renamed(&set, |variable| self.layout.on_ply(variable, Ply(thread))))
    }

    /// Adds a process to choices for those before it.
    fn join(
        &mut self,
        before: &Bdd,
        relation: &Relation,
        thread: usize,
        budget: &Budget<'_>,
    ) -> Result<Bdd, Exhausted> {
        let mut joined = budget.and(before, &self.set(relation, thread, budget)?)?;
        for phase in 0..self.layout.phases() {
            joined = budget.and(&joined, self.condition(phase, thread))?;
        }
        Ok(joined)
    }

    /// Choices for the processes before the last that go with the chosen tuple of the last.
    fn others(
        &mut self,
        joined: Bdd,
        last: usize,
        chosen: &BddValuation,
        budget: &Budget<'_>,
    ) -> Result<BddValuation, Exhausted> {
        let orientation = Orientation::of_thread(last);
        let mut choices = joined;
        for phase in 0..self.layout.phases() {
            let variables = self.layout.bits().map(|bit| self.layout.variable(phase, Ply(last), bit, orientation));
            let values: Vec<_> = variables.map(|variable| (variable, chosen.value(variable))).collect();
            choices = budget.and(&choices, &self.condition(phase, last).restrict(&values))?;
        }
        Ok(choices.sat_witness().expect("a tuple was chosen that goes with some of the others"))
    }

    fn tuple(&self, valuation: &BddValuation, thread: usize) -> Vec<LockHistory> {
        let orientation = Orientation::of_thread(thread);
        let end = |phase| {
            let value = |bit| valuation.value(self.layout.variable(phase, Ply(thread), bit, orientation));
            self.layout.decode(value)
        };
        let start = LockHistory::start(crate::LockSet::EMPTY);
        std::iter::once(start).chain((0..self.layout.phases()).map(end)).collect()
    }

    fn literal(&self, phase: usize, thread: usize, bit: Bit) -> Bdd {
        let variable = self.layout.variable(phase, Ply(thread), bit, Orientation::of_thread(thread));
        self.layout.variables().mk_var(variable)
    }

    /// What Compatible asks of a process together with those before it, in a phase.
    fn condition(&mut self, phase: usize, thread: usize) -> &Bdd {
        if !self.conditions.contains_key(&(phase, thread)) {
            let condition = self.build_condition(phase, thread);
            self.conditions.insert((phase, thread), condition);
        }
        &self.conditions[&(phase, thread)]
    }

    fn build_condition(&self, phase: usize, thread: usize) -> Bdd {
        let mut condition = self.layout.variables().mk_true();
        // Later groups of variables first, so that the conjunction grows at its root.
        for lock in (0..self.layout.locks()).rev() {
            for other in 0..thread {
                condition = condition.and(&self.one_owner(phase, [thread, other], lock));
                condition = condition.and(&self.one_owner(phase, [other, thread], lock));
            }
        }
        for length in 2..=(thread + 1).min(self.layout.locks()) {
            self.forbid_cycles(phase, thread, length, &mut condition);
        }
        condition
    }

    /// Conditions 1, 2 and 5 for one lock: what one process holds at the start, at the end or throughout, the other
    /// does not hold at the same time, nor touches if it is held throughout.
    fn one_owner(&self, phase: usize, [holder, other]: [usize; 2], lock: usize) -> Bdd {
        let bit = |thread, bit| self.literal(phase, thread, bit);
        let throughout = bit(holder, Bit::HeldThroughout(lock));
        let touched =
            [Bit::HeldThroughout(lock), Bit::Used(lock), Bit::Releases(lock, lock), Bit::Acquisitions(lock, lock)]
                .map(|kind| bit(other, kind))
                .into_iter()
                .reduce(|all, one| all.or(&one))
                .expect("four bits");
        let released = bit(holder, Bit::Releases(lock, lock)).and(&bit(other, Bit::Releases(lock, lock)));
        let acquired = bit(holder, Bit::Acquisitions(lock, lock)).and(&bit(other, Bit::Acquisitions(lock, lock)));
        throughout.and(&touched).or(&released).or(&acquired).not()
    }

    /// Conditions 3 and 4 for cycles through `length` locks, one edge of each of `length` processes, among them
    /// `thread`. Longer cycles have a shortcut: the histories of one process are nested in each other.
    fn forbid_cycles(&self, phase: usize, thread: usize, length: usize, condition: &mut Bdd) {
        for threads in arrangements(thread, length - 1) {
            let threads = [&[thread], &threads[..]].concat();
            for locks in arrangements(self.layout.locks(), length) {
                for edge in [Bit::Acquisitions, Bit::Releases] {
                    let cycle = (0..length).map(|place| {
                        self.literal(phase, threads[place], edge(locks[place], locks[(place + 1) % length]))
                    });
                    let cycle = cycle.reduce(|all, one| all.and(&one)).expect("a cycle has edges");
                    *condition = condition.and(&cycle.not());
                }
            }
        }
    }
}

/// The sequences of `length` different numbers below `count`, the greatest first.
fn arrangements(count: usize, length: usize) -> Vec<Vec<usize>> {
    let mut all = vec![Vec::new()];
    for _ in 0..length {
        let longer = |front: &Vec<usize>| {
            let free = (0..count).rev().filter(|next| !front.contains(next));
            free.map(|next| [&front[..], &[next]].concat()).collect::<Vec<_>>()
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
