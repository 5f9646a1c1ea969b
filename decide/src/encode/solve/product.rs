//! The product of a process with the local words of its queries (paper, section 7, rules 1a, 1b, 2a and 2b).
//!
//! Its control states are the positions of a word tree, its stack symbols the nodes of the flow graph:
//!
//! - 1a: an action that the phase does not forbid keeps the position;
//! - 1b: so do lock operations, with their history as weight, and all steps that no automaton constrains;
//! - 2a: an action that ends the phase may lead to the next position;
//! - 2b: if another process ends the phase, the position may change anywhere, without a step of the process. This is a
//!   *tick*.
//!
//! Steps to the next phase have the weight of a boundary. The last transition of the automaton is different, since no
//! history is kept after it. So a path that stops in the last phase, or takes the last transition itself, has one
//! segment for each phase.
//!
//! The control states are in the weights: each edge of the flow graph has one rule, whose [matrix](Matrices) has the
//! positions that the edge leads to from each position, with their weights. The matrix depends only on the label of the
//! edge, so it is made once for each label.
//!
//! Two reductions can be switched off.
//!
//! *Ticks* are made together with the next step that matters: a lock operation, anything that the phase before forbids,
//! or the process's own transition. Several ticks are made at once if needed; before a forbidden step, no more than
//! needed. So a step that neither changes a segment nor takes a transition happens in the first phase that allows it,
//! among the phases from that of the step before it on, by ticks alone. This is no restriction: take a path on which
//! such steps happen later, and let all of them, from the first to the last, happen as early as possible. Each is
//! allowed there, and never in a later phase than before. All other steps stay in their phases, so the segments are the
//! same. This holds for actions, for calls and returns, and where a phase forbids all steps. A path that stops before a
//! tick may stop in an earlier phase, with empty segments for the rest (see `Solved::total`).
//!
//! *Idling*: a process that has no transition of its own left and holds no lock stops. Further steps could only add
//! constraints: their segments would acquire and use locks in place of empty ones.

use super::trace::{Executed, TracedRule};
use crate::encode::flow::{Edge, EdgeId, FlowGraph, FlowNode, FlowOrder, Instants, Label, NodeLocks, node_locks};
use crate::encode::weights::{Ends, LockWeights, Matrices, MatrixId, OwnEffect, StepEffect};
use crate::encode::words::{Allowed, Position, TickTarget, WordTree};
use eml::model::LocationId;
use indexmap::IndexSet;
use limits::{Meter, StopReason};
use phases::Turn;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::Hash;
use std::sync::Arc;
use wpds::{Control, Rank, RuleSink, Rules, Symbol};

/// The parts of a product except its weights.
#[derive(Clone, Debug)]
pub(crate) struct Shape {
    pub(crate) graph: Arc<FlowGraph>,
    pub(crate) tree: Arc<WordTree>,
    /// The instants of the graph.
    pub(crate) instants: Arc<Instants>,
    /// For each node, whether no lock is held there, so that the process may idle; empty if idling is off.
    pub(crate) free: Vec<bool>,
    /// Whether ticks are made as late as possible.
    pub(crate) late_ticks: bool,
}

impl Shape {
    /// The effect of a step that ends a phase and leads to a position, by an access to this location if it is one.
    fn own_step(&self, target: Position, location: Option<LocationId>) -> OwnEffect {
        if self.tree.allowed(target).is_some() { OwnEffect::Step(location) } else { OwnEffect::End(location) }
    }

    /// Whether the process can act in this position: it has been started, and the words have not ended.
    fn is_present(&self, position: Position) -> bool {
        self.tree.allowed(position).is_some_and(|allowed| *allowed != Allowed::Nothing)
    }

    /// The positions that steps along edges with this label lead to from a position, with their effects.
    fn steps(&self, position: Position, label: &Label) -> Vec<(Position, StepEffect)> {
        let (tree, instants) = (&self.tree, &self.instants);
        let (own, location) = match label {
            Label::Lock(operation) => (OwnEffect::Operation(*operation), None),
            Label::Act(action) => (OwnEffect::Nothing, action.location()),
            Label::Silent | Label::Plain | Label::Wants(_) | Label::Start(_) | Label::Call(_) | Label::Return => {
                (OwnEffect::Nothing, None)
            }
        };
        let mut by_ticks = tree.by_ticks(position);
        by_ticks.truncate(if self.late_ticks { by_ticks.len() } else { 1 });
        // A step that changes no history happens before the next tick, unless it is forbidden there.
        let mut is_done = vec![false; by_ticks.len()];
        let mut steps = Vec::new();
        for (place, TickTarget { position: at, ticks, from }) in by_ticks.into_iter().enumerate() {
            let is_late = own == OwnEffect::Nothing && is_done[from];
            if tree.allows(at, label, instants) && !is_late {
                steps.push((at, StepEffect { ticks, own }));
                is_done[place] = true;
            }
            is_done[place] |= is_late;
            for branch in tree.branches(at).iter().filter(|branch| branch.takes(label, instants)) {
                steps.push((branch.target, StepEffect { ticks, own: self.own_step(branch.target, location) }));
            }
        }
        steps
    }

