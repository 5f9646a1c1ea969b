//! The operations that a thread may still execute: an upper bound from the control-flow graph alone.
//!
//! This is `ops(θ)` of Stoller (000, section 6), for a thread in a local state: the operations of all nodes that are
//! reachable in the graph from its node and from the nodes after the calls on its stack, including calls and the
//! processes that it can start. Each operation has the locks that the thread certainly holds then. A thread that must
//! hold a lock for an operation cannot execute it while another thread holds that lock; the paper gets this from the
//! candidate lock sets of the lockset algorithm (`pendInvisOps`).

use super::effects::{EffectId, Effects, Phase, Role};
use super::local_states::{LocalId, LocalState, LocalStates};
use super::must_locks::{HeldLocks, MustLocks, taking_part};
use crate::semantics::Act;
use eml::model::{LockId, Mode, Model, NodeId, Operation, ProcessId};
use fixedbitset::FixedBitSet;
use indexmap::IndexSet;
use limits::{Meter, StopReason};
use phases::Access;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::rc::Rc;

/// An operation that a thread may execute.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct FutureOperation {
    /// The lock that it takes if it does not hold it.
    pub(super) takes: Option<(LockId, Mode)>,
    /// Its possible effects on the automaton, inside and outside of units.
    pub(super) effects: Box<[EffectId]>,
    /// The process that it starts.
    pub(super) starts: Option<ProcessId>,
    /// The locks that the thread certainly holds then.
    pub(super) must: HeldLocks,
}

impl FutureOperation {
    /// Whether the thread cannot execute it while another thread holds these locks.
    pub(super) fn is_kept_off(&self, held: &[(LockId, Mode)]) -> bool {
        self.must.iter().any(|(lock, mode)| held.iter().any(|(other, held)| other == lock && held.excludes(*mode)))
    }
}

/// The operations that threads may still execute.
#[derive(Clone, Debug)]
pub(super) struct FutureOperations {
    ops: IndexSet<FutureOperation, FxBuildHasher>,
    /// For each role (the last entry is for no role) and each node: the operations from there on in its procedure, its
    /// callees, and the processes started there.
    from: Vec<Vec<FixedBitSet>>,
    /// The memoized operations of local states.
    of: Vec<Option<Rc<[u32]>>>,
    /// Memoized answers: whether a thread in this local state may still end this phase.
    advance: FxHashMap<(LocalId, Phase), bool>,
}

impl FutureOperations {
    pub(super) fn new(locals: &mut LocalStates<'_>, meter: &Meter) -> Result<Self, StopReason> {
        let must = MustLocks::new(locals.model, &locals.takes_part, meter)?;
        let mut futures =
            Self { ops: IndexSet::default(), from: Vec::new(), of: Vec::new(), advance: FxHashMap::default() };
        let roles: Vec<_> = (0..locals.effects.roles()).map(Role).map(Some).chain([None]).collect();
        let nodes = reached(locals.model, &locals.takes_part);
        let mut own = Vec::new();
        for role in &roles {
            let mut ops: Vec<Vec<usize>> = vec![Vec::new(); locals.model.nodes().len()];
            meter.check()?;
            for node in &nodes {
                meter.work_of(1)?;
                ops[node.index()] = futures.own_ops(locals, &must, *role, *node);
            }
            own.push(ops);
        }
        futures.close(locals, &nodes, own, meter)?;
        Ok(futures)
    }

    /// Returns the operation of one node, if it matters.
    fn own_ops(
        &mut self,
        locals: &mut LocalStates<'_>,
        must: &MustLocks,
        role: Option<Role>,
        node: NodeId,
    ) -> Vec<usize> {
        let model = locals.model;
        let operation = model.node(node).operation;
        let must = must.at(model, node);
        let takes = match operation {
            Operation::Acquire(lock, mode) => Some((lock, mode)),
            Operation::Resume(lock) => Some((lock, Mode::Write)),
            _ => None,
        };
        let starts = match operation {
            Operation::Start(process) => Some(process).filter(|process| locals.takes_part[process.index()]),
            _ => None,
        };
        let acts = acts(&mut locals.effects, role, operation, &must);
        let mut effects: Vec<_> = acts.iter().map(|act| locals.effects.of(role, act)).collect();
        effects.sort_unstable();
        effects.dedup();
        effects.retain(|effect| *effect != EffectId::NONE);
        if takes.is_none() && starts.is_none() && effects.is_empty() {
            return Vec::new();
        }
        vec![self.ops.insert_full(FutureOperation { takes, effects: effects.into(), starts, must }).0]
    }

