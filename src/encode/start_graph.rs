//! Which processes can start which.

use crate::model::{Model, ProcessId};

/// The processes of a model, each with those that start it.
#[derive(Clone, Debug)]
pub(crate) struct StartGraph<'m> {
    model: &'m Model,
    starters: Vec<Vec<ProcessId>>,
}

impl<'m> StartGraph<'m> {
    /// Linear in the size of the model times the number of processes.
    pub(crate) fn new(model: &'m Model) -> Self {
        Self { model, starters: model.call_graph().starters(model.processes()) }
    }

    pub(crate) fn model(&self) -> &'m Model {
        self.model
    }

    /// The processes in whose bodies, or in functions that they call, a process is started; reachable or not.
    pub(crate) fn starters(&self, process: ProcessId) -> &[ProcessId] {
        &self.starters[process.index()]
    }
}
