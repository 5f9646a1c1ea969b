//! Diagrams that keep the lightest sequences only: an under-approximation of the weights.
//!
//! Sets of incomparable sequences are large where programs nest deeply. But a violated query needs only one sequence of
//! each participant, and hardly ever one that constrains the others more than necessary. Among the edges of a node
//! whose segments have the same beginning and end, *lightest* diagrams keep those with one segment: the one with the
//! fewest constraints ([`Segment::constraints`]), and the first of several such ones. All locations are kept.
//!
//! *Every kept sequence is one of a path*: combine returns some of the sequences of the union, extend some of those of
//! the product. So a violation that lightest diagrams find is real, and the log of the saturation leads to its path as
//! usual. If they find none, there may be one all the same.
//!
//! *Saturation ends.* For lightest diagrams let `s <= t` if, for each edge of the root of `t` with segment `i` and
//! child `c`, the root of `s` has an edge of one of two kinds: its segment is of the same class and comes before `i`,
//! in the order of the number of constraints; or its segment is `i` and its child is `<= c`. This is a partial order on
//! finitely many diagrams, as there are finitely many segments. And the sum of `a` and any `b` is `<= a`: a sequence of
//! `a` can be missing in it because one of `b` dominates it. Look at the last segment in which they differ, from the
//! root on. That of `b` is of the same class and, as it dominates, has fewer constraints; and the first of each class
//! is kept. So the weight of a transition only descends, and if a sum changes nothing, nothing is new.
//!
//! [`Segment::constraints`]: lockhist::Segment::constraints

use super::item::SequenceItem;
use super::nodes::Edge;
use crate::encode::weights::segments::Segments;

/// The sequences that diagrams keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Breadth {
    /// All minimal ones.
    Whole,
    /// The lightest.
    Lightest,
}

impl Breadth {
    /// Removes the edges of a node that are not kept. The edges are sorted; there may be several for an item.
    pub(super) fn keep(self, segments: &Segments, edges: &mut Vec<Edge>) {
        match self {
            Self::Whole => {}
            Self::Lightest => *edges = lightest(segments, edges),
        }
    }
}

/// The edges with the lightest item of each class.
fn lightest(segments: &Segments, edges: &[Edge]) -> Vec<Edge> {
    let classes = edges.chunk_by(|a, b| a.0.class() == b.0.class());
    let kept = classes.flat_map(|class| {
        let items = class.iter().map(|(item, _)| *item);
        let lightest = items.min_by_key(|item| (constraints(segments, *item), *item));
        class.iter().filter(move |(item, _)| Some(*item) == lightest)
    });
    kept.copied().collect()
}

fn constraints(segments: &Segments, item: SequenceItem) -> usize {
    item.as_segment().map_or(0, |segment| segments.get(segment).constraints())
}
