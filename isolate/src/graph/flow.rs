//! The control-flow graph of a method context.

use super::ids::{ContextId, EffectId};
use crate::value::{Location, Lock, Value};
use eml::model::Mode;
use std::collections::{BTreeMap, BTreeSet};

/// How control comes out of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Exit {
    /// In any way.
    Any,
    /// Not at all.
    Never,
    /// It throws.
    Throws,
    /// It gives this.
    Gives(Value),
}

impl Exit {
    /// By which a context is left that gives this, or throws.
    pub(crate) fn of(result: Option<Value>) -> Self {
        result.map_or(Self::Throws, Self::Gives)
    }
}

/// What a node does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Step {
    /// Nothing.
    Skip,
    /// Changes an object that is not followed, or does what others see in another way. It is nothing in a model, but a
    /// loop with it has an effect.
    Local,
    Read(Location),
    Write(Location),
    Acquire(Lock, Mode),
    Release(Lock, Mode),
    /// Releases a lock that a caller has acquired: of those that the context releases for its callers, the one of this
    /// number.
    ReleaseForCaller(Lock, Mode, u8),
    /// Gives a lock up and gets it back.
    Wait(Lock),
    /// Calls a context, and comes out of it by an exit; see `exits`.
    Call(ContextId, Exit),
    /// Calls a context that leaves other locks held than it finds, and comes out of it with one of its lock effects.
    Inline(InlinedCall),
    /// Starts a thread that runs a context; program mode.
    Start(ContextId),
    /// Waits until other threads have ended; program mode.
    Join,
    /// A loop begins anew, with no lock held: a unit of work that is the method's body ends here, and another begins.
    Cut,
    /// Leaves the context.
    Return(Exit),
    /// Leaves the context with other locks held than at its beginning.
    ReturnWith(EffectId, Exit),
}

/// A call of a context that is copied into its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct InlinedCall {
    pub(crate) callee: ContextId,
    /// How control comes out of it.
    pub(crate) effect: EffectId,
    pub(crate) exit: Exit,
    /// How many locks the caller holds itself that the callee could release.
    pub(crate) open: u8,
    /// How many locks of its own callers the caller has released before.
    pub(crate) closed: u8,
}

impl Step {
    /// The context that it runs, in this thread or in another one.
    pub(crate) fn callee(self) -> Option<ContextId> {
        match self {
            Self::Start(callee) => Some(callee),
            step => step.called(),
        }
    }

    /// The context that it runs in this thread.
    pub(crate) fn called(self) -> Option<ContextId> {
        match self {
            Self::Call(callee, _) | Self::Inline(InlinedCall { callee, .. }) => Some(callee),
            Self::Skip | Self::Local | Self::Read(_) | Self::Write(_) | Self::Acquire(..) | Self::Release(..) => None,
            Self::ReleaseForCaller(..) | Self::Wait(_) | Self::Start(_) | Self::Join | Self::Cut => None,
            Self::Return(_) | Self::ReturnWith(..) => None,
        }
    }

    /// By which exit control leaves the context here.
    pub(crate) fn exit(self) -> Option<Exit> {
        match self {
            Self::Return(exit) | Self::ReturnWith(_, exit) => Some(exit),
            Self::Skip | Self::Local | Self::Read(_) | Self::Write(_) | Self::Acquire(..) | Self::Release(..) => None,
            Self::ReleaseForCaller(..) | Self::Wait(_) | Self::Call(..) | Self::Inline(_) | Self::Start(_) => None,
            Self::Join | Self::Cut => None,
        }
    }
}

/// A node and where control goes from it.
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
    /// Marked edges: for nodes that are states of a loop's head, the nodes with an edge back to them on which no live
    /// variable gets another value. That is: if control comes from any state of the head to such an edge, without
    /// passing a state of the head in between, then all live variables have the values that they had there, and what
    /// has changed in objects that are not followed has a [`Step::Local`] on the way.
    pub(crate) marked_edges: BTreeMap<usize, BTreeSet<usize>>,
    /// The nodes that are states of loops' heads, each with a number that tells the loops of the method apart. What is
    /// not here is the only state of its head.
    pub(crate) heads: BTreeMap<usize, u32>,
}

impl Flow {
    /// Adds a node.
    pub(crate) fn add(&mut self, step: Step, line: u32) -> usize {
        self.nodes.push(FlowNode { step, line, next: Vec::new() });
        self.nodes.len() - 1
    }

    /// Control can go from one node to another.
    pub(crate) fn connect(&mut self, from: usize, to: usize) {
        if !self.nodes[from].next.contains(&to) {
            self.nodes[from].next.push(to);
        }
    }
}
