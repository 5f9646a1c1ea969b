//! Interned segments with memoized composition.

use indexmap::IndexSet;
use lockhist::{LockSet, Operation, Segment};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// An interned segment; equal ids are equal segments. Segments with the same beginning and end are neighbours in the
/// order of ids.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SegmentId {
    /// The number of the pair R and A: segments can dominate each other only if they agree in it.
    pub(super) ends: u32,
    pub(super) number: u32,
}

impl SegmentId {
    /// The empty segment, present in every table.
    pub(crate) const EMPTY: Self = Self { ends: 0, number: 0 };
}

/// All segments of an analysis.
#[derive(Clone, Debug)]
pub(crate) struct Segments {
    all: IndexSet<Segment, FxBuildHasher>,
    /// The pairs R and A of all segments.
    ends: IndexSet<(LockSet, LockSet), FxBuildHasher>,
    compositions: FxHashMap<(SegmentId, SegmentId), SegmentId>,
}

impl Default for Segments {
    fn default() -> Self {
        let mut segments =
            Self { all: IndexSet::default(), ends: IndexSet::default(), compositions: FxHashMap::default() };
        segments.intern(Segment::empty());
        segments
    }
}

impl Segments {
    pub(crate) fn get(&self, id: SegmentId) -> &Segment {
        &self.all[id.number as usize]
    }

    pub(crate) fn of(&mut self, operation: Operation) -> SegmentId {
        self.intern(Segment::of(operation))
    }

    pub(crate) fn intern(&mut self, segment: Segment) -> SegmentId {
        let index =
            |index| u32::try_from(index).ok().filter(|index| *index < u32::MAX).expect("fewer than 2^32 segments");
        let ends = self.ends.insert_full((segment.released(), segment.acquired())).0;
        SegmentId { ends: index(ends), number: index(self.all.insert_full(segment).0) }
    }

    /// Whether the first segment dominates the second.
    pub(crate) fn dominates(&self, first: SegmentId, second: SegmentId) -> bool {
        first == second || (first.ends == second.ends && self.get(first).dominates(self.get(second)))
    }

    /// The composition: first `left`, then `right`.
    pub(crate) fn then(&mut self, left: SegmentId, right: SegmentId) -> SegmentId {
        if left == SegmentId::EMPTY {
            return right;
        }
        if right == SegmentId::EMPTY {
            return left;
        }
        if let Some(whole) = self.compositions.get(&(left, right)) {
            return *whole;
        }
        let whole = self.get(left).then(self.get(right));
        let whole = self.intern(whole);
        self.compositions.insert((left, right), whole);
        whole
    }
}
