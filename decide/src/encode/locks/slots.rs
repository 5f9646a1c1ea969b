//! The locks of which a process keeps the state, and the plain locks by which it takes them.
//!
//! The state of a lock is whether the process holds it, and in which mode. It is kept for contended locks and for other
//! locks whose state decides something: those that the process waits for, those that it acquires in both modes, and
//! those that the words mention. A lock with a mode is a *slot*. Sets of slots are small sets, like sets of locks.

use super::contended::{ContendedLocks, Variant};
use super::uses::ProcessLocks;
use crate::encode::words::Mentions;
use eml::model::{LockId, Mode, Model};
use lockhist::{Lock, LockSet};
use std::ops::Range;
use std::sync::Arc;

/// The slots of a process and its operations.
#[derive(Clone, Debug)]
pub(crate) struct LockSlots {
    /// Indexed by lock.
    locks: Vec<LockEntry>,
    pub(crate) mentions: Arc<Mentions>,
    /// The slots of contended locks that the process waits for.
    waited: LockSet,
}

#[derive(Clone, Debug, Default)]
struct LockEntry {
    /// The slots, by mode.
    slots: [Option<Lock>; 2],
    /// The numbers of the plain locks to acquire, by mode; none if the lock is not contended.
    parts: Option<[Range<usize>; 2]>,
}

fn place(mode: Mode) -> usize {
    match mode {
        Mode::Read => 0,
        Mode::Write => 1,
    }
}

impl LockSlots {
    /// Assigns the slots; none if there are more than a [`LockSet`] has room for. Linear in the number of locks.
    pub(crate) fn new(
        model: &Model,
        process_locks: &ProcessLocks,
        variant: &Variant,
        contended: &ContendedLocks,
        mentions: Arc<Mentions>,
    ) -> Option<Self> {
        let uses = process_locks.uses(variant.process);
        let mut locks = vec![LockEntry::default(); model.locks().len()];
        let mut first = 0;
        for contended in contended.iter() {
            let own = first + variant.reader(contended.lock);
            locks[contended.lock.index()].parts = Some([own..own + 1, first..first + contended.parts]);
            first += contended.parts;
        }
        let mut slots = 0;
        let mut waited = LockSet::EMPTY;
        for (index, lock) in locks.iter_mut().enumerate() {
            let id = LockId::new(index);
            let modes = [uses.reads.contains(index), uses.writes.contains(index)];
            let waits = uses.waits.contains(index);
            let is_mentioned = || mentions.locks().any(|other| other == id);
            if lock.parts.is_none() && !waits && modes != [true, true] && !is_mentioned() {
                continue;
            }
            for mode in [Mode::Read, Mode::Write].into_iter().filter(|mode| modes[place(*mode)]) {
                if slots == LockSet::CAPACITY {
                    return None;
                }
                lock.slots[place(mode)] = Some(Lock::new(slots));
                slots += 1;
            }
            if waits && lock.parts.is_some() {
                waited |= lock.slots.into_iter().flatten().collect();
            }
        }
        Some(Self { locks, mentions, waited })
    }

    /// The slot of a lock in a mode, if it has one.
    pub(crate) fn slot(&self, lock: LockId, mode: Mode) -> Option<Lock> {
        self.locks[lock.index()].slots[place(mode)]
    }

    /// Both slots of a lock, as far as it has them.
    pub(crate) fn slots(&self, lock: LockId) -> LockSet {
        self.locks[lock.index()].slots.into_iter().flatten().collect()
    }

    /// The mode in which a lock is held, given the slots that are held.
    pub(crate) fn held_mode(&self, lock: LockId, held: LockSet) -> Option<Mode> {
        let is_held = |mode: &Mode| self.slot(lock, *mode).is_some_and(|slot| held.contains(slot));
        [Mode::Write, Mode::Read].into_iter().find(is_held)
    }

    pub(crate) fn is_contended(&self, lock: LockId) -> bool {
        self.locks[lock.index()].parts.is_some()
    }

    /// The plain locks that stand for a lock in a mode, in order; none if the lock is not contended.
    pub(crate) fn parts(&self, lock: LockId, mode: Mode) -> Option<impl DoubleEndedIterator<Item = Lock> + use<>> {
        let parts = self.locks[lock.index()].parts.as_ref()?[place(mode)].clone();
        Some(parts.map(Lock::new))
    }

    /// The slots of contended locks that the process waits for.
    pub(crate) fn waited(&self) -> LockSet {
        self.waited
    }

    /// The slots that an acquisition of a lock depends on: its own, and those of the locks that the words mention as
    /// held while the process wants this lock.
    pub(crate) fn relevant_slots(&self, lock: LockId) -> LockSet {
        let holding = self.mentions.holding(lock).unwrap_or_default();
        holding.iter().fold(self.slots(lock), |all, other| all | self.slots(*other))
    }
}
