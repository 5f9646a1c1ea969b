//! What threads do: a model as a transition system.
//!
//! A thread stands at a node, with the calls around it that have not returned. It holds locks, each so many times, and
//! has so many units open. To execute the node changes that, may need a lock that nobody else holds, may start an
//! instance, and may be an action that automata see. How threads go together, and how the automaton moves, is left to
//! whoever asks.
//!
//! The interleaving search, the scheduler of witnesses and their assembly are made on this view. The replay of
//! witnesses is not: it has an interpreter of its own, so that a mistake in here is noticed there.

use eml::model::{LocationId, LockId, Mode, Model, NodeId, Operation, ProcessId};
use phases::{Access, ActionKind};

/// What automata see of a step, in terms of the model.
pub(crate) type Act = phases::Step<LocationId, LockId>;

/// An action of an automaton, in terms of the model.
pub(crate) type ModelAction = ActionKind<LocationId, LockId>;

/// A lock that a thread has acquired and not given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Acquired {
    lock: LockId,
    /// How often it was acquired in each mode; a plain lock in write mode only.
    reads: u32,
    writes: u32,
}

impl Acquired {
    /// How others see it: once it is acquired in write mode, it is held in write mode.
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

/// What a thread has acquired and begun and not given back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Open {
    /// In the order in which it took them.
    acquired: Vec<Acquired>,
    /// Among them, one that it has given up to wait and not got back yet.
    waiting: Option<LockId>,
    /// How many units it has open.
    units: u32,
}

/// How a step changes which locks others find free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LockChange {
    /// Not at all.
    Nothing,
    /// The thread takes the lock in this mode, which it did not hold; nobody else may hold it in a mode that excludes
    /// this.
    Takes(LockId, Mode),
    /// The thread gives the lock back, which it held in this mode.
    Gives(LockId, Mode),
    /// The step is never possible: the thread waits for ever.
    Never,
}

impl Open {
    /// Nothing but perhaps a unit.
    pub(crate) fn only_unit(in_unit: bool) -> Self {
        Self { units: u32::from(in_unit), ..Self::default() }
    }

    /// The mode in which the thread holds a lock, if it does.
    pub(crate) fn holds(&self, lock: LockId) -> Option<Mode> {
        self.locks().find(|(own, _)| *own == lock).map(|(_, mode)| mode)
    }

    /// The locks that the thread holds, in the order in which it took them, with the modes in which it does.
    pub(crate) fn locks(&self) -> impl Iterator<Item = (LockId, Mode)> {
        let held = self.acquired.iter().filter(|own| self.waiting != Some(own.lock));
        held.map(|own| (own.lock, own.mode()))
    }

    /// Whether the thread is in a unit.
    pub(crate) fn in_unit(&self) -> bool {
        self.units > 0
    }

    /// What automata see when the operation is executed now.
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

    /// What automata see right before the operation, if it takes a lock.
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
        // Of what a caller holds nothing may be known: then an acquisition may have been counted as one that is never
        // possible.
        let count = own.count(mode);
        *count = count.saturating_sub(1);
        if own.reads + own.writes > 0 {
            // By nesting, the reads inside of a write are released before it.
            return LockChange::Nothing;
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
    /// What it executes next, perhaps behind branching points.
    pub(crate) node: NodeId,
    /// The calls that have not returned.
    pub(crate) calls: Vec<NodeId>,
    pub(crate) open: Open,
}

/// What executing a node does.
#[derive(Clone, Debug)]
pub(crate) struct Effect {
    /// How others see it.
    pub(crate) lock: LockChange,
    /// What automata see.
    pub(crate) act: Act,
    /// The process of which an instance is started.
    pub(crate) starts: Option<ProcessId>,
    /// The states of the thread that can come after; none at the end of the process.
    pub(crate) after: Vec<ThreadState>,
}

impl ThreadState {
    /// The beginning of a process.
    pub(crate) fn start(model: &Model, process: ProcessId) -> Self {
        let node = model.procedure(model.process(process).body()).entry();
        Self { node, calls: Vec::new(), open: Open::default() }
    }

    /// The nodes other than branching points that can be executed next.
    pub(crate) fn ready(&self, model: &Model) -> Vec<NodeId> {
        let mut seen = vec![self.node];
        let mut next = 0;
        while let Some(node) = seen.get(next).copied() {
            if model.node(node).operation == Operation::Skip {
                let new = model.successors(node).iter().filter(|node| !seen.contains(node)).copied();
                seen.extend(new.collect::<Vec<_>>());
            }
            next += 1;
        }
        seen.retain(|node| model.node(*node).operation != Operation::Skip);
        seen
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

    /// Where the function begins that is called.
    fn entered(model: &Model, operation: Operation) -> Option<NodeId> {
        if let Operation::Call(callee) = operation { Some(model.procedure(callee).entry()) } else { None }
    }
}
