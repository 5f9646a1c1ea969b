//! From a model's process to a flow graph: reentrancy is removed by cloning.
//!
//! Nesting is proper, so the set of locks held and whether a unit is open are functions of the call stack: they are what
//! the procedures on the stack have opened and not closed. Each procedure is cloned for every pair of held locks and open
//! unit with which it is reached. Inside a clone an acquisition is real iff neither the held locks nor what the clone
//! has opened itself contain the lock, and the release that closes it likewise; all others, and the boundaries of inner
//! units, do nothing. The held locks are restricted to those that the clone or its callees touch, which keeps the
//! number of clones down. (The paper's introduction calls this language strength reduction.)
//!
//! Locks outside the given set are left out altogether.

use super::contention::ContendedLocks;
use super::effects::ProcedureEffects;
use super::flow::{Edge, Exits, FlowGraph, FlowNode, Label};
use crate::limits::{Meter, StopReason};
use crate::model::{LockId, Model, NodeId, Opened, OpenedId, OpenedSequence, Operation, ProcedureId, ProcessId};
use lockhist::{Lock, LockSet};
use phases::{Access, ActionKind};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Which locks of a model count, and their numbers in lock sets.
#[derive(Clone, Debug)]
pub(crate) struct LockNumbers {
    numbers: Vec<Option<Lock>>,
}

impl LockNumbers {
    /// Numbers these locks in their order.
    pub(crate) fn new(model: &Model, locks: &ContendedLocks) -> Self {
        let mut numbers = vec![None; model.locks().len()];
        for (number, lock) in locks.iter().enumerate() {
            numbers[lock.index()] = Some(Lock::new(number));
        }
        Self { numbers }
    }

    pub(crate) fn number(&self, lock: LockId) -> Option<Lock> {
        self.numbers[lock.index()]
    }
}

/// A procedure in a context: with which locks held and whether in a unit it is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ProcedureInContext {
    procedure: ProcedureId,
    context: Context,
}

/// What is open at some point of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Context {
    held: LockSet,
    in_unit: bool,
    /// Whether a lock is held at all, also one that does not matter below.
    is_locked: bool,
}

impl Context {
    const NOTHING: Self = Self { held: LockSet::EMPTY, in_unit: false, is_locked: false };

    fn open(&mut self, locks: LockSet) {
        self.held |= locks;
        self.is_locked |= !locks.is_empty();
    }
}

/// A flow graph that knows the node of the model behind each of its nodes.
#[derive(Clone, Debug)]
pub(crate) struct ClonedProcess {
    graph: Arc<FlowGraph>,
    origins: Vec<NodeId>,
    /// Per node, whether no lock is held when it is executed.
    free: Vec<bool>,
}

impl ClonedProcess {
    /// The flow graph of a process. Linear in the size of the model times the number of contexts, which is exponential in the
    /// number of locks at worst.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn new(
        model: &Model,
        process: ProcessId,
        locks: &LockNumbers,
        meter: &Meter,
    ) -> Result<Self, StopReason> {
        Cloner::new(model, locks, meter)?.clone_process(model.process(process).body(), meter)
    }

    pub(crate) fn graph(&self) -> &Arc<FlowGraph> {
        &self.graph
    }

    /// Whether the process holds no lock when this node is executed.
    pub(crate) fn is_free(&self, node: FlowNode) -> bool {
        self.free[node.index()]
    }

    /// The node of the model that is executed when the edges of this node are taken.
    pub(crate) fn origin(&self, node: FlowNode) -> NodeId {
        self.origins[node.index()]
    }
}

struct Cloner<'a> {
    model: &'a Model,
    locks: &'a LockNumbers,
    touched: ProcedureEffects,
    /// The first node of each clone.
    entries: FxHashMap<ProcedureInContext, FlowNode>,
    /// Per flow node, the clone and the node of the model; edges are made in this order.
    waiting: Vec<(ProcedureInContext, NodeId)>,
    /// The flow node of a node of the model in a clone, which its entry stands for.
    nodes: FxHashMap<(FlowNode, NodeId), FlowNode>,
    /// What a sequence of opened locks and units amounts to.
    opened: FxHashMap<OpenedId, Context>,
}

impl<'a> Cloner<'a> {
    fn new(model: &'a Model, locks: &'a LockNumbers, meter: &Meter) -> Result<Self, StopReason> {
        Ok(Self {
            model,
            locks,
            touched: ProcedureEffects::new(model, locks, meter)?,
            entries: FxHashMap::default(),
            waiting: Vec::new(),
            nodes: FxHashMap::default(),
            opened: FxHashMap::default(),
        })
    }

