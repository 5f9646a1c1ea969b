//! Which processes can start which.

use crate::model::{Model, Operation, ProcedureId, ProcessId};
use rustc_hash::FxHashSet;

/// The processes of a model, each with those that start it.
#[derive(Clone, Debug)]
pub(crate) struct StartGraph<'m> {
    model: &'m Model,
    starters: Vec<Vec<ProcessId>>,
}

impl<'m> StartGraph<'m> {
    /// Linear in the size of the model times the number of processes.
    pub(crate) fn new(model: &'m Model) -> Self {
        Self { model, starters: starters(model) }
    }

    pub(crate) fn model(&self) -> &'m Model {
        self.model
    }

    /// The processes in whose bodies, or in functions that they call, a process is started; reachable or not.
    pub(crate) fn starters(&self, process: ProcessId) -> &[ProcessId] {
        &self.starters[process.index()]
    }
}

/// For each process those in whose bodies, or in functions that they call, it is started; reachable or not.
fn starters(model: &Model) -> Vec<Vec<ProcessId>> {
    let mut starts: Vec<Vec<ProcessId>> = vec![Vec::new(); model.procedures().len()];
    let mut callees: Vec<Vec<ProcedureId>> = vec![Vec::new(); model.procedures().len()];
    for (_, node) in model.nodes() {
        match node.operation {
            Operation::Start(process) => starts[node.procedure.index()].push(process),
            Operation::Call(callee) => callees[node.procedure.index()].push(callee),
            Operation::Skip
            | Operation::Read(_)
            | Operation::Write(_)
            | Operation::Acquire(_)
            | Operation::Release(_)
            | Operation::Begin
            | Operation::End
            | Operation::Return => {}
        }
    }
    let mut starters = vec![Vec::new(); model.processes().len()];
    for (index, process) in model.processes().iter().enumerate() {
        let mut seen = FxHashSet::default();
        let mut waiting = vec![process.body()];
        while let Some(procedure) = waiting.pop() {
            if seen.insert(procedure) {
                waiting.extend(&callees[procedure.index()]);
                for started in &starts[procedure.index()] {
                    let known: &mut Vec<ProcessId> = &mut starters[started.index()];
                    if known.last() != Some(&ProcessId::new(index)) {
                        known.push(ProcessId::new(index));
                    }
                }
            }
        }
    }
    starters
}
