//! Merging nodes of a flow graph that have the same future.
//!
//! Two rules, applied until neither applies any more:
//!
//! - *steps*: a node whose only exit is a plain step has the same future as the node where that leads, so it is merged into
//!   that. A plain step to the node itself can be left out, since the process may go around it any number of times, also none.
//! - *nodes*: nodes with equal exits have the same future.
//!
//! Exits are compared after every node in them was replaced by the one that it was merged into, and without repetition;
//! whenever nodes are merged, those from which they are reached are looked at again. With the second rule alone this is the
//! coarsest partition that can be built from below; it does not find equal loops, which would need a refinement from above,
//! but it is almost linear: a merged node gives its list of predecessors to the other, the shorter list to the longer.

use super::super::flow::{Edge, Exits, FlowGraph, FlowNode, Label};
use crate::limits::{Meter, StopReason};
use petgraph::unionfind::UnionFind;
use rustc_hash::FxHashMap;

/// The graph of merged nodes, and for each node the merged one that it belongs to.
pub(super) fn merged(
    exits: Vec<Exits>,
    entry: FlowNode,
    steps: bool,
    nodes: bool,
    meter: &Meter,
) -> Result<(FlowGraph, Vec<FlowNode>), StopReason> {
    let mut merger = Merger::new(exits, steps, nodes);
    meter.check()?;
    merger.run(meter)?;
    let merged = merger.finish(entry);
    meter.check()?;
    Ok(merged)
}

struct Merger {
    exits: Vec<Exits>,
    classes: UnionFind<usize>,
    /// Per representative, the nodes with an edge to a node of its class.
    before: Vec<Vec<usize>>,
    /// A node of each class, by its exits.
    known: FxHashMap<Exits, usize>,
    waiting: Vec<usize>,
    is_waiting: Vec<bool>,
    steps: bool,
    nodes: bool,
}

impl Merger {
    fn new(exits: Vec<Exits>, steps: bool, nodes: bool) -> Self {
        let mut before = vec![Vec::new(); exits.len()];
        for (node, own) in exits.iter().enumerate() {
            for edge in &own.edges {
                before[edge.target.index()].push(node);
                if let Label::Call(entry) = edge.label {
                    before[entry.index()].push(node);
                }
            }
        }
        let count = exits.len();
        Self {
            exits,
            classes: UnionFind::new(count),
            before,
            known: FxHashMap::default(),
            // The last nodes first: futures are compared from the end.
            waiting: (0..count).collect(),
            is_waiting: vec![true; count],
            steps,
            nodes,
        }
    }

    fn run(&mut self, meter: &Meter) -> Result<(), StopReason> {
        while let Some(node) = self.waiting.pop() {
            self.is_waiting[node] = false;
            if self.classes.find_mut(node) != node {
                continue;
            }
            let exits = self.canonical(node);
            meter.work_of(1 + exits.edges.len())?;
            if self.steps && !exits.returns && exits.edges.len() == 1 && exits.edges[0].label == Label::Plain {
                self.merge(node, exits.edges[0].target.index());
            } else if self.nodes {
                match self.known.get(&exits).copied().map(|other| self.classes.find_mut(other)) {
                    Some(other) if other != node && self.canonical(other) == exits => self.merge(node, other),
                    _ => drop(self.known.insert(exits, node)),
                }
            }
        }
        Ok(())
    }

    /// The exits of a node with every node replaced by its representative.
    fn canonical(&mut self, node: usize) -> Exits {
        let mut edges = std::mem::take(&mut self.exits[node].edges);
        for edge in &mut edges {
            edge.target = FlowNode::new(self.classes.find_mut(edge.target.index()));
            if let Label::Call(entry) = &mut edge.label {
                *entry = FlowNode::new(self.classes.find_mut(entry.index()));
            }
        }
        edges.sort_unstable();
        edges.dedup();
        if self.steps {
            edges.retain(|edge| edge.label != Label::Plain || edge.target.index() != node);
        }
        self.exits[node].edges.clone_from(&edges);
        Exits { edges, returns: self.exits[node].returns }
    }

    /// Merges the class of `node` into that of `into`, whose exits it keeps.
    fn merge(&mut self, node: usize, into: usize) {
        let exits = std::mem::take(&mut self.exits[into]);
        self.classes.union(node, into);
        let kept = self.classes.find_mut(into);
        let other = if kept == node { into } else { node };
        self.exits[kept] = exits;
        let mut before = std::mem::take(&mut self.before[other]);
        before.iter().for_each(|node| self.wait(*node));
        if before.len() > self.before[kept].len() {
            std::mem::swap(&mut before, &mut self.before[kept]);
            before.iter().for_each(|node| self.wait(*node));
        }
        self.before[kept].append(&mut before);
        self.wait(kept);
    }

    /// Looks at the class of a node again.
    fn wait(&mut self, node: usize) {
        let node = self.classes.find_mut(node);
        if !std::mem::replace(&mut self.is_waiting[node], true) {
            self.waiting.push(node);
        }
    }

    /// Numbers the classes that can be reached, in the order of their first nodes.
    fn finish(mut self, entry: FlowNode) -> (FlowGraph, Vec<FlowNode>) {
        let mut numbers: FxHashMap<usize, FlowNode> = FxHashMap::default();
        let mut order = Vec::new();
        let classes: Vec<_> = (0..self.exits.len())
            .map(|node| {
                let class = self.classes.find_mut(node);
                *numbers.entry(class).or_insert_with(|| {
                    order.push(class);
                    FlowNode::new(order.len() - 1)
                })
            })
            .collect();
        let number = |node: FlowNode| classes[node.index()];
        let renamed = order.iter().map(|class| {
            let exits = self.canonical(*class);
            let edges = exits.edges.into_iter().map(|edge| {
                let label = match edge.label {
                    Label::Call(entry) => Label::Call(number(entry)),
                    label => label,
                };
                Edge { label, target: number(edge.target) }
            });
            Exits { edges: edges.collect(), returns: exits.returns }
        });
        let renamed: Vec<_> = renamed.collect();
        (FlowGraph::new(renamed, number(entry)), classes)
    }
}