    fn clone_process(mut self, body: ProcedureId, meter: &Meter) -> Result<ClonedProcess, StopReason> {
        let entry = self.entry(body, Context::NOTHING);
        let (mut exits, mut free) = (Vec::new(), Vec::new());
        while let Some((clone, node)) = self.waiting.get(exits.len()).copied() {
            let made = self.exits(clone, node);
            meter.work_of(1 + made.edges.len())?;
            exits.push(made);
            free.push(!self.context(clone, self.model.opened(node)).is_locked);
        }
        let origins = self.waiting.into_iter().map(|(_, node)| node).collect();
        Ok(ClonedProcess { graph: Arc::new(FlowGraph::new(exits, entry, meter)?), origins, free })
    }

    /// The first node of the clone of a procedure for this context.
    fn entry(&mut self, procedure: ProcedureId, context: Context) -> FlowNode {
        let context = Context {
            held: context.held & self.touched.locks(procedure),
            in_unit: context.in_unit && self.touched.acts(procedure),
            is_locked: context.is_locked,
        };
        let clone = ProcedureInContext { procedure, context };
        if let Some(entry) = self.entries.get(&clone) {
            return *entry;
        }
        let first = self.model.procedure(procedure).entry();
        let entry = FlowNode::new(self.waiting.len());
        self.entries.insert(clone, entry);
        self.nodes.insert((entry, first), entry);
        self.waiting.push((clone, first));
        entry
    }

    fn node(&mut self, clone: ProcedureInContext, node: NodeId) -> FlowNode {
        let entry = self.entries[&clone];
        *self.nodes.entry((entry, node)).or_insert_with(|| {
            self.waiting.push((clone, node));
            FlowNode::new(self.waiting.len() - 1)
        })
    }

    /// What happens at a node of a clone.
    fn exits(&mut self, clone: ProcedureInContext, node: NodeId) -> Exits {
        let operation = self.model.node(node).operation;
        if operation == Operation::Return {
            return Exits { edges: Vec::new(), returns: true };
        }
        let label = self.label(clone, node, operation);
        let model = self.model;
        let edges = model.successors(node).iter().map(|next| Edge { label, target: self.node(clone, *next) }).collect();
        Exits { edges, returns: false }
    }

    fn label(&mut self, clone: ProcedureInContext, node: NodeId, operation: Operation) -> Label {
        let now = self.context(clone, self.model.opened(node));
        let access = |access, location| Label::Act(ActionKind::Access { access, location, in_unit: now.in_unit });
        match operation {
            Operation::Skip => Label::Silent,
            Operation::Return | Operation::Wait(_) | Operation::Resume(_) => Label::Plain,
            Operation::Read(location) => access(Access::Read, location),
            Operation::Write(location) => access(Access::Write, location),
            Operation::Acquire(lock, _) => self.lock_operation(lock, now, lockhist::Operation::Acquire),
            Operation::Release(lock, _) => {
                let after = self.without_innermost(clone, node);
                self.lock_operation(lock, after, lockhist::Operation::Release)
            }
            Operation::Begin if now.in_unit => Label::Plain,
            Operation::Begin => Label::Act(ActionKind::Begin),
            Operation::End if self.without_innermost(clone, node).in_unit => Label::Plain,
            Operation::End => Label::Act(ActionKind::End),
            Operation::Call(procedure) => Label::Call(self.entry(procedure, now)),
            Operation::Start(process) => Label::Start(process),
        }
    }

    /// The operation is real iff the lock is not held without it.
    fn lock_operation(&self, lock: LockId, without: Context, real: impl Fn(Lock) -> lockhist::Operation) -> Label {
        match self.locks.number(lock) {
            Some(lock) if !without.held.contains(lock) => Label::Lock(real(lock)),
            _ => Label::Plain,
        }
    }

    /// What is open in a clone when its procedure has opened this.
    fn context(&mut self, clone: ProcedureInContext, opened: OpenedSequence<'_>) -> Context {
        let own = self.opened_context(opened);
        Context {
            held: clone.context.held | own.held,
            in_unit: clone.context.in_unit || own.in_unit,
            is_locked: clone.context.is_locked || own.is_locked,
        }
    }

    /// The same after the innermost of what is open at the node is closed.
    fn without_innermost(&mut self, clone: ProcedureInContext, node: NodeId) -> Context {
        let outer = self.model.opened(node).outer().expect("only what is open is closed");
        self.context(clone, outer)
    }

    fn opened_context(&mut self, opened: OpenedSequence<'_>) -> Context {
        // Outwards to the first sequence that is known, then back.
        let mut unknown = Vec::new();
        let mut sequence = opened;
        let mut context = Context::NOTHING;
        while let Some((entry, outer)) = sequence.innermost().zip(sequence.outer()) {
            if let Some(known) = self.opened.get(&sequence.id()) {
                context = *known;
                break;
            }
            unknown.push((sequence.id(), entry));
            sequence = outer;
        }
        for (id, entry) in unknown.into_iter().rev() {
            match entry {
                Opened::Lock(lock, _) => context.open(self.locks.number(lock).into_iter().collect()),
                Opened::Unit => context.in_unit = true,
            }
            self.opened.insert(id, context);
        }
        context
    }
}
