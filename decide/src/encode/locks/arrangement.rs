//! The locks that matter in a scenario, and the plain locks that stand for them.
//!
//! A lock that only one participant ever acquires is always free for it, and so is a lock that nobody acquires in write
//! mode. Such a lock restricts nobody, so leaving it out keeps every interleaving of the participants and makes lock
//! histories smaller. (It may still matter to a process on its own: whether it may wait for the lock, or may acquire it
//! in write mode. [Clones](super::clone) keep that.) The other locks are *contended*.
//!
//! # Read-write locks
//!
//! Let `r` be a contended read-write lock, and number the participants that can acquire it in read mode. `r` becomes
//! one plain lock for each of them, or a single one if there are none. A participant acquires `r` in read mode by
//! acquiring its own plain lock, and in write mode by acquiring all of them in order. It releases them in the opposite
//! order. This is equivalent:
//!
//! - Take an interleaving with `r`, and let each acquisition be those of its plain locks, one right after the other. A
//!   participant that acquires `r` in write mode finds all of them free: nobody else holds `r` in any mode, and it does
//!   not hold `r` in read mode itself, since then it would wait for ever. A participant that acquires `r` in read mode
//!   finds its own plain lock free: only writers hold it, and nobody holds `r` in write mode.
//! - Take an interleaving with the plain locks. Let the acquisition of `r` happen at the last of them, and its release
//!   at the first. A participant that acquires `r` in write mode has all of them then. So no other participant has all
//!   of them, which is `r` in write mode, and no reader has its own, which is `r` in read mode. A participant that
//!   acquires its own plain lock does so while no writer holds it.
//!
//! Nesting is kept, so later stages know nothing of read-write locks. If there is only one reader, the plain locks do
//! not tell in which mode a participant holds `r`; the [slots](super::locks::LockSlots) keep the mode.

use super::contended::{Contended, ContendedLocks, Variant};
use super::slots::LockSlots;
use super::uses::{LockUses, ProcessLocks};
use crate::encode::words::{LocalWord, Mentions};
use crate::reductions::{Reduction, Reductions};
use eml::model::{LockId, LockKind, Model, ProcessId};
use limits::{Meter, StopReason};
use lockhist::LockSet;
use std::sync::Arc;

/// The locks that matter in a scenario, and each participant's numbers among their readers.
#[derive(Clone, Debug)]
pub(crate) struct Arrangement {
    pub(crate) locks: ContendedLocks,
    pub(crate) variants: Vec<Variant>,
}

/// A participant of a scenario.
#[derive(Clone, Copy)]
struct Participant<'a> {
    process: ProcessId,
    uses: &'a LockUses,
}

impl Participant<'_> {
    fn reads(&self, lock: LockId) -> bool {
        self.uses.reads.contains(lock.index())
    }

    fn writes(&self, lock: LockId) -> bool {
        self.uses.writes.contains(lock.index())
    }
}

impl Arrangement {
    /// Returns the arrangement for these participants with these words, without some locks; none if a participant has
    /// more slots of locks than a [`LockSet`] has room for. Linear in the number of locks times that of participants.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn new(
        model: &Model,
        process_locks: &ProcessLocks,
        (processes, words): (&[ProcessId], &[LocalWord]),
        without: &[LockId],
        reductions: Reductions,
        meter: &Meter,
    ) -> Result<Option<Self>, StopReason> {
        let participants =
            processes.iter().map(|process| Participant { process: *process, uses: process_locks.uses(*process) });
        let participants: Vec<_> = participants.collect();
        let least = if reductions.has(Reduction::Locks) { 2 } else { 1 };
        let mut contended = Vec::new();
        for lock in (0..model.locks().len()).map(LockId::new) {
            let users = participants.iter().filter(|participant| participant.uses.acquires(lock)).count();
            if users >= least && !without.contains(&lock) {
                let writers = participants.iter().filter(|participant| participant.writes(lock)).count();
                let readers = participants.iter().filter(|participant| participant.reads(lock)).count();
                contended.extend((writers > 0).then(|| Contended { lock, parts: readers.max(1) }));
            }
        }
        meter.work_of(1 + contended.len() * participants.len())?;
        let locks = ContendedLocks::new(contended);
        if locks.parts() > LockSet::CAPACITY {
            return Ok(None);
        }
        let variants = (0..participants.len()).map(|place| variant(model, &participants, place, &locks)).collect();
        let arrangement = Self { locks, variants };
        let has_room = arrangement.has_room(model, process_locks, &participants, words);
        Ok(has_room.then_some(arrangement))
    }

    /// Whether the slots of each participant fit in one [`LockSet`].
    fn has_room(
        &self,
        model: &Model,
        process_locks: &ProcessLocks,
        participants: &[Participant<'_>],
        words: &[LocalWord],
    ) -> bool {
        let mentions = Mentions::of_words(words);
        let only_writes = |participant: &Participant<'_>| {
            let LockUses { reads, waits, .. } = participant.uses;
            reads.is_clear() && waits.is_clear()
        };
        if 2 * model.locks().len() <= LockSet::CAPACITY || (mentions.is_empty() && participants.iter().all(only_writes))
        {
            return true;
        }
        let mentions = Arc::new(mentions);
        let fits = |variant| LockSlots::new(model, process_locks, variant, &self.locks, mentions.clone()).is_some();
        self.variants.iter().all(fits)
    }
}

/// The participant at this place, with its numbers among the readers of contended read-write locks.
fn variant(model: &Model, participants: &[Participant<'_>], place: usize, locks: &ContendedLocks) -> Variant {
    let own = participants[place];
    let shared = locks.iter().filter(|contended| contended.parts > 1 && own.reads(contended.lock));
    let shared = shared.filter(|contended| model.lock(contended.lock).kind() == LockKind::ReadWrite);
    // In the order of processes, so that a process has the same number whichever thread it is bound to.
    let rank = |place: usize| (participants[place].process, place);
    let number = |lock: LockId| {
        let others = (0..participants.len()).filter(|other| rank(*other) < rank(place));
        others.filter(|other| participants[*other].reads(lock)).count()
    };
    let readers = shared.map(|Contended { lock, .. }| (lock, number(lock)));
    Variant { process: own.process, readers: readers.collect() }
}
