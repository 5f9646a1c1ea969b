//! Which locks matter in a scenario, and which plain locks stand for them.
//!
//! A lock that only one participant ever acquires is always free for it, and so is a lock that nobody acquires in write
//! mode. It restricts nobody, so leaving it out keeps every interleaving of the participants and makes lock histories
//! smaller. (What a process does alone with such a lock may matter all the same: whether it may wait for it, or may
//! acquire it in write mode. That is kept where processes are [cloned](super::clone).) The others are *contended*.
//!
//! # Read-write locks
//!
//! Let `r` be a contended read-write lock, and let the participants that can acquire it in read mode be numbered. `r`
//! becomes one plain lock for each of them, or a single one if there are none. To acquire `r` in read mode a
//! participant acquires its own, to acquire it in write mode it acquires all of them in order, and it releases them in
//! the opposite order. That is the same:
//!
//! - Take an interleaving with `r`, and let each acquisition be those of its plain locks, one right after the other. A
//!   participant that takes `r` in write mode finds all of them free: nobody else holds `r` in any mode, and it does
//!   not hold `r` in read mode itself, since then it would wait for ever. One that takes `r` in read mode finds its own
//!   free: it is held by writers only, and nobody holds `r` in write mode.
//! - Take an interleaving with the plain locks, and let the acquisition of `r` happen at the last of them, its release
//!   at the first. Who takes `r` in write mode has all of them then: no other has all, that is, `r` in write mode, and
//!   no reader has its own, that is, `r` in read mode. Who takes its own takes it from no writer.
//!
//! Nesting is kept, so nothing behind this knows of read-write locks. Which modes a participant holds `r` in does not
//! follow from the plain locks if there is one reader only; it is kept apart from them (see
//! [`LockNumbers`](super::numbers::LockNumbers)).

use super::instants::Mentions;
use super::numbers::LockNumbers;
use super::scenario::Scenario;
use crate::reductions::{Reduction, Reductions};
use eml::model::{LockId, LockKind, Mode, Model, Operation, ProcessId};
use fixedbitset::FixedBitSet;
use limits::{Meter, StopReason};
use lockhist::LockSet;
use std::sync::Arc;

/// A lock that matters in a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Contended {
    pub(crate) lock: LockId,
    /// How many plain locks stand for it.
    pub(crate) parts: usize,
}

/// The locks that matter in a scenario, in order. The plain locks that stand for them are numbered in this order; they
/// are at most as many as a [`LockSet`] has room for.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ContendedLocks(Arc<[Contended]>);

impl ContendedLocks {
    pub(crate) fn iter(&self) -> impl Iterator<Item = Contended> {
        self.0.iter().copied()
    }

    /// How many plain locks stand for them.
    pub(crate) fn parts(&self) -> usize {
        self.0.iter().map(|contended| contended.parts).sum()
    }
}

/// A process as it takes part in scenarios with some contended locks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Variant {
    pub(crate) process: ProcessId,
    /// Its number among the readers of contended read-write locks, where it is one of several; in the order of the
    /// locks.
    readers: Arc<[(LockId, usize)]>,
}

impl Variant {
    /// Its number among the readers of a lock.
    pub(super) fn reader(&self, lock: LockId) -> usize {
        self.readers.binary_search_by_key(&lock, |(lock, _)| *lock).map_or(0, |place| self.readers[place].1)
    }
}

/// The locks that matter in a scenario, and as what each participant acquires them.
#[derive(Clone, Debug)]
pub(crate) struct Arrangement {
    pub(crate) locks: ContendedLocks,
    pub(crate) variants: Vec<Variant>,
}

/// What a process can do to locks, by lock.
#[derive(Clone, Debug)]
pub(crate) struct LockUses {
    /// Acquire it in read mode.
    pub(super) reads: FixedBitSet,
    /// Acquire it in write mode, as plain locks always are.
    pub(super) writes: FixedBitSet,
    /// Wait for it.
    pub(super) waits: FixedBitSet,
}

impl LockUses {
    fn new(locks: usize) -> Self {
        let [reads, writes, waits] = [(); 3].map(|()| FixedBitSet::with_capacity(locks));
        Self { reads, writes, waits }
    }