    /// The targets of ticks that are steps of their own.
    fn ticks(&self, position: Position) -> impl Iterator<Item = Position> {
        let tree = &self.tree;
        let is_absent = tree.allowed(position) == Some(&Allowed::Nothing);
        let branches = if is_absent || !self.late_ticks { tree.branches(position) } else { &[] };
        branches.iter().filter(|branch| branch.turn == Turn::Tick).map(|branch| branch.target)
    }
}

/// Builds the matrices of a product.
struct MatrixBuilder<'a, S: LockWeights> {
    shape: &'a Shape,
    semiring: &'a mut Matrices<S>,
    /// The weights of steps at nodes with the current lock state, by the phase in which they begin and their effect.
    weights: FxHashMap<(usize, StepEffect), S::Weight>,
    /// The weights for the other lock states, by the number of the state.
    others: Vec<FxHashMap<(usize, StepEffect), S::Weight>>,
    /// The number of the current lock state.
    at: usize,
    /// The positions in which the process can act, and whether it has no transition of its own from there on.
    present: Vec<(Position, bool)>,
}

impl<'a, S: LockWeights> MatrixBuilder<'a, S>
where
    S::Weight: Copy + Ord + Hash,
{
    fn new(shape: &'a Shape, semiring: &'a mut Matrices<S>) -> Self {
        let present = shape.tree.positions().filter(|position| shape.is_present(*position));
        let present = present.map(|position| (position, shape.tree.is_idle(position))).collect();
        Self { shape, semiring, weights: FxHashMap::default(), others: Vec::new(), at: 0, present }
    }

    /// Sets the lock state of the nodes for which matrices are built next, and its number.
    fn set_lock_state(&mut self, number: usize, held: Option<NodeLocks>) {
        self.semiring.entries.at(held);
        if self.others.len() <= number.max(self.at) {
            self.others.resize_with(number.max(self.at) + 1, FxHashMap::default);
        }
        self.others[self.at] = std::mem::take(&mut self.weights);
        self.weights = std::mem::take(&mut self.others[number]);
        self.at = number;
    }

    fn weight(&mut self, position: Position, meaning: StepEffect) -> Result<S::Weight, StopReason> {
        let phase = self.shape.tree.depth(position);
        if let Some(weight) = self.weights.get(&(phase, meaning)) {
            return Ok(*weight);
        }
        let weight = self.semiring.entries.of_rule(phase, &meaning)?;
        self.weights.insert((phase, meaning), weight);
        Ok(weight)
    }

    /// The matrix of the steps from some positions.
    fn matrix(
        &mut self,
        steps: impl Iterator<Item = (Position, Vec<(Position, StepEffect)>)>,
    ) -> Result<MatrixId, StopReason> {
        let mut entries = Vec::new();
        for (from, steps) in steps {
            let first = entries.len();
            self.semiring.entries.work_of(1 + steps.len())?;
            for (to, meaning) in steps {
                entries.push((from, to, self.weight(from, meaning)?));
            }
            entries[first..].sort_unstable_by_key(|(_, to, _)| *to);
        }
        let matrix = self.semiring.of_entries(&entries);
        self.semiring.check_room()?;
        Ok(matrix)
    }

    /// The matrices of edges with this label, or of returns: at nodes where locks are held, and where none is.
    fn edge_matrices(&mut self, label: &Label) -> Result<[MatrixId; 2], StopReason> {
        let (shape, present) = (self.shape, self.present.clone());
        let steps = |(position, _): &(Position, bool)| (*position, shape.steps(*position, label));
        let busy = present.iter().filter(|(_, is_idle)| !is_idle);
        Ok([self.matrix(present.iter().map(steps))?, self.matrix(busy.map(steps))?])
    }

    /// The matrix of the ticks that are steps of their own.
    fn ticks(&mut self) -> Result<MatrixId, StopReason> {
        let (shape, tick) = (self.shape, StepEffect { ticks: 1, own: OwnEffect::Nothing });
        let steps = |position| (position, shape.ticks(position).map(|to| (to, tick)).collect());
        self.matrix(shape.tree.positions().map(steps))
    }
}

/// Makes the rules of the product on demand.
#[derive(Clone, Debug)]
pub(crate) struct Product {
    shape: Shape,
    order: FlowOrder,
    /// For each edge of the flow graph, the number of its label and its lock state; all calls have one label.
    labels: Vec<u32>,
    /// By the number of the label and lock state: the matrices at nodes with and without held locks.
    edge_matrices: Vec<[MatrixId; 2]>,
    /// The number of the lock state of each node; empty if lock states are not needed.
    held: Vec<u32>,
    /// By the number of the lock state: the matrices of returns, and of ticks that are steps of their own.
    returns: Vec<[MatrixId; 2]>,
    ticks: Vec<MatrixId>,
}

impl Product {
    /// The only control state.
    pub(crate) const CONTROL: Control = Control::new(0);

