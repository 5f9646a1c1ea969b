//! What threads do: a model as a transition system.
//!
//! A thread stands at a node, with the calls around it that have not returned. It holds locks, each so many times, and has so many
//! units open. To execute the node changes that, may need a lock that nobody else holds, may start an instance, and may be
//! an action that automata see. How threads go together, and how the automaton moves, is left to whoever asks.
//!
//! The interleaving search, the scheduler of witnesses and their assembly are made on this view. The replay of witnesses is not:
//! it has an interpreter of its own, so that a mistake in here is noticed there.

use crate::model::{LocationId, LockId, Model, NodeId, Operation, ProcessId};
use phases::{Access, ActionKind};

/// What a thread has acquired and begun and not given back.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Open {
    /// The locks that it holds, and how often; at least once.
    held: Vec<(LockId, u32)>,
    /// How many units it has open.
    units: u32,
}

/// How a step changes which locks others find free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LockChange {
    /// Not at all.
    Nothing,
    /// The thread takes the lock, which it did not hold; nobody else may hold it.
    Takes(LockId),
    /// The thread gives the lock back.
    Gives(LockId),
}

impl Open {
    /// Nothing but perhaps a unit.
    pub(crate) fn only_unit(in_unit: bool) -> Self {
        Self { held: Vec::new(), units: u32::from(in_unit) }
    }

    /// Whether the thread holds the lock.
    pub(crate) fn holds(&self, lock: LockId) -> bool {
        self.held.iter().any(|(own, _)| *own == lock)
    }

    /// The locks that the thread holds, in the order in which it took them.
    pub(crate) fn locks(&self) -> impl Iterator<Item = LockId> {
        self.held.iter().map(|(lock, _)| *lock)
    }

    /// Whether the thread is in a unit.
    pub(crate) fn in_unit(&self) -> bool {
        self.units > 0
    }

    /// The action that automata see when the operation is executed now.
    pub(crate) fn action(&self, operation: Operation) -> Option<ActionKind<LocationId>> {
        let access = |access, location| Some(ActionKind::Access { access, location, in_unit: self.in_unit() });
        match operation {
            Operation::Read(location) => access(Access::Read, location),
            Operation::Write(location) => access(Access::Write, location),
            Operation::Begin => (self.units == 0).then_some(ActionKind::Begin),
            Operation::End => (self.units == 1).then_some(ActionKind::End),
            Operation::Skip
            | Operation::Acquire(_)
            | Operation::Release(_)
            | Operation::Call(_)
            | Operation::Return
            | Operation::Start(_) => None,
        }
    }

    /// Executes an operation.
    pub(crate) fn execute(&mut self, operation: Operation) -> LockChange {
        match operation {
            Operation::Acquire(lock) => return self.acquire(lock),
            Operation::Release(lock) => return self.release(lock),
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

    fn acquire(&mut self, lock: LockId) -> LockChange {
        if let Some((_, count)) = self.held.iter_mut().find(|(own, _)| *own == lock) {
            *count += 1;
            return LockChange::Nothing;
        }
        self.held.push((lock, 1));
        LockChange::Takes(lock)
    }

    fn release(&mut self, lock: LockId) -> LockChange {
        let Some(place) = self.held.iter().position(|(own, _)| *own == lock) else { return LockChange::Nothing };
        self.held[place].1 -= 1;
        if self.held[place].1 > 0 {
            return LockChange::Nothing;
        }
        self.held.remove(place);
        LockChange::Gives(lock)
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
    /// The action that automata see.
    pub(crate) action: Option<ActionKind<LocationId>>,
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
        let (action, lock) = (self.open.action(operation), after.open.execute(operation));
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
            | Operation::Acquire(_)
            | Operation::Release(_)
            | Operation::Begin
            | Operation::End => model.successors(node),
        };
        let after = next.iter().map(|next| Self { node: *next, ..after.clone() }).collect();
        Effect { lock, action, starts, after }
    }

    /// Where the function begins that is called.
    fn entered(model: &Model, operation: Operation) -> Option<NodeId> {
        if let Operation::Call(callee) = operation { Some(model.procedure(callee).entry()) } else { None }
    }
}
