//! The locks that matter in a scenario, and how many plain locks stand for each.

use eml::model::{LockId, ProcessId};
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
    /// In order.
    pub(super) fn new(locks: Vec<Contended>) -> Self {
        Self(locks.into())
    }

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
    pub(super) readers: Arc<[(LockId, usize)]>,
}

impl Variant {
    /// Its number among the readers of a lock.
    pub(super) fn reader(&self, lock: LockId) -> usize {
        self.readers.binary_search_by_key(&lock, |(lock, _)| *lock).map_or(0, |place| self.readers[place].1)
    }
}
