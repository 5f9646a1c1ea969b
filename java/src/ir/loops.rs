//! The loop nesting forest.
//!
//! A loop is a strongly connected component of blocks. Its *heads* are the blocks in it with an edge from outside. The
//! inner loops are the loops of its blocks without the heads (B. Steensgaard, *Sequentializing program dependence
//! graphs for irreducible programs*, 1993). A natural loop has one head, which dominates it. A loop with several heads
//! is irreducible. Exception edges count like other edges.

use super::body::{BlockId, Body};
use super::components::Components;
use super::error::Cancelled;
use super::graph::{Graph, number};
use std::ops::Range;

/// The index of a loop of a body. A loop has a smaller index than its inner loops.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LoopId(u32);

impl LoopId {
    /// The index, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Clone, Debug)]
struct Loop {
    heads: Box<[BlockId]>,
    parent: Option<LoopId>,
    depth: u32,
    /// Its members, as a range of [`Loops::order`].
    members: Range<u32>,
}

/// The loops of a body.
#[derive(Clone, Debug)]
pub struct Loops {
    loops: Vec<Loop>,
    /// The innermost loop around each block.
    innermost: Vec<Option<LoopId>>,
    /// The blocks in loops, such that the members of each loop are contiguous.
    order: Vec<BlockId>,
    /// The index of each block in the order.
    places: Vec<u32>,
}

impl Loops {
    /// Finds the loops. Linear in the body for each level of nesting.
    ///
    /// # Errors
    /// If the computation was cancelled.
    pub fn new(body: &Body, is_cancelled: &dyn Fn() -> bool) -> Result<Self, Cancelled> {
        let graph = body.graph();
        let count = graph.len();
        let finder = Finder { before: graph.reversed(), graph, set: vec![0; count], round: 0 };
        let (loops, innermost) = finder.find(is_cancelled)?;
        let mut found = Self { loops, innermost, order: Vec::new(), places: vec![u32::MAX; count] };
        found.arrange();
        Ok(found)
    }

    /// Computes the order: the members of each loop are contiguous, and the members in no inner loop come first.
    fn arrange(&mut self) {
        let mut sizes = vec![0; self.loops.len()];
        self.innermost.iter().flatten().for_each(|innermost| sizes[innermost.index()] += 1);
        let mut next = sizes.clone();
        for (id, one) in self.loops.iter().enumerate().rev() {
            if let Some(parent) = one.parent {
                sizes[parent.index()] += sizes[id];
            }
        }
        // `next` is the start of the next inner loop of each loop, `outside` the start of the next outermost loop.
        let mut outside = 0;
        for id in 0..self.loops.len() {
            let start = match self.loops[id].parent {
                Some(parent) => {
                    let start = next[parent.index()];
                    next[parent.index()] += sizes[id];
                    start
                }
                None => {
                    let start = outside;
                    outside += sizes[id];
                    start
                }
            };
            next[id] += start;
            self.loops[id].members = start..start + sizes[id];
        }
        self.order = vec![BlockId::ENTRY; outside as usize];
        let mut next: Vec<u32> = self.loops.iter().map(|one| one.members.start).collect();
        for (block, innermost) in (0..).map(BlockId).zip(&self.innermost) {
            if let Some(innermost) = innermost {
                let place = &mut next[innermost.index()];
                self.order[*place as usize] = block;
                self.places[block.index()] = *place;
                *place += 1;
            }
        }
    }

    /// All loops, each before its inner loops.
    pub fn all(&self) -> impl ExactSizeIterator<Item = LoopId> + use<> {
        (0..number(self.loops.len())).map(LoopId)
    }

    /// The innermost loop around a block.
    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block.index()]
    }

    /// The loop around a loop.
    pub fn parent(&self, id: LoopId) -> Option<LoopId> {
        self.loops[id.index()].parent
    }

    /// The number of loops around a loop.
    pub fn depth(&self, id: LoopId) -> usize {
        self.loops[id.index()].depth as usize
    }

    /// The heads of a loop, sorted; one unless the loop is irreducible.
    pub fn heads(&self, id: LoopId) -> &[BlockId] {
        &self.loops[id.index()].heads
    }

    /// The blocks of a loop, unsorted.
    pub fn members(&self, id: LoopId) -> &[BlockId] {
        let members = &self.loops[id.index()].members;
        &self.order[members.start as usize..members.end as usize]
    }

    /// Whether a block is in a loop.
    pub fn contains(&self, id: LoopId, block: BlockId) -> bool {
        self.loops[id.index()].members.contains(&self.places[block.index()])
    }

    /// The loop that an edge repeats: the innermost loop that contains both blocks, if the second one is a head of it.
    pub fn repeats(&self, from: BlockId, to: BlockId) -> Option<LoopId> {
        let mut around = self.innermost(to);
        while let Some(id) = around {
            if self.contains(id, from) {
                return self.heads(id).contains(&to).then_some(id);
            }
            around = self.parent(id);
        }
        None
    }
}

struct Finder {
    graph: Graph,
    before: Graph,
    /// The number of the current component.
    round: u32,
    /// The number of the last component that contained each block.
    set: Vec<u32>,
}

impl Finder {
    /// The loops without their members, and the innermost loop around each block.
    fn find(mut self, is_cancelled: &dyn Fn() -> bool) -> Result<(Vec<Loop>, Vec<Option<LoopId>>), Cancelled> {
        let count = self.graph.len();
        let mut components = Components::new(count);
        let mut loops: Vec<Loop> = Vec::new();
        let mut innermost = vec![None; count];
        let mut open: Vec<(Vec<u32>, Option<LoopId>)> = vec![((0..number(count)).collect(), None)];
        while let Some((blocks, parent)) = open.pop() {
            if is_cancelled() {
                return Err(Cancelled);
            }
            let successor = |block: u32, place| self.graph.successors(block as usize).get(place).copied();
            for component in components.of(&blocks, successor) {
                if !self.goes_round(&component) {
                    continue;
                }
                let id = LoopId(number(loops.len()));
                let (mut heads, inner) = self.divide(component);
                let blocks = heads.iter().map(|head| &head.0).chain(&inner);
                blocks.for_each(|block| innermost[*block as usize] = Some(id));
                heads.sort_unstable();
                let depth = parent.map_or(0, |parent| loops[parent.index()].depth + 1);
                loops.push(Loop { heads: heads.into(), parent, depth, members: 0..0 });
                open.push((inner, Some(id)));
            }
        }
        Ok((loops, innermost))
    }

    /// Whether a component is a loop: it has several blocks, or one block with an edge to itself.
    fn goes_round(&self, component: &[u32]) -> bool {
        let [block] = component else { return true };
        self.graph.successors(*block as usize).contains(block)
    }

    /// The heads of a loop, and its other blocks.
    fn divide(&mut self, component: Vec<u32>) -> (Vec<BlockId>, Vec<u32>) {
        self.round += 1;
        component.iter().for_each(|block| self.set[*block as usize] = self.round);
        let is_inside = |block: &u32| self.set[*block as usize] == self.round;
        let is_head = |block: &u32| !self.before.successors(*block as usize).iter().all(is_inside);
        let (heads, inner): (Vec<u32>, Vec<u32>) = component.into_iter().partition(is_head);
        (heads.into_iter().map(BlockId).collect(), inner)
    }
}
