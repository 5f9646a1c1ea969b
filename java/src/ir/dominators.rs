//! Dominators: the nodes on all paths from the entry to a node.
//!
//! The algorithm is that of T. Lengauer and R. E. Tarjan, *A fast algorithm for finding dominators in a flowgraph*
//! (TOPLAS 1979), with path compression only: O(m log n).

use super::body::{BlockId, Body};
use super::graph::{Graph, number};

/// The dominator tree of a graph with entry node 0. It contains the reachable nodes.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    /// The immediate dominator of each node; none for the root and for unreachable nodes.
    parents: Vec<Option<u32>>,
    children: Graph,
    /// The depth of each node in the tree.
    levels: Vec<u32>,
    /// The entry and exit times of each node in a depth-first traversal of the tree; 0 for unreachable nodes.
    times: Vec<(u32, u32)>,
}

impl Tree {
    /// Computes the tree in O(m log n).
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

    /// The number of strict dominators of a node.
    pub(super) fn level(&self, node: usize) -> u32 {
        self.levels[node]
    }

    /// The nodes of the tree, each after the nodes that it dominates.
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

    /// Whether `node` dominates `other`; both must be reachable. A node dominates itself.
    pub(super) fn dominates(&self, node: usize, other: usize) -> bool {
        let ((enters, leaves), (enters_other, leaves_other)) = (self.times[node], self.times[other]);
        enters <= enters_other && leaves_other <= leaves && enters > 0 && enters_other > 0
    }
}

/// A depth-first search: the reachable nodes in preorder, the preorder number of the parent of each of them, and the
/// preorder numbers by node.
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

/// The link-eval forest of the algorithm, over preorder numbers.
struct Forest {
    semi: Vec<u32>,
    label: Vec<u32>,
    ancestor: Vec<Option<u32>>,
}

impl Forest {
    /// The node with the least semidominator on the path to the root of its tree, without the root itself.
    fn eval(&mut self, node: u32) -> u32 {
        let mut path = vec![node];
        while let Some(above) = self.ancestor[*path.last().expect("it is not empty") as usize] {
            path.push(above);
        }
        // The root and its child on the path are not compressed.
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

/// The immediate dominator of each node.
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

/// The dominators of the blocks of a [`Body`], all of which are reachable.
///
/// A dominating block has been entered before the dominated one. It need not have been completed, because one of its
/// statements may have thrown.
#[derive(Clone, Debug)]
pub struct Dominators(Tree);

impl Dominators {
    /// Computes the dominators in O(m log n) for n blocks and m edges, including exception edges.
    pub fn new(body: &Body) -> Self {
        Self(Tree::new(&body.graph()))
    }

    /// The immediate dominator of a block; none for the entry.
    pub fn parent(&self, block: BlockId) -> Option<BlockId> {
        self.0.parent(block.index()).map(BlockId)
    }

    /// The blocks with this immediate dominator.
    pub fn children(&self, block: BlockId) -> impl ExactSizeIterator<Item = BlockId> {
        self.0.children(block.index()).iter().copied().map(BlockId)
    }

    /// Whether a block dominates another one. A block dominates itself.
    pub fn dominates(&self, block: BlockId, other: BlockId) -> bool {
        self.0.dominates(block.index(), other.index())
    }
}
