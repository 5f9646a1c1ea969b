//! Control-flow graphs of procedures.
//!
//! A node has one operation; executing it moves control to any one of the node's successors. There are no blocks,
//! labels and jumps: explicit `Release` and `End` operations, innermost first, leave the blocks of `sync` and `atomic`.
//! A node without successors ends the procedure (`Return`), or control never leaves it.

use super::ids::{LocationId, LockId, NodeId, OpenedId, ProcedureId, ProcessId};
use crate::syntax::Position;
use phases::Mode;

/// The operation of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Nothing: `skip`, and the points where control branches or joins.
    Skip,
    /// Reads a location.
    Read(LocationId),
    /// Writes a location.
    Write(LocationId),
    /// Acquires a lock, which the process may hold already, in a mode. The mode of a plain lock is write.
    Acquire(LockId, Mode),
    /// Releases one acquisition of a lock in a mode.
    Release(LockId, Mode),
    /// Releases all acquisitions of a plain lock; the only successor is the `Resume` of the same lock. A process that
    /// does not hold the lock stays here for ever.
    Wait(LockId),
    /// Acquires again a lock that `Wait` released, as often as it was held before.
    Resume(LockId),
    /// Enters a unit of work, perhaps inside another.
    Begin,
    /// Leaves the innermost unit of work.
    End,
    /// Calls a function; control continues at the successors after its return.
    Call(ProcedureId),
    /// Creates an instance of a process.
    Start(ProcessId),
    /// Ends the procedure; no successors.
    Return,
}

/// One node of a control-flow graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The operation.
    pub operation: Operation,
    /// The position of its statement. For a `Release` or `End` at the end of a block, or at a jump out of a block: the
    /// start of the block's statement. For the `Return` at the end of a body: the closing brace.
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
    /// The locks and units open just before each node executes.
    opened: Vec<OpenedId>,
    /// The successors of node `i` end at `ends[i]` and begin at the end of those of node `i - 1`.
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

    /// Returns the number of nodes.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns all nodes in order.
    pub(super) fn nodes(&self) -> impl ExactSizeIterator<Item = (NodeId, &Node)> {
        self.nodes.iter().enumerate().map(|(index, node)| (NodeId::new(index), node))
    }

    /// Returns a node.
    pub(super) fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.index()]
    }

    /// Returns the locks and units open just before a node executes.
    pub(super) fn opened(&self, id: NodeId) -> OpenedId {
        self.opened[id.index()]
    }

    /// Returns the successors of a node.
    pub(super) fn successors(&self, id: NodeId) -> &[NodeId] {
        let start = match id.index() {
            0 => 0,
            index => self.ends[index - 1],
        };
        &self.successors[start..self.ends[id.index()]]
    }
}
