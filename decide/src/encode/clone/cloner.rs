//! Construction of the clones of procedures, beginning with the body of the process.

use super::cloned_process::{ClonedProcess, Part};
use super::effects::ProcedureEffects;
use super::reachability::reachable;
use super::recursion::{RecursionBounds, Rounds};
use crate::encode::flow::{Edge, Exits, FlowGraph, FlowNode, Instants, Label};
use crate::encode::locks::LockSlots;
use crate::semantics::Act;
use eml::model::{LockId, Mode, Model, NodeId, Opened, OpenedId, OpenedSequence, Operation, ProcedureId, ProcessId};
use limits::{Meter, StopReason};
use lockhist::{LockSet, Operation as LockOperation};
use phases::{Access, ActionKind};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Returns the flow graph of a process. Linear in the size of the model times the number of contexts, which is
/// exponential in the number of locks at worst. With the greatest number of transitions that a word has of the process,
/// recursion is [bounded](super::recursion).
///
/// # Errors
/// If a limit is reached.
pub(crate) fn clone_process(
    model: &Model,
    process: ProcessId,
    locks: &LockSlots,
    transitions: Option<usize>,
    meter: &Meter,
) -> Result<ClonedProcess, StopReason> {
    let bounds = transitions.map(|transitions| RecursionBounds::new(model, locks, transitions, meter)).transpose()?;
    Cloner::new(model, locks, bounds.unwrap_or_default(), meter)?.clone_process(model.process(process).body(), meter)
}

/// A procedure in a context: the locks held and the unit open at its entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct ProcedureInContext {
    procedure: ProcedureId,
    context: Context,
    /// The slots of buried locks that the procedure can wait for.
    buried: LockSet,
    rounds: Rounds,
}

/// The locks held and the unit open at some point of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Context {
    /// The slots that are held.
    held: LockSet,
    in_unit: bool,
    /// Whether any contended lock is held, including those without a slot here.
    is_locked: bool,
}

impl Context {
    const NOTHING: Self = Self { held: LockSet::EMPTY, in_unit: false, is_locked: false };

    fn open(&mut self, lock: LockId, mode: Mode, locks: &LockSlots) {
        self.held |= locks.slot(lock, mode).into_iter().collect();
        self.is_locked |= locks.is_contended(lock);
    }
}

/// A flow node during the construction.
#[derive(Clone, Copy, Debug)]
struct Place {
    clone: ProcedureInContext,
    node: NodeId,
    /// Number of edges in the node's chain before this place.
    passed: usize,
}

/// The edges that execute a node, one after the other.
enum NodeEdges {
    /// No edge: the process blocks forever, or the call is beyond the bound of recursion.
    Nowhere,
    /// No edge here: the process waits for a buried lock, or releases a lock under another one that stays held.
    Buried(LockId),
    One(Label),
    Chain(Vec<Label>),
}

impl NodeEdges {
    fn of(labels: Vec<Label>) -> Self {
        if let [label] = labels[..] { Self::One(label) } else { Self::Chain(labels) }
    }

    fn labels(&self) -> &[Label] {
        match self {
            Self::Nowhere | Self::Buried(_) => &[],
            Self::One(label) => std::slice::from_ref(label),
            Self::Chain(labels) => labels,
        }
    }

    /// The part of the node that the edge at a place executes.
    fn part(&self, place: usize) -> Part {
        let labels = self.labels();
        let is_lock = |label: Option<&Label>| matches!(label, Some(Label::Lock(_)));
        match labels.get(place) {
            Some(Label::Wants(_)) => Part::Wants,
            Some(Label::Lock(LockOperation::Acquire(_))) if is_lock(labels.get(place + 1)) => Part::Rest,
            Some(Label::Lock(LockOperation::Release(_))) if place > 0 => Part::Rest,
            _ => Part::Whole,
        }
    }
}

struct Cloner<'a> {
    model: &'a Model,
    locks: &'a LockSlots,
    effects: ProcedureEffects,
    bounds: RecursionBounds,
    instants: Instants,
    given_up: LockSet,
    /// The entry of each clone.
    entries: FxHashMap<ProcedureInContext, FlowNode>,
    /// For each flow node, its place; edges are made in this order.
    waiting: Vec<Place>,
    /// The flow node at which a node of the model begins, by the entry of the clone and the node.
    nodes: FxHashMap<(FlowNode, NodeId), FlowNode>,
    /// The context that a sequence of opened locks and units makes.
    opened: FxHashMap<OpenedId, Context>,
}