    pub(super) fn acquires(&self, lock: LockId) -> bool {
        self.reads.contains(lock.index()) || self.writes.contains(lock.index())
    }
}

/// What each process of a model can do to locks.
#[derive(Clone, Debug)]
pub(crate) struct Contention(Vec<LockUses>);

impl Contention {
    /// Linear in the size of the model times the number of locks, in bits.
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
                // What is gotten back was acquired before.
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

    pub(super) fn uses(&self, process: ProcessId) -> &LockUses {
        &self.0[process.index()]
    }

    /// The locks that a process can acquire, in order.
    pub(crate) fn of_process(&self, process: ProcessId) -> Vec<LockId> {
        let uses = self.uses(process);
        uses.reads.union(&uses.writes).map(LockId::new).collect()
    }

    /// The locks that matter in a scenario, but for some; none if there is more to keep of locks than a set of locks
    /// has room for. Linear in the number of locks times that of participants.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn arrangement(
        &self,
        model: &Model,
        scenario: &Scenario,
        without: &[LockId],
        reductions: Reductions,
        meter: &Meter,
    ) -> Result<Option<Arrangement>, StopReason> {
        let uses: Vec<_> = scenario.participants.iter().map(|participant| self.uses(participant.process)).collect();
        let least = if reductions.has(Reduction::Locks) { 2 } else { 1 };
        let mut contended = Vec::new();
        for lock in (0..model.locks().len()).map(LockId::new) {
            let users = uses.iter().filter(|uses| uses.acquires(lock)).count();
            if users >= least && !without.contains(&lock) {
                let writers = uses.iter().filter(|uses| uses.writes.contains(lock.index())).count();
                let readers = uses.iter().filter(|uses| uses.reads.contains(lock.index())).count();
                contended.extend((writers > 0).then(|| Contended { lock, parts: readers.max(1) }));
            }
        }
        meter.work_of(1 + contended.len() * uses.len())?;
        let locks = ContendedLocks(contended.into());
        if locks.parts() > LockSet::CAPACITY {
            return Ok(None);
        }
        let variants = (0..uses.len()).map(|place| self.variant(model, scenario, place, &locks)).collect();
        let arrangement = Arrangement { locks, variants };
        let has_room = self.has_room(model, scenario, &arrangement);
        Ok(has_room.then_some(arrangement))
    }

    fn variant(&self, model: &Model, scenario: &Scenario, place: usize, locks: &ContendedLocks) -> Variant {
        let reads =
            |place: usize, lock: LockId| self.uses(scenario.participants[place].process).reads.contains(lock.index());
        let shared = locks.iter().filter(|contended| contended.parts > 1 && reads(place, contended.lock));
        let shared = shared.filter(|contended| model.lock(contended.lock).kind() == LockKind::ReadWrite);
        // In the order of processes, so that a process has the same number whichever thread it is bound to.
        let rank = |place: usize| (scenario.participants[place].process, place);
        let number = |lock: LockId| {
            let others = (0..scenario.participants.len()).filter(|other| rank(*other) < rank(place));
            others.filter(|other| reads(*other, lock)).count()
        };
        let readers = shared.map(|Contended { lock, .. }| (lock, number(lock)));
        Variant { process: scenario.participants[place].process, readers: readers.collect() }
    }

    /// Whether what has to be kept of the locks of each participant finds room in a set of locks.
    fn has_room(&self, model: &Model, scenario: &Scenario, arrangement: &Arrangement) -> bool {
        let mentions = Mentions::of_words(&scenario.words);
        let processes = || scenario.participants.iter().map(|participant| self.uses(participant.process));
        let keeps_contended = || processes().all(|uses| uses.reads.is_clear() && uses.waits.is_clear());
        if 2 * model.locks().len() <= LockSet::CAPACITY || (mentions.is_empty() && keeps_contended()) {
            return true;
        }
        let mentions = Arc::new(mentions);
        let fits = |variant| LockNumbers::new(model, self, variant, &arrangement.locks, mentions.clone()).is_some();
        arrangement.variants.iter().all(fits)
    }
}
