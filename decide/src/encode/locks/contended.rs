//! The locks that matter in a scenario, and how many plain locks stand for each.

use eml::model::{LockId, ProcessId};
use std::sync::Arc;

/// A lock that matters in a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Contended {
    pub(crate) lock: LockId,
    /// The number of plain locks that stand for it.
    pub(crate) parts: usize,
}

/// The locks that matter in a scenario, in order. The plain locks that stand for them are numbered in this order; they
/// fit in one [`LockSet`](lockhist::LockSet).
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct ContendedLocks(Arc<[Contended]>);

impl ContendedLocks {
    /// The locks must be in order.
    pub(super) fn new(locks: Vec<Contended>) -> Self {
        Self(locks.into())
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = Contended> {
        self.0.iter().copied()
    }

    /// The number of plain locks that stand for all of them.
    pub(crate) fn parts(&self) -> usize {
        self.0.iter().map(|contended| contended.parts).sum()
    }
}

/// A process, as it takes part in scenarios with some contended locks.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Variant {
    pub(crate) process: ProcessId,
    /// Its number among the readers of each contended read-write lock that has several; in the order of the locks.
    pub(super) readers: Arc<[(LockId, usize)]>,
}

impl Variant {
    /// Its number among the readers of a lock.
    pub(super) fn reader(&self, lock: LockId) -> usize {
        self.readers.binary_search_by_key(&lock, |(lock, _)| *lock).map_or(0, |place| self.readers[place].1)
    }
}
