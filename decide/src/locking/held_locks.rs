//! The locks that a thread may hold, each with the possible modes.

use eml::model::{LockId, Mode, Model, NodeId, Opened};

/// The possible states of a lock: free, held in read mode, held in write mode; at least one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PossibleModes(u8);

impl PossibleModes {
    const FREE: Self = Self(1);
    const READ: Self = Self(2);
    const WRITE: Self = Self(4);

    fn of(mode: Mode) -> Self {
        match mode {
            Mode::Read => Self::READ,
            Mode::Write => Self::WRITE,
        }
    }

    fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether the lock may be free.
    pub(crate) fn may_be_free(self) -> bool {
        self.has(Self::FREE)
    }

    /// Whether the lock may be held in a mode.
    pub(crate) fn may_be(self, mode: Mode) -> bool {
        self.has(Self::of(mode))
    }

    /// The weakest mode in which the lock is surely held; none if it may be free.
    pub(crate) fn surely(self) -> Option<Mode> {
        if self.has(Self::FREE) {
            None
        } else if self.has(Self::READ) {
            Some(Mode::Read)
        } else {
            Some(Mode::Write)
        }
    }

    /// The states after an acquisition; none if it blocks for ever.
    fn acquired(self, mode: Mode) -> Option<Self> {
        let mut after = 0;
        if self.has(Self::FREE) {
            after |= Self::of(mode).0;
        }
        if self.has(Self::WRITE) {
            after |= Self::WRITE.0;
        }
        // A reader may read again, but blocks for ever when it acquires the lock in write mode.
        if self.has(Self::READ) && mode == Mode::Read {
            after |= Self::READ.0;
        }
        (after != 0).then_some(Self(after))
    }
}

/// The possible states of each lock; locks that are not in the list are free. Sorted by lock.
///
/// The locks are independent of each other: if each of two locks has two possible states, all four combinations may
/// occur.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct HeldLocks(Vec<(LockId, PossibleModes)>);

impl HeldLocks {
    pub(super) fn of(&self, lock: LockId) -> PossibleModes {
        self.0.binary_search_by_key(&lock, |own| own.0).map_or(PossibleModes::FREE, |place| self.0[place].1)
    }

    pub(super) fn locks(&self) -> impl Iterator<Item = (LockId, PossibleModes)> {
        self.0.iter().copied()
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Adds an acquisition; returns whether it is possible.
    fn acquire(&mut self, lock: LockId, mode: Mode) -> bool {
        let place = self.0.binary_search_by_key(&lock, |own| own.0);
        let before = place.map_or(PossibleModes::FREE, |place| self.0[place].1);
        let Some(after) = before.acquired(mode) else { return false };
        match place {
            Ok(place) => self.0[place].1 = after,
            Err(place) => self.0.insert(place, (lock, after)),
        }
        true
    }

    /// The states right before a node, given those at the entry of its procedure; none if the node is unreachable.
    pub(super) fn at(&self, model: &Model, node: NodeId) -> Option<Self> {
        let mut opened: Vec<_> = model.opened(node).iter().collect();
        opened.reverse();
        let mut held = self.clone();
        let is_reached = opened.into_iter().all(|opened| match opened {
            Opened::Lock(lock, mode) => held.acquire(lock, mode),
            Opened::Unit => true,
        });
        is_reached.then_some(held)
    }

    /// Adds the states of another one; returns whether any is new.
    pub(super) fn join(&mut self, other: &Self) -> bool {
        let before = self.clone();
        let mut locks: Vec<_> = self.0.iter().chain(&other.0).map(|own| own.0).collect();
        locks.sort_unstable();
        locks.dedup();
        self.0 = locks.into_iter().map(|lock| (lock, PossibleModes(before.of(lock).0 | other.of(lock).0))).collect();
        *self != before
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modes_after_an_acquisition() {
        let both = PossibleModes(PossibleModes::FREE.0 | PossibleModes::READ.0);
        assert_eq!(PossibleModes::FREE.acquired(Mode::Write), Some(PossibleModes::WRITE));
        assert_eq!(PossibleModes::READ.acquired(Mode::Write), None);
        assert_eq!(PossibleModes::WRITE.acquired(Mode::Read), Some(PossibleModes::WRITE));
        assert_eq!(both.acquired(Mode::Write), Some(PossibleModes::WRITE));
        assert_eq!(both.acquired(Mode::Read), Some(PossibleModes::READ));
        assert_eq!(
            (both.surely(), PossibleModes(6).surely(), PossibleModes::WRITE.surely()),
            (None, Some(Mode::Read), Some(Mode::Write))
        );
    }

    #[test]
    fn other_locks_are_free() {
        let [a, b] = [0, 1].map(LockId::new);
        let mut one = HeldLocks::default();
        assert!(one.acquire(b, Mode::Write));
        let mut other = HeldLocks::default();
        assert!(other.acquire(a, Mode::Read) && !other.acquire(a, Mode::Write));
        assert!(one.join(&other) && !one.join(&other));
        assert!(one.of(a).may_be_free() && one.of(a).may_be(Mode::Read) && !one.of(a).may_be(Mode::Write));
        assert!(one.of(b).may_be_free() && one.of(b).may_be(Mode::Write));
    }
}
