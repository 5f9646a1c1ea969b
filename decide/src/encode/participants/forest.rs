//! Which instances take part in a query, and who starts whom.

use super::solo::Restraint;
use eml::model::ProcessId;

/// An instance that takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Participant {
    pub(crate) process: ProcessId,
    /// The number of the start that leads to it; none if it is available from the beginning.
    pub(crate) start: Option<usize>,
}

/// A start that a participant makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    /// The participant that makes it.
    pub(crate) spawner: usize,
    /// The process that is started: that of the only participant it leads to, or a quick creator.
    pub(crate) process: ProcessId,
    /// The participants it leads to.
    pub(crate) spawned: Vec<usize>,
}

/// Who takes part and who starts whom.
#[derive(Clone, Debug)]
pub(crate) struct Forest {
    /// First those bound to the threads of the automaton, in order, then the creators.
    pub(crate) participants: Vec<Participant>,
    pub(crate) starts: Vec<Start>,
    /// What is available from the beginning: initial processes, each with the participants that it delivers.
    pub(crate) available: Vec<(ProcessId, Vec<usize>)>,
    /// What early creators must not do.
    pub(crate) early: Restraint,
    /// What quick creators must not do.
    pub(crate) quick: Restraint,
}
