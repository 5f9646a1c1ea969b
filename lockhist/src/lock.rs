//! Locks, sets of locks, and operations on locks.

use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Sub, SubAssign};

/// One of at most [`LockSet::CAPACITY`] locks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lock(u8);

impl Lock {
    /// The lock with this number.
    ///
    /// # Panics
    /// If the number is not below [`LockSet::CAPACITY`].
    pub fn new(index: usize) -> Self {
        assert!(index < LockSet::CAPACITY, "lock number {index} does not fit into a lock set");
        Self(index as u8)
    }

    /// Its number, from 0.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// A set of locks, one bit each.
#[derive(Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LockSet(u64);

impl LockSet {
    /// Upper bound on the number of locks.
    pub const CAPACITY: usize = 64;
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// Returns the set of this one lock.
    pub fn of(lock: Lock) -> Self {
        Self(1 << lock.0)
    }

    /// Whether the set is empty.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of locks in the set.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Whether the lock is in the set.
    pub fn contains(self, lock: Lock) -> bool {
        self.0 >> lock.0 & 1 == 1
    }

    /// Whether the sets have a lock in common.
    pub fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether every lock of this set is in the other.
    pub fn is_subset(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// The locks of the set, in order.
    pub fn iter(self) -> impl Iterator<Item = Lock> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let lock = (rest != 0).then(|| Lock(rest.trailing_zeros() as u8))?;
            rest &= rest - 1;
            Some(lock)
        })
    }

    /// The number of locks of the set before this one: its position if it is one of them.
    pub(crate) fn rank(self, lock: Lock) -> usize {
        (self.0 & ((1 << lock.0) - 1)).count_ones() as usize
    }
}

impl BitOr for LockSet {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for LockSet {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

/// Set difference.
impl Sub for LockSet {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

impl BitOrAssign for LockSet {
    fn bitor_assign(&mut self, other: Self) {
        *self = *self | other;
    }
}

impl BitAndAssign for LockSet {
    fn bitand_assign(&mut self, other: Self) {
        *self = *self & other;
    }
}

impl SubAssign for LockSet {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl FromIterator<Lock> for LockSet {
    fn from_iter<I: IntoIterator<Item = Lock>>(locks: I) -> Self {
        locks.into_iter().fold(Self::EMPTY, |set, lock| set | Self::of(lock))
    }
}

impl fmt::Debug for LockSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter().map(Lock::index)).finish()
    }
}

/// An operation of a process on a lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// Acquires a lock that the process does not hold.
    Acquire(Lock),
    /// Releases a lock that the process holds, the last one that it acquired.
    Release(Lock),
}