    /// Computes the operations from each node on from those of single nodes, as a least fixed point.
    fn close(
        &mut self,
        locals: &LocalStates<'_>,
        nodes: &[NodeId],
        own: Vec<Vec<Vec<usize>>>,
        meter: &Meter,
    ) -> Result<(), StopReason> {
        let model = locals.model;
        let empty = FixedBitSet::with_capacity(self.ops.len());
        for _ in &own {
            self.from.push(sets(&empty, model.nodes().len(), meter)?);
        }
        let mut changed = true;
        while changed {
            changed = false;
            for (role, own) in own.iter().enumerate() {
                for node in nodes.iter().rev() {
                    let successors = model.successors(*node);
                    meter.work_of(1 + successors.len())?;
                    let mut all = empty.clone();
                    all.extend(own[node.index()].iter().copied());
                    for next in successors {
                        all.union_with(&self.from[role][next.index()]);
                    }
                    match model.node(*node).operation {
                        Operation::Call(callee) => {
                            all.union_with(&self.from[role][model.procedure(callee).entry().index()]);
                        }
                        Operation::Start(process) if locals.takes_part[process.index()] => {
                            let entry = model.procedure(model.process(process).body()).entry().index();
                            let roles = locals.effects.roles_of(process).map(|role| role.0);
                            for started in roles.chain([self.from.len() - 1]) {
                                all.union_with(&self.from[started][entry]);
                            }
                        }
                        _ => {}
                    }
                    if all != self.from[role][node.index()] {
                        self.from[role][node.index()] = all;
                        changed = true;
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns all operations.
    pub(super) fn ops(&self) -> impl Iterator<Item = &FutureOperation> {
        self.ops.iter()
    }

    pub(super) fn op(&self, op: u32) -> &FutureOperation {
        &self.ops[op as usize]
    }

    /// Returns the operations that a thread in this local state may still execute.
    pub(super) fn of(&mut self, locals: &LocalStates<'_>, id: LocalId) -> Rc<[u32]> {
        let place = id.0 as usize;
        if self.of.len() <= place {
            self.of.resize(locals.len(), None);
        }
        if let Some(known) = &self.of[place] {
            return known.clone();
        }
        let found: Rc<[u32]> = match locals.get(id) {
            LocalState::Retired(_) => Rc::new([]),
            LocalState::Running(running) => {
                let role = self.role(running.role);
                let mut all = self.from[role][running.thread.node.index()].clone();
                for call in &running.thread.calls {
                    for next in locals.model.successors(*call) {
                        all.union_with(&self.from[role][next.index()]);
                    }
                }
                all.ones().map(|op| op as u32).collect()
            }
        };
        self.of[place] = Some(found.clone());
        found
    }

    fn role(&self, role: Option<Role>) -> usize {
        role.map_or(self.from.len() - 1, |role| role.0)
    }

    /// Returns the operations of an instance of a process with this role, or with none.
    pub(super) fn of_process(&self, model: &Model, process: ProcessId, role: Option<Role>) -> Vec<u32> {
        let entry = model.procedure(model.process(process).body()).entry();
        self.from[self.role(role)][entry.index()].ones().map(|op| op as u32).collect()
    }

    /// Whether a thread, or one that it can start, may still end a phase.
    pub(super) fn can_advance(&mut self, locals: &LocalStates<'_>, id: LocalId, phase: Phase) -> bool {
        if let Some(known) = self.advance.get(&(id, phase)) {
            return *known;
        }
        let ops = self.of(locals, id);
        let mut effects = ops.iter().flat_map(|op| self.op(*op).effects.iter());
        let found = effects.any(|effect| locals.effects.advances(*effect, phase));
        self.advance.insert((id, phase), found);
        found
    }

    /// Whether a thread may still start this process, or any process if none is given.
    pub(super) fn can_start(&mut self, locals: &LocalStates<'_>, id: LocalId, process: Option<ProcessId>) -> bool {
        let ops = self.of(locals, id);
        ops.iter().any(|op| {
            let starts = self.op(*op).starts;
            starts.is_some() && (process.is_none() || starts == process)
        })
    }
}

/// Returns the nodes of all procedures reachable from the processes that take part.
fn reached(model: &Model, takes_part: &[bool]) -> Vec<NodeId> {
    let bodies = taking_part(takes_part).map(|process| model.process(process).body());
    let mut is_reached = vec![false; model.procedures().len()];
    for procedure in model.call_graph().reachable(bodies) {
        is_reached[procedure.index()] = true;
    }
    model.nodes().filter(|(_, node)| is_reached[node.procedure.index()]).map(|(id, _)| id).collect()
}

/// Returns the acts that automata may see of an operation, inside and outside of units.
fn acts(effects: &mut Effects<'_>, role: Option<Role>, operation: Operation, must: &HeldLocks) -> Vec<Act> {
    let accesses =
        |access: Access, location| [false, true].map(|in_unit| Act::Access { access, location, in_unit }).to_vec();
    match operation {
        Operation::Read(location) => accesses(Access::Read, location),
        Operation::Write(location) => accesses(Access::Write, location),
        Operation::Begin => vec![Act::Begin, Act::Other],
        Operation::End => vec![Act::End, Act::Other],
        Operation::Acquire(lock, mode) => wanting(effects, role, (lock, mode), must),
        Operation::Resume(lock) => wanting(effects, role, (lock, Mode::Write), must),
        Operation::Skip => Vec::new(),
        Operation::Release(..) | Operation::Wait(_) | Operation::Call(_) | Operation::Return | Operation::Start(_) => {
            vec![Act::Other]
        }
    }
}

/// Returns all acts of wanting a lock, one for each relevant set of held locks that contains the certainly held ones.
///
/// An action of an automaton names one held lock, so a lock that makes no difference alone makes none together with
/// others.
fn wanting(effects: &mut Effects<'_>, role: Option<Role>, wanted: (LockId, Mode), must: &HeldLocks) -> Vec<Act> {
    let mut all = vec![Act::Other];
    if !effects.speaks_of_wanting() {
        return all;
    }
    let want = |held| Act::Wants { lock: Some(wanted.0), mode: wanted.1, held };
    let alone = effects.of(role, &want(Vec::new()));
    let mut sets: Vec<Vec<(LockId, Mode)>> = vec![Vec::new()];
    for named in effects.named_locks().iter().filter(|named| **named != wanted.0) {
        let mut matters = |mode| effects.of(role, &want(vec![(*named, mode)])) != alone;
        if !matters(Mode::Read) && !matters(Mode::Write) {
            continue;
        }
        let known = must.iter().find(|(own, _)| own == named).map(|(_, mode)| *mode);
        let modes = [None, Some(Mode::Read), Some(Mode::Write)].into_iter().filter(|mode| *mode >= known);
        let with = |mode: Option<Mode>| {
            let more = move |set: &Vec<_>| set.iter().copied().chain(mode.map(|mode| (*named, mode))).collect();
            sets.iter().map(more).collect::<Vec<Vec<_>>>()
        };
        sets = modes.flat_map(with).collect();
    }
    all.extend(sets.into_iter().map(want));
    all
}

/// Returns `count` copies of a set, made within the limits.
fn sets(set: &FixedBitSet, count: usize, meter: &Meter) -> Result<Vec<FixedBitSet>, StopReason> {
    let mut sets = Vec::with_capacity(count);
    for _ in 0..count {
        meter.work_of(1)?;
        sets.push(set.clone());
    }
    Ok(sets)
}
