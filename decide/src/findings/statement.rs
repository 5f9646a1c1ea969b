//! Statements of witnesses, and the causes that consist of them.

use crate::witness::{Action, Step, Witness};
use phases::Mode;
use std::collections::{BTreeMap, BTreeSet};

/// The action of a step, and its position in the text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Statement {
    /// The function, or the process for statements in its body.
    pub function: String,
    /// The file, in models of several files.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// The action.
    pub action: Action,
    /// The name of the location, lock, function or process that the action concerns.
    pub object: Option<String>,
    /// The mode, for read-write locks.
    pub mode: Option<Mode>,
}

impl From<&Step> for Statement {
    fn from(step: &Step) -> Self {
        let Step { function, file, line, column, action, object, mode, .. } = step.clone();
        Self { function, file, line, column, action, object, mode }
    }
}

/// The shares of the threads, sorted, so that their order does not depend on the numbers of the threads.
pub(super) type Cause = Vec<BTreeSet<Statement>>;

/// Returns the cause of a violation, defined in the module `findings`.
pub(super) fn cause(witness: &Witness) -> Cause {
    let events = || witness.steps.iter().filter(|step| step.event.is_some());
    let is_boundary = |step: &&Step| matches!(step.action, Action::Begin | Action::End);
    let only_boundaries = events().all(|step| is_boundary(&step));
    let mut shares: BTreeMap<usize, BTreeSet<Statement>> = BTreeMap::new();
    for step in events().filter(|step| only_boundaries || !is_boundary(step)) {
        shares.entry(step.thread).or_default().insert(Statement::from(step));
    }
    let mut cause: Vec<_> = shares.into_values().collect();
    cause.sort_unstable();
    cause
}
