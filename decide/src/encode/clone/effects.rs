//! What a procedure can do, it or the procedures that it calls: bottom-up over the call graph.

use crate::encode::locks::LockSlots;
use eml::model::{Model, Operation, ProcedureId};
use limits::{Meter, StopReason};
use lockhist::LockSet;

/// What the procedures of a model can do, each with all that it calls.
#[derive(Clone, Debug)]
pub(crate) struct ProcedureEffects(Vec<Effects>);

#[derive(Clone, Copy, Debug, Default)]
struct Effects {
    slots: LockSet,
    waits: LockSet,
    /// Whether there is an access or a boundary of a unit.
    acts: bool,
}

impl ProcedureEffects {
    /// Linear in the size of the model.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn new(model: &Model, locks: &LockSlots, meter: &Meter) -> Result<Self, StopReason> {
        let mut own = vec![Effects::default(); model.procedures().len()];
        for (_, node) in model.nodes() {
            meter.work_of(1)?;
            let effects = &mut own[node.procedure.index()];
            match node.operation {
                Operation::Acquire(lock, _) | Operation::Resume(lock) => effects.slots |= locks.looked_at(lock),
                Operation::Wait(lock) => {
                    effects.slots |= locks.slots(lock);
                    effects.waits |= locks.slots(lock) & locks.waited();
                }
                Operation::Read(_) | Operation::Write(_) | Operation::Begin | Operation::End => effects.acts = true,
                // What is called is added below; what is started acts for itself.
                Operation::Call(_)
                | Operation::Start(_)
                | Operation::Skip
                | Operation::Release(..)
                | Operation::Return => {}
            }
        }
        let join = |all: &mut Effects, other: &Effects| {
            *all = Effects {
                slots: all.slots | other.slots,
                waits: all.waits | other.waits,
                acts: all.acts || other.acts,
            };
            meter.work_of(1)
        };
        model.call_graph().bottom_up(own, join).map(Self)
    }

    /// The slots that matter: those of the locks that can be acquired or waited for, and what the words speak of
    /// together with wanting them.
    pub(crate) fn slots(&self, procedure: ProcedureId) -> LockSet {
        self.0[procedure.index()].slots
    }

    /// The contended locks, as slots, that can be waited for.
    pub(crate) fn waits(&self, procedure: ProcedureId) -> LockSet {
        self.0[procedure.index()].waits
    }

    /// Whether an access or a boundary of a unit can be reached.
    pub(crate) fn acts(&self, procedure: ProcedureId) -> bool {
        self.0[procedure.index()].acts
    }
}
