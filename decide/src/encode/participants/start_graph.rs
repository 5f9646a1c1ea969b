//! The start graph: which processes can start which.

use crate::encode::locks::ProcessLocks;
use eml::model::{LockId, Model, ProcessId};
use limits::{Meter, StopReason};

/// The processes of a model, with those that they start.
#[derive(Debug)]
pub(crate) struct StartGraph<'m> {
    model: &'m Model,
    /// For each process, those that its body and the functions that it calls start, in reachable code or not.
    started: Vec<Vec<ProcessId>>,
    /// The inverse relation.
    starters: Vec<Vec<ProcessId>>,
    locks: ProcessLocks,
}

impl<'m> StartGraph<'m> {
    /// Computes the graph. Linear in the size of the model times the number of processes.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn new(model: &'m Model, meter: &Meter) -> Result<Self, StopReason> {
        let starters = model.call_graph().starters(model.processes(), |reached| meter.work_of(reached))?;
        let mut started = vec![Vec::new(); starters.len()];
        for (index, starters) in starters.iter().enumerate() {
            starters.iter().for_each(|process: &ProcessId| started[process.index()].push(ProcessId::new(index)));
        }
        let locks = ProcessLocks::new(model, meter)?;
        Ok(Self { model, started, starters, locks })
    }

    pub(crate) fn model(&self) -> &'m Model {
        self.model
    }

    pub(crate) fn processes(&self) -> impl Iterator<Item = ProcessId> + use<> {
        (0..self.started.len()).map(ProcessId::new)
    }

    /// The processes that a process starts, each once.
    pub(crate) fn started(&self, process: ProcessId) -> &[ProcessId] {
        &self.started[process.index()]
    }

    /// The processes that start a process, each once.
    pub(crate) fn starters(&self, process: ProcessId) -> &[ProcessId] {
        &self.starters[process.index()]
    }

    /// The locks that each process can acquire or wait for.
    pub(crate) fn process_locks(&self) -> &ProcessLocks {
        &self.locks
    }

    /// The locks that a process can acquire, in order.
    pub(crate) fn locks(&self, process: ProcessId) -> Vec<LockId> {
        self.locks.acquired_by(process)
    }
}
