//! Smaller flow graphs with the same future.
//!
//! What matters of a flow graph are the sequences of lock operations, of actions and starts that some word mentions, and the
//! points of the call structure where they happen. Three steps make it smaller, each of which can be switched off:
//!
//! 1. *accesses*: labels that no word mentions become plain. No word asks for them and no phase forbids them, so they are
//!    possible whenever a plain step is, with the same effect.
//! 2. *functions* ([`quiet`]): a call of a function that can do nothing but plain steps is a plain step if the function can
//!    return, and no step if it cannot: the process would be stuck, and it may as well stop before.
//! 3. *steps* and *nodes* ([`merge`]): nodes with the same future are one.
//!
//! A path through the reduced graph stands for paths through the original one, one of which is found again by
//! [`expand`](super::expand()).

mod merge;
mod quiet;

pub(crate) use quiet::QuietFunctions;

use super::clone::ClonedProcess;
use super::flow::{Edge, Exits, FlowGraph, FlowNode, Label};
use super::tree::WordTree;
use crate::limits::{Meter, StopReason};
use crate::reductions::{Reduction, Reductions};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A process with its reduced flow graph.
#[derive(Clone, Debug)]
pub(crate) struct ReducedProcess {
    original: Arc<ClonedProcess>,
    /// Per original edge what it does in the reduced graph; calls of quiet functions are plain.
    quiet: QuietFunctions,
    /// The labels that matter.
    relevant: FxHashMap<Label, bool>,
    /// The reduced node of each original one; none for those that are left out.
    classes: Vec<FlowNode>,
    graph: Arc<FlowGraph>,
}

impl ReducedProcess {
    /// Reduces the flow graph of a process for the words of a tree. Linear up to a logarithm in the size of the graph.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn new(
        original: Arc<ClonedProcess>,
        tree: &WordTree,
        reductions: Reductions,
        meter: &Meter,
    ) -> Result<Self, StopReason> {
        let graph = original.graph();
        let relevant = relevant_labels(graph, tree, reductions.has(Reduction::Accesses), meter)?;
        let is_plain = |label: &Label| *label == Label::Plain || relevant.get(label) == Some(&false);
        let quiet = if reductions.has(Reduction::Functions) {
            QuietFunctions::find(graph, is_plain, meter)?
        } else {
            QuietFunctions::default()
        };
        let mut exits = Vec::with_capacity(graph.len());
        for node in graph.nodes() {
            let edges = graph.edges(node).iter().filter(|edge| !quiet.is_dead_call(edge));
            let edges: Vec<_> = edges.map(|edge| Edge { label: quiet.label(&edge.label, is_plain), ..*edge }).collect();
            meter.work_of(1 + edges.len())?;
            exits.push(Exits { edges, returns: graph.returns(node) });
        }
        let (steps, nodes) = (reductions.has(Reduction::Steps), reductions.has(Reduction::Nodes));
        let (graph, classes) = merge::merged(exits, graph.entry(), steps, nodes, meter)?;
        Ok(Self { quiet, relevant, classes, graph: Arc::new(graph), original })
    }

    /// The reduced graph.
    pub(crate) fn graph(&self) -> &Arc<FlowGraph> {
        &self.graph
    }

    /// The process as it was.
    pub(crate) fn original(&self) -> &ClonedProcess {
        &self.original
    }

    /// The reduced node that stands for an original one.
    pub(crate) fn class(&self, node: FlowNode) -> FlowNode {
        self.classes[node.index()]
    }

    /// The functions in which nothing happens that matters.
    pub(crate) fn quiet(&self) -> &QuietFunctions {
        &self.quiet
    }

    /// The label of an original edge in the reduced graph; none for calls that never return and do nothing.
    pub(crate) fn label(&self, edge: &Edge) -> Option<Label> {
        let is_plain = |label: &Label| self.is_plain(label);
        (!self.quiet.is_dead_call(edge)).then(|| self.quiet.label(&edge.label, is_plain))
    }

    /// Whether the label is that of a step that does not matter.
    pub(crate) fn is_plain(&self, label: &Label) -> bool {
        *label == Label::Plain || self.relevant.get(label) == Some(&false)
    }

    /// Whether the process can hold no lock when it executes a reduced node; see [`ClonedProcess::is_free`].
    pub(crate) fn free_nodes(&self) -> Vec<bool> {
        let mut free = vec![true; self.graph.len()];
        for node in self.original.graph().nodes() {
            free[self.class(node).index()] &= self.original.is_free(node);
        }
        free
    }
}

/// For every label of actions and starts in the graph whether it matters.
fn relevant_labels(
    graph: &FlowGraph,
    tree: &WordTree,
    is_on: bool,
    meter: &Meter,
) -> Result<FxHashMap<Label, bool>, StopReason> {
    let mut relevant = FxHashMap::default();
    for edge in graph.nodes().flat_map(|node| graph.edges(node)) {
        meter.work_of(1)?;
        if let Label::Act(_) | Label::Start(_) = edge.label {
            relevant.entry(edge.label).or_insert_with(|| !is_on || tree.mentions(&edge.label));
        }
    }
    Ok(relevant)
}
