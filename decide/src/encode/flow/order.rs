//! An order of the nodes of a flow graph that keeps the work of a saturation small.
//!
//! Callees come before their callers. Within a procedure, nodes come after those that lead to them, and a call leads to
//! its return site. So without loops and recursion, every transition of a saturation has its final weight when it is
//! first processed. All nodes of a loop have the same rank, and so have all procedures that call each other in a circle
//! (see `wpds::Rules::rank`). Any order gives the same weights.
//!
//! Procedures of a reduced graph may share nodes, so a rank depends on the procedure of the run and on the node.
//!
//! The strongly connected components are computed with the algorithm of R. Tarjan, *Depth-first search and linear graph
//! algorithms*, SIAM Journal on Computing 1 (1972).

use super::graph::{FlowGraph, FlowNode, Label};
use limits::{Meter, StopReason};
use std::ops::ControlFlow;
use wpds::Rank;

/// Ranks of nodes, in runs that begin at an entry.
#[derive(Clone, Debug)]
pub(crate) struct FlowOrder {
    /// For each node, its component in the graph that includes edges from calls to callees. Callees have lower numbers.
    procedures: Vec<u32>,
    /// For each component, whether its procedures call each other in a circle.
    recursive: Vec<bool>,
    /// For each node, its component in the graph without edges into callees. Later nodes have lower numbers.
    nodes: Vec<u32>,
    /// For each component of nodes, whether it is a loop.
    loops: Vec<bool>,
}

impl FlowOrder {
    /// Computes the order. Linear in the size of the graph.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn new(graph: &FlowGraph, meter: &Meter) -> Result<Self, StopReason> {
        let nodes = components(graph.len(), meter, |node, number| {
            let edge = graph.edges(FlowNode::new(node)).get(number)?;
            Some(edge.target.index())
        })?;
        let procedures = components(graph.len(), meter, |node, number| {
            let edge = graph.edges(FlowNode::new(node)).get(number / 2)?;
            match edge.label {
                Label::Call(entry) if number % 2 == 1 => Some(entry.index()),
                _ => Some(edge.target.index()),
            }
        })?;
        let mut recursive = vec![false; graph.len()];
        for node in graph.nodes() {
            meter.work_of(1)?;
            let own = procedures[node.index()];
            let calls_back = |label: &Label| matches!(label, Label::Call(entry) if procedures[entry.index()] == own);
            recursive[own as usize] |= graph.edges(node).iter().any(|edge| calls_back(&edge.label));
        }
        let mut loops = vec![false; graph.len()];
        for node in graph.nodes() {
            meter.work_of(1)?;
            let own = nodes[node.index()];
            loops[own as usize] |= graph.edges(node).iter().any(|edge| nodes[edge.target.index()] == own);
        }
        Ok(Self { procedures, recursive, nodes, loops })
    }

    /// The rank of a node, or of the return if there is none, in runs that begin at an entry of a procedure, or of the
    /// process if there is none.
    pub(crate) fn rank(&self, node: Option<FlowNode>, entry: Option<FlowNode>) -> Rank {
        let count = self.nodes.len() as u64 + 1;
        let procedure = entry.map(|entry| self.procedures[entry.index()]);
        let first = procedure.map_or(count, u64::from) * count;
        if procedure.is_some_and(|procedure| self.recursive[procedure as usize]) {
            return Rank { number: first, is_circular: true };
        }
        let is_circular = node.is_some_and(|node| self.loops[self.nodes[node.index()] as usize]);
        let node = node.map_or(count - 1, |node| count - 2 - u64::from(self.nodes[node.index()]));
        Rank { number: first + node, is_circular }
    }
}

const UNSEEN: u32 = u32::MAX;

/// The strongly connected components of a graph; edges lead to equal or lower numbers. `edge(node, k)` is the target of
/// the `k`-th edge of a node.
fn components(
    count: usize,
    meter: &Meter,
    edge: impl Fn(usize, usize) -> Option<usize>,
) -> Result<Vec<u32>, StopReason> {
    let mut search = Components { seen: vec![UNSEEN; count], lowest: vec![UNSEEN; count], ..Components::default() };
    search.component_of = vec![UNSEEN; count];
    for root in 0..count {
        if search.seen[root] == UNSEEN {
            search.enter(root);
            while search.advance(&edge).is_continue() {
                meter.work_of(1)?;
            }
        }
    }
    Ok(search.component_of)
}

/// A depth-first search in progress.
#[derive(Debug, Default)]
struct Components {
    /// For each node, the time when it was entered.
    seen: Vec<u32>,
    /// For each node, the earliest node without a component that is known to be reachable from it.
    lowest: Vec<u32>,
    component_of: Vec<u32>,
    clock: u32,
    component: u32,
    /// Nodes that were entered and have no component yet.
    open: Vec<u32>,
    /// The nodes on the path from the root, each with the number of its next edge.
    path: Vec<(u32, u32)>,
}

impl Components {
    fn enter(&mut self, node: usize) {
        self.seen[node] = self.clock;
        self.lowest[node] = self.clock;
        self.clock += 1;
        self.open.push(node as u32);
        self.path.push((node as u32, 0));
    }

