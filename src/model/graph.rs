//! Control-flow graphs: what a procedure does, node by node.
//!
//! A node holds one operation; executing it moves control to any one of the node's successors. Blocks, labels and
//! jumps are gone: leaving a `sync` or `atomic` block has become explicit `Release` and `End` operations, innermost
//! first. A node without successors ends the procedure (`Return`) or can never be left.

use super::ids::{LocationId, LockId, ProcedureId, ProcessId};
use crate::eml::Position;

/// What a node does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Nothing: `skip`, and the points where control branches or joins.
    Skip,
    /// Reads a location.
    Read(LocationId),
    /// Writes a location.
    Write(LocationId),
    /// Acquires a lock, which the process may hold already.
    Acquire(LockId),
    /// Gives up one acquisition of a lock.
    Release(LockId),
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Opened {
    /// A lock was acquired.
    Lock(LockId),
    /// A unit of work was begun.
    Unit,
}
