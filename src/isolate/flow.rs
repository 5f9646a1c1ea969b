//! The control-flow graph of a method's clone while it grows.

use super::value::{Location, Lock};
use crate::model::Mode;

/// The number of a clone: a method with the values of its arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct CloneId(pub(super) u32);

impl CloneId {
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// What a node does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// Nothing.
    Skip,
    Read(Location),
    Write(Location),
    Acquire(Lock, Mode),
    Release(Lock, Mode),
    /// Gives a lock up and gets it back.
    Wait(Lock),
    Call(CloneId),
    /// Starts a thread that runs a clone; program mode.
    Start(CloneId),
    /// Waits until other threads have ended; program mode.
    Join,
    /// A loop begins anew, with nothing open: a unit of work that is the method's body ends here, and another begins.
    Cut,
    /// Leaves the clone.
    Return,
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

    /// Lets edges pass nodes that do nothing and have one successor. What is passed cannot be reached any more.
    pub(super) fn pass_skips(&mut self) {
        let ends: Vec<usize> = (0..self.nodes.len()).map(|node| self.end(node)).collect();
        for node in &mut self.nodes {
            node.next.iter_mut().for_each(|next| *next = ends[*next]);
            node.next.sort_unstable();
            node.next.dedup();
        }
    }

    /// Where control is after the skips from a node on, unless it never gets out of them.
    fn end(&self, start: usize) -> usize {
        let mut node = start;
        for _ in 0..self.nodes.len() {
            match (&self.nodes[node].step, &self.nodes[node].next[..]) {
                (Step::Skip, [next]) => node = *next,
                _ => return node,
            }
        }
        node
    }
}
