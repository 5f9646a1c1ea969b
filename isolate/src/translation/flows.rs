//! Translation of contexts to control-flow graphs.
//!
//! Each state is a node; each branch is a node after its predecessor; a successor is an edge to a state, or an exit of
//! the context. The lock of a synchronized method is acquired at the beginning and released before each exit. Loop
//! heads remember which nodes close a round in which no live variable changes.

use crate::Rule;
use crate::exec::context::{Branch, Context, ContextId, Point, Steps, Successor};
use crate::exec::interpreter::Interpreter;
use crate::exec::lock_effects::LockEffect;
use crate::exec::state::HeldLock;
use crate::graph::{EffectId, Flow, LockEffect as HeldLocks, MethodContext, Step};
use crate::value::{Location, Value};
use eml::model::Mode;
use java::ir::{BlockId, Variable};
use std::collections::BTreeSet;

/// Joins of a program's main method after which no other thread runs.
#[derive(Clone, Debug, Default)]
pub(crate) struct FinalJoins {
    /// Statements that join.
    pub(crate) points: BTreeSet<Point>,
    /// Edges that end loops that join all threads of a group.
    pub(crate) edges: BTreeSet<(BlockId, BlockId)>,
}

impl Interpreter<'_> {
    /// The contexts with their graphs.
    pub(crate) fn graphs(&self) -> Vec<MethodContext> {
        let none = FinalJoins::default();
        self.contexts.iter().map(|context| self.graph(context, &none)).collect()
    }

    /// The graph of `main`, with final joins only.
    pub(crate) fn graph_of_main(&self, main: ContextId, joins: &FinalJoins) -> MethodContext {
        self.graph(&self.contexts[main.index()], joins)
    }

    fn graph(&self, context: &Context, joins: &FinalJoins) -> MethodContext {
        MethodContext {
            method: context.method,
            arguments: context.arguments.clone(),
            flow: Building::new(context, self.mode.is_program, joins, self.heap.modality.omits(Rule::DeepObjects))
                .build(),
            lock_effects: context.effects.iter().map(held).collect(),
            own_lock: context.own_lock,
            is_unit_body: context.is_dependent,
            title: None,
        }
    }
}

/// The explicit locks of a lock effect, for the graph stage.
fn held(effect: &LockEffect) -> HeldLocks {
    let explicit = |open: &HeldLock| match open {
        HeldLock::Explicit(lock, mode) => Some((*lock, *mode)),
        HeldLock::Monitor(_) | HeldLock::Unmodelled(_) => None,
    };
    HeldLocks {
        closed: effect.released.iter().filter_map(explicit).collect(),
        open: effect.held.iter().filter_map(explicit).collect(),
    }
}

/// A graph under construction.
struct Building<'c> {
    context: &'c Context,
    flow: Flow,
    /// The nodes of states.
    states: Vec<usize>,
    is_program: bool,
    joins: &'c FinalJoins,
    /// Whether accesses of deep objects are omitted.
    omits_deep: bool,
}

impl<'c> Building<'c> {
    fn new(context: &'c Context, is_program: bool, joins: &'c FinalJoins, omits_deep: bool) -> Self {
        Self { context, flow: Flow::default(), states: Vec::new(), is_program, joins, omits_deep }
    }

    fn build(mut self) -> Flow {
        let line = self.context.code.first_line();
        let begin = match self.context.own_lock {
            Some(lock) => self.flow.add(Step::Acquire(lock, Mode::Write), line),
            None => self.flow.add(Step::Skip, line),
        };
        for (point, _) in &self.context.states {
            let line = self.context.code.line(*point);
            let node = self.flow.add(Step::Skip, line);
            self.states.push(node);
        }
        if let Some(first) = self.states.first() {
            self.flow.connect(begin, *first);
        }
        for (state, tree) in self.context.trees.iter().enumerate() {
            self.tree(state, tree);
        }
        self.flow
    }

