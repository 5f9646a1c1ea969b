//! A tuple of acquisition histories or of release histories.

use crate::lock::{Lock, LockSet};

/// A set of locks for each lock of a set: the acquisition histories of the locks that are acquired at the end, or the
/// release histories of those that are released from the start.
///
/// Invariant: `sets` has one entry for each lock of `keys`, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Histories {
    keys: LockSet,
    sets: Box<[LockSet]>,
}

impl Histories {
    /// Returns the tuple in which each of these locks has the history that the function returns.
    pub fn new(keys: LockSet, history: impl FnMut(Lock) -> LockSet) -> Self {
        Self { keys, sets: keys.iter().map(history).collect() }
    }

    /// The locks that have a history.
    pub fn keys(&self) -> LockSet {
        self.keys
    }

    /// The history of a lock, if it has one.
    pub fn get(&self, lock: Lock) -> Option<LockSet> {
        self.keys.contains(lock).then(|| self.sets[self.keys.rank(lock)])
    }

    /// The history of a lock; empty if it has none, as in the paper's tuples.
    pub fn of(&self, lock: Lock) -> LockSet {
        self.get(lock).unwrap_or(LockSet::EMPTY)
    }

    /// The locks with their histories, in order.
    pub fn iter(&self) -> impl Iterator<Item = (Lock, LockSet)> {
        self.keys.iter().zip(self.sets.iter().copied())
    }

    /// Whether the same locks have histories in both, and each history is a subset of the other's.
    pub(crate) fn within(&self, other: &Self) -> bool {
        self.keys == other.keys && self.sets.iter().zip(&other.sets).all(|(own, other)| own.is_subset(*other))
    }
}