impl<'a> Cloner<'a> {
    fn new(model: &'a Model, locks: &'a LockSlots, bounds: RecursionBounds, meter: &Meter) -> Result<Self, StopReason> {
        Ok(Self {
            model,
            locks,
            effects: ProcedureEffects::new(model, locks, meter)?,
            bounds,
            instants: Instants::default(),
            given_up: LockSet::EMPTY,
            entries: FxHashMap::default(),
            waiting: Vec::new(),
            nodes: FxHashMap::default(),
            opened: FxHashMap::default(),
        })
    }

    fn clone_process(mut self, body: ProcedureId, meter: &Meter) -> Result<ClonedProcess, StopReason> {
        let entry = self.entry(body, Context::NOTHING, LockSet::EMPTY, Rounds::default());
        let (mut exits, mut parts, mut free, mut buried) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        while let Some(place) = self.waiting.get(exits.len()).copied() {
            let own = self.node_edges(&place);
            let made = self.exits(&place, &own);
            meter.work_of(1 + made.edges.len())?;
            if let NodeEdges::Buried(lock) = own {
                buried.push((exits.len(), lock));
            }
            exits.push(made);
            parts.push(own.part(place.passed));
            let has_taken = own.labels()[..place.passed].iter().any(|label| matches!(label, Label::Lock(_)));
            free.push(!has_taken && !self.context(place.clone, self.model.opened(place.node)).is_locked);
        }
        if !buried.is_empty() {
            // Unreachable nodes omit nothing.
            let entries: Vec<_> = self.waiting.iter().map(|place| self.entries[&place.clone]).collect();
            let reachable = reachable(&exits, entry, &entries, meter)?;
            buried.retain(|(node, _)| reachable.contains(*node));
        }
        let mut buried: Vec<LockId> = buried.into_iter().map(|(_, lock)| lock).collect();
        buried.sort_unstable();
        buried.dedup();
        let origins = self.waiting.into_iter().map(|place| place.node).collect();
        let graph = Arc::new(FlowGraph::new(exits, entry, meter)?);
        let (instants, given_up) = (Arc::new(self.instants), self.given_up);
        Ok(ClonedProcess { graph, origins, parts, free, instants, given_up, buried })
    }

    /// The entry of the clone of a procedure for this context.
    fn entry(&mut self, procedure: ProcedureId, context: Context, buried: LockSet, rounds: Rounds) -> FlowNode {
        let context = Context {
            held: context.held & self.effects.slots(procedure),
            in_unit: context.in_unit && self.effects.acts(procedure),
            is_locked: context.is_locked,
        };
        let buried = buried & self.effects.waits(procedure);
        let clone = ProcedureInContext { procedure, context, buried, rounds };
        if let Some(entry) = self.entries.get(&clone) {
            return *entry;
        }
        let node = self.model.procedure(procedure).entry();
        let entry = self.place(Place { clone, node, passed: 0 });
        self.entries.insert(clone, entry);
        self.nodes.insert((entry, node), entry);
        entry
    }

    fn place(&mut self, place: Place) -> FlowNode {
        self.waiting.push(place);
        FlowNode::new(self.waiting.len() - 1)
    }

    fn node(&mut self, clone: ProcedureInContext, node: NodeId) -> FlowNode {
        let key = (self.entries[&clone], node);
        if let Some(known) = self.nodes.get(&key) {
            return *known;
        }
        let new = self.place(Place { clone, node, passed: 0 });
        self.nodes.insert(key, new);
        new
    }

    /// The outgoing edges of a place whose node has this chain of edges.
    fn exits(&mut self, place: &Place, own: &NodeEdges) -> Exits {
        let Place { clone, node, passed } = *place;
        if self.model.node(node).operation == Operation::Return {
            return Exits { edges: Vec::new(), returns: true };
        }
        let Some(label) = own.labels().get(passed).copied() else { return Exits::default() };
        if passed + 1 < own.labels().len() {
            let target = self.place(Place { passed: passed + 1, ..*place });
            return Exits { edges: vec![Edge { label, target }], returns: false };
        }
        let model = self.model;
        let edges = model.successors(node).iter().map(|next| Edge { label, target: self.node(clone, *next) }).collect();
        Exits { edges, returns: false }
    }

