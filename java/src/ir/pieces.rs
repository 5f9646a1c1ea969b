//! Copies of instructions in pieces that are executed from the first one to the last one.
//!
//! A piece becomes a block. There is one without instructions at which control enters, and one for each handler, to
//! which the exception comes: so the first instruction of a method or of a handler may be the target of branches, too.
//! All that can be thrown in a piece has the same handlers.

use super::flow::{CopyId, Flow, Landing, LandingsId};
use super::graph::{Graph, number};
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The number of a piece.
pub(super) type PieceId = u32;

/// Where a piece begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Start {
    /// Where control enters the method.
    Entry,
    /// Where an exception comes in, before this copy.
    Landing(CopyId),
    /// Elsewhere.
    Inside,
}

/// Copies that are executed one after the other.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) start: Start,
    copies: Range<usize>,
    /// Where exceptions go, if something can throw.
    pub(super) landings: Option<LandingsId>,
}

/// All pieces; control enters at the first one.
pub(super) struct Pieces {
    pub(super) list: Vec<Piece>,
    order: Vec<CopyId>,
    /// The piece that begins with a copy.
    begins: FxHashMap<CopyId, PieceId>,
    lands: FxHashMap<CopyId, PieceId>,
    /// Where control goes, exceptions included.
    pub(super) graph: Graph,
}

impl Pieces {
    /// Linear.
    pub(super) fn new(flow: &Flow) -> Self {
        let mut pieces = Self {
            list: vec![Piece { start: Start::Entry, copies: 0..0, landings: None }],
            order: Vec::new(),
            begins: FxHashMap::default(),
            lands: FxHashMap::default(),
            graph: Graph::new(0, &[]),
        };
        for (_, copy) in flow.all_landings().flatten() {
            let id = number(pieces.list.len());
            if *pieces.lands.entry(*copy).or_insert(id) == id {
                pieces.list.push(Piece { start: Start::Landing(*copy), copies: 0..0, landings: None });
            }
        }
        pieces.fill(flow);
        let edges = (0..number(pieces.list.len())).flat_map(|id| {
            let targets = pieces.successors(flow, id).into_iter().chain(pieces.landing_pieces(flow, id));
            targets.map(move |target| (id, target)).collect::<Vec<_>>()
        });
        pieces.graph = Graph::new(pieces.list.len(), &edges.collect::<Vec<_>>());
        pieces
    }

    /// Cuts the code where control comes together or divides, and where the handlers change.
    fn fill(&mut self, flow: &Flow) {
        let count = flow.copies.len();
        let mut comes = vec![0_u32; count];
        comes[0] = 2;
        self.lands.keys().for_each(|copy| comes[*copy as usize] = 2);
        for id in 0..number(count) {
            let successors = flow.successors(id);
            // A copy after a branch begins a piece.
            let weight = if flow.copy(id).is_end { 2 } else { 1 };
            for next in successors {
                comes[*next as usize] = comes[*next as usize].saturating_add(weight);
            }
        }
        for first in (0..number(count)).filter(|id| comes[*id as usize] != 1) {
            self.chain(flow, first, &comes);
        }
    }

    /// Adds the pieces from a copy to where control comes together or divides.
    fn chain(&mut self, flow: &Flow, first: CopyId, comes: &[u32]) {
        self.begin(first);
        let mut last = first;
        loop {
            self.order.push(last);
            let landings = flow.copy(last).landings;
            let piece = self.list.last_mut().expect("one was begun");
            piece.copies.end += 1;
            piece.landings = piece.landings.or(landings);
            // What does not end a block has one successor; where it comes together with others, another piece begins.
            let [next] = flow.successors(last) else { return };
            if comes[*next as usize] != 1 {
                return;
            }
            let other = flow.copy(*next).landings;
            if other.is_some() && piece.landings.is_some() && other != piece.landings {
                self.begin(*next);
            }
            last = *next;
        }
    }

    fn begin(&mut self, first: CopyId) {
        self.begins.insert(first, number(self.list.len()));
        let copies = self.order.len()..self.order.len();
        self.list.push(Piece { start: Start::Inside, copies, landings: None });
    }

    /// The copies of a piece.
    pub(super) fn copies(&self, id: PieceId) -> &[CopyId] {
        &self.order[self.list[id as usize].copies.clone()]
    }

    /// Where control goes from a piece when nothing is thrown, in the order of the last copy's successors.
    pub(super) fn successors(&self, flow: &Flow, id: PieceId) -> Vec<PieceId> {
        match self.list[id as usize].start {
            Start::Entry => vec![self.begins[&0]],
            Start::Landing(copy) => vec![self.begins[&copy]],
            Start::Inside => {
                let last = *self.copies(id).last().expect("it has copies");
                flow.successors(last).iter().map(|copy| self.begins[copy]).collect()
            }
        }
    }

    /// The piece at which the exception comes in for a landing.
    pub(super) fn landing(&self, landing: &Landing) -> PieceId {
        self.lands[&landing.1]
    }

    fn landing_pieces(&self, flow: &Flow, id: PieceId) -> Vec<PieceId> {
        let landings = self.list[id as usize].landings.map_or(&[][..], |landings| flow.landings(landings));
        landings.iter().map(|landing| self.landing(landing)).collect()
    }
}
