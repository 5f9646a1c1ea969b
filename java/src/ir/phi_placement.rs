//! Phi placement: the parameters of blocks.
//!
//! A *place* is a local variable or a position on the operand stack. A segment gets a parameter for a place if it is in
//! the iterated dominance frontier of the segments that store to the place (R. Cytron et al., 1991). The frontier is
//! computed by the algorithm of V. C. Sreedhar and G. R. Gao, *A linear time algorithm for placing φ-nodes* (POPL
//! 1995). An exception can leave a segment before or after one of its stores; therefore a handler gets a parameter for
//! each local variable that is stored in a segment that it covers.
//!
//! Some parameters are unused or have only one value; [`simplify`](super::simplify) removes them.

use super::budget::Budget;
use super::dominators::Tree;
use super::error::Stop;
use super::flow::Flow;
use super::graph::number;
use super::segments::{SegmentId, Segments, Start};
use crate::bytecode::{Code, Instruction, Local};
use crate::class_file::Kind;
use std::collections::BinaryHeap;

/// The number of a place: first the local variables, then the positions on the operand stack.
pub(super) type Place = u32;

/// The places for which each segment has a parameter.
pub(super) struct PhiPlacement {
    /// The number of local variables.
    pub(super) locals: usize,
    /// The number of places.
    pub(super) places: usize,
    of: Vec<Vec<Place>>,
}

impl PhiPlacement {
    /// Computes the parameters. Nearly linear in the code for each place that is stored more than once.
    pub(super) fn new(
        code: &Code,
        parameters: usize,
        (flow, segments): (&Flow, &Segments),
        tree: &Tree,
        budget: &Budget<'_>,
    ) -> Result<Self, Stop> {
        let locals = locals(code).max(parameters);
        let highest = flow.copies.iter().map(|copy| flow.shapes.height(copy.before)).max().unwrap_or(0);
        let places = locals + highest + 1;
        let mut stores = Stores { is_read: is_read(code, (flow, segments), locals), list: Vec::new() };
        for id in 0..number(segments.list.len()) {
            stores.segment(code, (flow, segments), id, (locals, budget))?;
        }
        stores.list.sort_unstable();
        stores.list.dedup();
        let mut phis = Self { locals, places, of: vec![Vec::new(); segments.list.len()] };
        let mut frontier = Frontier::new(segments, tree);
        for group in stores.list.chunk_by(|store, next| store.place == next.place) {
            let place = group[0].place;
            for segment in frontier.of(group, budget)? {
                if phis.exists(place, segment, (flow, segments)) {
                    budget.edges(0, 1)?;
                    phis.of[segment as usize].push(place);
                }
            }
        }
        Ok(phis)
    }

    /// The places for which a segment has a parameter.
    pub(super) fn at(&self, segment: SegmentId) -> &[Place] {
        &self.of[segment as usize]
    }

    /// Whether a place exists at the start of a segment. The operand stack may be lower than a position.
    fn exists(&self, place: Place, segment: SegmentId, (flow, segments): (&Flow, &Segments)) -> bool {
        let Some(position) = (place as usize).checked_sub(self.locals) else { return true };
        let first = segments.copies(segment).first();
        first.is_some_and(|first| position < flow.shapes.height(flow.copy(*first).before))
    }
}

/// The number of local variables in the code.
fn locals(code: &Code) -> usize {
    let end = |instruction: &Instruction| match instruction {
        Instruction::Load(kind, local) | Instruction::Store(kind, local) => local.index() + kind.slots(),
        Instruction::Increment(local, _) | Instruction::Ret(local) => local.index() + 1,
        _ => 0,
    };
    code.instructions.iter().map(end).max().unwrap_or(0)
}

/// The local variables to which an instruction stores, including the second slot of a long or double.
fn stored(instruction: Instruction) -> impl Iterator<Item = Local> {
    let range = match instruction {
        Instruction::Store(kind, local) => local.index()..local.index() + kind.slots(),
        Instruction::Increment(local, _) => local.index()..local.index() + 1,
        _ => 0..0,
    };
    range.filter_map(|local| u16::try_from(local).ok().map(Local))
}

