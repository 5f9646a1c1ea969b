//! The semantics of models: a thread as a transition system.
//!
//! The state of a thread is a node and the calls that have not returned, the locks that it holds, each with the numbers
//! of acquisitions, and the number of open units. Executing the node changes this state. It may need a lock that no
//! other thread holds, may start an instance, and may be an action that automata see. The user of this module combines
//! threads and moves the automaton.
//!
//! The interleaving search, the scheduler of witnesses and their assembly use this module. The replay of witnesses does
//! not: it has an interpreter of its own, so that it detects a mistake here.

use eml::model::{LocationId, LockId, Mode, Model, NodeId, Operation, ProcessId};
use indexmap::IndexSet;
use limits::{Meter, StopReason};
use phases::{Access, ActionKind};
use rustc_hash::FxBuildHasher;

/// A step as automata see it, in terms of the model.
pub(crate) type Act = phases::Step<LocationId, LockId>;

/// An action of an automaton, in terms of the model.
pub(crate) type ModelAction = ActionKind<LocationId, LockId>;

/// A lock that a thread has acquired and not released.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Acquired {
    lock: LockId,
    /// The numbers of acquisitions in each mode; a plain lock has those in write mode only.
    reads: u32,
    writes: u32,
}

impl Acquired {
    /// The mode that others see: once it is acquired in write mode, it is held in write mode.
    fn mode(&self) -> Mode {
        if self.writes > 0 { Mode::Write } else { Mode::Read }
    }

    fn count(&mut self, mode: Mode) -> &mut u32 {
        match mode {
            Mode::Read => &mut self.reads,
            Mode::Write => &mut self.writes,
        }
    }
}

/// The locks that a thread has acquired and not released, and its open units.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct OpenBlocks {
    /// In the order of their first acquisitions.
    acquired: Vec<Acquired>,
    /// The lock among them that the thread has released to wait for it, until it resumes.
    waiting: Option<LockId>,
    /// The number of open units.
    units: u32,
}

/// The effect of a step on the locks that others find free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LockChange {
    /// No change.
    Nothing,
    /// The thread takes the lock in this mode and did not hold it before. No other thread may hold it in a mode that
    /// excludes this one.
    Takes(LockId, Mode),
    /// The thread releases the lock, which it held in this mode.
    Gives(LockId, Mode),
    /// The thread keeps the lock in read mode, which it held in write mode before.
    Lowers(LockId),
    /// The step is never possible: the thread blocks for ever.
    Never,
}

impl OpenBlocks {
    /// No locks, and a unit if `in_unit`.
    pub(crate) fn only_unit(in_unit: bool) -> Self {
        Self { units: u32::from(in_unit), ..Self::default() }
    }

    /// The mode in which the thread holds a lock, if it does.
    pub(crate) fn holds(&self, lock: LockId) -> Option<Mode> {
        self.locks().find(|(own, _)| *own == lock).map(|(_, mode)| mode)
    }

    /// The locks that the thread holds, with their modes, in the order of their first acquisitions.
    pub(crate) fn locks(&self) -> impl Iterator<Item = (LockId, Mode)> {
        let held = self.acquired.iter().filter(|own| self.waiting != Some(own.lock));
        held.map(|own| (own.lock, own.mode()))
    }

    /// Whether the thread is in a unit.
    pub(crate) fn in_unit(&self) -> bool {
        self.units > 0
    }

    /// The operation as automata see it, if it is executed now.
    pub(crate) fn act(&self, operation: Operation) -> Act {
        let access = |access, location| Act::Access { access, location, in_unit: self.in_unit() };
        match operation {
            Operation::Read(location) => access(Access::Read, location),
            Operation::Write(location) => access(Access::Write, location),
            Operation::Begin if self.units == 0 => Act::Begin,
            Operation::End if self.units == 1 => Act::End,
            Operation::Begin
            | Operation::End
            | Operation::Skip
            | Operation::Acquire(..)
            | Operation::Release(..)
            | Operation::Wait(_)
            | Operation::Resume(_)
            | Operation::Call(_)
            | Operation::Return
            | Operation::Start(_) => Act::Other,
        }
    }

    /// The instant right before the operation as automata see it, if the operation takes a lock.
    pub(crate) fn wants(&self, operation: Operation) -> Option<Act> {
        let (lock, mode) = match operation {
            Operation::Acquire(lock, mode) if self.holds(lock).is_none() => (lock, mode),
            Operation::Resume(lock) => (lock, Mode::Write),
            Operation::Acquire(..)
            | Operation::Skip
            | Operation::Read(_)
            | Operation::Write(_)
            | Operation::Release(..)
            | Operation::Wait(_)
            | Operation::Begin
            | Operation::End
            | Operation::Call(_)
            | Operation::Return
            | Operation::Start(_) => return None,
        };
        Some(Act::Wants { lock: Some(lock), mode, held: self.locks().collect() })
    }

