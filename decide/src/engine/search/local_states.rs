//! The local states of threads: interned, with their steps computed once.
//!
//! A *local state* is the private state of a thread: its process, its role (the thread of the automaton that it plays),
//! its node, stack, held locks and open units. It is stored once, however many global states contain it, and so are its
//! steps. A global state is a phase and a number for each thread. Equal numbers stand for equal local states, so this
//! is exact.
//!
//! The instant of wanting a lock is a step of its own only if that can matter to the automaton. It is *implied* if it
//! takes no transition and every phase that allows the acquisition after it allows it, too. Then it can happen right
//! before the acquisition in each run that has the acquisition: it changes nothing but the phase, which stays. And in a
//! run with such an instant, at any earlier time, all other steps remain possible without it. So implied instants are
//! left out.

use super::effects::{EffectId, Effects, Role};
use super::participants::participants;
use crate::query::Query;
use crate::semantics::{Effect, LockChange, ThreadState};
use eml::model::{LockId, Mode, Model, NodeId, Operation, ProcessId};
use indexmap::IndexSet;
use limits::{Meter, StopReason};
use rustc_hash::FxBuildHasher;

/// An interned local state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct LocalId(pub(super) u32);

/// A step of a local state: its index in the table of all steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct StepId(pub(super) u32);

/// The private state of a thread.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum LocalState {
    /// A running thread.
    Running(Running),
    /// A thread that had this role, does nothing any more, and holds no lock.
    Retired(Role),
}

/// A thread that has not ended.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Running {
    pub(super) process: ProcessId,
    pub(super) role: Option<Role>,
    pub(super) thread: ThreadState,
    /// Whether it stands right before the acquisition of a lock, after the instant of wanting it.
    pub(super) wants: bool,
}

/// A next step of a thread: one node, with one of its successors.
#[derive(Clone, Debug)]
pub(super) struct Step {
    pub(super) from: LocalId,
    pub(super) node: NodeId,
    /// Whether it is the instant of wanting before the node.
    pub(super) wants: bool,
    pub(super) lock: LockChange,
    pub(super) effect: EffectId,
    /// The started process, if it takes part: if it can play a role or start a process that can.
    pub(super) starts: Option<ProcessId>,
    pub(super) after: LocalId,
}

/// The memoized facts about a local state.
#[derive(Clone, Debug, Default)]
struct Known {
    /// The locks that it holds.
    held: Box<[(LockId, Mode)]>,
    /// Its steps, once they are computed: the first index, and the index after the last.
    steps: Option<(u32, u32)>,
    /// Whether the bound on stacks cuts off a step.
    is_cut: bool,
}

/// The local states of a model and their steps.
#[derive(Clone, Debug)]
pub(super) struct LocalStates<'a> {
    pub(super) model: &'a Model,
    pub(super) effects: Effects<'a>,
    /// For each process: whether its instances take part.
    pub(super) takes_part: Vec<bool>,
    stack: usize,
    meter: &'a Meter,
    /// The limit that was reached while steps were computed. From then on local states have no new steps, so the search
    /// must not conclude anything.
    stopped: Option<StopReason>,
    states: IndexSet<LocalState, FxBuildHasher>,
    known: Vec<Known>,
    steps: Vec<Step>,
}

impl<'a> LocalStates<'a> {
    /// Creates the table for a model, with stacks of at most `stack` calls.
    pub(super) fn new(model: &'a Model, query: &'a Query, stack: usize, meter: &'a Meter) -> Result<Self, StopReason> {
        Ok(Self {
            model,
            effects: Effects::new(query),
            takes_part: participants(model, query, meter)?,
            stack,
            meter,
            stopped: None,
            states: IndexSet::default(),
            known: Vec::new(),
            steps: Vec::new(),
        })
    }

    /// Returns the initial local state of a process.
    pub(super) fn start(&mut self, process: ProcessId, role: Option<Role>) -> LocalId {
        let thread = ThreadState::start(self.model, process);
        self.running(Running { process, role, thread, wants: false })
    }

    /// Returns the local state of a thread with this role that does nothing any more.
    pub(super) fn retired(&mut self, role: Role) -> LocalId {
        self.intern(LocalState::Retired(role))
    }

    fn running(&mut self, mut running: Running) -> LocalId {
        running.thread.node = self.after_joins(running.thread.node);
        self.intern(LocalState::Running(running))
    }

    /// Returns the first node from this one on that is more than a point where control joins. A loop of such points
    /// stays where it is.
    fn after_joins(&self, node: NodeId) -> NodeId {
        let mut at = node;
        for _ in 0..64 {
            match (self.model.node(at).operation, self.model.successors(at)) {
                (Operation::Skip, [next]) => at = *next,
                _ => break,
            }
        }
        at
    }

