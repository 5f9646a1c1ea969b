//! Sleep sets: steps that need not be taken, since their successors were explored from an earlier state.
//!
//! Stoller (000, section 4; 002, sections 3 and 7, where dependency is judged in the state). After a step `t` of a
//! state was explored, it *sleeps* in the successors by other steps of that state, as long as it passes all executed
//! steps: if `u` and then `t` leads somewhere, `t` and then `u` leads to the same place, which was explored. A step
//! wakes up if it takes a lock that changes hands, if it does not pass the executed effect on the automaton, if both
//! steps start an instance of the same process, or if it belongs to the thread that acted.
//!
//! If states are stored, the sleep set with which a state was explored is stored with it. If the state is found again
//! with a set that does not contain all of the stored set, the missing steps are explored then, and the intersection is
//! stored. In each such round only steps explored in this round fall asleep; otherwise two steps could each wait for
//! the other.

use super::effects::Phase;
use super::global_state::State;
use super::local_states::{LocalId, StepId};
use super::system::{Edge, System};
use crate::semantics::LockChange;
use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// The sleeping steps, ascending. Threads in the same local state are not distinguished.
pub(super) type Sleep = Vec<StepId>;

/// A stored sleep set; equal ids stand for equal sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SleepId(u32);

/// The sleep sets of stored states.
#[derive(Clone, Debug, Default)]
pub(super) struct SleepSets(IndexSet<Box<[StepId]>, FxBuildHasher>);

impl SleepSets {
    pub(super) fn intern(&mut self, sleep: &Sleep) -> SleepId {
        if let Some(known) = self.0.get_index_of(&sleep[..]) {
            return SleepId(known as u32);
        }
        SleepId(self.0.insert_full(sleep.clone().into()).0 as u32)
    }

    pub(super) fn get(&self, id: SleepId) -> &[StepId] {
        &self.0[id.0 as usize]
    }
}

impl System<'_> {
    /// Returns the steps that still sleep after an edge.
    pub(super) fn asleep_after(&mut self, asleep: &[StepId], before: &State, edge: &Edge, after: &State) -> Sleep {
        let mut left = Sleep::new();
        for step in asleep {
            let thread = self.locals.step(*step).from;
            let is_other = thread != edge.mover || count(before, thread) > 1;
            if is_other && count(after, thread) > 0 && self.is_left_alone(*step, edge, before.phase) {
                left.push(*step);
            }
        }
        left
    }

    /// Whether a step of another thread passes all steps of an edge and is possible after it iff it is possible before
    /// it.
    fn is_left_alone(&mut self, id: StepId, edge: &Edge, phase: Phase) -> bool {
        let (lock, effect, starts) = {
            let step = self.locals.step(id);
            (step.lock, step.effect, step.starts)
        };
        edge.steps.iter().all(|done| {
            let done = self.locals.step(*done);
            let hands_over = match (lock, done.lock) {
                (LockChange::Takes(own, wanted), LockChange::Takes(lock, mode) | LockChange::Gives(lock, mode)) => {
                    own == lock && wanted.excludes(mode)
                }
                (LockChange::Takes(own, _), LockChange::Lowers(lock)) => own == lock,
                _ => false,
            };
            let both_start = starts.is_some() && starts == done.starts;
            let done = done.effect;
            !hands_over && !both_start && !self.locals.effects.conflicts(effect, done, phase, edge.phase)
        })
    }
}

fn count(state: &State, thread: LocalId) -> usize {
    state.threads.iter().filter(|own| **own == thread).count()
}
