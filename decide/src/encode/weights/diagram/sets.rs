//! Diagrams, and the operations on the sets that they represent.

use super::cache::Cache;
use super::item::{Sequence, SequenceItem};
use super::lightest::Breadth;
use super::nodes::{DiagramId, Edge, Nodes};
use crate::encode::weights::segments::Segments;
use limits::{Limits, Meter, StopReason};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The maximal number of memoized sums of more than two sets.
const SUMS: usize = 1 << 16;

/// The diagrams of an analysis, with the segments on their edges.
#[derive(Clone, Debug)]
pub(crate) struct Diagrams {
    breadth: Breadth,
    segments: Segments,
    nodes: Nodes,
    compositions: Cache,
    unions: Cache,
    remainders: Cache,
    sums: FxHashMap<Box<[DiagramId]>, DiagramId>,
    unit: DiagramId,
    /// The only sequence of the unit.
    unit_sequence: Sequence,
    meter: Meter,
}

/// Without diagrams and limits.
impl Default for Diagrams {
    fn default() -> Self {
        Self::of_breadth(Breadth::Whole)
    }
}

impl Diagrams {
    /// Diagrams of the lightest sequences: all their sequences are of paths, but not all paths have one (see
    /// `lightest`).
    pub(crate) fn lightest() -> Self {
        Self::of_breadth(Breadth::Lightest)
    }

    fn of_breadth(breadth: Breadth) -> Self {
        let mut diagrams = Self {
            breadth,
            segments: Segments::default(),
            nodes: Nodes::default(),
            compositions: Cache::default(),
            unions: Cache::default(),
            remainders: Cache::default(),
            sums: FxHashMap::default(),
            unit: DiagramId::EMPTY,
            unit_sequence: [SequenceItem::EMPTY].into(),
            meter: Meter::start(&Limits::default()),
        };
        diagrams.unit = diagrams.singleton(&[SequenceItem::EMPTY]);
        diagrams
    }

    /// From now on operations stop when this meter does. Computed results are kept.
    pub(crate) fn set_meter(&mut self, meter: Meter) {
        self.meter = meter;
    }

    pub(crate) fn meter(&self) -> &Meter {
        &self.meter
    }

    pub(crate) fn segments(&self) -> &Segments {
        &self.segments
    }

    pub(super) fn segments_mut(&mut self) -> &mut Segments {
        &mut self.segments
    }

    /// The set that contains only the sequence of one empty segment.
    pub(super) fn unit(&self) -> DiagramId {
        self.unit
    }

    pub(super) fn unit_sequence(&self) -> &Sequence {
        &self.unit_sequence
    }

    /// The last items of the sequences of a set, sorted, each with the set of the sequences before it.
    pub(crate) fn edges(&self, id: DiagramId) -> &[Edge] {
        self.nodes.edges(id)
    }

    /// The set that contains only this sequence.
    pub(super) fn singleton(&mut self, sequence: &[SequenceItem]) -> DiagramId {
        sequence.iter().fold(DiagramId::LEAF, |before, item| self.nodes.intern(&[(*item, before)]))
    }

    fn dominates(&self, first: SequenceItem, second: SequenceItem) -> bool {
        match (first.as_segment(), second.as_segment()) {
            (Some(first), Some(second)) => self.segments.dominates(first, second),
            _ => first == second,
        }
    }

    /// The composition of two segments.
    pub(super) fn join(&mut self, first: SequenceItem, second: SequenceItem) -> SequenceItem {
        let (first, second) =
            first.as_segment().zip(second.as_segment()).expect("sequences begin and end with segments");
        SequenceItem::segment(self.segments.then(first, second))
    }

    /// The minimal elements of the sequences of these edges. The edges are in any order and lead to antichains.
    fn minimal_node(&mut self, mut edges: Vec<Edge>) -> Result<DiagramId, StopReason> {
        edges.sort_unstable();
        edges.dedup();
        self.breadth.keep(&self.segments, &mut edges);
        let mut united: Vec<Edge> = Vec::with_capacity(edges.len());
        for alike in edges.chunk_by(|a, b| a.0 == b.0) {
            let child = match alike {
                [(_, child)] => *child,
                [(_, first), (_, second)] => self.union(*first, *second)?.0,
                _ => self.sum(alike.iter().map(|(_, child)| *child).collect())?,
            };
            united.push((alike[0].0, child));
        }
        for class in united.chunk_by_mut(|a, b| a.0.class() == b.0.class()) {
            self.meter.work_of(class.len())?;
            for place in 0..class.len() {
                let (item, mut before) = class[place];
                for (other, rest) in &*class {
                    if before != DiagramId::EMPTY && *other != item && self.dominates(*other, item) {
                        before = self.remainder(before, *rest)?;
                    }
                }
                class[place].1 = before;
            }
        }
        united.retain(|(_, child)| *child != DiagramId::EMPTY);
        Ok(self.nodes.intern(&united))
    }

    /// The minimal elements of many sets of sequences of one length. It goes node by node for all sets at once, so each
    /// result is made once; one union after the other would make ever larger results.
    pub(super) fn sum(&mut self, mut sets: Vec<DiagramId>) -> Result<DiagramId, StopReason> {
        sets.sort_unstable();
        sets.dedup();
        sets.retain(|set| *set != DiagramId::EMPTY);
        if let [] | [_] = sets[..] {
            return Ok(sets.first().copied().unwrap_or(DiagramId::EMPTY));
        }
        if let Some(sum) = self.sums.get(&sets[..]) {
            return Ok(*sum);
        }
        let edges = sets.iter().flat_map(|set| self.edges(*set)).copied().collect();
        let sum = self.minimal_node(edges)?;
        if self.sums.len() >= SUMS {
            self.sums.clear();
        }
        self.sums.insert(sets.into(), sum);
        Ok(sum)
    }

