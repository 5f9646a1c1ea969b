//! The lock histories of one phase: segments. Only those that constrain other threads least are kept.
//!
//! Dominance agrees with composition, and every segment compatible with a segment is also compatible with the segments
//! that dominate it. So the minimal segments of a set of paths decide everything (`lockhist`).

use crate::engine::comparison::finite_sets::{FiniteSets, Monoid};
use lockhist::Segment;

/// Sets of segments.
pub(super) type SegmentSets = FiniteSets<SegmentMonoid>;

/// The monoid of segments under composition.
#[derive(Clone, Copy, Debug)]
pub(super) struct SegmentMonoid;

impl Monoid for SegmentMonoid {
    type Element = Segment;

    const IS_ORDERED: bool = true;

    fn unit(&self) -> Segment {
        Segment::empty()
    }

    fn product(&self, left: &Segment, right: &Segment) -> Segment {
        left.then(right)
    }

    fn dominates(&self, first: &Segment, second: &Segment) -> bool {
        first.released() == second.released() && first.acquired() == second.acquired() && first.dominates(second)
    }
}
