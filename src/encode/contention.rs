//! Which locks matter in a query: those that at least two of the participants can acquire.
//!
//! A lock that only one participant ever acquires is always free for it, so it restricts nothing; leaving it out keeps
//! every interleaving of the participants and makes lock histories smaller.

use super::scenario::Scenario;
use crate::limits::{Meter, StopReason};
use crate::model::{LockId, Model, Operation, ProcessId};
use crate::reductions::{Reduction, Reductions};
use fixedbitset::FixedBitSet;
use lockhist::LockSet;
use std::ops::Deref;
use std::sync::Arc;

/// The locks that matter in a scenario, in order; at most as many as a [`LockSet`] has room for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ContendedLocks(Arc<[LockId]>);

impl Deref for ContendedLocks {
    type Target = [LockId];

    fn deref(&self) -> &[LockId] {
        &self.0
    }
}

/// The locks that each process of a model can acquire.
#[derive(Clone, Debug)]
pub(crate) struct Contention(Vec<FixedBitSet>);

impl Contention {
    /// Linear in the size of the model times the number of locks, in bits.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn new(model: &Model, meter: &Meter) -> Result<Self, StopReason> {
        let mut own = vec![FixedBitSet::with_capacity(model.locks().len()); model.procedures().len()];
        for (_, node) in model.nodes() {
            meter.work_of(1)?;
            match node.operation {
                Operation::Acquire(lock, _) => own[node.procedure.index()].insert(lock.index()),
                Operation::Skip
                | Operation::Read(_)
                | Operation::Write(_)
                | Operation::Release(..)
                | Operation::Wait(_)
                | Operation::Resume(_)
                | Operation::Begin
                | Operation::End
                | Operation::Call(_)
                | Operation::Start(_)
                | Operation::Return => {}
            }
        }
        let all = model.call_graph().bottom_up(own, |all, other| {
            all.union_with(other);
            meter.work_of(1 + other.as_slice().len())
        })?;
        Ok(Self(model.processes().iter().map(|process| all[process.body().index()].clone()).collect()))
    }

    /// The locks that a process can acquire, in order.
    pub(crate) fn of_process(&self, process: ProcessId) -> Vec<LockId> {
        self.0[process.index()].ones().map(LockId::new).collect()
    }

    /// The locks that matter in a scenario; none if they are more than a set of locks has room for. Linear in the number of
    /// locks times that of participants.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn locks_of(
        &self,
        scenario: &Scenario,
        reductions: Reductions,
        meter: &Meter,
    ) -> Result<Option<ContendedLocks>, StopReason> {
        let instances: Vec<_> = scenario.participants.iter().map(|participant| participant.process).collect();
        let locks = self.locks(&instances, if reductions.has(Reduction::Locks) { 2 } else { 1 });
        meter.work_of(1 + locks.len() * instances.len())?;
        Ok((locks.len() <= LockSet::CAPACITY).then(|| ContendedLocks(locks.into())))
    }

    /// The locks that at least so many of these instances can acquire, in order.
    fn locks(&self, instances: &[ProcessId], least: usize) -> Vec<LockId> {
        let count = self.0.first().map_or(0, FixedBitSet::len);
        let users = |lock: usize| instances.iter().filter(|process| self.0[process.index()].contains(lock)).count();
        (0..count).filter(|lock| users(*lock) >= least).map(LockId::new).collect()
    }
}
