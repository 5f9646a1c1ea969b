//! Flow graphs of processes, an order of their nodes, and the locks held at the nodes.

mod graph;
mod instants;
mod node_locks;
mod order;

pub(crate) use graph::{Edge, EdgeId, Exits, FlowGraph, FlowNode, Label};
pub(crate) use instants::Instants;
pub(crate) use node_locks::{NodeLocks, node_locks};
pub(crate) use order::FlowOrder;
