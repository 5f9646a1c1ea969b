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
//! Reductions that can be switched off:
//!
//! *Ticks* are made together with the next thing that matters: a lock operation, anything that the phase before forbids, or
//! the process's own transition; several at once if need be, and for what is forbidden no more than need be. So what neither
//! changes a segment nor takes a transition happens in the first phase that allows it, of those that ticks begin behind what
//! comes before it. Take a path on which it happens later, and let all such steps, from the first to the last, happen as early:
//! each is allowed there and never in a later phase than before, and all others stay in their phases, so the segments are the
//! same. This holds for calls and returns, and where a phase forbids all steps, as it does for actions. A path that
//! stops before a tick may stop in an earlier phase, with empty segments for the rest (see `Solved::total`).
//!
//! *Idling*: when a process has no transition of its own left and holds no lock, it stops. What it might still do only adds
//! constraints: its segments would acquire and use locks in place of empty ones.
//!
//! *Steps*: what a node does may matter in some positions only. Where the only rule of a node keeps the position and has the
//! weight of the empty path, rules lead to the node behind it instead. Every path through the node goes on to that one, or stops
//! where it may as well stop one step later: with the same position and the same history. So neither the paths that go on nor the
//! sums of a position lose anything. That takes late ticks: only then do the rules of a node say whether it matters after a tick.

use super::flow::{Edge, EdgeId, FlowGraph, FlowNode, Label};
use super::flow_order::FlowOrder;
use super::instants::Instants;
use super::trace::CalleeId;
use super::tree::{Position, Reached, WordTree};
use super::word::Allowed;
use crate::limits::{Meter, StopReason};
use crate::model::LocationId;
use lockhist::{Lock, Operation};
use phases::Turn;
use rustc_hash::FxHashMap;
use std::ops::Range;
use std::sync::Arc;
use wpds::{Control, RuleSink, Rules, Symbol};

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
    /// The instants of the graph.
    pub(crate) instants: Arc<Instants>,
    /// Per node, whether no lock is held there, where processes may idle; empty if they may not.
    pub(crate) free: Vec<bool>,
    /// Whether ticks are made as late as possible.
    pub(crate) late_ticks: bool,
    /// Whether nodes are passed over where nothing happens.
    pub(crate) passes: bool,
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

/// A rule along an edge.
#[derive(Clone, Debug)]
struct Step<W> {
    to: Position,
    weight: W,
    /// The phase in which the edge is executed.
    phase: u32,
    /// Whether nothing happens: the position is kept and the weight is that of the empty path.
    is_idle: bool,
}

/// The steps of each position along edges with each label.
#[derive(Clone, Debug)]
struct StepTable<W> {
    steps: Vec<Step<W>>,
    /// By label and position, the first of its steps and the end; `UNKNOWN` where they were not made yet.
    ranges: Vec<(u32, u32)>,
    /// Per edge of the flow graph, the number of its label; all calls have one.
    labels: Vec<u32>,
    /// The number of the label of returns.
    returns: u32,
}

const UNKNOWN: (u32, u32) = (u32::MAX, u32::MAX);

impl<W> StepTable<W> {
    fn new(graph: &FlowGraph, positions: usize) -> Self {
        let mut numbers: FxHashMap<Label, u32> = FxHashMap::default();
        let number = |edge: &Edge| {
            let label = if let Label::Call(_) = edge.label { Label::Call(FlowNode::new(0)) } else { edge.label };
            let next = numbers.len() as u32;
            *numbers.entry(label).or_insert(next)
        };
        let labels = graph.nodes().flat_map(|node| graph.edges(node)).map(number).collect();
        let returns = numbers.len() as u32;
        Self { steps: Vec::new(), ranges: vec![UNKNOWN; (numbers.len() + 1) * positions], labels, returns }
    }
}

/// How many nodes are passed over at most in one rule.
const PASSED: usize = 8;

/// Makes the rules of the product when they are needed.
#[derive(Clone, Debug)]
pub(crate) struct Product<W> {
    shape: Shape,
    weights: RuleWeights<W>,
    order: FlowOrder,
    positions: usize,
    /// Per position, those reached by ticks alone.
    by_ticks: Vec<Arc<[Reached]>>,
    /// Per position, whether nothing is left to do from there on.
    idle: Vec<bool>,
    table: StepTable<W>,
}

