//! Which locks a thread holds in a witness.

use super::section::is_access;
use decide::witness::{Action, Step, Witness};
use isolate::Meanings;
use std::collections::BTreeMap;

/// The locks that a thread holds while its steps are gone through in order.
#[derive(Debug, Default)]
pub(crate) struct WitnessLocks<'w> {
    depth: BTreeMap<&'w str, usize>,
}

impl<'w> WitnessLocks<'w> {
    /// A step of the thread happens: the lock that it lets go, if it does not hold it any more.
    pub(crate) fn step(&mut self, step: &'w Step) -> Option<&'w str> {
        let lock = step.object.as_deref()?;
        match step.action {
            Action::Acquire | Action::Resume => {
                *self.depth.entry(lock).or_default() += 1;
                None
            }
            Action::Release => {
                let depth = self.depth.entry(lock).or_default();
                *depth = depth.saturating_sub(1);
                (*depth == 0).then_some(lock)
            }
            Action::Wait => self.depth.remove(lock).map(|_| lock),
            Action::Read | Action::Write | Action::Begin | Action::End => None,
            Action::Call | Action::Return | Action::Start | Action::Wants => None,
        }
    }

    /// The locks that it holds.
    pub(crate) fn locks(&self) -> impl Iterator<Item = &'w str> {
        self.depth.iter().filter(|(_, depth)| **depth > 0).map(|(lock, _)| *lock)
    }
}

/// Of each access of a thread that takes a transition, in order, whether the thread holds a lock of the program. What
/// makes an operation of the library atomic is none.
pub(crate) fn locked(witness: &Witness, thread: usize) -> Vec<bool> {
    let mut held = WitnessLocks::default();
    let mut locked = Vec::new();
    for step in witness.steps.iter().filter(|step| step.thread == thread) {
        if is_access(step) {
            locked.push(held.locks().any(|lock| !lock.starts_with(Meanings::OPERATIONS)));
        }
        held.step(step);
    }
    locked
}
