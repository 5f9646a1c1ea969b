//! Sets of segment sequences as decision diagrams: the weights of the explicit engine.
//!
//! A path that crosses the phases `x..=y` is abstracted to the sequence of its segments. A set of such sequences is a
//! rooted acyclic graph with a level for each phase, whose edges carry segments: each path from the root to the leaf
//! spells one sequence. No two edges of a node carry the same segment, the children of a node are equal iff their ids
//! are, and only the empty set has the empty root; so the form is canonical and equality is equality of ids.
//!
//! Composition joins the last segment of the one sequence with the first of the other and touches only that level; all
//! operations are memoized. The weights are the coefficients of the paper's power series (section 7), without the input
//! of the relations: a segment says the same relative to any locks held before.

use super::segments::{SegmentId, Segments};
use super::solve::LockWeights;
use crate::limits::{Meter, StopReason};
use indexmap::IndexSet;
use lockhist::Operation;
use rustc_hash::{FxBuildHasher, FxHashMap};
use wpds::{Semiring, Traceable};

/// A set of sequences; equal ids are equal sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct DiagramId(u32);

impl DiagramId {
    /// The set without a sequence, of any length.
    pub(crate) const EMPTY: Self = Self(0);
    /// The set of the sequence without segments: the end of every path through a diagram.
    pub(crate) const LEAF: Self = Self(1);
}

type Edge = (SegmentId, DiagramId);

/// The diagrams of an analysis, with the segments on their edges.
#[derive(Clone, Debug)]
pub(crate) struct Diagrams {
    segments: Segments,
    /// All nodes but the empty set and the leaf, which have no edges.
    nodes: IndexSet<Box<[Edge]>, FxBuildHasher>,
    compositions: FxHashMap<(DiagramId, DiagramId), DiagramId>,
    unions: FxHashMap<(DiagramId, DiagramId), DiagramId>,
    differences: FxHashMap<(DiagramId, DiagramId), DiagramId>,
    one: DiagramId,
    meter: Meter,
}

impl Diagrams {
    /// No diagrams yet; operations stop when the meter says so.
    pub(crate) fn new(meter: Meter) -> Self {
        let mut diagrams = Self {
            segments: Segments::default(),
            nodes: IndexSet::default(),
            compositions: FxHashMap::default(),
            unions: FxHashMap::default(),
            differences: FxHashMap::default(),
            one: DiagramId::EMPTY,
            meter,
        };
        diagrams.one = diagrams.node(vec![(SegmentId::EMPTY, DiagramId::LEAF)]);
        diagrams
    }

    /// From now on operations stop when this meter says so. What was computed stays.
    pub(crate) fn set_meter(&mut self, meter: Meter) {
        self.meter = meter;
    }

    pub(crate) fn meter(&self) -> &Meter {
        &self.meter
    }

    pub(crate) fn segments(&self) -> &Segments {
        &self.segments
    }

    /// How many nodes there are, for limits and statistics.
    pub(crate) fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The edges of a node, sorted; none for the empty set and the leaf.
    pub(crate) fn edges(&self, id: DiagramId) -> &[Edge] {
        match id {
            DiagramId::EMPTY | DiagramId::LEAF => &[],
            DiagramId(number) => &self.nodes[number as usize - 2],
        }
    }

    /// The node with these edges, sorted by segments, none of them to the empty set.
    fn node(&mut self, edges: Vec<Edge>) -> DiagramId {
        debug_assert!(edges.windows(2).all(|pair| pair[0].0 < pair[1].0));
        if edges.is_empty() {
            return DiagramId::EMPTY;
        }
        let (index, _) = self.nodes.insert_full(edges.into_boxed_slice());
        DiagramId(u32::try_from(index + 2).expect("fewer than 2^32 nodes"))
    }

    /// The node with these edges in any order, where edges with the same segment are united.
    fn node_of_any(&mut self, mut edges: Vec<Edge>) -> Result<DiagramId, StopReason> {
        edges.sort_unstable();
        let mut united: Vec<Edge> = Vec::with_capacity(edges.len());
        for (segment, child) in edges {
            match united.last_mut() {
                Some((last, other)) if *last == segment => *other = self.union(*other, child)?,
                _ => united.push((segment, child)),
            }
        }
        Ok(self.node(united))
    }

    /// All sequences of both sets, which have the same length.
    pub(crate) fn union(&mut self, a: DiagramId, b: DiagramId) -> Result<DiagramId, StopReason> {
        if a == b || b == DiagramId::EMPTY {
            return Ok(a);
        }
        if a == DiagramId::EMPTY {
            return Ok(b);
        }
        let key = (a.min(b), a.max(b));
        if let Some(union) = self.unions.get(&key) {
            return Ok(*union);
        }
        self.meter.work_of(self.edges(a).len() + self.edges(b).len())?;
        let mut edges = Vec::with_capacity(self.edges(a).len() + self.edges(b).len());
        let (mut i, mut j) = (0, 0);
        loop {
            match (self.edges(a).get(i).copied(), self.edges(b).get(j).copied()) {
                (Some(left), Some(right)) if left.0 == right.0 => {
                    edges.push((left.0, self.union(left.1, right.1)?));
                    (i, j) = (i + 1, j + 1);
                }
                (Some(left), right) if right.is_none_or(|right| left.0 < right.0) => {
                    edges.push(left);
                    i += 1;
                }
                (_, Some(right)) => {
                    edges.push(right);
                    j += 1;
                }
                (_, None) => break,
            }
        }
        let union = self.node(edges);
        self.unions.insert(key, union);
        Ok(union)
    }