impl<W: Clone> Product<W> {
    /// Linear in the size of the graph and that of the tree.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn new(shape: Shape, weights: RuleWeights<W>, meter: &Meter) -> Result<Self, StopReason> {
        let by_ticks = shape.tree.positions().map(|position| {
            let mut reached = shape.tree.by_ticks(position);
            reached.truncate(if shape.late_ticks { reached.len() } else { 1 });
            reached.into()
        });
        let by_ticks = by_ticks.collect();
        let idle: Vec<_> = shape.tree.positions().map(|position| shape.tree.is_idle(position)).collect();
        let positions = idle.len();
        let (order, table) = (FlowOrder::new(&shape.graph, meter)?, StepTable::new(&shape.graph, positions));
        Ok(Self { shape, weights, order, positions, by_ticks, idle, table })
    }

    /// The control state of a position.
    pub(crate) fn control(position: Position) -> Control {
        Control::new(position.index() as u32)
    }

    /// The stack symbol of a node.
    pub(crate) fn symbol(node: FlowNode) -> Symbol {
        Symbol::new(node.index() as u32)
    }

    /// What is executed by the rule with this number among those of a head, which leads to a node if it is not a return.
    pub(crate) fn traced(
        &self,
        (control, symbol): (Control, Symbol),
        number: usize,
        to: Option<Symbol>,
    ) -> Vec<TracedRule> {
        let (position, node) = (Position::new(control.index()), FlowNode::new(symbol.index()));
        let phase = self.shape.tree.depth(position);
        let Some(number) = number.checked_sub(self.ticks(position).count()) else {
            return vec![TracedRule { phase, executed: Executed::Nothing }];
        };
        let graph = &self.shape.graph;
        let mut rules = graph
            .edge_ids(node)
            .zip(graph.edges(node))
            .flat_map(|(id, edge)| self.known_steps(position, id).iter().map(move |step| (id, edge, step)));
        let Some((id, edge, step)) = rules.nth(number) else {
            let of_edges: usize = graph.edge_ids(node).map(|id| self.known_steps(position, id).len()).sum();
            let step = &self.known(position, self.table.returns)[number - of_edges];
            return vec![TracedRule { phase: step.phase as usize, executed: Executed::Return }];
        };
        let mut traced = vec![TracedRule { phase: step.phase as usize, executed: Executed::Edge(id) }];
        let (mut at, to) = (edge.target, to.map_or(edge.target, |symbol| FlowNode::new(symbol.index())));
        let is_call = matches!(edge.label, Label::Call(_));
        let phase = self.shape.tree.depth(step.to);
        while !is_call && at != to {
            let id = graph.edge_ids(at).next().expect("only nodes with an edge are passed over");
            traced.push(TracedRule { phase, executed: Executed::Edge(id) });
            at = graph.edge(id).target;
        }
        traced
    }

    fn weight(&self, phase: usize, meaning: Meaning) -> W {
        self.weights[&(phase, meaning)].clone()
    }

    /// The steps along edges with the label that has this number, once they are made.
    fn known(&self, position: Position, label: u32) -> &[Step<W>] {
        let (first, end) = self.table.ranges[label as usize * self.positions + position.index()];
        &self.table.steps[first as usize..end as usize]
    }

    /// The steps along an edge, once they are made.
    fn known_steps(&self, position: Position, id: EdgeId) -> &[Step<W>] {
        self.known(position, self.table.labels[id.index()])
    }

    /// The places of the steps along an edge, which are made now if they were not yet.
    fn steps(&mut self, position: Position, id: EdgeId) -> Range<usize> {
        let label = self.shape.graph.edge(id).label;
        self.steps_of(position, self.table.labels[id.index()], &label)
    }

    /// The same for the label with this number.
    fn steps_of(&mut self, position: Position, number: u32, label: &Label) -> Range<usize> {
        let place = number as usize * self.positions + position.index();
        if self.table.ranges[place] == UNKNOWN {
            let first = self.table.steps.len() as u32;
            self.make_steps(position, label);
            self.table.ranges[place] = (first, self.table.steps.len() as u32);
        }
        let (first, end) = self.table.ranges[place];
        first as usize..end as usize
    }

    fn make_step(&mut self, [from, to]: [Position; 2], meaning: Meaning) {
        let phase = self.shape.tree.depth(from);
        let is_idle = from == to && meaning == Meaning { ticks: 0, own: Own::Nothing };
        let step = Step { to, weight: self.weight(phase, meaning), phase: (phase + meaning.ticks) as u32, is_idle };
        self.table.steps.push(step);
    }

    /// The steps along edges with this label.
    fn make_steps(&mut self, position: Position, label: &Label) {
        let (tree, instants) = (self.shape.tree.clone(), self.shape.instants.clone());
        let (own, location) = match label {
            Label::Lock(operation) => (Own::Operation(*operation), None),
            Label::Act(action) => (Own::Nothing, action.location()),
            Label::Silent | Label::Plain | Label::Wants(_) | Label::Start(_) | Label::Call(_) | Label::Return => {
                (Own::Nothing, None)
            }
        };
        let by_ticks = self.by_ticks[position.index()].clone();
        // What changes no history happens before the next tick, unless it is forbidden there.
        let mut is_done = vec![false; by_ticks.len()];
        for (place, Reached { position: at, ticks, from }) in by_ticks.iter().copied().enumerate() {
            let is_late = own == Own::Nothing && is_done[from];
            if tree.allows(at, label, &instants) && !is_late {
                self.make_step([position, at], Meaning { ticks, own });
                is_done[place] = true;
            }
            is_done[place] |= is_late;
            for branch in tree.branches(at).iter().filter(|branch| branch.takes(label, &instants)) {
                let own = self.shape.own_step(branch.target, location);
                self.make_step([position, branch.target], Meaning { ticks, own });
            }
        }
    }

    /// Whether the process stops in this position at this node, though it might go on.
    fn idles(&self, position: Position, node: FlowNode) -> bool {
        self.idle[position.index()] && self.shape.free.get(node.index()).copied().unwrap_or(false)
    }

    /// The node at which something can happen in this position, on the only way from a node.
    fn passed(&mut self, position: Position, mut node: FlowNode) -> FlowNode {
        let graph = self.shape.graph.clone();
        for _ in 0..PASSED {
            let [edge] = graph.edges(node) else { break };
            let is_call = matches!(edge.label, Label::Call(_));
            if !self.shape.passes || is_call || graph.returns(node) || self.idles(position, node) {
                break;
            }
            let id = graph.edge_ids(node).next().expect("the node has one edge");
            let steps = self.steps(position, id);
            let [Step { is_idle: true, .. }] = self.table.steps[steps] else { break };
            node = edge.target;
        }
        node
    }

    /// Where the ticks that are steps of their own lead.
    fn ticks(&self, position: Position) -> impl Iterator<Item = Position> {
        let tree = &self.shape.tree;
        let is_absent = tree.allowed(position) == Some(&Allowed::Nothing);
        let branches = if is_absent || !self.shape.late_ticks { tree.branches(position) } else { &[] };
        branches.iter().filter(|branch| branch.turn == Turn::Tick).map(|branch| branch.target)
    }
}

