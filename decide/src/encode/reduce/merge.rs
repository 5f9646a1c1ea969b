//! Merges nodes of a flow graph that have the same future.
//!
//! Two rules are applied until neither applies any more:
//!
//! - *steps*: a node whose only exit is a step to be contracted, such as a plain one, has the same future as its
//!   target, so it is merged into the target. Such a step from a node to itself can be left out, since the process may
//!   repeat it any number of times, including zero.
//! - *nodes*: nodes with equal exits have the same future.
//!
//! Exits are compared after all nodes in them were replaced by their representatives, and without repetitions. Whenever
//! nodes are merged, their predecessors are examined again. With the second rule alone this is the coarsest partition
//! that can be built bottom-up. It does not find equal loops, which would need a refinement top-down, but it is almost
//! linear: lists of predecessors are linked, and those of merged nodes are joined in constant time.
//!
//! A node with thousands of exits has thousands of successors, and would be examined again whenever two of these are
//! merged. So nodes with few exits are examined first, and those with many when no others wait: by then most of their
//! successors are merged. The order does not change which nodes have the same future.

use crate::encode::flow::{Edge, Exits, FlowGraph, FlowNode, Label};
use limits::{Meter, StopReason};
use petgraph::unionfind::UnionFind;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

/// The graph of merged nodes, and the merged node of each node. `steps` is the label of the steps that are contracted,
/// if any are.
pub(super) fn merged(
    exits: Vec<Exits>,
    entry: FlowNode,
    steps: Option<Label>,
    nodes: bool,
    meter: &Meter,
) -> Result<(FlowGraph, Vec<FlowNode>), StopReason> {
    let mut merger = Merger::new(exits, steps, nodes, meter)?;
    merger.run(meter)?;
    merger.finish(entry, meter)
}

struct Merger {
    exits: Vec<Exits>,
    classes: UnionFind<usize>,
    before: Predecessors,
    /// A node that had exits with this hash when it was examined.
    known: FxHashMap<u64, usize>,
    /// Nodes to examine, by the [magnitude] of their exits when they were put here.
    waiting: [Vec<usize>; MAGNITUDES],
    is_waiting: Vec<bool>,
    steps: Option<Label>,
    nodes: bool,
}

/// The number of magnitudes.
const MAGNITUDES: usize = 6;

/// The order of magnitude of the number of exits, in steps of eight.
fn magnitude(exits: &Exits) -> usize {
    ((exits.edges.len() + 1).ilog2() as usize / 3).min(MAGNITUDES - 1)
}

/// For each representative, the nodes with an edge to a node of its class, as linked lists.
struct Predecessors {
    /// For each node, the first and the last link of its list; `NONE` for empty lists.
    lists: Vec<(u32, u32)>,
    /// A predecessor, and the next link.
    links: Vec<(u32, u32)>,
}

const NONE: u32 = u32::MAX;

impl Predecessors {
    fn add(&mut self, node: usize, before: usize) {
        let link = u32::try_from(self.links.len()).expect("fewer than 2^32 edges");
        let (first, last) = &mut self.lists[node];
        self.links.push((before as u32, *first));
        if *last == NONE {
            *last = link;
        }
        *first = link;
    }

    /// The nodes in a list.
    fn of(&self, node: usize) -> impl Iterator<Item = usize> {
        let link = |number: u32| self.links.get(number as usize);
        std::iter::successors(link(self.lists[node].0), move |(_, next)| link(*next))
            .map(|(before, _)| *before as usize)
    }

    /// Moves a list to another node, before the elements that it has.
    fn join(&mut self, node: usize, into: usize) {
        let (first, last) = std::mem::replace(&mut self.lists[node], (NONE, NONE));
        if last == NONE {
            return;
        }
        self.links[last as usize].1 = self.lists[into].0;
        if self.lists[into].1 == NONE {
            self.lists[into].1 = last;
        }
        self.lists[into].0 = first;
    }
}

impl Merger {
    fn new(exits: Vec<Exits>, steps: Option<Label>, nodes: bool, meter: &Meter) -> Result<Self, StopReason> {
        let count = exits.len();
        let mut before = Predecessors { lists: vec![(NONE, NONE); count], links: Vec::new() };
        for (node, own) in exits.iter().enumerate() {
            meter.work_of(1 + own.edges.len())?;
            for edge in &own.edges {
                before.add(edge.target.index(), node);
                if let Label::Call(entry) = edge.label {
                    before.add(entry.index(), node);
                }
            }
        }
        let mut waiting: [Vec<usize>; MAGNITUDES] = Default::default();
        // The last nodes first, since futures are compared from the end.
        exits.iter().enumerate().for_each(|(node, own)| waiting[magnitude(own)].push(node));
        Ok(Self {
            exits,
            classes: UnionFind::new(count),
            before,
            known: FxHashMap::default(),
            waiting,
            is_waiting: vec![true; count],
            steps,
            nodes,
        })
    }

