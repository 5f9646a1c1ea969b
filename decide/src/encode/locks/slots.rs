//! What is kept of the locks of a process, and by which operations on plain locks it takes them.
//!
//! Which locks the process holds, and in which mode, is kept of every lock for which this decides something: those that
//! are contended, and of the others those that it waits for, those that it acquires in both modes, and those that the
//! words speak of. A lock and a mode together are a *slot*; sets of slots are small sets, like those of locks.

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
    /// By lock.
    locks: Vec<OneLock>,
    pub(crate) mentions: Arc<Mentions>,
    /// The slots of contended locks that the process waits for.
    waited: LockSet,
}

#[derive(Clone, Debug, Default)]
struct OneLock {
    /// The slots, by mode.
    slots: [Option<Lock>; 2],
    /// The numbers of the plain locks that are taken, by mode; none if it is not contended.
    parts: Option<[Range<usize>; 2]>,
}

fn place(mode: Mode) -> usize {
    match mode {
        Mode::Read => 0,
        Mode::Write => 1,
    }
}

impl LockSlots {
    /// None if there are more slots than a set of locks has room for. Linear in the number of locks.
    pub(crate) fn new(
        model: &Model,
        process_locks: &ProcessLocks,
        variant: &Variant,
        contended: &ContendedLocks,
        mentions: Arc<Mentions>,
    ) -> Option<Self> {
        let uses = process_locks.uses(variant.process);
        let mut locks = vec![OneLock::default(); model.locks().len()];
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

    /// The slot of a lock in a mode, if it is kept.
    pub(crate) fn slot(&self, lock: LockId, mode: Mode) -> Option<Lock> {
        self.locks[lock.index()].slots[place(mode)]
    }

    /// Both slots of a lock, as far as they are kept.
    pub(crate) fn slots(&self, lock: LockId) -> LockSet {
        self.locks[lock.index()].slots.into_iter().flatten().collect()
    }

    /// In which mode a lock is held, if it is.
    pub(crate) fn held(&self, lock: LockId, held: LockSet) -> Option<Mode> {
        let is_held = |mode: &Mode| self.slot(lock, *mode).is_some_and(|slot| held.contains(slot));
        [Mode::Write, Mode::Read].into_iter().find(is_held)
    }

    pub(crate) fn is_contended(&self, lock: LockId) -> bool {
        self.locks[lock.index()].parts.is_some()
    }

    /// The plain locks that are acquired with a lock, in order; none if it is not contended.
    pub(crate) fn parts(&self, lock: LockId, mode: Mode) -> Option<impl DoubleEndedIterator<Item = Lock> + use<>> {
        let parts = self.locks[lock.index()].parts.as_ref()?[place(mode)].clone();
        Some(parts.map(Lock::new))
    }

    /// The slots of contended locks that the process waits for.
    pub(crate) fn waited(&self) -> LockSet {
        self.waited
    }

    /// The slots that matter where a lock is taken: its own, and those that the words speak of together with wanting
    /// it.
    pub(crate) fn looked_at(&self, lock: LockId) -> LockSet {
        let holding = self.mentions.holding(lock).unwrap_or_default();
        holding.iter().fold(self.slots(lock), |all, other| all | self.slots(*other))
    }
}