    fn intern(&mut self, local: LocalState) -> LocalId {
        let (index, is_new) = self.states.insert_full(local);
        if is_new {
            let held = match &self.states[index] {
                LocalState::Running(running) => running.thread.open.locks().collect(),
                LocalState::Retired(_) => Box::default(),
            };
            self.known.push(Known { held, ..Known::default() });
        }
        LocalId(index as u32)
    }

    /// Checks that no limit was reached while steps were computed.
    ///
    /// # Errors
    /// If one was reached.
    pub(super) fn check(&self) -> Result<(), StopReason> {
        self.stopped.map_or(Ok(()), Err)
    }

    /// Returns the number of local states.
    pub(super) fn len(&self) -> usize {
        self.states.len()
    }

    pub(super) fn get(&self, id: LocalId) -> &LocalState {
        &self.states[id.0 as usize]
    }

    /// Returns the role of a local state.
    pub(super) fn role(&self, id: LocalId) -> Option<Role> {
        match self.get(id) {
            LocalState::Running(running) => running.role,
            LocalState::Retired(role) => Some(*role),
        }
    }

    /// Returns the held locks, with their modes.
    pub(super) fn held(&self, id: LocalId) -> &[(LockId, Mode)] {
        &self.known[id.0 as usize].held
    }

    /// Whether it holds this lock in a mode that excludes the given one.
    pub(super) fn excludes(&self, id: LocalId, lock: LockId, mode: Mode) -> bool {
        self.held(id).iter().any(|(held, own)| *held == lock && own.excludes(mode))
    }

    /// Whether the bound on stacks cuts off a step. Known once the steps are computed.
    pub(super) fn is_cut(&self, id: LocalId) -> bool {
        self.known[id.0 as usize].is_cut
    }

    pub(super) fn step(&self, id: StepId) -> &Step {
        &self.steps[id.0 as usize]
    }

    /// Returns the steps of a local state; those of one node are adjacent. None if a limit is reached: see
    /// [`check`](Self::check).
    pub(super) fn steps(&mut self, id: LocalId) -> impl Iterator<Item = StepId> + Clone + use<> {
        let (first, end) = match self.known[id.0 as usize].steps {
            Some(known) => known,
            None => self.compute(id).unwrap_or_else(|stop| {
                self.stopped = Some(stop);
                (0, 0)
            }),
        };
        (first..end).map(StepId)
    }

    fn compute(&mut self, id: LocalId) -> Result<(u32, u32), StopReason> {
        self.check()?;
        let mut found = Vec::new();
        if let LocalState::Running(running) = self.get(id).clone() {
            for node in running.thread.ready(self.model, self.meter)? {
                self.meter.work_of(1 + found.len())?;
                match self.instant(&running, node) {
                    Some(effect) => {
                        let thread = ThreadState { node, ..running.thread.clone() };
                        let after = self.running(Running { thread, wants: true, ..running.clone() });
                        let lock = LockChange::Nothing;
                        found.push(Step { from: id, node, wants: true, lock, effect, starts: None, after });
                    }
                    None => self.execute(id, &running, node, &mut found),
                }
            }
        }
        let first = self.steps.len() as u32;
        self.steps.append(&mut found);
        let range = (first, self.steps.len() as u32);
        self.known[id.0 as usize].steps = Some(range);
        Ok(range)
    }

    /// The effect of the instant of wanting right before a node, if it is a step of its own.
    fn instant(&mut self, running: &Running, node: NodeId) -> Option<EffectId> {
        if running.wants || !self.effects.speaks_of_wanting() {
            return None;
        }
        let (role, open, operation) = (running.role, &running.thread.open, self.model.node(node).operation);
        let instant = self.effects.of(role, &open.wants(operation)?);
        let acquisition = self.effects.of(role, &open.act(operation));
        (!self.effects.is_implied(instant, acquisition)).then_some(instant)
    }

    fn execute(&mut self, id: LocalId, running: &Running, node: NodeId, found: &mut Vec<Step>) {
        let is_call = matches!(self.model.node(node).operation, Operation::Call(_));
        if is_call && running.thread.calls.len() >= self.stack {
            self.known[id.0 as usize].is_cut = true;
            return;
        }
        let Effect { lock, act, starts, after } = running.thread.execute(self.model, node);
        if lock == LockChange::Never {
            return;
        }
        let effect = self.effects.of(running.role, &act);
        let starts = starts.filter(|process| self.takes_part[process.index()]);
        for thread in after {
            let after = self.running(Running { thread, wants: false, ..running.clone() });
            if !found.iter().any(|step| step.node == node && step.after == after) {
                found.push(Step { from: id, node, wants: false, lock, effect, starts, after });
            }
        }
    }
}
