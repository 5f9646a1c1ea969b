//! Segments: maximal runs of instruction copies that are executed from the first one to the last one.
//!
//! A segment becomes a block. There is an entry segment without instructions, and one such segment for each handler,
//! which receives the exception; therefore the first instruction of a method or of a handler may also be the target of
//! branches. All instructions of a segment that can throw have the same handlers.

use super::flow::{CopyId, Flow, Landing, LandingsId};
use super::graph::{Graph, number};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The index of a segment.
pub(super) type SegmentId = u32;

/// The kinds of segments by their start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// The entry of the method, without instructions.
    Entry,
    /// The entry of a handler that begins at this copy, without instructions.
    Landing(CopyId),
    /// A segment with instructions.
    Inside,
}

/// A segment.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) start: Start,
    copies: Range<usize>,
    /// The landings of its exceptions, if an instruction can throw.
    pub(super) landings: Option<LandingsId>,
}

/// All segments. The first one is the entry.
pub(super) struct Segments {
    pub(super) list: Vec<Segment>,
    /// The copies, such that those of a segment are contiguous.
    order: Vec<CopyId>,
    /// The segment with instructions that begins with a copy.
    begins: FxHashMap<CopyId, SegmentId>,
    /// The handler segment before a copy.
    lands: FxHashMap<CopyId, SegmentId>,
    /// The control flow between segments, including exceptions.
    pub(super) graph: Graph,
}

impl Segments {
    /// Computes the segments. Linear.
    pub(super) fn new(flow: &Flow) -> Self {
        let mut segments = Self {
            list: vec![Segment { start: Start::Entry, copies: 0..0, landings: None }],
            order: Vec::new(),
            begins: FxHashMap::default(),
            lands: FxHashMap::default(),
            graph: Graph::new(0, &[]),
        };
        for (_, copy) in flow.all_landings().flatten() {
            let id = number(segments.list.len());
            if *segments.lands.entry(*copy).or_insert(id) == id {
                segments.list.push(Segment { start: Start::Landing(*copy), copies: 0..0, landings: None });
            }
        }
        segments.fill(flow);
        let edges = (0..number(segments.list.len())).flat_map(|id| {
            let targets = segments.successors(flow, id).into_iter().chain(segments.landing_segments(flow, id));
            targets.map(move |target| (id, target)).collect::<Vec<_>>()
        });
        segments.graph = Graph::new(segments.list.len(), &edges.collect::<Vec<_>>());
        segments
    }

    /// Divides the code at joins and branches, and where the handlers change.
    fn fill(&mut self, flow: &Flow) {
        let count = flow.copies.len();
        let mut comes = vec![0_u32; count];
        comes[0] = 2;
        self.lands.keys().for_each(|copy| comes[*copy as usize] = 2);
        for id in 0..number(count) {
            let successors = flow.successors(id);
            // Each successor of a branch begins a segment.
            let weight = if flow.copy(id).is_end { 2 } else { 1 };
            for next in successors {
                comes[*next as usize] = comes[*next as usize].saturating_add(weight);
            }
        }
        for first in (0..number(count)).filter(|id| comes[*id as usize] != 1) {
            self.chain(flow, first, &comes);
        }
    }

    /// Adds the segments from a copy to the next join or branch.
    fn chain(&mut self, flow: &Flow, first: CopyId, comes: &[u32]) {
        self.begin(first);
        let mut last = first;
        loop {
            self.order.push(last);
            let landings = flow.copy(last).landings;
            let segment = self.list.last_mut().expect("a segment was begun");
            segment.copies.end += 1;
            segment.landings = segment.landings.or(landings);
            // A copy that does not end a block has one successor. At a join, another segment begins.
            let [next] = flow.successors(last) else { return };
            if comes[*next as usize] != 1 {
                return;
            }
            let other = flow.copy(*next).landings;
            if other.is_some() && segment.landings.is_some() && other != segment.landings {
                self.begin(*next);
            }
            last = *next;
        }
    }

    fn begin(&mut self, first: CopyId) {
        self.begins.insert(first, number(self.list.len()));
        let copies = self.order.len()..self.order.len();
        self.list.push(Segment { start: Start::Inside, copies, landings: None });
    }

    /// The copies of a segment.
    pub(super) fn copies(&self, id: SegmentId) -> &[CopyId] {
        &self.order[self.list[id as usize].copies.clone()]
    }

    /// The successors of a segment when nothing is thrown, in the order of the successors of its last copy.
    pub(super) fn successors(&self, flow: &Flow, id: SegmentId) -> Vec<SegmentId> {
        match self.list[id as usize].start {
            Start::Entry => vec![self.begins[&0]],
            Start::Landing(copy) => vec![self.begins[&copy]],
            Start::Inside => {
                let last = *self.copies(id).last().expect("it has copies");
                flow.successors(last).iter().map(|copy| self.begins[copy]).collect()
            }
        }
    }

    /// The segment of a landing, which receives the exception.
    pub(super) fn landing(&self, landing: &Landing) -> SegmentId {
        self.lands[&landing.1]
    }

    fn landing_segments(&self, flow: &Flow, id: SegmentId) -> Vec<SegmentId> {
        let landings = self.list[id as usize].landings.map_or(&[][..], |landings| flow.landings(landings));
        landings.iter().map(|landing| self.landing(landing)).collect()
    }
}
