//! The locks that a thread holds in a witness.

use super::section::is_access;
use decide::witness::{Action, Step, Witness};
use isolate::Meanings;
use std::collections::BTreeMap;

/// The locks of a thread, after some of its steps.
#[derive(Debug, Default)]
pub(crate) struct WitnessLocks<'w> {
    depth: BTreeMap<&'w str, usize>,
}

impl<'w> WitnessLocks<'w> {
    /// Executes a step of the thread. Returns the lock that it no longer holds, if there is one.
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

    /// The held locks.
    pub(crate) fn locks(&self) -> impl Iterator<Item = &'w str> {
        self.depth.iter().filter(|(_, depth)| **depth > 0).map(|(lock, _)| *lock)
    }
}

/// For each access of a thread that takes a transition, in order: whether the thread holds a lock of the program.
/// Internal locks of library operations do not count.
pub(crate) fn locked(witness: &Witness, thread: usize) -> Vec<bool> {
    let mut held = WitnessLocks::default();
    let mut locked = Vec::new();
    for step in witness.steps.iter().filter(|step| step.thread == thread) {
        if is_access(step) {
            let is_internal = |lock: &str| {
                [Meanings::OPERATIONS, Meanings::ONCE, Meanings::OWNER].iter().any(|prefix| lock.starts_with(prefix))
            };
            locked.push(held.locks().any(|lock| !is_internal(lock)));
        }
        held.step(step);
    }
    locked
}

/// Whether a thread holds a lock at an access that takes a transition, also an internal lock of a library operation.
pub(crate) fn holds_lock(witness: &Witness) -> bool {
    (0..witness.threads.len()).any(|thread| {
        let mut held = WitnessLocks::default();
        witness.steps.iter().filter(|step| step.thread == thread).any(|step| {
            held.step(step);
            is_access(step) && held.locks().any(|lock| !lock.starts_with(Meanings::ONCE))
        })
    })
}
