//! Sets of segment sequences as decision diagrams: the weights of the explicit engine.
//!
//! A path that crosses the phases `x..=y` is abstracted to the sequence of its segments. A set of such sequences is a
//! rooted acyclic graph with a level for each phase, whose edges carry segments: each path from the root to the leaf
//! spells one sequence. No two edges of a node carry the same segment, the children of a node are equal iff their ids
//! are, and only the empty set has the empty root; so the form is canonical and equality is equality of ids.
//!
//! Between two segments a sequence may name the location by whose access the process ended the phase: the weights of queries
//! that differ only in locations are computed together, as one set from which each query [selects](Diagrams::select) its own.
//!
//! Sets are kept as their minimal elements: a sequence *dominates* another if each of its segments dominates the other's
//! (begins and ends alike, and constrains others no more) and the locations are the same. Whatever a dominated sequence is compatible with, also after
//! composition, the one that dominates it is, too, so dominated sequences are left out. The weights are thus the
//! upward-closed sets of sequences, each represented by the antichain of its minimal elements, and combine and extend are
//! those of upward-closed sets; an antichain is determined by its upward closure, so equality of ids still is equality,
//! and since upward closures only grow and are finitely many, saturation terminates.
//!
//! Composition joins the last segment of the one sequence with the first of the other and touches only that level; all
//! operations are memoized. The weights are the coefficients of the paper's power series (section 7), without the input
//! of the relations: a segment says the same relative to any locks held before.

use super::segments::{SegmentId, Segments};
use super::weights::LockWeights;
use super::word::LocalWord;
use crate::limits::{Limits, Meter, StopReason};
use crate::model::LocationId;
use indexmap::IndexSet;
use lockhist::Operation;
use phases::Turn;
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

/// What stands on an edge: a segment, or the location by whose access a phase was ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Letter(u32);

impl Letter {
    const EMPTY: Self = Self::segment(SegmentId::EMPTY);

    pub(crate) const fn segment(segment: SegmentId) -> Self {
        Self(segment.index())
    }

    pub(crate) fn location(location: LocationId) -> Self {
        Self(SegmentId::LIMIT + location.index() as u32)
    }

    pub(crate) fn as_segment(self) -> Option<SegmentId> {
        (self.0 < SegmentId::LIMIT).then(|| SegmentId::new(self.0))
    }
}

/// The sequence of a path with these segments that does its part of a word, as totals have it.
pub(crate) fn sequence(word: &LocalWord, segments: &[SegmentId]) -> Vec<Letter> {
    let mut sequence = Vec::new();
    for (place, (phase, segment)) in word.0.iter().zip(segments).enumerate() {
        sequence.push(Letter::segment(*segment));
        let location = match &phase.turn {
            Turn::Own(action) => action.location(),
            Turn::Tick => None,
        };
        sequence.extend(location.map(Letter::location));
        if location.is_some() && place + 1 == word.len() {
            sequence.push(Letter::EMPTY);
        }
    }
    sequence
}

type Edge = (Letter, DiagramId);

/// The diagrams of an analysis, with the segments on their edges.
#[derive(Clone, Debug)]
pub(crate) struct Diagrams {
    segments: Segments,
    /// All nodes but the empty set and the leaf, which have no edges.
    nodes: IndexSet<Box<[Edge]>, FxBuildHasher>,
    compositions: FxHashMap<(DiagramId, DiagramId), DiagramId>,
    unions: FxHashMap<(DiagramId, DiagramId), DiagramId>,
    remainders: FxHashMap<(DiagramId, DiagramId), DiagramId>,
    one: DiagramId,
    meter: Meter,
}

/// No diagrams yet, and no limits.
impl Default for Diagrams {
    fn default() -> Self {
        let mut diagrams = Self {
            segments: Segments::default(),
            nodes: IndexSet::default(),
            compositions: FxHashMap::default(),
            unions: FxHashMap::default(),
            remainders: FxHashMap::default(),
            one: DiagramId::EMPTY,
            meter: Meter::start(&Limits::default()),
        };
        diagrams.one = diagrams.node(vec![(Letter::EMPTY, DiagramId::LEAF)]);
        diagrams
    }
}

