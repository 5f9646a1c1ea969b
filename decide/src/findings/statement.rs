//! Statements, and causes made of them.

use crate::witness::{Action, Step, Witness};
use phases::Mode;
use std::collections::{BTreeMap, BTreeSet};

/// What a step does, and where that stands.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Statement {
    /// The function, or the process in whose own body it stands.
    pub function: String,
    /// The file, in models of several.
    pub file: Option<String>,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1.
    pub column: u32,
    /// What it does.
    pub action: Action,
    /// To which location or lock.
    pub object: Option<String>,
    /// In which mode, for read-write locks.
    pub mode: Option<Mode>,
}

impl From<&Step> for Statement {
    fn from(step: &Step) -> Self {
        let Step { function, file, line, column, action, object, mode, .. } = step.clone();
        Self { function, file, line, column, action, object, mode }
    }
}

/// The shares of the threads, in an order that does not depend on that of the threads.
pub(super) type Cause = Vec<BTreeSet<Statement>>;

/// The cause of a violation, as the module says.
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
