//! Interned segments with memoized composition.

use indexmap::IndexSet;
use lockhist::{Operation, Segment};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// An interned segment; equal ids are equal segments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SegmentId(u32);

impl SegmentId {
    /// The empty segment, which every table has.
    pub(crate) const EMPTY: Self = Self(0);
}

/// All segments that have come up in an analysis.
#[derive(Clone, Debug)]
pub(crate) struct Segments {
    all: IndexSet<Segment, FxBuildHasher>,
    compositions: FxHashMap<(SegmentId, SegmentId), SegmentId>,
}

impl Default for Segments {
    fn default() -> Self {
        let mut segments = Self { all: IndexSet::default(), compositions: FxHashMap::default() };
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
        let (index, _) = self.all.insert_full(segment);
        SegmentId(u32::try_from(index).expect("fewer than 2^32 segments"))
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
