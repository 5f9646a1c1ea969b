//! The control-flow graph of a method's clone while it grows.

use super::exits::Exit;
use super::value::{Location, Lock};
use crate::model::Mode;
use std::collections::BTreeSet;

/// The number of a clone: a method with the values of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct CloneId(pub(super) u32);

impl CloneId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Step {
    /// Nothing.
    Skip,
    Read(Location),
    Write(Location),
    Acquire(Lock, Mode),
    Release(Lock, Mode),
    /// Releases a lock that a caller has acquired: of those that the clone releases for its callers, the one of this number.
    Close(Lock, Mode, u8),
    /// Gives a lock up and gets it back.
    Wait(Lock),
    /// Calls a clone, and comes out of it by an exit; see `exits`.
    Call(CloneId, Exit),
    /// Calls a clone that leaves other locks open than it finds, and comes out of it in one of its ways; see `locks`.
    Through(Through),
    /// Starts a thread that runs a clone; program mode.
    Start(CloneId),
    /// Waits until other threads have ended; program mode.
    Join,
    /// A loop begins anew, with nothing open: a unit of work that is the method's body ends here, and another begins.
    Cut,
    /// Leaves the clone.
    Return(Exit),
    /// Leaves the clone in a way in which other locks are open than at its beginning.
    Leave(WayId, Exit),
}

/// A call of a clone that is copied into its caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Through {
    pub(super) callee: CloneId,
    /// How control comes out of it.
    pub(super) way: WayId,
    pub(super) exit: Exit,
    /// How many locks the caller has open itself that the callee could close.
    pub(super) open: u8,
    /// How many locks of its own callers the caller has closed before.
    pub(super) closed: u8,
}

/// The number of a way out of a clone; 0 is the one at which the same locks are open as at its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct WayId(pub(super) u8);

impl WayId {
    /// The same locks are open as at the beginning.
    pub(super) const PLAIN: Self = Self(0);
}

impl Step {
    /// The clone that it runs, in this thread or in another one.
    pub(super) fn callee(self) -> Option<CloneId> {
        match self {
            Self::Start(callee) => Some(callee),
            step => step.called(),
        }
    }

    /// The clone that it runs in this thread.
    pub(super) fn called(self) -> Option<CloneId> {
        match self {
            Self::Call(callee, _) | Self::Through(Through { callee, .. }) => Some(callee),
            Self::Skip | Self::Read(_) | Self::Write(_) | Self::Acquire(..) | Self::Release(..) | Self::Close(..) => {
                None
            }
            Self::Wait(_) | Self::Start(_) | Self::Join | Self::Cut | Self::Return(_) | Self::Leave(..) => None,
        }
    }
}

/// A node and where control goes from it.
#[derive(Clone, Debug)]
pub(super) struct FlowNode {
    pub(super) step: Step,
    pub(super) line: u32,
    pub(super) next: Vec<usize>,
}

/// A graph; control enters at node 0.
#[derive(Clone, Debug, Default)]
pub(super) struct Flow {
    pub(super) nodes: Vec<FlowNode>,
    /// Nodes behind which a way on is left out, as a round of a loop without effect ends there.
    pub(super) left_out: BTreeSet<usize>,
    /// The nodes at which such rounds begin.
    pub(super) rounds: BTreeSet<usize>,
}

impl Flow {
    /// Adds a node.
    pub(super) fn add(&mut self, step: Step, line: u32) -> usize {
        self.nodes.push(FlowNode { step, line, next: Vec::new() });
        self.nodes.len() - 1
    }

    /// Control can go from one node to another.
    pub(super) fn connect(&mut self, from: usize, to: usize) {
        if !self.nodes[from].next.contains(&to) {
            self.nodes[from].next.push(to);
        }
    }

    /// Adds nodes for steps behind a node, and gives the last one.
    pub(super) fn chain(&mut self, mut from: usize, steps: &[Step], line: u32) -> usize {
        for step in steps {
            let node = self.add(*step, line);
            self.connect(from, node);
            from = node;
        }
        from
    }

    /// Drops the edges to nodes from which control can only get to where a way on is left out. Linear in the edges.
    ///
    /// An execution that has come to such a node can go on to the end of its round, as nobody can stop it there; so what it has done
    /// since the round began has no effect. What it has done before has: if the method never gets out of the loop, it stays at its head.
    pub(super) fn drop_left_out(&mut self) {
        let mut predecessors = vec![Vec::new(); self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate() {
            node.next.iter().for_each(|next| predecessors[*next].push(index));
        }
        let mut open: Vec<usize> =
            self.left_out.difference(&self.rounds).copied().filter(|node| self.nodes[*node].next.is_empty()).collect();
        while let Some(dead) = open.pop() {
            for before in std::mem::take(&mut predecessors[dead]) {
                let next = &mut self.nodes[before].next;
                next.retain(|node| *node != dead);
                if next.is_empty() && !self.rounds.contains(&before) {
                    open.push(before);
                }
            }
        }
    }
}
