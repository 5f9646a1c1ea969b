//! The locks that each process can acquire or wait for.

use eml::model::{LockId, Mode, Model, Operation, ProcessId};
use fixedbitset::FixedBitSet;
use limits::{Meter, StopReason};

/// The locks that a process can use, by kind of use.
#[derive(Clone, Debug)]
pub(crate) struct LockUses {
    /// Acquired in read mode.
    pub(crate) reads: FixedBitSet,
    /// Acquired in write mode; plain locks always are.
    pub(crate) writes: FixedBitSet,
    /// Waited for.
    pub(crate) waits: FixedBitSet,
}

impl LockUses {
    fn new(locks: usize) -> Self {
        let [reads, writes, waits] = [(); 3].map(|()| FixedBitSet::with_capacity(locks));
        Self { reads, writes, waits }
    }

    pub(crate) fn acquires(&self, lock: LockId) -> bool {
        self.reads.contains(lock.index()) || self.writes.contains(lock.index())
    }
}

/// The locks that each process of a model can use.
#[derive(Clone, Debug)]
pub(crate) struct ProcessLocks(Vec<LockUses>);

impl ProcessLocks {
    /// Computes them for all processes. Linear in the size of the model times the number of locks, in bits.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn new(model: &Model, meter: &Meter) -> Result<Self, StopReason> {
        let mut own = vec![LockUses::new(model.locks().len()); model.procedures().len()];
        for (_, node) in model.nodes() {
            meter.work_of(1)?;
            let uses = &mut own[node.procedure.index()];
            match node.operation {
                Operation::Acquire(lock, Mode::Read) => uses.reads.insert(lock.index()),
                Operation::Acquire(lock, Mode::Write) => uses.writes.insert(lock.index()),
                Operation::Wait(lock) => uses.waits.insert(lock.index()),
                // A lock to resume was acquired before.
                Operation::Resume(_)
                | Operation::Skip
                | Operation::Read(_)
                | Operation::Write(_)
                | Operation::Release(..)
                | Operation::Begin
                | Operation::End
                | Operation::Call(_)
                | Operation::Start(_)
                | Operation::Return => {}
            }
        }
        let join = |all: &mut LockUses, other: &LockUses| {
            all.reads.union_with(&other.reads);
            all.writes.union_with(&other.writes);
            all.waits.union_with(&other.waits);
            meter.work_of(1 + other.reads.as_slice().len())
        };
        let all = model.call_graph().bottom_up(own, join)?;
        Ok(Self(model.processes().iter().map(|process| all[process.body().index()].clone()).collect()))
    }

    pub(crate) fn uses(&self, process: ProcessId) -> &LockUses {
        &self.0[process.index()]
    }

    /// The locks that a process can acquire, in order.
    pub(crate) fn acquired_by(&self, process: ProcessId) -> Vec<LockId> {
        let uses = self.uses(process);
        uses.reads.union(&uses.writes).map(LockId::new).collect()
    }
}
