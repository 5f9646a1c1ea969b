//! Where control comes together with different values: the parameters that pieces of code get.
//!
//! A *place* is a local variable, or a position on the operand stack. A piece gets a parameter for a place if it is in
//! the iterated dominance frontier of the pieces that store something there (R. Cytron et al., 1991), which is computed
//! as V. C. Sreedhar and G. R. Gao do it (*A linear time algorithm for placing φ-nodes*, POPL 1995). An exception can
//! leave a piece before or after a store in it; so a handler gets a parameter for each local variable that is stored in
//! a piece that it covers.
//!
//! There are parameters that nothing uses, and such that have one value only; [`simplify`](super::simplify) takes them
//! away.

use super::dominators::Tree;
use super::effort::Effort;
use super::error::Stop;
use super::flow::Flow;
use super::graph::number;
use super::pieces::{PieceId, Pieces, Start};
use crate::bytecode::{Code, Instruction, Local};
use crate::class_file::Kind;
use std::collections::BinaryHeap;

/// A local variable, or after all of these a position on the operand stack.
pub(super) type Place = u32;

/// The places whose values pieces get as parameters, sorted.
pub(super) struct Joins {
    /// How many local variables there are.
    pub(super) locals: usize,
    /// How many places there are.
    pub(super) places: usize,
    of: Vec<Vec<Place>>,
}

impl Joins {
    /// Nearly linear in the code for each place that is stored more than once.
    pub(super) fn new(
        code: &Code,
        parameters: usize,
        (flow, pieces): (&Flow, &Pieces),
        tree: &Tree,
        effort: &Effort<'_>,
    ) -> Result<Self, Stop> {
        let locals = locals(code).max(parameters);
        let highest = flow.copies.iter().map(|copy| flow.shapes.height(copy.before)).max().unwrap_or(0);
        let places = locals + highest + 1;
        let mut stores = Stores { is_read: is_read(code, (flow, pieces), locals), list: Vec::new() };
        for id in 0..number(pieces.list.len()) {
            stores.piece(code, (flow, pieces), id, (locals, effort))?;
        }
        stores.list.sort_unstable();
        stores.list.dedup();
        let mut joins = Self { locals, places, of: vec![Vec::new(); pieces.list.len()] };
        let mut frontier = Frontier::new(pieces, tree);
        for group in stores.list.chunk_by(|store, next| store.place == next.place) {
            let place = group[0].place;
            for piece in frontier.of(group, effort)? {
                if joins.exists(place, piece, (flow, pieces)) {
                    effort.edges(0, 1)?;
                    joins.of[piece as usize].push(place);
                }
            }
        }
        Ok(joins)
    }

    /// The places whose values a piece gets.
    pub(super) fn at(&self, piece: PieceId) -> &[Place] {
        &self.of[piece as usize]
    }

    /// Whether there is such a place where a piece begins: the operand stack may be lower.
    fn exists(&self, place: Place, piece: PieceId, (flow, pieces): (&Flow, &Pieces)) -> bool {
        let Some(position) = (place as usize).checked_sub(self.locals) else { return true };
        let first = pieces.copies(piece).first();
        first.is_some_and(|first| position < flow.shapes.height(flow.copy(*first).before))
    }
}

/// How many local variables the code names.
fn locals(code: &Code) -> usize {
    let end = |instruction: &Instruction| match instruction {
        Instruction::Load(kind, local) | Instruction::Store(kind, local) => local.index() + kind.slots(),
        Instruction::Increment(local, _) | Instruction::Ret(local) => local.index() + 1,
        _ => 0,
    };
    code.instructions.iter().map(end).max().unwrap_or(0)
}

/// The local variables that an instruction stores; the second one of a long or double holds nothing.
fn stored(instruction: Instruction) -> impl Iterator<Item = Local> {
    let range = match instruction {
        Instruction::Store(kind, local) => local.index()..local.index() + kind.slots(),
        Instruction::Increment(local, _) => local.index()..local.index() + 1,
        _ => 0..0,
    };
    range.filter_map(|local| u16::try_from(local).ok().map(Local))
}

/// Which local variables some piece reads before it stores them; the others need no parameters.
fn is_read(code: &Code, (flow, pieces): (&Flow, &Pieces), locals: usize) -> Vec<bool> {
    let mut is_read = vec![false; locals];
    let mut stored_in = vec![0; locals];
    for id in 1..number(pieces.list.len()) {
        for copy in pieces.copies(id) {
            let instruction = code.instruction(flow.copy(*copy).at);
            if let Instruction::Load(_, local) | Instruction::Increment(local, _) = instruction {
                is_read[local.index()] |= stored_in[local.index()] != id;
            }
            stored(instruction).for_each(|local| {
                if let Some(last) = stored_in.get_mut(local.index()) {
                    *last = id;
                }
            });
        }
    }
    is_read
}

/// A place is stored in a piece.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Store {
    place: Place,
    piece: PieceId,
    /// Not so: an exception comes to the piece, with one value or another.
    is_landing: bool,
}

struct Stores {
    is_read: Vec<bool>,
    list: Vec<Store>,
}

