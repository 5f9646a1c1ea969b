//! The control-flow graph of a method context.

use super::ids::{ContextId, EffectId};
use crate::value::{Location, Lock, Value};
use eml::model::Mode;
use std::collections::{BTreeMap, BTreeSet};

/// The exit of a call or a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Exit {
    /// Any exit.
    Any,
    /// No exit.
    Never,
    /// An exception.
    Throws,
    /// A return of this value.
    Gives(Value),
}

impl Exit {
    /// Creates the exit of a return with this value, or of an exception.
    pub(crate) fn of(result: Option<Value>) -> Self {
        result.map_or(Self::Throws, Self::Gives)
    }
}

/// The step of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    /// No effect.
    Skip,
    /// Changes an object that is not followed, or has another effect that other threads may observe. It has no effect
    /// in a model, but makes a loop iteration effective.
    Local,
    Read(Location),
    Write(Location),
    Acquire(Lock, Mode),
    Release(Lock, Mode),
    /// Releases a lock that a caller has acquired; the number counts the locks that the context releases for its
    /// callers.
    ReleaseForCaller(Lock, Mode, u8),
    /// Waits on a lock: releases it and acquires it again.
    Wait(Lock),
    /// Calls a context that returns with an exit; see `exits`.
    Call(ContextId, Exit),
    /// Calls a context with a lock effect, which is copied into its caller.
    Inline(InlinedCall),
    /// Starts a thread that runs a context; program mode.
    Start(ContextId),
    /// Waits until other threads have ended; program mode.
    Join,
    /// The next iteration of a loop begins, with no lock held: a unit of work that is the method's body ends here, and
    /// another one begins.
    Cut,
    /// Exits from the context.
    Return(Exit),
    /// Exits from the context with a lock effect.
    ReturnWith(EffectId, Exit),
}

/// A call of a context that is copied into its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct InlinedCall {
    pub(crate) callee: ContextId,
    /// Its lock effect.
    pub(crate) effect: EffectId,
    pub(crate) exit: Exit,
    /// The number of locks held by the caller itself that the callee could release.
    pub(crate) open: u8,
    /// The number of locks of its own callers that the caller has released before.
    pub(crate) closed: u8,
}

impl Step {
    /// Returns the context that it runs, in this thread or in another one.
    pub(crate) fn callee(self) -> Option<ContextId> {
        match self {
            Self::Start(callee) => Some(callee),
            step => step.called(),
        }
    }

    /// Returns the context that it runs in this thread.
    pub(crate) fn called(self) -> Option<ContextId> {
        match self {
            Self::Call(callee, _) | Self::Inline(InlinedCall { callee, .. }) => Some(callee),
            Self::Skip | Self::Local | Self::Read(_) | Self::Write(_) | Self::Acquire(..) | Self::Release(..) => None,
            Self::ReleaseForCaller(..) | Self::Wait(_) | Self::Start(_) | Self::Join | Self::Cut => None,
            Self::Return(_) | Self::ReturnWith(..) => None,
        }
    }

    /// Returns the exit by which control leaves the context at this step.
    pub(crate) fn exit(self) -> Option<Exit> {
        match self {
            Self::Return(exit) | Self::ReturnWith(_, exit) => Some(exit),
            Self::Skip | Self::Local | Self::Read(_) | Self::Write(_) | Self::Acquire(..) | Self::Release(..) => None,
            Self::ReleaseForCaller(..) | Self::Wait(_) | Self::Call(..) | Self::Inline(_) | Self::Start(_) => None,
            Self::Join | Self::Cut => None,
        }
    }
}

/// A node with its successors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct FlowNode {
    pub(crate) step: Step,
    pub(crate) line: u32,
    pub(crate) next: Vec<usize>,
}

/// A graph; control enters at node 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flow {
    pub(crate) nodes: Vec<FlowNode>,
    /// Marked edges: for each node that is a state of a loop's head, the sources of back edges to it on which no live
    /// variable changes. That is: on every path from any state of the head to such an edge, without a state of the head
    /// in between, all live variables keep their values, and every change of an object that is not followed has a
    /// [`Step::Local`].
    pub(crate) marked_edges: BTreeMap<usize, BTreeSet<usize>>,
    /// The nodes that are states of loops' heads, each with the number of its loop in the method. A head that is not in
    /// this map has a single state.
    pub(crate) heads: BTreeMap<usize, u32>,
}

impl Flow {
    /// Adds a node.
    pub(crate) fn add(&mut self, step: Step, line: u32) -> usize {
        self.nodes.push(FlowNode { step, line, next: Vec::new() });
        self.nodes.len() - 1
    }

    /// Adds an edge, unless it exists.
    pub(crate) fn connect(&mut self, from: usize, to: usize) {
        if !self.nodes[from].next.contains(&to) {
            self.nodes[from].next.push(to);
        }
    }
}
