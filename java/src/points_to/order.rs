//! Cycle elimination, and the order in which nodes are visited.
//!
//! On a cycle of edges between nodes of one type all sets are equal, so its nodes are merged. (A cycle through nodes of
//! several types does not make sets equal, as types filter objects.) Nodes are visited in a topological order of the
//! remaining graph, as far as it has one, so that most objects reach a node before it is visited.
//!
//! Source: F. M. Q. Pereira and D. Berlin, *Wave propagation and deep propagation for pointer analysis* (CGO 2009); R.
//! E. Tarjan, *Depth-first search and linear graph algorithms* (SIAM Journal on Computing 1972).

use super::constraints::NodeId;
use super::graph::Graph;
use super::sets::Sets;

/// Merges the nodes on cycles and computes the order again. Linear in the graph.
pub(super) fn improve(graph: &mut Graph, sets: &mut Sets) {
    let components = Search::new(graph, true).components(graph);
    for component in components.iter().filter(|component| component.len() > 1) {
        for node in &component[1..] {
            graph.merge(component[0], *node, sets);
        }
    }
    graph.normalize_edges();
    // Components are found in reverse topological order.
    let components = Search::new(graph, false).components(graph);
    let order: Vec<NodeId> = components.into_iter().flatten().rev().collect();
    graph.set_order(&order);
}

const NEW: u32 = 0;
const DONE: u32 = u32::MAX;

/// A search for strongly connected components, without recursion.
struct Search {
    /// Whether only edges between nodes of one type count.
    is_typed: bool,
    /// Per node, its number in the order of entering, from 1.
    number: Vec<u32>,
    /// Per node, the least number that it is known to reach.
    low: Vec<u32>,
    count: u32,
    /// Nodes whose component is not complete.
    stack: Vec<NodeId>,
    /// The path to the current node; each node with the number of its edges that were followed.
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
