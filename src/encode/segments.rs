//! Interned segments with memoized composition.

use indexmap::IndexSet;
use lockhist::{LockSet, Operation, Segment};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// An interned segment; equal ids are equal segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SegmentId(u32);

impl SegmentId {
    /// The empty segment, which every table has.
    pub(crate) const EMPTY: Self = Self(0);

    /// Ids are less than this.
    pub(crate) const LIMIT: u32 = 1 << 31;

    pub(crate) fn new(index: u32) -> Self {
        debug_assert!(index < Self::LIMIT);
        Self(index)
    }

    pub(crate) const fn index(self) -> u32 {
        self.0
    }
}

/// All segments that have come up in an analysis.
#[derive(Clone, Debug)]
pub(crate) struct Segments {
    all: IndexSet<Segment, FxBuildHasher>,
    /// Per segment, R and A: only segments that agree in these can dominate each other.
    ends: Vec<(LockSet, LockSet)>,
    compositions: FxHashMap<(SegmentId, SegmentId), SegmentId>,
}

impl Default for Segments {
    fn default() -> Self {
        let mut segments = Self { all: IndexSet::default(), ends: Vec::new(), compositions: FxHashMap::default() };
        segments.intern(Segment::empty());
        segments
    }
}

impl Segments {
    pub(crate) fn get(&self, id: SegmentId) -> &Segment {
        &self.all[id.0 as usize]
    }

    pub(crate) fn of(&mut self, operation: Operation) -> SegmentId {
        self.intern(Segment::of(operation))
    }

    pub(crate) fn intern(&mut self, segment: Segment) -> SegmentId {
        let ends = (segment.released(), segment.acquired());
        let (index, is_new) = self.all.insert_full(segment);
        if is_new {
            assert!(index < SegmentId::LIMIT as usize, "fewer than 2^31 segments");
            self.ends.push(ends);
        }
        SegmentId(index as u32)
    }

    /// Whether the first segment dominates the second.
    pub(crate) fn dominates(&self, first: SegmentId, second: SegmentId) -> bool {
        first == second
            || (self.ends[first.0 as usize] == self.ends[second.0 as usize]
                && self.get(first).dominates(self.get(second)))
    }

    /// First `left`, then `right`.
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