    fn run(&mut self, meter: &Meter) -> Result<(), StopReason> {
        while let Some(node) = self.waiting.iter_mut().find_map(Vec::pop) {
            self.is_waiting[node] = false;
            if self.classes.find_mut(node) != node {
                continue;
            }
            self.make_canonical(node);
            let exits = &self.exits[node];
            meter.work_of(1 + exits.edges.len())?;
            if !exits.returns && exits.edges.len() == 1 && Some(exits.edges[0].label) == self.steps {
                self.merge(node, exits.edges[0].target.index());
            } else if self.nodes {
                self.merge_alike(node);
            }
        }
        Ok(())
    }

    /// Merges a node into one with the same exits, if one is known.
    fn merge_alike(&mut self, node: usize) {
        let hash = FxBuildHasher.hash_one(&self.exits[node]);
        if let Some(other) = self.known.get(&hash).copied() {
            let other = self.classes.find_mut(other);
            if other != node {
                self.make_canonical(other);
                if self.exits[other] == self.exits[node] {
                    self.merge(node, other);
                    return;
                }
            }
        }
        self.known.insert(hash, node);
    }

    /// Replaces every node in the exits of a node by its representative.
    fn make_canonical(&mut self, node: usize) {
        let Exits { edges, .. } = &mut self.exits[node];
        for edge in edges.iter_mut() {
            edge.target = FlowNode::new(self.classes.find_mut(edge.target.index()));
            if let Label::Call(entry) = &mut edge.label {
                *entry = FlowNode::new(self.classes.find_mut(entry.index()));
            }
        }
        edges.sort_unstable();
        edges.dedup();
        if let Some(steps) = self.steps {
            edges.retain(|edge| edge.label != steps || edge.target.index() != node);
        }
    }

    /// Merges the class of `node` into that of `into`, whose exits it keeps.
    fn merge(&mut self, node: usize, into: usize) {
        let exits = std::mem::take(&mut self.exits[into]);
        self.classes.union(node, into);
        let kept = self.classes.find_mut(into);
        let other = if kept == node { into } else { node };
        self.exits[kept] = exits;
        // Exits to `other` lead to `kept` from now on; those to `kept` stay as they are.
        let before: Vec<usize> = self.before.of(other).collect();
        before.into_iter().for_each(|node| self.wait(node));
        self.before.join(other, kept);
        self.wait(kept);
    }

    /// Enqueues the class of a node again.
    fn wait(&mut self, node: usize) {
        let node = self.classes.find_mut(node);
        if !std::mem::replace(&mut self.is_waiting[node], true) {
            self.waiting[magnitude(&self.exits[node])].push(node);
        }
    }

    /// Numbers the reachable classes, in the order of their first nodes.
    fn finish(mut self, entry: FlowNode, meter: &Meter) -> Result<(FlowGraph, Vec<FlowNode>), StopReason> {
        let mut numbers: FxHashMap<usize, FlowNode> = FxHashMap::default();
        let mut order = Vec::new();
        let classes: Vec<_> = (0..self.exits.len())
            .map(|node| {
                meter.work_of(1)?;
                let class = self.classes.find_mut(node);
                Ok(*numbers.entry(class).or_insert_with(|| {
                    order.push(class);
                    FlowNode::new(order.len() - 1)
                }))
            })
            .collect::<Result<_, _>>()?;
        let number = |node: FlowNode| classes[node.index()];
        let renamed = order.iter().map(|class| {
            self.make_canonical(*class);
            let exits = std::mem::take(&mut self.exits[*class]);
            let edges = exits.edges.into_iter().map(|edge| {
                let label = match edge.label {
                    Label::Call(entry) => Label::Call(number(entry)),
                    label => label,
                };
                Edge { label, target: number(edge.target) }
            });
            Exits { edges: edges.collect(), returns: exits.returns }
        });
        let graph = FlowGraph::new(renamed, number(entry), meter)?;
        Ok((graph, classes))
    }
}
