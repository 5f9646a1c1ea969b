//! Lock histories with the locks held throughout: the paper's six-tuples.

use crate::histories::Histories;
use crate::lock::{LockSet, Operation};
use crate::segment::Segment;

/// The lock history `(R, RH, U, AH, A, HT)` of a path (section 5): a [`Segment`] and the set HT of the locks that are
/// held from its start to its end.
///
/// The paper's Example 2 lists `U = {6}`, the locks of the middle part only. By its definition of `post`, which this
/// type implements and condition 5 of Definition 3 needs, U has every lock that is acquired and released again.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LockHistory {
    segment: Segment,
    held_throughout: LockSet,
}

impl LockHistory {
    /// Returns the history of the empty path that begins with these locks held.
    pub fn start(held: LockSet) -> Self {
        Self { segment: Segment::empty(), held_throughout: held }
    }

    /// Returns the history of a path with this segment that begins with these locks held.
    pub fn new(segment: Segment, initially_held: LockSet) -> Self {
        let held_throughout = initially_held - segment.released();
        Self { segment, held_throughout }
    }

    /// The segment of the path: the history without the held locks that the path does not use.
    pub fn segment(&self) -> &Segment {
        &self.segment
    }

    /// HT: the locks held at the start and never released.
    pub fn held_throughout(&self) -> LockSet {
        self.held_throughout
    }

    /// I: the locks held at the start.
    pub fn initially_held(&self) -> LockSet {
        self.segment.released() | self.held_throughout
    }

    /// The locks held at the end.
    pub fn finally_held(&self) -> LockSet {
        self.segment.acquired() | self.held_throughout
    }

    /// Returns the history of the path with one more operation (the paper's `post`).
    ///
    /// The operation must be possible: an acquired lock is not held before, and a released lock is held.
    pub fn post(&self, operation: Operation) -> Self {
        let Self { segment, held_throughout } = self;
        let (used, released, acquired) = (segment.used(), segment.releases(), segment.acquisitions());
        match operation {
            Operation::Acquire(lock) => {
                debug_assert!(!self.finally_held().contains(lock), "a held lock is acquired");
                let lock = LockSet::of(lock);
                let acquired = Histories::new(acquired.keys() | lock, |other| acquired.of(other) | lock);
                Self { segment: Segment::new(released.clone(), used, acquired), held_throughout: *held_throughout }
            }
            Operation::Release(lock) if acquired.keys().contains(lock) => {
                let acquired = Histories::new(acquired.keys() - LockSet::of(lock), |other| acquired.of(other));
                let used = used | LockSet::of(lock);
                Self { segment: Segment::new(released.clone(), used, acquired), held_throughout: *held_throughout }
            }
            Operation::Release(lock) => {
                debug_assert!(held_throughout.contains(lock), "a lock that is not held is released");
                let before = used | released.keys();
                let own = LockSet::of(lock);
                let released =
                    Histories::new(released.keys() | own, |other| released.get(other).unwrap_or(own | before));
                let held_throughout = *held_throughout - own;
                Self { segment: Segment::new(released, used, acquired.clone()), held_throughout }
            }
        }
    }

    /// Returns the history with which the next phase begins (the paper's `ptrans`).
    pub fn next_phase(&self) -> Self {
        Self::start(self.finally_held())
    }
}
