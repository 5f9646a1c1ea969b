//! Local paths: what each participant executes, phase by phase.

use crate::model::{NodeId, ProcessId};

/// The nodes that a participant executes in each phase, in order; branching points may be left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LocalPath(pub(crate) Vec<Vec<NodeId>>);

/// A participant with its path.
#[derive(Clone, Debug)]
pub(crate) struct Part {
    pub(crate) process: ProcessId,
    pub(crate) path: LocalPath,
}

/// How a phase ends: the last step of its owner in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PhaseEnd {
    /// The participant that takes the step.
    pub(crate) owner: usize,
    /// The participant that the step starts, if it is a start.
    pub(crate) starts: Option<usize>,
}