    /// The chain of edges of the node at a place.
    fn node_edges(&mut self, place: &Place) -> NodeEdges {
        let Place { clone, node, .. } = *place;
        let operation = self.model.node(node).operation;
        let now = self.context(clone, self.model.opened(node));
        let access = |access, location| Label::Act(ActionKind::Access { access, location, in_unit: now.in_unit });
        NodeEdges::One(match operation {
            Operation::Skip => Label::Silent,
            Operation::Return => Label::Return,
            Operation::Read(location) => access(Access::Read, location),
            Operation::Write(location) => access(Access::Write, location),
            Operation::Acquire(lock, mode) => return self.acquisition(lock, mode, now.held),
            Operation::Release(lock, mode) => {
                return self.close(lock, mode, place);
            }
            Operation::Wait(lock) => return self.wait(lock, place, now.held),
            Operation::Resume(lock) => {
                return self.taking(lock, Mode::Write, now.held - self.locks.slots(lock));
            }
            Operation::Begin if now.in_unit => Label::Plain,
            Operation::Begin => Label::Act(ActionKind::Begin),
            Operation::End if self.is_inner_unit(clone, node) => Label::Plain,
            Operation::End => Label::Act(ActionKind::End),
            Operation::Call(procedure) => {
                let caller = (clone.procedure, clone.rounds, clone.context.held);
                let call = (node, procedure, now.held);
                let Some(rounds) = self.bounds.enter(caller, call, &self.effects) else { return NodeEdges::Nowhere };
                let buried = self.buried_at(clone, node);
                Label::Call(self.entry(procedure, now, buried, rounds))
            }
            Operation::Start(process) => Label::Start(process),
        })
    }

    /// The edges of an acquisition, with these slots held before.
    fn acquisition(&mut self, lock: LockId, mode: Mode, held: LockSet) -> NodeEdges {
        match (self.locks.held_mode(lock, held), mode) {
            (None, mode) => self.taking(lock, mode, held),
            (Some(Mode::Read), Mode::Write) => NodeEdges::Nowhere,
            (Some(_), _) => NodeEdges::One(Label::Plain),
        }
    }

    /// The edges of an acquisition of a lock that is not held, with these slots held before.
    fn taking(&mut self, lock: LockId, mode: Mode, held: LockSet) -> NodeEdges {
        let wants = self.wants(lock, mode, held);
        match self.locks.parts(lock, mode) {
            Some(parts) => NodeEdges::of(
                wants.into_iter().chain(parts.map(|part| Label::Lock(LockOperation::Acquire(part)))).collect(),
            ),
            None => NodeEdges::of(wants.into_iter().chain([Label::Plain]).collect()),
        }
    }

    /// The instant before an acquisition, if the words mention it.
    fn wants(&mut self, lock: LockId, mode: Mode, held: LockSet) -> Option<Label> {
        let holding = self.locks.mentions.holding(lock)?;
        let held = holding.iter().filter_map(|other| Some((*other, self.locks.held_mode(*other, held)?))).collect();
        Some(Label::Wants(self.instants.intern(Act::Wants { lock: Some(lock), mode, held })))
    }

    /// The edges of a release, with these slots held afterwards. If the lock is not held afterwards, this releases its
    /// first acquisition, in the mode of that acquisition.
    fn release(&self, lock: LockId, mode: Mode, held: LockSet) -> NodeEdges {
        match self.locks.parts(lock, mode) {
            Some(parts) if self.locks.held_mode(lock, held).is_none() => {
                NodeEdges::of(parts.rev().map(|part| Label::Lock(LockOperation::Release(part))).collect())
            }
            _ => NodeEdges::One(Label::Plain),
        }
    }

    /// The edges of a release at its place. It is recorded as buried if a contended lock that was really acquired after
    /// this one stays held, or if read mode of the lock stays held where write mode was: then others may read it, but
    /// the plain locks that stand for it are released in another order than that of their acquisitions.
    fn close(&mut self, lock: LockId, mode: Mode, place: &Place) -> NodeEdges {
        let before = self.context(place.clone, self.model.opened(place.node));
        let after = self.without_lock(place.clone, place.node, lock, mode);
        let [was, stays] = [before, after].map(|context| self.locks.held_mode(lock, context.held));
        let is_contended = self.locks.is_contended(lock);
        let is_lowered = is_contended && (was, stays) == (Some(Mode::Write), Some(Mode::Read));
        if is_lowered || (is_contended && stays.is_none() && self.holds_later_lock(lock, place)) {
            return NodeEdges::Buried(lock);
        }
        self.release(lock, mode, after.held)
    }

