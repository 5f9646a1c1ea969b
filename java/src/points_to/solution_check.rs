//! A check of the solver's result, independent of how it was computed.
//!
//! **Definition.** The result is a solution if
//! - every node has propagated its whole set to its edges and constraints,
//! - each object of a node that can be of the type of a successor is in the successor's set, or an external object that
//!   covers it is,
//! - for each object of the base of a load or a store, the edge exists that the constraint requires; for a load, two
//!   edges will do, by way of a node of the contents of a set.

use super::constraints::{Constraint, NodeId};
use super::heap::FieldSlot;
use super::sets::SetId;
use super::state::State;
use rustc_hash::{FxHashMap, FxHashSet};

/// The edges of the graph, between representatives.
#[derive(Default)]
struct Edges {
    all: FxHashSet<(NodeId, NodeId)>,
    /// The predecessors of each node of the contents of a set.
    into_shared: FxHashMap<NodeId, Vec<NodeId>>,
    /// The nodes of the contents of sets that are predecessors of each node.
    shared_into: FxHashMap<NodeId, Vec<NodeId>>,
}

impl Edges {
    /// The nodes that reach a node by way of a node of the contents of a set.
    fn by_sets(&self, to: NodeId) -> FxHashSet<NodeId> {
        let shared = self.shared_into.get(&to).into_iter().flatten();
        shared.filter_map(|node| self.into_shared.get(node)).flatten().copied().collect()
    }
}

impl State<'_> {
    /// Describes each violation of the definition; none if it is a solution. Linear in the graph, in the objects of
    /// bases, and in masks times objects.
    pub(super) fn solution_violations(&mut self) -> Vec<String> {
        let nodes: Vec<NodeId> = self.graph.representatives().collect();
        let edges = self.all_edges(&nodes);
        let mut found = Vec::new();
        // Covers that were computed before objects were found say less than those that the solver used.
        self.masks.forget();
        if !self.are_masks_exact() {
            found.push("a mask is not exact".to_owned());
        }
        for node in nodes {
            let set = self.graph.set(node);
            if self.graph.propagated(node) != set {
                found.push(format!("{node:?} waits"));
            }
            let is_escaping = node == self.graph.find(self.escaping);
            let shown = if is_escaping { set } else { self.uncovered_part(set, set) };
            found.extend(self.missing_flow(node, shown));
            found.extend(self.missing_edges(node, shown, &edges));
        }
        found
    }

    fn all_edges(&self, nodes: &[NodeId]) -> Edges {
        let shared: FxHashSet<NodeId> = self.heap.nodes_of_sets().map(|node| self.graph.representative(node)).collect();
        let mut edges = Edges::default();
        for (from, to) in nodes.iter().flat_map(|node| self.edges_of(*node)) {
            edges.all.insert((from, to));
            if shared.contains(&to) {
                edges.into_shared.entry(to).or_default().push(from);
            }
            if shared.contains(&from) {
                edges.shared_into.entry(to).or_default().push(from);
            }
        }
        edges
    }

    fn edges_of(&self, node: NodeId) -> Vec<(NodeId, NodeId)> {
        let successors = (0..).map_while(|index| self.graph.successor(node, index));
        successors.map(|to| (node, self.graph.representative(to))).collect()
    }

    fn missing_flow(&mut self, node: NodeId, shown: SetId) -> Vec<String> {
        let mut found = Vec::new();
        for (_, to) in self.edges_of(node) {
            let wanted = self.filter(shown, self.graph.type_of(to));
            let held = self.graph.set(to);
            let wanted = self.uncovered(wanted, held);
            if !self.sets.difference(wanted, held).is_empty() {
                found.push(format!("{to:?} lacks what {node:?} holds"));
            }
        }
        found
    }

    fn missing_edges(&mut self, node: NodeId, shown: SetId, edges: &Edges) -> Vec<String> {
        let mut found = Vec::new();
        for constraint in self.graph.constraints_of(node).collect::<Vec<_>>() {
            let (Constraint::Load { field, to: other } | Constraint::Store { field, from: other }) = constraint else {
                continue;
            };
            let is_load = matches!(constraint, Constraint::Load { .. });
            let other = self.graph.representative(other);
            let by_sets = if is_load { edges.by_sets(other) } else { FxHashSet::default() };
            for object in self.objects_in(shown) {
                let FieldSlot::Node(own) = self.slot(object, field) else { continue };
                let own = self.graph.representative(own);
                let edge = if is_load { (own, other) } else { (other, own) };
                if own != other && !edges.all.contains(&edge) && !by_sets.contains(&own) {
                    found.push(format!("no edge {edge:?} for {object:?} of {node:?}"));
                }
            }
        }
        found
    }
}
