//! The constraint graph: nodes with points-to sets, edges along which sets flow, and constraints that add edges.
//!
//! **Definition.** Each node has a type. An edge requires that the set of its target has all objects of its source that
//! can be of the target's type.
//!
//! Equal nodes are merged by union-find: one of them represents all ([`Graph::find`]). `set` is the points-to set of a
//! node, `propagated` the part that its edges and constraints have already handled; the difference is still to be done.
//! Functions without a note take representatives only.

use super::constraints::{Constraint, NodeId};
use super::sets::{SetId, Sets};
use super::types::TypeId;
use rustc_hash::FxHashSet;

/// The end of a list of constraints.
const END: u32 = u32::MAX;

#[derive(Debug)]
struct Node {
    parent: NodeId,
    of: TypeId,
    set: SetId,
    propagated: SetId,
    /// The first and last constraint.
    first: u32,
    last: u32,
    successors: Vec<NodeId>,
}

/// Nodes with their edges and constraints.
#[derive(Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    edges: FxHashSet<(NodeId, NodeId)>,
    /// Constraints, as linked lists: each with the next one of its node.
    constraints: Vec<(Constraint, u32)>,
    /// The position of each node in `order`.
    position: Vec<u32>,
    /// The order in which nodes are visited.
    order: Vec<NodeId>,
    /// A bit for each position: whether the node has to be visited.
    waiting: Vec<u64>,
    /// Number of edges when the order was computed.
    edges_ordered: usize,
}

impl Graph {
    /// Adds a node for objects of a type.
    pub(super) fn add_node(&mut self, of: TypeId) -> NodeId {
        let id = NodeId(u32::try_from(self.nodes.len()).expect("the number of nodes is limited"));
        let empty = SetId::EMPTY;
        self.nodes.push(Node {
            parent: id,
            of,
            set: empty,
            propagated: empty,
            first: END,
            last: END,
            successors: Vec::new(),
        });
        self.position.push(id.0);
        self.order.push(id);
        if self.waiting.len() * 64 < self.nodes.len() {
            self.waiting.push(0);
        }
        id
    }

    /// Returns the representative of any node, with path compression.
    pub(super) fn find(&mut self, node: NodeId) -> NodeId {
        let mut root = node;
        while self.nodes[root.index()].parent != root {
            root = self.nodes[root.index()].parent;
        }
        let mut next = node;
        while next != root {
            let parent = self.nodes[next.index()].parent;
            self.nodes[next.index()].parent = root;
            next = parent;
        }
        root
    }

