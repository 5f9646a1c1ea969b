//! Diagrams that keep the lightest sequences only: an under-approximation of the weights.
//!
//! Sets of incomparable sequences are big where programs nest deeply, while a query that is violated needs one sequence
//! of each participant, and hardly ever one that constrains the others more than it must. *Lightest* diagrams keep, of
//! the edges of a node whose segments begin and end alike, those with one segment: the one that makes the fewest
//! constraints ([`Segment::constraints`]), and of several such ones the first that was met. All locations are kept.
//!
//! *Every sequence that is kept is one of a path*: combine gives some of the sequences of the union, extend some of
//! those of the product. So what is found with lightest diagrams is there, and the log of the saturation leads to its
//! path as ever. What is not found may be there all the same.
//!
//! *Saturation ends.* For lightest diagrams let `s <= t` if for each edge of the root of `t`, with segment `i` and
//! child `c`, the root of `s` has an edge whose segment is of the same class and comes before `i`, fewer constraints
//! first, or whose segment is `i` and whose child is `<= c`. This is a partial order on finitely many diagrams, as
//! there are finitely many segments. And the sum of `a` and any `b` is `<= a`: a sequence of `a` can be missing in it
//! since one of `b` dominates it. Look at the last segment in which they differ, from the root on; that of `b` is of
//! the same class and, as it dominates, has fewer constraints; and of each class the first is kept. So the weight of a
//! transition only descends, and where a sum changes nothing, nothing is new.
//!
//! [`Segment::constraints`]: lockhist::Segment::constraints

use super::item::SequenceItem;
use super::nodes::Edge;
use crate::encode::weights::segments::Segments;

/// Which sequences diagrams keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Breadth {
    /// All minimal ones.
    Whole,
    /// The lightest.
    Lightest,
}

impl Breadth {
    /// Keeps those edges of a node that are kept. They are sorted, perhaps with several for an item.
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