    /// Executes an operation.
    pub(crate) fn execute(&mut self, operation: Operation) -> LockChange {
        match operation {
            Operation::Acquire(lock, mode) => return self.acquire(lock, mode),
            Operation::Release(lock, mode) => return self.release(lock, mode),
            Operation::Wait(lock) => return self.wait(lock),
            Operation::Resume(lock) => {
                self.waiting = None;
                return LockChange::Takes(lock, Mode::Write);
            }
            Operation::Begin => self.units += 1,
            Operation::End => self.units -= 1,
            Operation::Skip
            | Operation::Read(_)
            | Operation::Write(_)
            | Operation::Call(_)
            | Operation::Return
            | Operation::Start(_) => {}
        }
        LockChange::Nothing
    }

    fn acquire(&mut self, lock: LockId, mode: Mode) -> LockChange {
        let Some(own) = self.acquired.iter_mut().find(|own| own.lock == lock) else {
            let mut own = Acquired { lock, reads: 0, writes: 0 };
            *own.count(mode) = 1;
            self.acquired.push(own);
            return LockChange::Takes(lock, mode);
        };
        if (own.mode(), mode) == (Mode::Read, Mode::Write) {
            return LockChange::Never;
        }
        *own.count(mode) += 1;
        LockChange::Nothing
    }

    fn release(&mut self, lock: LockId, mode: Mode) -> LockChange {
        let Some(place) = self.acquired.iter().position(|own| own.lock == lock) else { return LockChange::Nothing };
        let own = &mut self.acquired[place];
        let held = own.mode();
        // The locks of the callers may be unknown. Then an acquisition may have been counted as one that is never
        // possible.
        let count = own.count(mode);
        *count = count.saturating_sub(1);
        if own.reads + own.writes > 0 {
            let is_lowered = (held, own.mode()) == (Mode::Write, Mode::Read);
            return if is_lowered { LockChange::Lowers(lock) } else { LockChange::Nothing };
        }
        self.acquired.remove(place);
        LockChange::Gives(lock, held)
    }

    fn wait(&mut self, lock: LockId) -> LockChange {
        if self.holds(lock).is_none() {
            return LockChange::Never;
        }
        self.waiting = Some(lock);
        LockChange::Gives(lock, Mode::Write)
    }
}

/// A thread at some point of its run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct ThreadState {
    /// The next node, perhaps after branching points.
    pub(crate) node: NodeId,
    /// The calls that have not returned.
    pub(crate) calls: Vec<NodeId>,
    pub(crate) open: OpenBlocks,
}

/// The effect of executing a node.
#[derive(Clone, Debug)]
pub(crate) struct Effect {
    /// The effect on locks, as others see it.
    pub(crate) lock: LockChange,
    /// The step as automata see it.
    pub(crate) act: Act,
    /// The process whose instance is started.
    pub(crate) starts: Option<ProcessId>,
    /// The possible next states of the thread; none at the end of the process.
    pub(crate) after: Vec<ThreadState>,
}

impl ThreadState {
    /// The initial state of an instance of a process.
    pub(crate) fn start(model: &Model, process: ProcessId) -> Self {
        let node = model.procedure(model.process(process).body()).entry();
        Self { node, calls: Vec::new(), open: OpenBlocks::default() }
    }

    /// The nodes that can be executed next, after any branching points. Linear in the number of these points.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn ready(&self, model: &Model, meter: &Meter) -> Result<Vec<NodeId>, StopReason> {
        let is_branching = |node: &NodeId| model.node(*node).operation == Operation::Skip;
        if !is_branching(&self.node) {
            return Ok(vec![self.node]);
        }
        let mut seen: IndexSet<NodeId, FxBuildHasher> = IndexSet::default();
        seen.insert(self.node);
        let mut next = 0;
        while let Some(node) = seen.get_index(next).copied() {
            meter.work_of(1)?;
            if is_branching(&node) {
                seen.extend(model.successors(node));
            }
            next += 1;
        }
        Ok(seen.into_iter().filter(|node| !is_branching(node)).collect())
    }

    /// Executes one of the nodes that are ready.
    pub(crate) fn execute(&self, model: &Model, node: NodeId) -> Effect {
        let operation = model.node(node).operation;
        let mut after = self.clone();
        let (act, lock) = (self.open.act(operation), after.open.execute(operation));
        let (mut starts, entry) = (None, Self::entered(model, operation));
        let next = match operation {
            Operation::Call(_) => {
                after.calls.push(node);
                entry.as_slice()
            }
            Operation::Return => after.calls.pop().map_or(&[][..], |call| model.successors(call)),
            Operation::Start(process) => {
                starts = Some(process);
                model.successors(node)
            }
            Operation::Skip
            | Operation::Read(_)
            | Operation::Write(_)
            | Operation::Acquire(..)
            | Operation::Release(..)
            | Operation::Wait(_)
            | Operation::Resume(_)
            | Operation::Begin
            | Operation::End => model.successors(node),
        };
        let after = next.iter().map(|next| Self { node: *next, ..after.clone() }).collect();
        Effect { lock, act, starts, after }
    }

    /// The entry of the called function, if the operation is a call.
    fn entered(model: &Model, operation: Operation) -> Option<NodeId> {
        if let Operation::Call(callee) = operation { Some(model.procedure(callee).entry()) } else { None }
    }
}