impl<W: Clone> Rules<W> for Product<W> {
    const IS_RANKED: bool = true;

    fn rank(&self, control: Control, symbol: Option<Symbol>, entry: Option<Symbol>) -> u64 {
        let node = |symbol: Symbol| FlowNode::new(symbol.index());
        self.order.rank(symbol.map(node), entry.map(node), control.index(), self.positions)
    }

    fn size(&self) -> Option<(usize, usize)> {
        Some((self.positions, self.shape.graph.len()))
    }

    fn rules(&mut self, control: Control, symbol: Symbol, sink: &mut RuleSink<'_, W>) {
        let (position, node) = (Position::new(control.index()), FlowNode::new(symbol.index()));
        let Some(allowed) = self.shape.tree.allowed(position) else { return };
        let is_absent = *allowed == Allowed::Nothing;
        let phase = self.shape.tree.depth(position);
        for target in self.ticks(position) {
            let weight = self.weight(phase, Meaning { ticks: 1, own: Own::Nothing });
            sink.step(Self::control(target), symbol, weight);
        }
        if is_absent || self.idles(position, node) {
            return;
        }
        let graph = self.shape.graph.clone();
        for (id, edge) in graph.edge_ids(node).zip(graph.edges(node)) {
            for place in self.steps(position, id) {
                let Step { to, weight, .. } = self.table.steps[place].clone();
                match edge.label.callee() {
                    Some(entry) => sink.push(Self::control(to), Self::symbol(entry), Self::symbol(edge.target), weight),
                    None => {
                        let target = self.passed(to, edge.target);
                        sink.step(Self::control(to), Self::symbol(target), weight);
                    }
                }
            }
        }
        if graph.returns(node) {
            for place in self.steps_of(position, self.table.returns, &Label::Return) {
                let Step { to, weight, .. } = self.table.steps[place].clone();
                sink.pop(Self::control(to), weight);
            }
        }
    }
}