    fn tree(&mut self, state: usize, tree: &[Branch]) {
        let mut nodes: Vec<usize> = Vec::new();
        for branch in tree {
            let before = branch.after.map_or(self.states[state], |branch| nodes[branch]);
            let node = match &branch.steps {
                Some(Steps::One(Step::Join)) if !self.joins.points.contains(&branch.at) => before,
                Some(steps) => self.steps(before, steps, branch.line),
                None => before,
            };
            nodes.push(node);
            match branch.successor {
                Some(Successor::State(to)) => {
                    let edge = (branch.at.block, self.context.states[to].0.block);
                    let is_joined = self.joins.edges.contains(&edge) && self.context.states[to].0.index == 0;
                    let node = if is_joined { self.after(node, Step::Join, branch.line) } else { node };
                    self.to(state, node, to, branch.line);
                }
                Some(Successor::Exit(effect, exit)) => {
                    let mut last = node;
                    if let Some(lock) = self.context.own_lock {
                        last = self.after(last, Step::Release(lock, Mode::Write), branch.line);
                    }
                    let step = match effect {
                        0 => Step::Return(exit),
                        effect => Step::ReturnWith(EffectId(u8::try_from(effect).expect("there are few")), exit),
                    };
                    self.after(last, step, branch.line);
                }
                None => {}
            }
        }
    }

    /// Adds an edge to another state; an edge back to a loop head ends a round if nothing changed in it.
    fn to(&mut self, from: usize, node: usize, to: usize, line: u32) {
        let (source, target) = (self.context.states[from].0, self.context.states[to].0);
        let closes = target.index == 0 && self.context.code.closes_loop(source.block, target.block);
        if !closes {
            self.flow.connect(node, self.states[to]);
            return;
        }
        let holds_nothing = self.context.states[to].1.held.is_empty() && self.context.own_lock.is_none();
        let step = if self.is_program && holds_nothing { Step::Cut } else { Step::Skip };
        let last = self.after(node, step, line);
        self.flow.connect(last, self.states[to]);
        self.flow.heads.insert(self.states[to], u32::try_from(target.block.index()).expect("blocks have such numbers"));
        if self.is_unchanged_round(source.block, target.block) {
            self.flow.marked_edges.entry(self.states[to]).or_default().insert(last);
        }
    }

    /// Whether all live variables keep their values in a round: the head's parameters are passed unchanged, or have one
    /// known value in all states of the head.
    fn is_unchanged_round(&self, from: BlockId, to: BlockId) -> bool {
        let changed = self.context.code.changed_parameters(from, to);
        if changed.is_empty() {
            return true;
        }
        let heads = self.context.states.iter().filter(|(point, _)| point.block == to && point.index == 0);
        let values = |variable: Variable| {
            let mut values = heads.clone().map(move |(_, state)| state.value(variable));
            let first = values.next().filter(|value| matches!(value, Value::Int(_) | Value::Null));
            first.is_some_and(|first| values.all(|value| value == first))
        };
        let live = self.context.code.live(Point { block: to, index: 0 });
        let is_dead = |variable: &Variable| live.binary_search(variable).is_err();
        changed.into_iter().all(|variable| is_dead(&variable) || values(variable))
    }

    fn after(&mut self, before: usize, step: Step, line: u32) -> usize {
        let is_deep = matches!(step, Step::Read(Location::Deep) | Step::Write(Location::Deep));
        let step = if self.omits_deep && is_deep { Step::Skip } else { step };
        let node = self.flow.add(step, line);
        self.flow.connect(before, node);
        node
    }

    fn steps(&mut self, before: usize, steps: &Steps, line: u32) -> usize {
        match steps {
            Steps::One(step) => self.after(before, *step, line),
            Steps::Repeated(steps) => {
                let hub = self.after(before, Step::Skip, line);
                for step in steps {
                    let node = self.after(hub, *step, line);
                    self.flow.connect(node, hub);
                }
                self.after(hub, Step::Skip, line)
            }
            Steps::Optional(steps) => {
                let end = self.flow.add(Step::Skip, line);
                self.flow.connect(before, end);
                for step in steps {
                    let node = self.after(before, *step, line);
                    self.flow.connect(node, end);
                }
                end
            }
        }
    }
}
