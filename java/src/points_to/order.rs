//! Which nodes are equal because they stand on a cycle, and in which order the others are visited best.
//!
//! On a cycle of edges between nodes of one type all sets are equal, so its nodes are merged. (A cycle through nodes of
//! several types does not make sets equal, as types hold objects back.) Nodes are visited in a topological order of
//! what remains, as far as it has one, so that most of what reaches a node has reached it when it is visited.
//!
//! Source: F. M. Q. Pereira and D. Berlin, *Wave propagation and deep propagation for pointer analysis* (CGO 2009); R.
//! E. Tarjan, *Depth-first search and linear graph algorithms* (SIAM Journal on Computing 1972).

use super::constraints::NodeId;
use super::graph::Graph;
use super::sets::Sets;

/// Merges the nodes on cycles and orders the nodes again. Linear in the graph.
pub(super) fn improve(graph: &mut Graph, sets: &mut Sets) {
    let components = Search::new(graph, true).components(graph);
    for component in components.iter().filter(|component| component.len() > 1) {
        for node in &component[1..] {
            graph.merge(component[0], *node, sets);
        }
    }
    graph.normalize_edges();
    // Components come out with their successors first.
    let components = Search::new(graph, false).components(graph);
    let order: Vec<NodeId> = components.into_iter().flatten().rev().collect();
    graph.set_order(&order);
}

const NEW: u32 = 0;
const DONE: u32 = u32::MAX;

/// A search for strongly connected components, with a stack of its own.
struct Search {
    /// Whether only edges between nodes of one type count.
    is_typed: bool,
    /// When a node was entered, from 1.
    number: Vec<u32>,
    /// The least number that is known to be reached from a node.
    low: Vec<u32>,
    count: u32,
    /// Nodes whose component is not complete.
    stack: Vec<NodeId>,
    /// The path to the current node, each with the edges that were followed.
    path: Vec<(NodeId, usize)>,
}

impl Search {
    fn new(graph: &Graph, is_typed: bool) -> Self {
        let zeros = vec![NEW; graph.len()];
        Self { is_typed, low: zeros.clone(), number: zeros, count: 0, stack: Vec::new(), path: Vec::new() }
    }

    fn components(mut self, graph: &mut Graph) -> Vec<Vec<NodeId>> {
        let mut found = Vec::new();
        for root in graph.representatives().collect::<Vec<_>>() {
            if self.number[root.index()] == NEW {
                self.enter(root);
                while let Some((node, followed)) = self.path.pop() {
                    self.step(graph, node, followed, &mut found);
                }
            }
        }
        found
    }

    fn enter(&mut self, node: NodeId) {
        self.count += 1;
        self.number[node.index()] = self.count;
        self.low[node.index()] = self.count;
        self.stack.push(node);
        self.path.push((node, 0));
    }

    /// Follows the next edge of a node, or leaves it.
    fn step(&mut self, graph: &mut Graph, node: NodeId, followed: usize, found: &mut Vec<Vec<NodeId>>) {
        let Some(next) = graph.successor(node, followed) else { return self.leave(node, found) };
        let next = graph.find(next);
        self.path.push((node, followed + 1));
        if self.is_typed && graph.type_of(next) != graph.type_of(node) {
            return;
        }
        match self.number[next.index()] {
            NEW => self.enter(next),
            DONE => {}
            number => self.lower(node, number),
        }
    }

    fn lower(&mut self, node: NodeId, number: u32) {
        let low = &mut self.low[node.index()];
        *low = number.min(*low);
    }

    fn leave(&mut self, node: NodeId, found: &mut Vec<Vec<NodeId>>) {
        let low = self.low[node.index()];
        if let Some((before, _)) = self.path.last().copied() {
            self.lower(before, low);
        }
        if low == self.number[node.index()] {
            let start = self.stack.iter().rposition(|stack| *stack == node).expect("a node is stack until it is left");
            let component = self.stack.split_off(start);
            component.iter().for_each(|node| self.number[node.index()] = DONE);
            found.push(component);
        }
    }
}
