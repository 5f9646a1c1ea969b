//! The instances that take part in a query, and the starts between them.

use super::solo::Restraint;
use eml::model::ProcessId;

/// An instance that takes part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Participant {
    pub(crate) process: ProcessId,
    /// The number of the start that spawns it; none if it is available from the beginning.
    pub(crate) start: Option<usize>,
}

/// A start that a participant makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Start {
    /// The participant that makes the start.
    pub(crate) spawner: usize,
    /// The process that is started: that of the only spawned participant, or a quick spawner.
    pub(crate) process: ProcessId,
    /// The participants that exist after the start and the runs of quick spawners.
    pub(crate) spawned: Vec<usize>,
}

/// Participants, and the starts between them.
#[derive(Clone, Debug)]
pub(crate) struct Forest {
    /// First those bound to the threads of the automaton, in order, then the spawners.
    pub(crate) participants: Vec<Participant>,
    pub(crate) starts: Vec<Start>,
    /// Initial processes, each with the participants that it makes available from the beginning.
    pub(crate) available: Vec<(ProcessId, Vec<usize>)>,
    /// The restraint of early spawners.
    pub(crate) early: Restraint,
    /// The restraint of quick spawners.
    pub(crate) quick: Restraint,
}

impl Forest {
    /// The same threads without the spawners, as if they were available from the beginning.
    pub(crate) fn threads_alone(&self, threads: usize) -> Self {
        let participant = |participant: &Participant| Participant { process: participant.process, start: None };
        let participants = self.participants[..threads].iter().map(participant).collect();
        let (early, quick) = (self.early.clone(), self.quick.clone());
        Self { participants, starts: Vec::new(), available: Vec::new(), early, quick }
    }
}