impl Diagrams {
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

    fn dominates(&self, first: Letter, second: Letter) -> bool {
        match (first.as_segment(), second.as_segment()) {
            (Some(first), Some(second)) => self.segments.dominates(first, second),
            _ => first == second,
        }
    }

    /// First the one, then the other; both are segments.
    fn join(&mut self, first: Letter, second: Letter) -> Letter {
        let (first, second) =
            first.as_segment().zip(second.as_segment()).expect("sequences begin and end with segments");
        Letter::segment(self.segments.then(first, second))
    }

    /// The minimal elements of the sequences of these edges, which are in any order and lead to antichains.
    fn minimal_node(&mut self, mut edges: Vec<Edge>) -> Result<DiagramId, StopReason> {
        edges.sort_unstable();
        let mut united: Vec<Edge> = Vec::with_capacity(edges.len());
        for (segment, child) in edges {
            match united.last_mut() {
                Some((last, other)) if *last == segment => *other = self.union(*other, child)?.0,
                _ => united.push((segment, child)),
            }
        }
        for place in 0..united.len() {
            self.meter.work_of(united.len())?;
            let (segment, mut child) = united[place];
            for (other, rest) in &united {
                if *other != segment && self.dominates(*other, segment) {
                    child = self.remainder(child, *rest)?;
                }
            }
            united[place].1 = child;
        }
        united.retain(|(_, child)| *child != DiagramId::EMPTY);
        Ok(self.node(united))
    }

    /// The minimal elements of both sets, and those of them that are new to the first: not dominated there.
    pub(crate) fn union(&mut self, a: DiagramId, b: DiagramId) -> Result<(DiagramId, DiagramId), StopReason> {
        let new = self.remainder(b, a)?;
        let kept = self.remainder(a, new)?;
        Ok((self.merge(kept, new)?, new))
    }

