//! Dominators: which nodes are on all paths to a node.
//!
//! The algorithm is that of T. Lengauer and R. E. Tarjan, *A fast algorithm for finding dominators in a flowgraph*
//! (TOPLAS 1979), with path compression only: O(m log n).

use super::body::{BlockId, Body};
use super::graph::{Graph, number};

/// The tree of immediate dominators of a graph whose control enters at node 0. Nodes that cannot be reached are not in
/// it.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// The immediate dominator of each node; of the root and of nodes that cannot be reached, none.
    parents: Vec<Option<u32>>,
    children: Graph,
    /// The length of the way from the root.
    levels: Vec<u32>,
    /// When a walk through the tree, parents first, comes to each node, and when it leaves it. All 0 for nodes that
    /// cannot be reached.
    times: Vec<(u32, u32)>,
}

impl Tree {
    /// O(m log n).
    pub(super) fn new(graph: &Graph) -> Self {
        let search = Search::new(graph);
        let parents = immediate(graph, &search);
        let edges: Vec<_> =
            (0..).zip(&parents).filter_map(|(node, parent)| parent.map(|parent| (parent, node))).collect();
        let children = Graph::new(graph.len(), &edges);
        let mut levels = vec![0; graph.len()];
        let mut times = vec![(0, 0); graph.len()];
        let mut clock = 0;
        let mut open = if graph.len() == 0 { Vec::new() } else { vec![(0, false)] };
        while let Some((node, is_done)) = open.pop() {
            clock += 1;
            if is_done {
                times[node as usize].1 = clock;
                continue;
            }
            times[node as usize].0 = clock;
            levels[node as usize] = parents[node as usize].map_or(0, |parent: u32| levels[parent as usize] + 1);
            open.push((node, true));
            open.extend(children.successors(node as usize).iter().rev().map(|child| (*child, false)));
        }
        Self { parents, children, levels, times }
    }

    /// The immediate dominator of a node.
    pub(super) fn parent(&self, node: usize) -> Option<u32> {
        self.parents[node]
    }

    /// The nodes that a node dominates immediately.
    pub(super) fn children(&self, node: usize) -> &[u32] {
        self.children.successors(node)
    }

    /// How many other nodes dominate a node.
    pub(super) fn level(&self, node: usize) -> u32 {
        self.levels[node]
    }

    /// The nodes of the tree, each after those that it dominates.
    pub(super) fn bottom_up(&self) -> Vec<u32> {
        let mut order = if self.parents.is_empty() { Vec::new() } else { vec![0] };
        let mut done = 0;
        while let Some(node) = order.get(done).copied() {
            order.extend_from_slice(self.children(node as usize));
            done += 1;
        }
        order.reverse();
        order
    }

    /// Whether all paths to a node that can be reached go through another, or both are the same.
    pub(super) fn dominates(&self, node: usize, other: usize) -> bool {
        let ((enters, leaves), (enters_other, leaves_other)) = (self.times[node], self.times[other]);
        enters <= enters_other && leaves_other <= leaves && enters > 0 && enters_other > 0
    }
}

/// A search depth first: the nodes that are reached, in the order in which they are found, and the place of the node
/// from which each is found.
struct Search {
    order: Vec<u32>,
    parents: Vec<u32>,
    places: Vec<Option<u32>>,
}

impl Search {
    fn new(graph: &Graph) -> Self {
        let mut search = Self { order: Vec::new(), parents: Vec::new(), places: vec![None; graph.len()] };
        let mut open = Vec::new();
        if graph.len() > 0 {
            search.find(0, 0);
            open.push((0, 0));
        }
        while let Some((node, next)) = open.last_mut() {
            let node = *node;
            match graph.successors(node as usize).get(*next) {
                None => {
                    open.pop();
                }
                Some(target) => {
                    *next += 1;
                    if search.places[*target as usize].is_none() {
                        let parent = search.places[node as usize].expect("an open node is found");
                        search.find(*target, parent);
                        open.push((*target, 0));
                    }
                }
            }
        }
        search
    }

    fn find(&mut self, node: u32, parent: u32) {
        self.places[node as usize] = Some(number(self.order.len()));
        self.order.push(node);
        self.parents.push(parent);
    }
}

/// The forest of the algorithm, over the places of a search.
struct Forest {
    semi: Vec<u32>,
    label: Vec<u32>,
    ancestor: Vec<Option<u32>>,
}

impl Forest {
    /// The node with the least semidominator on the way up, without the root of the tree.
    fn eval(&mut self, node: u32) -> u32 {
        let mut path = vec![node];
        while let Some(above) = self.ancestor[*path.last().expect("it is not empty") as usize] {
            path.push(above);
        }
        // The root is not compressed, nor what stands right below it.
        path.pop();
        for pair in (1..path.len()).rev() {
            let (below, above) = (path[pair - 1] as usize, path[pair] as usize);
            if self.semi[self.label[above] as usize] < self.semi[self.label[below] as usize] {
                self.label[below] = self.label[above];
            }
            self.ancestor[below] = self.ancestor[above];
        }
        self.label[node as usize]
    }
}

/// The immediate dominators.
fn immediate(graph: &Graph, search: &Search) -> Vec<Option<u32>> {
    let count = search.order.len();
    let before = graph.reversed();
    let all = || (0..number(count)).collect::<Vec<u32>>();
    let mut forest = Forest { semi: all(), label: all(), ancestor: vec![None; count] };
    let mut dominators = vec![0; count];
    let mut buckets: Vec<Vec<u32>> = vec![Vec::new(); count];
    for node in (1..count).rev() {
        let parent = search.parents[node];
        for from in before.successors(search.order[node] as usize) {
            let Some(from) = search.places[*from as usize] else { continue };
            let least = forest.eval(from);
            forest.semi[node] = forest.semi[node].min(forest.semi[least as usize]);
        }
        buckets[forest.semi[node] as usize].push(number(node));
        forest.ancestor[node] = Some(parent);
        for waiting in std::mem::take(&mut buckets[parent as usize]) {
            let least = forest.eval(waiting);
            let is_less = forest.semi[least as usize] < forest.semi[waiting as usize];
            dominators[waiting as usize] = if is_less { least } else { parent };
        }
    }
    let mut parents = vec![None; graph.len()];
    for node in 1..count {
        if dominators[node] != forest.semi[node] {
            dominators[node] = dominators[dominators[node] as usize];
        }
        parents[search.order[node] as usize] = Some(search.order[dominators[node] as usize]);
    }
    parents
}

/// Which blocks of a method are on all paths to a block; all blocks of a [`Body`] can be reached.
///
/// A block that dominates another has been entered before; whether it has been completed is another matter, as one of
/// its statements may have thrown.
#[derive(Clone, Debug)]
pub struct Dominators(Tree);

impl Dominators {
    /// O(m log n) for m edges, exception edges included.
    pub fn new(body: &Body) -> Self {
        Self(Tree::new(&body.graph()))
    }

    /// The dominator of a block that all its other dominators dominate; of the block at which control enters, none.
    pub fn parent(&self, block: BlockId) -> Option<BlockId> {
        self.0.parent(block.index()).map(BlockId)
    }

    /// The blocks whose [`parent`](Self::parent) a block is.
    pub fn children(&self, block: BlockId) -> impl ExactSizeIterator<Item = BlockId> {
        self.0.children(block.index()).iter().copied().map(BlockId)
    }

    /// Whether a block is on all paths to another, or both are the same.
    pub fn dominates(&self, block: BlockId, other: BlockId) -> bool {
        self.0.dominates(block.index(), other.index())
    }
}