    /// Whether a contended lock is held that was, or may have been, really acquired after this one in the same
    /// procedure.
    fn holds_later_lock(&self, lock: LockId, place: &Place) -> bool {
        let opened = self.model.opened(place.node);
        if matches!(opened.innermost(), Some(Opened::Lock(own, _)) if own == lock) && opened.outer().is_none() {
            return false;
        }
        let locks = opened.iter().filter_map(|entry| match entry {
            Opened::Lock(lock, _) => Some(lock),
            Opened::Unit => None,
        });
        // In the order of their first acquisitions.
        let mut order: Vec<_> = locks.collect();
        order.reverse();
        let first = order.iter().position(|own| *own == lock).unwrap_or(order.len());
        let held = place.clone.context.held;
        order.iter().enumerate().any(|(at, other)| {
            let is_new = !order[..at].contains(other) && self.locks.held_mode(*other, held).is_none();
            let may_come_after = at > first || (self.model.order_varies() && self.model.lock(*other).may_overlap());
            *other != lock && is_new && may_come_after && self.locks.is_contended(*other)
        })
    }

    /// The edges of the first half of a wait, with these slots held.
    fn wait(&mut self, lock: LockId, place: &Place, held: LockSet) -> NodeEdges {
        let Some(mode) = self.locks.held_mode(lock, held) else { return NodeEdges::Nowhere };
        let holds_later_lock =
            self.model.order_varies() && self.locks.is_contended(lock) && self.holds_later_lock(lock, place);
        if holds_later_lock || self.locks.slots(lock).meets(self.buried_at(place.clone, place.node)) {
            return NodeEdges::Buried(lock);
        }
        if self.locks.slots(lock).meets(place.clone.context.held) {
            self.given_up |= self.locks.parts(lock, mode).into_iter().flatten().collect();
        }
        self.release(lock, mode, LockSet::EMPTY)
    }

    /// The slots of buried locks that can be waited for, at a node.
    fn buried_at(&self, clone: ProcedureInContext, node: NodeId) -> LockSet {
        let waited = self.locks.waited();
        let mut buried = clone.buried;
        if waited.is_empty() {
            return buried;
        }
        let mut opened = Vec::new();
        let mut sequence = self.model.opened(node);
        while let Some((entry, outer)) = sequence.innermost().zip(sequence.outer()) {
            opened.push(entry);
            sequence = outer;
        }
        let mut held = clone.context.held;
        for entry in opened.into_iter().rev() {
            let Opened::Lock(lock, mode) = entry else { continue };
            if self.locks.is_contended(lock) && self.locks.held_mode(lock, held).is_none() {
                buried |= held & waited;
            }
            held |= self.locks.slot(lock, mode).into_iter().collect();
        }
        buried
    }

    /// The context in a clone after its procedure has opened this sequence.
    fn context(&mut self, clone: ProcedureInContext, opened: OpenedSequence<'_>) -> Context {
        let own = self.opened_context(opened);
        Context {
            held: clone.context.held | own.held,
            in_unit: clone.context.in_unit || own.in_unit,
            is_locked: clone.context.is_locked || own.is_locked,
        }
    }

    /// The context at a node after the last acquisition of a lock in this mode is released.
    fn without_lock(&mut self, clone: ProcedureInContext, node: NodeId, lock: LockId, mode: Mode) -> Context {
        let opened = self.model.opened(node);
        let released = Opened::Lock(lock, mode);
        if opened.innermost() == Some(released) {
            return self.without_innermost(clone, node);
        }
        let (mut context, mut is_released) = (clone.context, false);
        for entry in opened.iter() {
            match entry {
                entry if entry == released && !is_released => is_released = true,
                Opened::Lock(own, mode) => context.open(own, mode, self.locks),
                Opened::Unit => context.in_unit = true,
            }
        }
        context
    }

    /// Whether a unit stays open when the innermost one ends.
    fn is_inner_unit(&self, clone: ProcedureInContext, node: NodeId) -> bool {
        let opened = self.model.opened(node).iter();
        clone.context.in_unit || opened.filter(|entry| *entry == Opened::Unit).count() > 1
    }

    /// The context at a node after its innermost lock or unit is closed.
    fn without_innermost(&mut self, clone: ProcedureInContext, node: NodeId) -> Context {
        let outer = self.model.opened(node).outer().expect("only what is open is closed");
        self.context(clone, outer)
    }

    fn opened_context(&mut self, opened: OpenedSequence<'_>) -> Context {
        // Goes outwards to the first known sequence, then back.
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
                Opened::Lock(lock, mode) => context.open(lock, mode, self.locks),
                Opened::Unit => context.in_unit = true,
            }
            self.opened.insert(id, context);
        }
        context
    }
}
