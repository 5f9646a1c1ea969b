//! Which accesses of a witness are made under locks.

use crate::verdict::section::is_access;
use crate::witness::{Action, Witness};
use std::collections::BTreeMap;

/// Of each access of a thread that takes a transition, in order, whether the thread holds a lock.
pub(super) fn locked(witness: &Witness, thread: usize) -> Vec<bool> {
    let mut depth: BTreeMap<&str, usize> = BTreeMap::new();
    let mut locked = Vec::new();
    for step in witness.steps.iter().filter(|step| step.thread == thread) {
        if is_access(step) {
            locked.push(depth.values().any(|depth| *depth > 0));
        }
        let Some(lock) = step.object.as_deref() else { continue };
        match step.action {
            Action::Acquire | Action::Resume => *depth.entry(lock).or_default() += 1,
            Action::Release => {
                let depth = depth.entry(lock).or_default();
                *depth = depth.saturating_sub(1);
            }
            Action::Wait => drop(depth.remove(lock)),
            _ => {}
        }
    }
    locked
}
