//! The product of a process with the local words of its queries (paper, section 7, rules 1a, 1b, 2a and 2b).
//!
//! Control states are the positions of a word tree, stack symbols the nodes of the flow graph:
//!
//! - 1a: an action that the phase does not forbid keeps the position;
//! - 1b: so do lock operations, with their history as weight, and everything that no automaton constrains;
//! - 2a: an action that ends the phase may lead to the next position;
//! - 2b: where another process ends the phase, the position may change anywhere, without a step of the process: a *tick*.
//!
//! Steps to the next phase have the weight of a boundary. The last transition of the automaton is different, since no
//! history is kept of what comes after it. So a path that stops in the last phase, or takes its own last transition, has one
//! segment for each phase.
//!
//! Two reductions can be switched off.
//!
//! *Ticks* are made together with the next thing that matters: a lock operation, an action that the phase before forbids, or
//! the process's own transition; several at once if need be, and for forbidden actions no more than need be. A tick that
//! comes earlier on a path can be moved there, since nothing in between changes a segment or is constrained; and a path that
//! stops before it may stop in an earlier phase, with empty segments for the rest (see `Solved::total`).
//!
//! *Idling*: when a process has no transition of its own left and holds no lock, it stops. What it might still do only adds
//! constraints: its segments would acquire and use locks in place of empty ones.

use super::flow::{Edge, EdgeId, FlowGraph, FlowNode, Label};
use super::trace::CalleeId;
use super::tree::{Position, Reached, WordTree};
use super::word::Allowed;
use crate::model::LocationId;
use lockhist::{Lock, Operation};
use phases::Turn;
use rustc_hash::FxHashMap;
use std::sync::Arc;
use wpds::{Control, RuleId, RuleSink, Rules, Symbol};

/// What a rule means for the histories: first ticks, then something of the process's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Meaning {
    pub(crate) ticks: usize,
    pub(crate) own: Own,
}

/// What of its own a process does in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Own {
    /// Nothing that matters.
    Nothing,
    /// An operation on a lock.
    Operation(Operation),
    /// It ends the phase, by an access to this location if it is one.
    Step(Option<LocationId>),
    /// It ends the last phase, likewise.
    End(Option<LocationId>),
}

/// What is executed in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Executed {
    /// Nothing.
    Nothing,
    /// An edge of the flow graph.
    Edge(EdgeId),
    /// The return of a procedure.
    Return,
    /// A call, and all that follows up to and including its return.
    Call(EdgeId, CalleeId),
}

/// A rule in a run: what is executed, and in which phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TracedRule {
    pub(crate) phase: usize,
    pub(crate) executed: Executed,
}

/// The weights of rules, by the number of the phase and their meaning.
pub(crate) type RuleWeights<W> = FxHashMap<(usize, Meaning), W>;

/// Everything of a product but its weights.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) graph: Arc<FlowGraph>,
    pub(crate) tree: Arc<WordTree>,
    /// Per node, whether no lock is held there, where processes may idle; empty if they may not.
    pub(crate) free: Vec<bool>,
    /// Whether ticks are made as late as possible.
    pub(crate) late_ticks: bool,
}

impl Shape {
    /// What the rules can mean, with the phases in which they begin.
    pub(crate) fn meanings(&self, locks: usize) -> Vec<(usize, Meaning)> {
        let mut meanings = vec![(0, Meaning { ticks: 0, own: Own::Nothing })];
        for position in self.tree.positions() {
            let phase = self.tree.depth(position);
            for Reached { position: reached, ticks, .. } in self.tree.by_ticks(position) {
                meanings.push((phase, Meaning { ticks, own: Own::Nothing }));
                if self.tree.allowed(reached).is_some() {
                    let operations = (0..locks).map(Lock::new);
                    let operations = operations.flat_map(|lock| [Operation::Acquire(lock), Operation::Release(lock)]);
                    meanings.extend(operations.map(|own| (phase, Meaning { ticks, own: Own::Operation(own) })));
                }
                for branch in self.tree.branches(reached).iter().filter(|branch| branch.turn != Turn::Tick) {
                    let locations = branch.locations().iter().copied().map(Some);
                    let locations = locations.chain(branch.locations().is_empty().then_some(None));
                    meanings
                        .extend(locations.map(|at| (phase, Meaning { ticks, own: self.own_step(branch.target, at) })));
                }
            }
        }
        meanings.sort_unstable_by_key(|(phase, meaning)| (*phase, meaning.ticks));
        meanings.dedup();
        meanings
    }

    /// The step to a position by an access to this location, if it is one.
    fn own_step(&self, target: Position, location: Option<LocationId>) -> Own {
        if self.tree.allowed(target).is_some() { Own::Step(location) } else { Own::End(location) }
    }
}

/// Makes the rules of the product when they are needed.
#[derive(Clone, Debug)]
pub(crate) struct Product<W> {
    shape: Shape,
    weights: RuleWeights<W>,
    /// Per position, those reached by ticks alone.
    by_ticks: Vec<Arc<[Reached]>>,
    /// Per position, whether nothing is left to do from there on.
    idle: Vec<bool>,
    /// Per rule, in the order in which they are made.
    traces: Vec<(u32, Executed)>,
}