/// For each local variable, whether some segment reads it before storing to it. The others need no parameters.
fn is_read(code: &Code, (flow, segments): (&Flow, &Segments), locals: usize) -> Vec<bool> {
    let mut is_read = vec![false; locals];
    let mut stored_in = vec![0; locals];
    for id in 1..number(segments.list.len()) {
        for copy in segments.copies(id) {
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

/// A store to a place in a segment.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Store {
    place: Place,
    segment: SegmentId,
    /// Whether the segment is instead a handler that an exception enters with the value before or after a store.
    is_landing: bool,
}

struct Stores {
    is_read: Vec<bool>,
    list: Vec<Store>,
}

impl Stores {
    fn segment(
        &mut self,
        code: &Code,
        (flow, segments): (&Flow, &Segments),
        id: SegmentId,
        (locals, budget): (usize, &Budget<'_>),
    ) -> Result<(), Stop> {
        let all = segments.copies(id).iter().flat_map(|copy| stored(code.instruction(flow.copy(*copy).at)));
        let read = all.filter(|local| self.is_read.get(local.index()) == Some(&true));
        let mut stored: Vec<Place> = read.map(|local| local.0.into()).collect();
        stored.sort_unstable();
        stored.dedup();
        let landings = segments.list[id as usize].landings.map_or(&[][..], |landings| flow.landings(landings));
        budget.search(stored.len() * (1 + landings.len()))?;
        for place in stored {
            self.list.push(Store { place, segment: id, is_landing: false });
            let landings = landings.iter().map(|landing| segments.landing(landing));
            self.list.extend(landings.map(|segment| Store { place, segment, is_landing: true }));
        }
        self.stack((flow, segments), id, locals);
        Ok(())
    }

    /// Adds the positions of the operand stack that a segment changes.
    fn stack(&mut self, (flow, segments): (&Flow, &Segments), id: SegmentId, locals: usize) {
        if matches!(segments.list[id as usize].start, Start::Landing(_)) {
            self.list.push(Store { place: number(locals), segment: id, is_landing: false });
        }
        let copies = segments.copies(id);
        let Some(last) = copies.last() else { return };
        let kept = copies.iter().map(|copy| flow.copy(*copy).kept).min().unwrap_or(0);
        let height = number(flow.shapes.height(flow.copy(*last).after));
        let positions = kept..height;
        self.list.extend(positions.map(|position| Store {
            place: number(locals) + position,
            segment: id,
            is_landing: false,
        }));
    }
}

/// The computation of iterated dominance frontiers, one after the other.
struct Frontier<'p> {
    segments: &'p Segments,
    tree: &'p Tree,
    /// For each segment, the least level of a successor of it or of a segment that it dominates.
    least: Vec<u32>,
    /// The number of the current frontier. The next three fields hold the last round in which each segment was opened,
    /// visited or found.
    round: u32,
    opened: Vec<u32>,
    visited: Vec<u32>,
    found: Vec<u32>,
}

impl<'p> Frontier<'p> {
    fn new(segments: &'p Segments, tree: &'p Tree) -> Self {
        let zeros = || vec![0; segments.list.len()];
        let target_levels =
            |segment: usize| segments.graph.successors(segment).iter().map(|next| tree.level(*next as usize));
        let mut least: Vec<u32> =
            (0..segments.list.len()).map(|segment| target_levels(segment).min().unwrap_or(u32::MAX)).collect();
        for segment in tree.bottom_up() {
            if let Some(parent) = tree.parent(segment as usize) {
                least[parent as usize] = least[parent as usize].min(least[segment as usize]);
            }
        }
        Self { segments, tree, least, round: 0, opened: zeros(), visited: zeros(), found: zeros() }
    }

    /// The segments in the frontier of some stores. Visits the segments that these dominate, those with the highest
    /// level first, so that each one is visited once. Subtrees without an edge to a sufficiently low level are skipped.
    fn of(&mut self, stores: &[Store], budget: &Budget<'_>) -> Result<Vec<SegmentId>, Stop> {
        self.round += 1;
        let mut frontier = Vec::new();
        let mut open = BinaryHeap::new();
        for store in stores {
            if store.is_landing && mark(&mut self.found, store.segment, self.round) {
                frontier.push(store.segment);
            }
            if mark(&mut self.opened, store.segment, self.round) {
                open.push((self.tree.level(store.segment as usize), store.segment));
            }
        }
        while let Some((level, root)) = open.pop() {
            // The entry has no predecessors.
            if level == 0 || !mark(&mut self.visited, root, self.round) {
                continue;
            }
            let mut below = vec![root];
            while let Some(segment) = below.pop() {
                let targets = self.segments.graph.successors(segment as usize);
                budget.search(targets.len() + 1)?;
                for target in targets {
                    let target_level = self.tree.level(*target as usize);
                    if target_level <= level && mark(&mut self.found, *target, self.round) {
                        frontier.push(*target);
                        if mark(&mut self.opened, *target, self.round) {
                            open.push((target_level, *target));
                        }
                    }
                }
                let children = self.tree.children(segment as usize);
                budget.search(children.len())?;
                let leads_up = children.iter().filter(|child| self.least[**child as usize] <= level);
                below.extend(leads_up.filter(|child| mark(&mut self.visited, **child, self.round)));
            }
        }
        Ok(frontier)
    }
}

/// Marks a segment. Returns whether it was unmarked before.
fn mark(marks: &mut [u32], segment: SegmentId, round: u32) -> bool {
    std::mem::replace(&mut marks[segment as usize], round) != round
}

/// The local variables and kinds of the parameters of a method.
pub(super) fn parameter_places(kinds: impl Iterator<Item = Kind>) -> Vec<(Place, Kind)> {
    let mut next = 0;
    let place = |kind: Kind| {
        let place = next;
        next += number(kind.slots());
        (place, kind)
    };
    kinds.map(place).collect()
}