    /// The minimal elements of both sets, and those of them that the first set does not dominate. The latter are empty
    /// iff the first set has all minimal elements.
    pub(crate) fn union(&mut self, a: DiagramId, b: DiagramId) -> Result<(DiagramId, DiagramId), StopReason> {
        let new = self.remainder(b, a)?;
        let kept = self.remainder(a, new)?;
        let union = self.merge(kept, new)?;
        // New sequences of lightest diagrams may not be kept.
        Ok((union, if union == a { DiagramId::EMPTY } else { new }))
    }

    /// The union of two sets such that no sequence of one dominates one of the other; of lightest sets, the lightest
    /// sequences.
    fn merge(&mut self, a: DiagramId, b: DiagramId) -> Result<DiagramId, StopReason> {
        if b == DiagramId::EMPTY {
            return Ok(a);
        }
        if a == DiagramId::EMPTY {
            return Ok(b);
        }
        let (a, b) = (a.min(b), a.max(b));
        if let Some(union) = self.unions.get(a, b) {
            return Ok(union);
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
        self.breadth.keep(&self.segments, &mut edges);
        let union = self.nodes.intern(&edges);
        self.unions.insert(a, b, union, self.nodes.len());
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
        if let Some(remainder) = self.remainders.get(a, b) {
            return Ok(remainder);
        }
        let mut edges = Vec::with_capacity(self.edges(a).len());
        // The edges of the second set in the class of the present edge of the first.
        let mut alike = 0..0;
        for index in 0..self.edges(a).len() {
            let (item, mut before) = self.edges(a)[index];
            alike = self.class(b, item.class(), alike);
            self.meter.work_of(1 + alike.len())?;
            for other in alike.clone() {
                let (dominant, rest) = self.edges(b)[other];
                if before != DiagramId::EMPTY && self.dominates(dominant, item) {
                    before = self.remainder(before, rest)?;
                }
            }
            if before != DiagramId::EMPTY {
                edges.push((item, before));
            }
        }
        let remainder = self.nodes.intern(&edges);
        self.remainders.insert(a, b, remainder, self.nodes.len());
        Ok(remainder)
    }

    /// The edges of a node whose items are in a class, which is not before the class of the known edges.
    fn class(&self, id: DiagramId, class: u32, known: Range<usize>) -> Range<usize> {
        let edges = self.edges(id);
        if edges[known.clone()].first().is_some_and(|(item, _)| item.class() == class) {
            return known;
        }
        let start = known.end + edges[known.end..].iter().take_while(|(item, _)| item.class() < class).count();
        start..start + edges[start..].iter().take_while(|(item, _)| item.class() == class).count()
    }

    /// The minimal elements among all joins of a sequence of the first set with one of the second: the last segment of
    /// the first and the first segment of the second become one segment.
    pub(crate) fn compose(&mut self, a: DiagramId, b: DiagramId) -> Result<DiagramId, StopReason> {
        if a == DiagramId::EMPTY || b == DiagramId::EMPTY {
            return Ok(DiagramId::EMPTY);
        }
        if a == self.unit {
            return Ok(b);
        }
        if b == self.unit {
            return Ok(a);
        }
        if let Some(composition) = self.compositions.get(a, b) {
            return Ok(composition);
        }
        let mut edges = Vec::with_capacity(self.edges(b).len());
        for index in 0..self.edges(b).len() {
            let (item, before) = self.edges(b)[index];
            if before == DiagramId::LEAF {
                self.meter.work_of(self.edges(a).len())?;
                for last in 0..self.edges(a).len() {
                    let (end, rest) = self.edges(a)[last];
                    edges.push((self.join(end, item), rest));
                }
            } else {
                edges.push((item, self.compose(a, before)?));
            }
        }
        let composition = self.minimal_node(edges)?;
        self.compositions.insert(a, b, composition, self.nodes.len());
        Ok(composition)
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// An estimate of the bytes taken by the nodes.
    pub(super) fn size(&self) -> usize {
        self.nodes.size()
    }

    /// Forgets all sets made since there were `mark` nodes, except these, which get new ids.
    pub(super) fn forget_since(&mut self, mark: usize, kept: &[DiagramId]) -> Vec<DiagramId> {
        let kept = self.nodes.forget_since(mark, kept);
        for cache in [&mut self.compositions, &mut self.unions, &mut self.remainders] {
            cache.forget_since(mark);
        }
        self.sums.clear();
        kept
    }

    /// The length of the sequences of a nonempty set, locations included.
    pub(super) fn length(&self, id: DiagramId) -> usize {
        self.edges(id).first().map_or(0, |(_, before)| 1 + self.length(*before))
    }

    /// The sequences before these last items; empty if no sequence ends with them.
    pub(super) fn before(&self, id: DiagramId, back: &[SequenceItem]) -> DiagramId {
        back.iter().rev().fold(id, |id, item| self.before_item(id, *item))
    }

    /// The sequences before this last item; empty if no sequence ends with it.
    pub(crate) fn before_item(&self, id: DiagramId, item: SequenceItem) -> DiagramId {
        let place = self.edges(id).binary_search_by_key(&item, |edge| edge.0);
        place.map_or(DiagramId::EMPTY, |place| self.edges(id)[place].1)
    }
}