    /// The product over a semiring whose identity is that of the tree. Linear in the size of the graph and, for each
    /// label, in the number of positions times the number of positions reached by ticks.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn new<S: LockWeights>(
        shape: Shape,
        semiring: &mut Matrices<S>,
        meter: &Meter,
    ) -> Result<Self, StopReason>
    where
        S::Weight: Copy + Ord + Hash,
    {
        let mut known: IndexSet<Option<NodeLocks>, FxBuildHasher> = IndexSet::default();
        let held = match S::NEEDS_HELD {
            true => node_locks(&shape.graph, meter)?,
            false => Vec::new(),
        };
        let held: Vec<u32> = held.into_iter().map(|held| known.insert_full(Some(held)).0 as u32).collect();
        known.extend(held.is_empty().then_some(None));
        let mut builder = MatrixBuilder::new(&shape, semiring);
        let mut numbers: FxHashMap<(Label, u32), u32> = FxHashMap::default();
        let (mut labels, mut edge_matrices) = (Vec::new(), Vec::new());
        for node in shape.graph.nodes() {
            let number = held.get(node.index()).copied().unwrap_or(0);
            builder.set_lock_state(number as usize, known[number as usize]);
            for edge in shape.graph.edges(node) {
                meter.work_of(1)?;
                let label = if let Label::Call(_) = edge.label { Label::Call(FlowNode::new(0)) } else { edge.label };
                let number = match numbers.get(&(label, number)) {
                    Some(number) => *number,
                    None => {
                        edge_matrices.push(builder.edge_matrices(&label)?);
                        numbers.insert((label, number), edge_matrices.len() as u32 - 1);
                        edge_matrices.len() as u32 - 1
                    }
                };
                labels.push(number);
            }
        }
        let (mut returns, mut ticks) = (Vec::new(), Vec::new());
        for (number, held) in known.iter().enumerate() {
            builder.set_lock_state(number, *held);
            returns.push(builder.edge_matrices(&Label::Return)?);
            ticks.push(builder.ticks()?);
        }
        semiring.entries.at(None);
        let order = FlowOrder::new(&shape.graph, meter)?;
        Ok(Self { shape, order, labels, edge_matrices, held, returns, ticks })
    }

    /// The stack symbol of a node.
    pub(crate) fn symbol(node: FlowNode) -> Symbol {
        Symbol::new(node.index() as u32)
    }

    /// The steps of the rules of a node, and their weights, in order.
    fn of_node(&self, node: FlowNode) -> impl Iterator<Item = (Executed, MatrixId)> {
        let graph = &self.shape.graph;
        let is_free = usize::from(self.shape.free.get(node.index()).copied().unwrap_or(false));
        let held = self.held.get(node.index()).map_or(0, |held| *held as usize);
        let step =
            move |id: EdgeId| (Executed::Edge(id), self.edge_matrices[self.labels[id.index()] as usize][is_free]);
        let returns = graph.returns(node).then_some((Executed::Return, self.returns[held][is_free]));
        let all =
            std::iter::once((Executed::Nothing, self.ticks[held])).chain(graph.edge_ids(node).map(step)).chain(returns);
        all.filter(|(_, weight)| *weight != MatrixId::ZERO)
    }

    /// The step of the rule with this number among those of a node.
    pub(crate) fn executed(&self, node: FlowNode, number: usize) -> Option<Executed> {
        self.of_node(node).nth(number).map(|(executed, _)| executed)
    }

    /// A step between two positions, with its phase.
    pub(crate) fn traced(&self, executed: Executed, Ends { from, to }: Ends) -> TracedRule {
        let tree = &self.shape.tree;
        let phase = match executed {
            Executed::Nothing => tree.depth(from),
            // Ticks come before anything else, the process's own transition comes at the end of its phase.
            Executed::Edge(_) | Executed::Return | Executed::Call(..) if from == to || tree.is_after_tick(to) => {
                tree.depth(to)
            }
            Executed::Edge(_) | Executed::Return | Executed::Call(..) => tree.depth(to) - 1,
        };
        TracedRule { phase, executed }
    }
}

impl Rules<MatrixId> for Product {
    const IS_RANKED: bool = true;

    fn rank(&self, _: Control, symbol: Option<Symbol>, entry: Option<Symbol>) -> Rank {
        let node = |symbol: Symbol| FlowNode::new(symbol.index());
        self.order.rank(symbol.map(node), entry.map(node))
    }

    fn size(&self) -> Option<(usize, usize)> {
        Some((1, self.shape.graph.len()))
    }

    fn rules(&mut self, control: Control, symbol: Symbol, sink: &mut RuleSink<'_, MatrixId>) {
        let graph = &self.shape.graph;
        for (executed, weight) in self.of_node(FlowNode::new(symbol.index())) {
            match executed {
                Executed::Nothing => sink.step(control, symbol, weight),
                Executed::Return => sink.pop(control, weight),
                Executed::Edge(id) | Executed::Call(id, _) => {
                    let Edge { label, target } = graph.edge(id);
                    match label.callee() {
                        Some(entry) => sink.push(control, Self::symbol(entry), Self::symbol(target), weight),
                        None => sink.step(control, Self::symbol(target), weight),
                    }
                }
            }
        }
    }
}