impl Stores {
    fn piece(
        &mut self,
        code: &Code,
        (flow, pieces): (&Flow, &Pieces),
        id: PieceId,
        (locals, effort): (usize, &Effort<'_>),
    ) -> Result<(), Stop> {
        let all = pieces.copies(id).iter().flat_map(|copy| stored(code.instruction(flow.copy(*copy).at)));
        let read = all.filter(|local| self.is_read.get(local.index()) == Some(&true));
        let mut stored: Vec<Place> = read.map(|local| local.0.into()).collect();
        stored.sort_unstable();
        stored.dedup();
        let landings = pieces.list[id as usize].landings.map_or(&[][..], |landings| flow.landings(landings));
        effort.search(stored.len() * (1 + landings.len()))?;
        for place in stored {
            self.list.push(Store { place, piece: id, is_landing: false });
            let landings = landings.iter().map(|landing| pieces.landing(landing));
            self.list.extend(landings.map(|piece| Store { place, piece, is_landing: true }));
        }
        self.stack((flow, pieces), id, locals);
        Ok(())
    }

    /// The positions of the operand stack that hold something else after a piece than before it.
    fn stack(&mut self, (flow, pieces): (&Flow, &Pieces), id: PieceId, locals: usize) {
        if matches!(pieces.list[id as usize].start, Start::Landing(_)) {
            self.list.push(Store { place: number(locals), piece: id, is_landing: false });
        }
        let copies = pieces.copies(id);
        let Some(last) = copies.last() else { return };
        let kept = copies.iter().map(|copy| flow.copy(*copy).kept).min().unwrap_or(0);
        let height = number(flow.shapes.height(flow.copy(*last).after));
        let positions = kept..height;
        self.list.extend(positions.map(|position| Store {
            place: number(locals) + position,
            piece: id,
            is_landing: false,
        }));
    }
}

/// Iterated dominance frontiers, one after the other.
struct Frontier<'p> {
    pieces: &'p Pieces,
    tree: &'p Tree,
    /// The least level of a piece to which an edge leads from a piece, or from one that it dominates.
    least: Vec<u32>,
    /// The number of the frontier that is computed, and of the last one that had each piece open, visited, or in it.
    round: u32,
    opened: Vec<u32>,
    visited: Vec<u32>,
    found: Vec<u32>,
}

impl<'p> Frontier<'p> {
    fn new(pieces: &'p Pieces, tree: &'p Tree) -> Self {
        let zeros = || vec![0; pieces.list.len()];
        let target_levels = |piece: usize| pieces.graph.successors(piece).iter().map(|next| tree.level(*next as usize));
        let mut least: Vec<u32> =
            (0..pieces.list.len()).map(|piece| target_levels(piece).min().unwrap_or(u32::MAX)).collect();
        for piece in tree.bottom_up() {
            if let Some(parent) = tree.parent(piece as usize) {
                least[parent as usize] = least[parent as usize].min(least[piece as usize]);
            }
        }
        Self { pieces, tree, least, round: 0, opened: zeros(), visited: zeros(), found: zeros() }
    }

    /// The pieces in the frontier of some stores. Goes through the pieces that these dominate, the lowest first, so
    /// that it comes to each piece once; leaves out those from which nothing leads up as far.
    fn of(&mut self, stores: &[Store], effort: &Effort<'_>) -> Result<Vec<PieceId>, Stop> {
        self.round += 1;
        let mut frontier = Vec::new();
        let mut open = BinaryHeap::new();
        for store in stores {
            if store.is_landing && mark(&mut self.found, store.piece, self.round) {
                frontier.push(store.piece);
            }
            if mark(&mut self.opened, store.piece, self.round) {
                open.push((self.tree.level(store.piece as usize), store.piece));
            }
        }
        while let Some((level, root)) = open.pop() {
            // Nothing leads back to where control enters.
            if level == 0 || !mark(&mut self.visited, root, self.round) {
                continue;
            }
            let mut below = vec![root];
            while let Some(piece) = below.pop() {
                let targets = self.pieces.graph.successors(piece as usize);
                effort.search(targets.len() + 1)?;
                for target in targets {
                    let target_level = self.tree.level(*target as usize);
                    if target_level <= level && mark(&mut self.found, *target, self.round) {
                        frontier.push(*target);
                        if mark(&mut self.opened, *target, self.round) {
                            open.push((target_level, *target));
                        }
                    }
                }
                let children = self.tree.children(piece as usize);
                effort.search(children.len())?;
                let leads_up = children.iter().filter(|child| self.least[**child as usize] <= level);
                below.extend(leads_up.filter(|child| mark(&mut self.visited, **child, self.round)));
            }
        }
        Ok(frontier)
    }
}

/// Marks a piece; whether it was not marked before.
fn mark(marks: &mut [u32], piece: PieceId, round: u32) -> bool {
    std::mem::replace(&mut marks[piece as usize], round) != round
}

/// The local variables of a method's parameters: where each stands, and its kind.
pub(super) fn parameter_places(kinds: impl Iterator<Item = Kind>) -> Vec<(Place, Kind)> {
    let mut next = 0;
    let place = |kind: Kind| {
        let place = next;
        next += number(kind.slots());
        (place, kind)
    };
    kinds.map(place).collect()
}
