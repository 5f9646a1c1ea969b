//! The holders of locks during the replay of a witness. These are the rules of the language, implemented a second time
//! and separately from everything that finds witnesses.

use eml::model::{LockId, Mode};
use rustc_hash::FxHashMap;

/// A thread that has acquired a lock.
#[derive(Clone, Copy, Debug)]
struct Holder {
    thread: usize,
    reads: usize,
    writes: usize,
    /// Whether it has released the lock to wait for it.
    waits: bool,
}

/// The reason why a lock operation is impossible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Refusal {
    /// This thread holds it in a mode that excludes the wanted one.
    HeldBy(usize),
    /// The thread itself holds it in read mode and wants it in write mode.
    Upgrade,
    /// The thread does not hold it in this mode.
    NotHeld,
}

/// The holders of all locks.
#[derive(Clone, Debug, Default)]
pub(super) struct Ownership(FxHashMap<LockId, Vec<Holder>>);

impl Ownership {
    /// The locks that a thread holds, each in its stronger mode.
    pub(super) fn held_by(&self, thread: usize) -> impl Iterator<Item = (LockId, Mode)> {
        self.0.iter().filter_map(move |(lock, holders)| {
            let own = holders.iter().find(|holder| holder.thread == thread && !holder.waits)?;
            Some((*lock, if own.writes > 0 { Mode::Write } else { Mode::Read }))
        })
    }

    /// The locks that some other thread holds, in order.
    pub(super) fn held_by_others(&self, thread: usize) -> Vec<LockId> {
        let taken = |holders: &Vec<Holder>| holders.iter().any(|holder| holder.thread != thread && !holder.waits);
        let mut locks: Vec<_> = self.0.iter().filter(|(_, holders)| taken(holders)).map(|(lock, _)| *lock).collect();
        locks.sort_unstable();
        locks
    }

    /// Whether the thread would take the lock anew by acquiring it in this mode.
    pub(super) fn is_new(&self, thread: usize, lock: LockId) -> bool {
        !self.0.get(&lock).is_some_and(|holders| holders.iter().any(|holder| holder.thread == thread && !holder.waits))
    }

    /// Another thread that prevents this one from taking the lock in this mode.
    fn hindrance(&self, thread: usize, lock: LockId, mode: Mode) -> Option<usize> {
        let mut others = self.0.get(&lock)?.iter().filter(|holder| holder.thread != thread && !holder.waits);
        others.find(|holder| mode == Mode::Write || holder.writes > 0).map(|holder| holder.thread)
    }

    pub(super) fn acquire(&mut self, thread: usize, lock: LockId, mode: Mode) -> Result<(), Refusal> {
        if let Some(other) = self.hindrance(thread, lock, mode) {
            return Err(Refusal::HeldBy(other));
        }
        let holders = self.0.entry(lock).or_default();
        let place = holders.iter().position(|holder| holder.thread == thread).unwrap_or_else(|| {
            holders.push(Holder { thread, reads: 0, writes: 0, waits: false });
            holders.len() - 1
        });
        let own = &mut holders[place];
        match mode {
            Mode::Read => own.reads += 1,
            Mode::Write if own.reads > 0 && own.writes == 0 => return Err(Refusal::Upgrade),
            Mode::Write => own.writes += 1,
        }
        Ok(())
    }

    pub(super) fn release(&mut self, thread: usize, lock: LockId, mode: Mode) -> Result<(), Refusal> {
        let holders = self.0.get_mut(&lock).ok_or(Refusal::NotHeld)?;
        let place = holders.iter().position(|holder| holder.thread == thread).ok_or(Refusal::NotHeld)?;
        let own = &mut holders[place];
        let count = if mode == Mode::Read { &mut own.reads } else { &mut own.writes };
        *count = count.checked_sub(1).ok_or(Refusal::NotHeld)?;
        if own.reads + own.writes == 0 {
            holders.remove(place);
        }
        Ok(())
    }

    /// Releases a lock completely, however often it was acquired.
    pub(super) fn wait(&mut self, thread: usize, lock: LockId) -> Result<(), Refusal> {
        let own = self.0.get_mut(&lock).and_then(|holders| holders.iter_mut().find(|holder| holder.thread == thread));
        own.ok_or(Refusal::NotHeld)?.waits = true;
        Ok(())
    }

    /// Reacquires a lock after a wait, as often as it was held before.
    pub(super) fn resume(&mut self, thread: usize, lock: LockId) -> Result<(), Refusal> {
        if let Some(other) = self.hindrance(thread, lock, Mode::Write) {
            return Err(Refusal::HeldBy(other));
        }
        let own = self.0.get_mut(&lock).and_then(|holders| holders.iter_mut().find(|holder| holder.thread == thread));
        own.ok_or(Refusal::NotHeld)?.waits = false;
        Ok(())
    }
}
