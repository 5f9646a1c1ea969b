//! Segments: lock histories without the held locks that the path does not use.
//!
//! A segment abstracts a path of one process to `(R, RH, U, A, AH)`. Segments are a monoid under [`Segment::then`],
//! with the empty segment as unit, and abstraction is a homomorphism from paths. So segments can be the weights of
//! procedure summaries, which do not know the caller's locks.
//!
//! Source: Kidd, Lammich, Touili, Reps 2009, section 5, without HT.

use crate::histories::Histories;
use crate::lock::{LockSet, Operation};

/// The effect of a path on locks.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Segment {
    /// R and RH.
    releases: Histories,
    /// U.
    used: LockSet,
    /// A and AH.
    acquisitions: Histories,
}

impl Segment {
    /// Returns the segment of the empty path.
    pub fn empty() -> Self {
        Self::default()
    }

    /// Returns the segment of one operation.
    pub fn of(operation: Operation) -> Self {
        match operation {
            Operation::Acquire(lock) => {
                let own = LockSet::of(lock);
                Self { acquisitions: Histories::new(own, |_| own), ..Self::default() }
            }
            Operation::Release(lock) => {
                let own = LockSet::of(lock);
                Self { releases: Histories::new(own, |_| own), ..Self::default() }
            }
        }
    }

    /// Returns the segment with these parts. Each history must contain its own lock.
    pub fn new(releases: Histories, used: LockSet, acquisitions: Histories) -> Self {
        debug_assert!(releases.iter().chain(acquisitions.iter()).all(|(lock, history)| history.contains(lock)));
        Self { releases, used, acquisitions }
    }

    /// R: the locks held at the start that are released.
    pub fn released(&self) -> LockSet {
        self.releases.keys()
    }

    /// RH: for each lock of R, the locks released or used before its first release, and itself.
    pub fn releases(&self) -> &Histories {
        &self.releases
    }

    /// U: the locks that are acquired and released again.
    pub fn used(&self) -> LockSet {
        self.used
    }

    /// A: the locks that are acquired and still held at the end.
    pub fn acquired(&self) -> LockSet {
        self.acquisitions.keys()
    }

    /// AH: for each lock of A, the locks acquired since its last acquisition, and itself.
    pub fn acquisitions(&self) -> &Histories {
        &self.acquisitions
    }

    /// Returns the segment of a path of this segment followed by a path of the other one.
    pub fn then(&self, next: &Self) -> Self {
        let (s, t) = (self, next);
        let kept = s.acquired() - t.released();
        let deeper = t.released() - s.acquired();
        let used_after = t.used | t.acquired();
        let used_before = s.used | s.released();
        Self {
            releases: Histories::new(s.released() | deeper, |lock| {
                s.releases.get(lock).unwrap_or_else(|| t.releases.of(lock) | used_before)
            }),
            used: s.used | t.used | (s.acquired() & t.released()),
            acquisitions: Histories::new(kept | t.acquired(), |lock| {
                t.acquisitions.get(lock).unwrap_or_else(|| s.acquisitions.of(lock) | used_after)
            }),
        }
    }

    /// The number of locks in U and in the histories: a measure of the constraints on other processes. A segment that
    /// [dominates](Self::dominates) a different one has fewer.
    pub fn constraints(&self) -> usize {
        let histories = self.releases.iter().chain(self.acquisitions.iter());
        self.used.len() + histories.map(|(_, history)| history.len()).sum::<usize>()
    }

    /// Whether this segment dominates the other: both have the same R and A, and this one has no constraints that the
    /// other does not have. Every segment that is [compatible](crate::compatible()) with the other one is compatible
    /// with this one, even after both are composed with a third.
    pub fn dominates(&self, other: &Self) -> bool {
        self.used.is_subset(other.used)
            && self.releases.within(&other.releases)
            && self.acquisitions.within(&other.acquisitions)
    }
}