impl<W: Clone> Product<W> {
    pub(crate) fn new(shape: Shape, weights: RuleWeights<W>) -> Self {
        let by_ticks = shape.tree.positions().map(|position| {
            let mut reached = shape.tree.by_ticks(position);
            reached.truncate(if shape.late_ticks { reached.len() } else { 1 });
            reached.into()
        });
        let by_ticks = by_ticks.collect();
        let idle = shape.tree.positions().map(|position| shape.tree.is_idle(position)).collect();
        Self { shape, weights, by_ticks, idle, traces: Vec::new() }
    }

    /// The control state of a position.
    pub(crate) fn control(position: Position) -> Control {
        Control::new(position.index() as u32)
    }

    /// The stack symbol of a node.
    pub(crate) fn symbol(node: FlowNode) -> Symbol {
        Symbol::new(node.index() as u32)
    }

    /// What a rule that was made executes, and in which phase.
    pub(crate) fn traced(&self, rule: RuleId) -> TracedRule {
        let (phase, executed) = self.traces[rule.index()];
        TracedRule { phase: phase as usize, executed }
    }

    fn weight(&self, phase: usize, meaning: Meaning) -> W {
        self.weights[&(phase, meaning)].clone()
    }

    /// A rule to another position or the same, along an edge.
    fn step(
        &mut self,
        [from, to]: [Position; 2],
        (id, edge): (EdgeId, &Edge),
        meaning: Meaning,
        sink: &mut RuleSink<'_, W>,
    ) {
        let phase = self.shape.tree.depth(from);
        let (control, target, weight) = (Self::control(to), Self::symbol(edge.target), self.weight(phase, meaning));
        match edge.label {
            Label::Call(entry) => sink.push(control, Self::symbol(entry), target, weight),
            _ => sink.step(control, target, weight),
        }
        self.trace(phase + meaning.ticks, Executed::Edge(id));
    }

    fn trace(&mut self, phase: usize, executed: Executed) {
        self.traces.push((phase as u32, executed));
    }

    /// The rules along an edge.
    fn edge(&mut self, position: Position, (id, edge): (EdgeId, &Edge), sink: &mut RuleSink<'_, W>) {
        let tree = self.shape.tree.clone();
        let own = match edge.label {
            Label::Lock(operation) => Own::Operation(operation),
            _ => Own::Nothing,
        };
        let location = match edge.label {
            Label::Act(action) => action.location(),
            _ => None,
        };
        let by_ticks = self.by_ticks[position.index()].clone();
        // What changes no history happens before the next tick, unless it is forbidden there.
        let mut is_done = vec![false; by_ticks.len()];
        for (place, Reached { position: at, ticks, from }) in by_ticks.iter().copied().enumerate() {
            let is_late = own == Own::Nothing && is_done[from];
            if tree.allows(at, &edge.label) && !is_late {
                self.step([position, at], (id, edge), Meaning { ticks, own }, sink);
                is_done[place] = true;
            }
            is_done[place] |= is_late;
            for branch in tree.branches(at).iter().filter(|branch| branch.takes(&edge.label)) {
                let own = self.shape.own_step(branch.target, location);
                self.step([position, branch.target], (id, edge), Meaning { ticks, own }, sink);
            }
        }
    }

    /// The ticks in a position, as steps of their own.
    fn ticks(&mut self, position: Position, node: FlowNode, sink: &mut RuleSink<'_, W>) {
        let tree = self.shape.tree.clone();
        let phase = tree.depth(position);
        for branch in tree.branches(position).iter().filter(|branch| branch.turn == Turn::Tick) {
            let weight = self.weight(phase, Meaning { ticks: 1, own: Own::Nothing });
            sink.step(Self::control(branch.target), Self::symbol(node), weight);
            self.trace(phase, Executed::Nothing);
        }
    }
}

impl<W: Clone> Rules<W> for Product<W> {
    fn rules(&mut self, control: Control, symbol: Symbol, sink: &mut RuleSink<'_, W>) {
        let (position, node) = (Position::new(control.index()), FlowNode::new(symbol.index()));
        let Some(allowed) = self.shape.tree.allowed(position) else { return };
        let is_absent = *allowed == Allowed::Nothing;
        if is_absent || !self.shape.late_ticks {
            self.ticks(position, node, sink);
        }
        let idles = self.idle[position.index()] && self.shape.free.get(node.index()).copied().unwrap_or(false);
        if is_absent || idles {
            return;
        }
        let graph = self.shape.graph.clone();
        for (id, edge) in graph.edge_ids(node).zip(graph.edges(node)) {
            self.edge(position, (id, edge), sink);
        }
        if graph.returns(node) {
            let phase = self.shape.tree.depth(position);
            sink.pop(control, self.weight(0, Meaning { ticks: 0, own: Own::Nothing }));
            self.trace(phase, Executed::Return);
        }
    }
}
