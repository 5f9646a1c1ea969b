//! Effects of procedures and their callees, computed bottom-up over the call graph.

use crate::encode::locks::LockSlots;
use eml::model::{Model, Operation, ProcedureId};
use limits::{Meter, StopReason};
use lockhist::LockSet;

/// The effects of each procedure of a model, callees included.
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
    /// Computes the effects. Linear in the size of the model.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn new(model: &Model, locks: &LockSlots, meter: &Meter) -> Result<Self, StopReason> {
        let mut own = vec![Effects::default(); model.procedures().len()];
        for (_, node) in model.nodes() {
            meter.work_of(1)?;
            let effects = &mut own[node.procedure.index()];
            match node.operation {
                Operation::Acquire(lock, _) | Operation::Resume(lock) => effects.slots |= locks.relevant_slots(lock),
                Operation::Wait(lock) => {
                    effects.slots |= locks.slots(lock);
                    effects.waits |= locks.slots(lock) & locks.waited();
                }
                Operation::Read(_) | Operation::Write(_) | Operation::Begin | Operation::End => effects.acts = true,
                // The effects of callees are added below; a started process acts for itself.
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

    /// The slots that matter: those of locks that can be acquired or waited for, and those that the words mention
    /// together with wanting them.
    pub(crate) fn slots(&self, procedure: ProcedureId) -> LockSet {
        self.0[procedure.index()].slots
    }

    /// The slots of contended locks that can be waited for.
    pub(crate) fn waits(&self, procedure: ProcedureId) -> LockSet {
        self.0[procedure.index()].waits
    }

    /// Whether an access or a boundary of a unit can be reached.
    pub(crate) fn acts(&self, procedure: ProcedureId) -> bool {
        self.0[procedure.index()].acts
    }
}
