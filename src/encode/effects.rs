//! What a procedure can do, it or the procedures that it calls: bottom-up over the call graph.

use super::clone::LockNumbers;
use crate::limits::{Meter, StopReason};
use crate::model::{Model, Operation, ProcedureId};
use lockhist::LockSet;

/// What the procedures of a model can do, each with all that it calls.
#[derive(Clone, Debug)]
pub(crate) struct ProcedureEffects(Vec<Effects>);

#[derive(Clone, Copy, Debug, Default)]
struct Effects {
    locks: LockSet,
    /// Whether there is an access or a boundary of a unit.
    acts: bool,
}

impl ProcedureEffects {
    /// Linear in the size of the model.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn new(model: &Model, locks: &LockNumbers, meter: &Meter) -> Result<Self, StopReason> {
        let mut own = vec![Effects::default(); model.procedures().len()];
        for (_, node) in model.nodes() {
            meter.work_of(1)?;
            let touch = &mut own[node.procedure.index()];
            match node.operation {
                Operation::Acquire(lock, _) => touch.locks |= locks.number(lock).into_iter().collect(),
                Operation::Read(_) | Operation::Write(_) | Operation::Begin | Operation::End => touch.acts = true,
                // What is called is added below; what is started acts for itself.
                Operation::Call(_)
                | Operation::Start(_)
                | Operation::Skip
                | Operation::Release(..)
                | Operation::Wait(_)
                | Operation::Resume(_)
                | Operation::Return => {}
            }
        }
        let join = |all: &mut Effects, other: &Effects| {
            *all = Effects { locks: all.locks | other.locks, acts: all.acts || other.acts };
            meter.work_of(1)
        };
        model.call_graph().bottom_up(own, join).map(Self)
    }

    /// The locks that can be acquired.
    pub(crate) fn locks(&self, procedure: ProcedureId) -> LockSet {
        self.0[procedure.index()].locks
    }

    /// Whether an access or a boundary of a unit can be reached.
    pub(crate) fn acts(&self, procedure: ProcedureId) -> bool {
        self.0[procedure.index()].acts
    }
}
