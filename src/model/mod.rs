//! Models: resolved names, one control-flow graph per procedure, checked nesting.

mod graph;
mod ids;

pub use graph::{Node, Opened, Operation};
pub use ids::{LocationId, LockId, NodeId, ProcedureId, ProcessId};
