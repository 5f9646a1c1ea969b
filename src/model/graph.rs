//! Control-flow graphs: what a procedure does, node by node.
//!
//! A node holds one operation; executing it moves control to any one of the node's successors. Blocks, labels and
//! jumps are gone: leaving a `sync` or `atomic` block has become explicit `Release` and `End` operations, innermost
//! first. A node without successors ends the procedure (`Return`) or can never be left.

use super::ids::{LocationId, LockId, NodeId, OpenedId, ProcedureId, ProcessId};
use crate::eml::Position;
use phases::Mode;

/// What a node does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Nothing: `skip`, and the points where control branches or joins.
    Skip,
    /// Reads a location.
    Read(LocationId),
    /// Writes a location.
    Write(LocationId),
    /// Acquires a lock, which the process may hold already, in a mode; a plain lock in write mode.
    Acquire(LockId, Mode),
    /// Gives up one acquisition of a lock in a mode.
    Release(LockId, Mode),
    /// Gives a plain lock up completely, however often it was acquired; the only successor is the `Resume` of the
    /// same lock. A process that does not hold the lock stays here for ever.
    Wait(LockId),
    /// Acquires a lock that was given up by `Wait` again, as often as it was held before.
    Resume(LockId),
    /// Enters a unit of work, perhaps inside another.
    Begin,
    /// Leaves the innermost unit of work.
    End,
    /// Calls a function; the successors are where control goes after its return.
    Call(ProcedureId),
    /// Creates an instance of a process.
    Start(ProcessId),
    /// Ends the procedure; no successors.
    Return,
}

/// One node of a control-flow graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// What it does.
    pub operation: Operation,
    /// Where the statement stands that it comes from: for a `Release` or `End` at the end of a block, or of a jump out
    /// of one, where the block's statement begins; for the `Return` at the end of a body, the closing brace.
    pub position: Position,
    /// The procedure it belongs to.
    pub procedure: ProcedureId,
}

/// A lock or a unit that a procedure has opened and not yet closed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Opened {
    /// A lock was acquired in a mode.
    Lock(LockId, Mode),
    /// A unit of work was begun.
    Unit,
}

/// The graphs of all procedures in one arena.
///
/// Every node can be reached from the entry of its procedure within that procedure. The nodes of a procedure are
/// numbered consecutively.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    nodes: Vec<Node>,
    /// What is open just before each node executes.
    opened: Vec<OpenedId>,
    /// The successors of node `i` end at `ends[i]` and begin where those of the node before it end.
    ends: Vec<usize>,
    successors: Vec<NodeId>,
}

impl Graph {
    /// Adds the next node.
    pub(super) fn push(&mut self, node: Node, opened: OpenedId, successors: impl Iterator<Item = NodeId>) {
        self.nodes.push(node);
        self.opened.push(opened);
        self.successors.extend(successors);
        self.ends.push(self.successors.len());
    }

    /// The number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// All nodes in order.
    pub(super) fn nodes(&self) -> impl ExactSizeIterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().map(|(index, node)| (NodeId::new(index), node))
    }

    /// A node.
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// What is open just before a node executes.
    pub(super) fn opened(&self, id: NodeId) -> OpenedId {
        self.opened[id.index()]
    }

    /// Where control can go from a node.
    pub(super) fn successors(&self, id: NodeId) -> &[NodeId] {
        let start = match id.index() {
            0 => 0,
            index => self.ends[index - 1],
        };
        &self.successors[start..self.ends[id.index()]]
    }
}
