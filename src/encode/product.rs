//! The product of a process with the local words of its queries (paper, section 7, rules 1a, 1b, 2a and 2b).
//!
//! Control states are the positions of a word tree, stack symbols the nodes of the flow graph:
//!
//! - 1a: an action that the phase does not forbid keeps the position;
//! - 1b: so do lock operations, with their segment as weight, and everything that no automaton constrains;
//! - 2a: an action that ends the phase may lead to the next position;
//! - 2b: where another process ends the phase, the position may change anywhere, without a step of the process.
//!
//! Steps to the next phase have the weight of a boundary; the last transition of the automaton has the weight of an empty
//! path instead, since no history is kept of what comes after it. So a path that stops in the last phase, or takes its own
//! last transition, has one segment for each phase.
//!
//! Ticks (2b) are only made where something that matters can follow: right before a lock operation, an action or a start.
//! A tick that comes earlier on the same path can be moved there, since nothing in between changes a segment or is
//! constrained; and a path that stops before it may stop in an earlier phase, with empty segments for the rest (see
//! `Solved::total`).

use super::flow::{Edge, FlowGraph, FlowNode, Label};
use super::word::{Conduct, Position, WordTree};
use lockhist::Operation;
use phases::Turn;
use std::sync::Arc;
use wpds::{Control, RuleId, RuleSink, Rules, Symbol};

/// The weights that the rules of a product need, made beforehand.
#[derive(Clone, Debug)]
pub(crate) struct RuleWeights<W> {
    pub(crate) one: W,
    /// Per phase, the step to the next; none out of the last.
    pub(crate) boundaries: Vec<W>,
    /// Per phase and lock.
    pub(crate) acquisitions: Vec<Vec<W>>,
    /// Per phase and lock.
    pub(crate) releases: Vec<Vec<W>>,
}

impl<W: Clone> RuleWeights<W> {
    fn operation(&self, phase: usize, operation: Operation) -> W {
        match operation {
            Operation::Acquire(lock) => self.acquisitions[phase][lock.index()].clone(),
            Operation::Release(lock) => self.releases[phase][lock.index()].clone(),
        }
    }
}

/// What a rule of the product means for the histories of its phases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Effect {
    /// Nothing.
    None,
    /// The operation on a lock.
    Lock(Operation),
    /// The next phase begins.
    NextPhase,
}

/// Makes the rules of the product when they are needed.
#[derive(Clone, Debug)]
pub(crate) struct Product<W> {
    graph: Arc<FlowGraph>,
    tree: Arc<WordTree>,
    weights: RuleWeights<W>,
    /// Whether ticks are made at every node.
    ticks_everywhere: bool,
    /// Per rule, in the order in which they are made.
    effects: Vec<Effect>,
}

impl<W: Clone> Product<W> {
    pub(crate) fn new(
        graph: Arc<FlowGraph>,
        tree: Arc<WordTree>,
        weights: RuleWeights<W>,
        ticks_everywhere: bool,
    ) -> Self {
        Self { graph, tree, weights, ticks_everywhere, effects: Vec::new() }
    }

    /// What a rule that was made means.
    pub(crate) fn effect(&self, rule: RuleId) -> Effect {
        self.effects[rule.index()]
    }

    /// The control state of a position.
    pub(crate) fn control(position: Position) -> Control {
        Control::new(position.index() as u32)
    }

    /// The stack symbol of a node.
    pub(crate) fn symbol(node: FlowNode) -> Symbol {
        Symbol::new(node.index() as u32)
    }

    /// Rules 1a and 1b for an edge.
    fn stay(&mut self, position: Position, edge: &Edge, sink: &mut RuleSink<'_, W>) {
        let (control, target) = (Self::control(position), Self::symbol(edge.target));
        let (weight, effect) = match edge.label {
            Label::Act(action) if self.tree.forbids(position, &action) => return,
            Label::Lock(operation) => {
                (self.weights.operation(self.tree.depth(position), operation), Effect::Lock(operation))
            }
            Label::Plain | Label::Act(_) | Label::Start(_) | Label::Call(_) => (self.weights.one.clone(), Effect::None),
        };
        match edge.label {
            Label::Call(entry) => sink.push(control, Self::symbol(entry), target, weight),
            _ => sink.step(control, target, weight),
        }
        self.effects.push(effect);
    }

    /// A rule to the next phase, or to the end of a word.
    fn go_on(&mut self, from: Position, to: Position, node: FlowNode, sink: &mut RuleSink<'_, W>) {
        let (before, after) = (self.tree.depth(from), self.tree.depth(to));
        let weight = if before == after { &self.weights.one } else { &self.weights.boundaries[before] };
        sink.step(Self::control(to), Self::symbol(node), weight.clone());
        self.effects.push(Effect::NextPhase);
    }

    /// Rule 2a for an edge.
    fn act(&mut self, position: Position, edge: &Edge, sink: &mut RuleSink<'_, W>) {
        let tree = self.tree.clone();
        for (_, next) in tree.children(position).iter().filter(|(turn, _)| edge.label.takes(turn)) {
            self.go_on(position, *next, edge.target, sink);
        }
    }

    /// Rule 2b for a node.
    fn tick(&mut self, position: Position, node: FlowNode, sink: &mut RuleSink<'_, W>) {
        let tree = self.tree.clone();
        for (_, next) in tree.children(position).iter().filter(|(turn, _)| *turn == Turn::Tick) {
            self.go_on(position, *next, node, sink);
        }
    }

    /// Whether something that matters can happen at this node.
    fn matters(&self, node: FlowNode) -> bool {
        let matters = |edge: &Edge| matches!(edge.label, Label::Lock(_) | Label::Act(_) | Label::Start(_));
        self.ticks_everywhere || self.graph.edges(node).iter().any(matters)
    }
}

impl<W: Clone> Rules<W> for Product<W> {
    fn rules(&mut self, control: Control, symbol: Symbol, sink: &mut RuleSink<'_, W>) {
        let (position, node) = (Position::new(control.index()), FlowNode::new(symbol.index()));
        let Some(conduct) = self.tree.conduct(position) else { return };
        if *conduct == Conduct::Absent {
            return self.tick(position, node, sink);
        }
        let graph = self.graph.clone();
        for edge in graph.edges(node) {
            self.stay(position, edge, sink);
            self.act(position, edge, sink);
        }
        if graph.returns(node) {
            sink.pop(control, self.weights.one.clone());
            self.effects.push(Effect::None);
        }
        if self.matters(node) {
            self.tick(position, node, sink);
        }
    }
}
