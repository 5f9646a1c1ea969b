//! Smaller flow graphs with the same future.
//!
//! The future of a node is the set of sequences of lock operations, and of actions and starts that some word mentions,
//! with the points of the call structure where they happen. Three steps make the graph smaller. Each can be switched
//! off:
//!
//! 1. *accesses*: labels of actions and of instants of wanting that no word mentions become plain. No word asks for
//!    them and no phase forbids them, so they are possible whenever a plain step is, with the same effect.
//! 2. *functions* ([`effect_free`]): a call of a function that can make only plain steps is a plain step if the
//!    function can return. Otherwise it is no step: the process would never go on after it, and it may as well stop
//!    before.
//! 3. *steps* and *nodes* ([`merge`]): nodes with the same future are one.
//!
//! # Phases that forbid all steps
//!
//! A phase that forbids a process all steps (`forbid T step`) ends by a step of another process or by a step of its
//! own, since a transition need not be allowed by its phase. If no word has a phase of the second kind, nothing happens
//! in such phases, and branching points, which are no steps and are possible in all phases, count as plain steps. Then
//! *a phase in which the process does anything allows plain steps*, since a phase that forbids these forbids all. So
//! the arguments stay valid: if a phase forbids a label together with plain steps, it does not count as mentioning it;
//! and a plain step before something else, or the plain steps of an effect-free function, can be made in the phase of
//! the next or the previous thing that the process does.
//!
//! If some word has a phase of the second kind ([`WordTree::acts_where_stopped`]), its last step must be reached
//! without any other step. Then plain steps are not contracted, but branching points are, and calls of effect-free
//! functions are plain steps like others: all steps of such a call can be made in the phase of the call, which allows
//! plain steps.
//!
//! A path through the reduced graph stands for paths through the original one. [`expand`](super::solve::expand()) finds
//! one of these.

mod effect_free;
mod merge;

pub(crate) use effect_free::EffectFreeFunctions;

use super::clone::ClonedProcess;
use super::flow::{Edge, Exits, FlowGraph, FlowNode, Label};
use super::words::WordTree;
use crate::reductions::{Reduction, Reductions};
use limits::{Meter, StopReason};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A process with its reduced flow graph.
#[derive(Clone, Debug)]
pub(crate) struct ReducedProcess {
    original: Arc<ClonedProcess>,
    /// With the labels of the reduced graph: calls of effect-free functions are plain.
    effect_free: EffectFreeFunctions,
    labels: Relevance,
    /// The reduced node of each original one; none for nodes that are left out.
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
        let labels = Relevance::of(&original, tree, reductions.has(Reduction::Accesses), meter)?;
        let effect_free = if reductions.has(Reduction::Functions) {
            EffectFreeFunctions::find(
                graph,
                |label| matches!(labels.reduced(label), Label::Silent | Label::Plain),
                meter,
            )?
        } else {
            EffectFreeFunctions::default()
        };
        let mut exits = Vec::with_capacity(graph.len());
        for node in graph.nodes() {
            let edges = graph.edges(node).iter().filter(|edge| !effect_free.is_dead_call(edge));
            let edges = edges.map(|edge| Edge { label: reduced_label(&effect_free, &labels, &edge.label), ..*edge });
            let edges: Vec<_> = edges.collect();
            meter.work_of(1 + edges.len())?;
            exits.push(Exits { edges, returns: graph.returns(node) });
        }
        let steps = reductions.has(Reduction::Steps).then(|| labels.contracted());
        let (graph, classes) = merge::merged(exits, graph.entry(), steps, reductions.has(Reduction::Nodes), meter)?;
        Ok(Self { effect_free, labels, classes, graph: Arc::new(graph), original })
    }

    /// The reduced graph.
    pub(crate) fn graph(&self) -> &Arc<FlowGraph> {
        &self.graph
    }

    /// The process before the reduction.
    pub(crate) fn original(&self) -> &ClonedProcess {
        &self.original
    }

    /// The reduced node that stands for an original one.
    pub(crate) fn class(&self, node: FlowNode) -> FlowNode {
        self.classes[node.index()]
    }

    /// The functions without effects that matter.
    pub(crate) fn effect_free(&self) -> &EffectFreeFunctions {
        &self.effect_free
    }

    /// The label of an original edge in the reduced graph; none for calls of effect-free functions that never return.
    pub(crate) fn label(&self, edge: &Edge) -> Option<Label> {
        (!self.effect_free.is_dead_call(edge)).then(|| reduced_label(&self.effect_free, &self.labels, &edge.label))
    }

    /// Whether an original edge is contracted, so that a reduced node stands for its source and its target.
    pub(crate) fn is_contracted(&self, edge: &Edge) -> bool {
        self.label(edge) == Some(self.labels.contracted())
    }

    /// Whether calls and returns count as visible steps, because branching points and plain steps differ.
    pub(crate) fn counts_steps(&self) -> bool {
        self.labels.counts_steps
    }

    /// Whether the process holds no lock when it executes a reduced node; see [`ClonedProcess::is_free`].
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn free_nodes(&self, meter: &Meter) -> Result<Vec<bool>, StopReason> {
        let mut free = vec![true; self.graph.len()];
        for node in self.original.graph().nodes() {
            meter.work_of(1)?;
            free[self.class(node).index()] &= self.original.is_free(node);
        }
        Ok(free)
    }
}

/// The label of an original edge in the reduced graph.
fn reduced_label(effect_free: &EffectFreeFunctions, labels: &Relevance, label: &Label) -> Label {
    match label {
        Label::Call(entry) if effect_free.has(*entry) => Label::Plain,
        label => labels.reduced(label),
    }
}

/// The labels that matter.
#[derive(Clone, Debug)]
struct Relevance {
    /// For every label of actions, starts and instants in the graph, whether it matters.
    relevant: FxHashMap<Label, bool>,
    /// Whether plain steps differ from branching points.
    counts_steps: bool,
}

impl Relevance {
    fn of(original: &ClonedProcess, tree: &WordTree, is_on: bool, meter: &Meter) -> Result<Self, StopReason> {
        let (graph, instants) = (original.graph(), original.instants());
        let mut relevant = FxHashMap::default();
        for edge in graph.nodes().flat_map(|node| graph.edges(node)) {
            meter.work_of(1)?;
            if let Label::Act(_) | Label::Start(_) | Label::Wants(_) = edge.label {
                relevant.entry(edge.label).or_insert_with(|| !is_on || tree.mentions(&edge.label, instants));
            }
        }
        Ok(Self { relevant, counts_steps: tree.acts_where_stopped() })
    }

    fn reduced(&self, label: &Label) -> Label {
        match label {
            Label::Silent if !self.counts_steps => Label::Plain,
            label if self.relevant.get(label) == Some(&false) => Label::Plain,
            label => *label,
        }
    }

    /// The label of steps that are contracted.
    fn contracted(&self) -> Label {
        if self.counts_steps { Label::Silent } else { Label::Plain }
    }
}