    /// Returns the representative of any node, without path compression.
    pub(super) fn representative(&self, node: NodeId) -> NodeId {
        let mut root = node;
        while self.nodes[root.index()].parent != root {
            root = self.nodes[root.index()].parent;
        }
        root
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn edges(&self) -> usize {
        self.edges.len()
    }

    pub(super) fn constraints(&self) -> usize {
        self.constraints.len()
    }

    /// The type of a node.
    pub(super) fn type_of(&self, node: NodeId) -> TypeId {
        self.nodes[node.index()].of
    }

    /// The points-to set of a node.
    pub(super) fn set(&self, node: NodeId) -> SetId {
        self.nodes[node.index()].set
    }

    /// The part of a node's set that its edges and constraints have handled.
    pub(super) fn propagated(&self, node: NodeId) -> SetId {
        self.nodes[node.index()].propagated
    }

    /// Changes the set of a node, which has to be visited then.
    pub(super) fn update_set(&mut self, node: NodeId, set: SetId) {
        self.nodes[node.index()].set = set;
        self.visit(node);
    }

    fn visit(&mut self, node: NodeId) {
        let position = self.position[node.index()] as usize;
        self.waiting[position / 64] |= 1 << (position % 64);
    }

    /// Records that the edges and constraints of a node have handled its whole set.
    pub(super) fn mark_propagated(&mut self, node: NodeId) {
        let node = &mut self.nodes[node.index()];
        node.propagated = node.set;
    }

    /// Takes the next waiting node at this position or a later one; returns it with the position after it.
    pub(super) fn next(&mut self, from: usize) -> Option<(NodeId, usize)> {
        let mut word = from / 64;
        let mut bits = self.waiting.get(word)? & (u64::MAX << (from % 64));
        while bits == 0 {
            word += 1;
            bits = *self.waiting.get(word)?;
        }
        let position = word * 64 + bits.trailing_zeros() as usize;
        self.waiting[word] &= !(1 << (position % 64));
        Some((self.order[position], position + 1))
    }

    /// Adds an edge; returns whether it is new and no self-loop.
    pub(super) fn add_edge(&mut self, from: NodeId, to: NodeId) -> bool {
        let is_new = from != to && self.edges.insert((from, to));
        if is_new {
            self.nodes[from.index()].successors.push(to);
        }
        is_new
    }

    /// The target of a node's edge with this number.
    pub(super) fn successor(&self, node: NodeId, index: usize) -> Option<NodeId> {
        self.nodes[node.index()].successors.get(index).copied()
    }

    /// Adds a constraint to a node.
    pub(super) fn add_constraint(&mut self, node: NodeId, constraint: Constraint) {
        let id = u32::try_from(self.constraints.len()).expect("the number of constraints is limited");
        self.constraints.push((constraint, END));
        self.append(node, id, id);
    }

    fn append(&mut self, node: NodeId, first: u32, last: u32) {
        let node = &mut self.nodes[node.index()];
        match node.last {
            END => node.first = first,
            before => self.constraints[before as usize].1 = first,
        }
        node.last = last;
    }

    /// The constraints of a node.
    pub(super) fn constraints_of(&self, node: NodeId) -> impl Iterator<Item = Constraint> {
        let mut next = self.nodes[node.index()].first;
        std::iter::from_fn(move || {
            let (constraint, after) = self.constraints.get(next as usize)?;
            next = *after;
            Some(*constraint)
        })
    }

    /// Merges two nodes of the same type; the first one represents both.
    pub(super) fn merge(&mut self, kept: NodeId, gone: NodeId, sets: &mut Sets) {
        if kept == gone {
            return;
        }
        debug_assert_eq!(self.type_of(kept), self.type_of(gone));
        let empty = Node {
            parent: kept,
            of: self.type_of(gone),
            set: SetId::EMPTY,
            propagated: SetId::EMPTY,
            first: END,
            last: END,
            successors: Vec::new(),
        };
        let gone = std::mem::replace(&mut self.nodes[gone.index()], empty);
        if gone.first != END {
            self.append(kept, gone.first, gone.last);
        }
        for successor in gone.successors {
            if self.nodes[successor.index()].parent == successor {
                self.add_edge(kept, successor);
            } else {
                self.nodes[kept.index()].successors.push(successor);
            }
        }
        let node = &mut self.nodes[kept.index()];
        // Objects that only one of them has handled have to be handled by both.
        node.propagated = sets.intersection(node.propagated, gone.propagated);
        node.set = sets.union(node.set, gone.set);
        self.visit(kept);
    }

    /// The sets of all nodes.
    pub(super) fn sets(&self) -> impl Iterator<Item = SetId> {
        self.nodes.iter().flat_map(|node| [node.set, node.propagated])
    }

    /// Whether enough edges were added for the order to be computed again.
    pub(super) fn is_out_of_order(&self) -> bool {
        self.edges.len() > self.edges_ordered + self.edges_ordered / 8 + 1024
    }

    /// All representatives.
    pub(super) fn representatives(&self) -> impl Iterator<Item = NodeId> {
        let nodes = self.nodes.iter().enumerate().map(|(index, node)| (NodeId(index as u32), node.parent));
        nodes.filter(|(node, parent)| node == parent).map(|(node, _)| node)
    }

    /// Replaces the targets of all edges by their representatives, and removes duplicates.
    pub(super) fn normalize_edges(&mut self) {
        self.edges.clear();
        for index in 0..self.nodes.len() {
            let node = NodeId(index as u32);
            let mut successors = std::mem::take(&mut self.nodes[index].successors);
            successors.iter_mut().for_each(|successor| *successor = self.find(*successor));
            successors.sort_unstable();
            successors.dedup();
            successors.retain(|successor| *successor != node);
            self.edges.extend(successors.iter().map(|successor| (node, *successor)));
            self.nodes[index].successors = successors;
        }
    }

    /// Sets the order in which nodes are visited; nodes that are not in it come last.
    pub(super) fn set_order(&mut self, order: &[NodeId]) {
        let waiting: Vec<NodeId> = (0..self.nodes.len() as u32).map(NodeId).filter(|id| self.is_waiting(*id)).collect();
        let mut is_placed = vec![false; self.nodes.len()];
        order.iter().for_each(|node| is_placed[node.index()] = true);
        let rest = (0..self.nodes.len() as u32).map(NodeId).filter(|node| !is_placed[node.index()]);
        self.order = order.iter().copied().chain(rest).collect();
        for (position, node) in (0..).zip(&self.order) {
            self.position[node.index()] = position;
        }
        self.waiting.fill(0);
        for node in waiting {
            let node = self.find(node);
            self.visit(node);
        }
        self.edges_ordered = self.edges.len();
    }

    fn is_waiting(&self, node: NodeId) -> bool {
        let position = self.position[node.index()] as usize;
        self.waiting[position / 64] >> (position % 64) & 1 == 1
    }

    /// Frees the data that only the solver needs.
    pub(super) fn freeze(&mut self) {
        self.edges = FxHashSet::default();
        self.constraints = Vec::new();
        self.position = Vec::new();
        self.order = Vec::new();
        self.waiting = Vec::new();
        for node in &mut self.nodes {
            node.successors = Vec::new();
            (node.first, node.last) = (END, END);
        }
    }
}