    /// The sequences of the first set that the second does not have; both have the same length.
    pub(crate) fn difference(&mut self, a: DiagramId, b: DiagramId) -> Result<DiagramId, StopReason> {
        if a == b || a == DiagramId::EMPTY {
            return Ok(DiagramId::EMPTY);
        }
        if b == DiagramId::EMPTY {
            return Ok(a);
        }
        if let Some(difference) = self.differences.get(&(a, b)) {
            return Ok(*difference);
        }
        self.meter.work_of(self.edges(a).len())?;
        let mut edges = Vec::with_capacity(self.edges(a).len());
        for index in 0..self.edges(a).len() {
            let (segment, child) = self.edges(a)[index];
            let rest = match self.edges(b).binary_search_by_key(&segment, |edge| edge.0) {
                Ok(place) => self.difference(child, self.edges(b)[place].1)?,
                Err(_) => child,
            };
            if rest != DiagramId::EMPTY {
                edges.push((segment, rest));
            }
        }
        let difference = self.node(edges);
        self.differences.insert((a, b), difference);
        Ok(difference)
    }

    /// Every sequence of the first set joined with every one of the second: the last segment of the one and the first of
    /// the other become one segment.
    pub(crate) fn compose(&mut self, a: DiagramId, b: DiagramId) -> Result<DiagramId, StopReason> {
        if a == DiagramId::EMPTY || b == DiagramId::EMPTY {
            return Ok(DiagramId::EMPTY);
        }
        if a == self.one {
            return Ok(b);
        }
        if b == self.one {
            return Ok(a);
        }
        if let Some(composition) = self.compositions.get(&(a, b)) {
            return Ok(*composition);
        }
        let mut edges = Vec::with_capacity(self.edges(a).len());
        for index in 0..self.edges(a).len() {
            let (segment, child) = self.edges(a)[index];
            if child == DiagramId::LEAF {
                self.meter.work_of(self.edges(b).len())?;
                for next in 0..self.edges(b).len() {
                    let (first, rest) = self.edges(b)[next];
                    edges.push((self.segments.then(segment, first), rest));
                }
            } else {
                edges.push((segment, self.compose(child, b)?));
            }
        }
        let composition = self.node_of_any(edges)?;
        self.compositions.insert((a, b), composition);
        Ok(composition)
    }

    /// The length of the sequences of a set that is not empty.
    fn length(&self, id: DiagramId) -> usize {
        self.edges(id).first().map_or(0, |(_, child)| 1 + self.length(*child))
    }

    /// The set behind these segments of a diagram; empty if there is none.
    fn behind(&self, id: DiagramId, front: &[SegmentId]) -> DiagramId {
        front.iter().fold(id, |id, segment| {
            let place = self.edges(id).binary_search_by_key(segment, |edge| edge.0);
            place.map_or(DiagramId::EMPTY, |place| self.edges(id)[place].1)
        })
    }
}

impl LockWeights for Diagrams {
    fn operation(&mut self, _: usize, operation: Operation) -> DiagramId {
        let segment = self.segments.of(operation);
        self.node(vec![(segment, DiagramId::LEAF)])
    }

    fn boundary(&mut self, _: usize) -> DiagramId {
        self.node(vec![(SegmentId::EMPTY, self.one)])
    }

    fn without_last_phase(&self, element: &Vec<SegmentId>) -> Option<Vec<SegmentId>> {
        let (last, front) = element.split_last()?;
        (*last == SegmentId::EMPTY && !front.is_empty()).then(|| front.to_vec())
    }
}

impl Semiring for Diagrams {
    type Weight = DiagramId;
    type Stop = StopReason;

    fn zero(&self) -> DiagramId {
        DiagramId::EMPTY
    }

    fn one(&self) -> DiagramId {
        self.one
    }

    fn extend(&mut self, left: &DiagramId, right: &DiagramId) -> Result<DiagramId, Self::Stop> {
        self.compose(*left, *right)
    }

    fn combine_into(&mut self, into: &mut DiagramId, with: &DiagramId) -> Result<Option<DiagramId>, Self::Stop> {
        let union = self.union(*into, *with)?;
        if union == *into {
            return Ok(None);
        }
        let new = self.difference(*with, *into)?;
        *into = union;
        Ok(Some(new))
    }
}

/// The elements are the sequences.
impl Traceable for Diagrams {
    type Element = Vec<SegmentId>;

    fn contains(&self, weight: &DiagramId, element: &Vec<SegmentId>) -> bool {
        self.behind(*weight, element) == DiagramId::LEAF
    }

    fn split(
        &mut self,
        element: &Vec<SegmentId>,
        left: &DiagramId,
        right: &DiagramId,
    ) -> Option<(Vec<SegmentId>, Vec<SegmentId>)> {
        if *left == DiagramId::EMPTY || *right == DiagramId::EMPTY {
            return None;
        }
        let meet = self.length(*left) - 1;
        let (front, rest) = (&element[..meet], &element[meet..]);
        let (joined, back) = rest.split_first()?;
        let last = self.behind(*left, front);
        for i in 0..self.edges(last).len() {
            for j in 0..self.edges(*right).len() {
                let ((end, _), (start, behind)) = (self.edges(last)[i], self.edges(*right)[j]);
                if self.segments.then(end, start) == *joined && self.behind(behind, back) == DiagramId::LEAF {
                    return Some(([front, &[end]].concat(), [&[start], back].concat()));
                }
            }
        }
        None
    }
}
