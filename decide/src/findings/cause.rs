//! Causes, which consist of statements of witnesses.

use crate::witness::{Action, Statement, Step, Witness};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The shares of the threads, sorted, so that their order does not depend on the numbers of the threads.
pub(super) type Cause = Vec<BTreeSet<Arc<Statement>>>;

/// Returns the cause of a violation, defined in the module `findings`.
pub(super) fn cause(witness: &Witness) -> Cause {
    let events = || witness.steps.iter().filter(|step| step.event.is_some());
    let is_boundary = |step: &&Step| matches!(step.action, Action::Begin | Action::End);
    let only_boundaries = events().all(|step| is_boundary(&step));
    let mut shares: BTreeMap<usize, BTreeSet<Arc<Statement>>> = BTreeMap::new();
    for step in events().filter(|step| only_boundaries || !is_boundary(step)) {
        shares.entry(step.thread).or_default().insert(step.statement.clone());
    }
    let mut cause: Vec<_> = shares.into_values().collect();
    cause.sort_unstable();
    cause
}