    /// Follows the next edge of the last node on the path, or leaves the node if it has no more. Breaks when the path
    /// is empty.
    fn advance(&mut self, edge: impl Fn(usize, usize) -> Option<usize>) -> ControlFlow<()> {
        let Some((node, number)) = self.path.last_mut() else { return ControlFlow::Break(()) };
        let at = *node as usize;
        *number += 1;
        match edge(at, *number as usize - 1) {
            Some(target) if self.seen[target] == UNSEEN => self.enter(target),
            Some(target) if self.component_of[target] == UNSEEN => {
                self.lowest[at] = self.lowest[at].min(self.seen[target]);
            }
            Some(_) => {}
            None => self.leave(at),
        }
        ControlFlow::Continue(())
    }

    fn leave(&mut self, node: usize) {
        self.path.pop();
        if let Some((before, _)) = self.path.last() {
            let before = *before as usize;
            self.lowest[before] = self.lowest[before].min(self.lowest[node]);
        }
        if self.lowest[node] == self.seen[node] {
            while let Some(member) = self.open.pop() {
                self.component_of[member as usize] = self.component;
                if member as usize == node {
                    break;
                }
            }
            self.component += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::graph::{Edge, Exits};
    use super::*;
    use fastrand::Rng;
    use limits::Limits;

    /// A meter without limits.
    fn free() -> Meter {
        Meter::start(&Limits::default())
    }

    /// For each pair of nodes, whether the second is reachable from the first.
    fn reachable(edges: &[Vec<usize>]) -> Vec<Vec<bool>> {
        let count = edges.len();
        let mut reached: Vec<Vec<bool>> =
            (0..count).map(|a| (0..count).map(|b| a == b || edges[a].contains(&b)).collect()).collect();
        for middle in 0..count {
            for from in 0..count {
                for to in 0..count {
                    reached[from][to] |= reached[from][middle] && reached[middle][to];
                }
            }
        }
        reached
    }

    #[test]
    fn components_are_mutually_reachable() {
        let mut rng = Rng::with_seed(1);
        for _ in 0..500 {
            let count = rng.usize(1..9);
            let edges: Vec<Vec<usize>> =
                (0..count).map(|_| (0..rng.usize(..3)).map(|_| rng.usize(..count)).collect()).collect();
            let found = components(count, &free(), |node, number| edges[node].get(number).copied());
            let found = found.expect("there is no limit");
            let reached = reachable(&edges);
            for from in 0..count {
                for to in 0..count {
                    assert_eq!(found[from] == found[to], reached[from][to] && reached[to][from]);
                    assert!(!reached[from][to] || found[from] >= found[to]);
                }
            }
        }
    }

    fn graph(nodes: &[&[(Label, usize)]]) -> FlowGraph {
        let exits = nodes.iter().map(|edges| {
            let edges: Vec<_> =
                edges.iter().map(|(label, target)| Edge { label: *label, target: FlowNode::new(*target) }).collect();
            Exits { returns: edges.is_empty(), edges }
        });
        FlowGraph::new(exits, FlowNode::new(0), &free()).expect("there is no limit")
    }

    #[test]
    fn callees_come_first_and_nodes_after_those_that_lead_to_them() {
        let call = |entry| Label::Call(FlowNode::new(entry));
        // The process calls 3 twice; 3 has a branch.
        let graph = graph(&[
            &[(call(3), 1)],
            &[(call(3), 2)],
            &[],
            &[(Label::Plain, 4), (Label::Plain, 5)],
            &[(Label::Plain, 5)],
            &[],
        ]);
        let order = FlowOrder::new(&graph, &free()).expect("there is no limit");
        let rank =
            |node: Option<usize>, entry: Option<usize>| order.rank(node.map(FlowNode::new), entry.map(FlowNode::new));
        let callee = [Some(3), Some(4), Some(5), None].map(|node| rank(node, Some(3)));
        let process = [0, 1, 2].map(|node| rank(Some(node), None));
        let all = [&callee[..], &process].concat();
        assert!(all.windows(2).all(|pair| pair[0].number < pair[1].number), "{all:?}");
        assert!(all.iter().all(|rank| !rank.is_circular));
    }

    #[test]
    fn circles_have_one_rank() {
        let call = |entry| Label::Call(FlowNode::new(entry));
        let graph = graph(&[&[(Label::Plain, 1)], &[(Label::Plain, 0), (call(3), 2)], &[], &[(call(3), 4)], &[]]);
        let order = FlowOrder::new(&graph, &free()).expect("there is no limit");
        let rank = |node: usize, entry: Option<usize>| order.rank(Some(FlowNode::new(node)), entry.map(FlowNode::new));
        assert_eq!(rank(0, None), rank(1, None));
        assert!(rank(1, None).number < rank(2, None).number);
        assert_eq!([0, 1, 2].map(|node| rank(node, None).is_circular), [true, true, false]);
        assert!(rank(3, Some(3)).is_circular);
        assert_eq!(rank(3, Some(3)), rank(4, Some(3)));
    }
}