    /// All sequences of two sets of which none dominates one of the other.
    fn merge(&mut self, a: DiagramId, b: DiagramId) -> Result<DiagramId, StopReason> {
        if b == DiagramId::EMPTY {
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
                    edges.push((left.0, self.merge(left.1, right.1)?));
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

    /// The sequences of the first set that no sequence of the second dominates; all have the same length.
    fn remainder(&mut self, a: DiagramId, b: DiagramId) -> Result<DiagramId, StopReason> {
        if a == b || a == DiagramId::EMPTY {
            return Ok(DiagramId::EMPTY);
        }
        if b == DiagramId::EMPTY {
            return Ok(a);
        }
        if let Some(remainder) = self.remainders.get(&(a, b)) {
            return Ok(*remainder);
        }
        let mut edges = Vec::with_capacity(self.edges(a).len());
        for index in 0..self.edges(a).len() {
            self.meter.work_of(self.edges(b).len())?;
            let (segment, mut child) = self.edges(a)[index];
            for other in 0..self.edges(b).len() {
                let (dominant, rest) = self.edges(b)[other];
                if self.dominates(dominant, segment) {
                    child = self.remainder(child, rest)?;
                }
            }
            if child != DiagramId::EMPTY {
                edges.push((segment, child));
            }
        }
        let remainder = self.node(edges);
        self.remainders.insert((a, b), remainder);
        Ok(remainder)
    }

    /// The minimal elements among all joins of a sequence of the first set with one of the second: the last segment of the
    /// one and the first of the other become one segment.
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
                    edges.push((self.join(segment, first), rest));
                }
            } else {
                edges.push((segment, self.compose(child, b)?));
            }
        }
        let composition = self.minimal_node(edges)?;
        self.compositions.insert((a, b), composition);
        Ok(composition)
    }

    /// The first `phases` segments of the sequences with these locations, in order, without the locations.
    pub(crate) fn select(
        &mut self,
        id: DiagramId,
        locations: &[LocationId],
        phases: usize,
    ) -> Result<DiagramId, StopReason> {
        let mut known = FxHashMap::default();
        self.select_from(id, locations, phases, &mut known)
    }

    fn select_from(
        &mut self,
        id: DiagramId,
        locations: &[LocationId],
        phases: usize,
        known: &mut FxHashMap<(DiagramId, usize), DiagramId>,
    ) -> Result<DiagramId, StopReason> {
        if id == DiagramId::EMPTY {
            return Ok(id);
        }
        let names_location = self.edges(id).iter().any(|(letter, _)| letter.as_segment().is_none());
        if phases == 0 && !names_location {
            return Ok(DiagramId::LEAF);
        }
        if let Some(selected) = known.get(&(id, locations.len())) {
            return Ok(*selected);
        }
        self.meter.work_of(self.edges(id).len())?;
        let selected = if names_location {
            let (first, rest) = locations.split_first().expect("as many locations as the sequences name");
            let behind = self.behind(id, &[Letter::location(*first)]);
            self.select_from(behind, rest, phases, known)?
        } else {
            let mut edges = Vec::with_capacity(self.edges(id).len());
            for index in 0..self.edges(id).len() {
                let (letter, child) = self.edges(id)[index];
                match self.select_from(child, locations, phases - 1, known)? {
                    DiagramId::EMPTY => {}
                    rest => edges.push((letter, rest)),
                }
            }
            self.node(edges)
        };
        known.insert((id, locations.len()), selected);
        Ok(selected)
    }

    /// The length of the sequences of a set that is not empty.
    fn length(&self, id: DiagramId) -> usize {
        self.edges(id).first().map_or(0, |(_, child)| 1 + self.length(*child))
    }

    /// The set behind these letters of a diagram; empty if there is none.
    fn behind(&self, id: DiagramId, front: &[Letter]) -> DiagramId {
        front.iter().fold(id, |id, letter| {
            let place = self.edges(id).binary_search_by_key(letter, |edge| edge.0);
            place.map_or(DiagramId::EMPTY, |place| self.edges(id)[place].1)
        })
    }
}

impl LockWeights for Diagrams {
    fn operation(&mut self, _: usize, operation: Operation) -> DiagramId {
        let letter = Letter::segment(self.segments.of(operation));
        self.node(vec![(letter, DiagramId::LEAF)])
    }

    fn boundary(&mut self, _: usize) -> DiagramId {
        self.node(vec![(Letter::EMPTY, self.one)])
    }

    fn access(&mut self, _: usize, location: LocationId) -> DiagramId {
        let named = self.node(vec![(Letter::location(location), self.one)]);
        self.node(vec![(Letter::EMPTY, named)])
    }

    fn end(&mut self, phase: usize, location: Option<LocationId>) -> DiagramId {
        location.map_or(self.one, |location| self.access(phase, location))
    }

    fn without_last_phase(&self, element: &Vec<Letter>) -> Option<Vec<Letter>> {
        let (last, front) = element.split_last()?;
        (*last == Letter::EMPTY && !front.is_empty()).then(|| front.to_vec())
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
        let (union, new) = self.union(*into, *with)?;
        *into = union;
        Ok((new != DiagramId::EMPTY).then_some(new))
    }
}

/// The elements are the sequences.
impl Traceable for Diagrams {
    type Element = Vec<Letter>;

    fn contains(&self, weight: &DiagramId, element: &Vec<Letter>) -> bool {
        self.behind(*weight, element) == DiagramId::LEAF
    }

    fn split(
        &mut self,
        element: &Vec<Letter>,
        left: &DiagramId,
        right: &DiagramId,
    ) -> Option<(Vec<Letter>, Vec<Letter>)> {
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
                if self.join(end, start) == *joined && self.behind(behind, back) == DiagramId::LEAF {
                    return Some(([front, &[end]].concat(), [&[start], back].concat()));
                }
            }
        }
        None
    }
}
