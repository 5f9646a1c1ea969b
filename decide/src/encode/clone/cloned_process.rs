//! A process without reentrancy, as a flow graph that knows the nodes of the model behind its nodes.

use crate::encode::flow::{FlowGraph, FlowNode, Instants};
use crate::witness::LocalStep;
use eml::model::{LockId, NodeId};
use lockhist::LockSet;
use std::sync::Arc;

/// What an edge executes of the node of the model behind it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The node itself.
    Whole,
    /// The instant before it.
    Wants,
    /// Nothing: the rest of its plain locks.
    Rest,
}

/// A flow graph that knows the node of the model behind each of its nodes.
#[derive(Clone, Debug)]
pub(crate) struct ClonedProcess {
    pub(super) graph: Arc<FlowGraph>,
    pub(super) origins: Vec<NodeId>,
    pub(super) parts: Vec<Part>,
    /// Per node, whether no contended lock is held when it is executed.
    pub(super) free: Vec<bool>,
    pub(super) instants: Arc<Instants>,
    pub(super) given_up: LockSet,
    pub(super) buried: Vec<LockId>,
}

impl ClonedProcess {
    pub(crate) fn graph(&self) -> &Arc<FlowGraph> {
        &self.graph
    }

    /// Whether the process holds no contended lock when this node is executed.
    pub(crate) fn is_free(&self, node: FlowNode) -> bool {
        self.free[node.index()]
    }

    /// The node of the model that is executed when the edges of this node are taken.
    pub(crate) fn origin(&self, node: FlowNode) -> NodeId {
        self.origins[node.index()]
    }

    /// What is executed of it.
    pub(crate) fn step(&self, node: FlowNode) -> Option<LocalStep> {
        let origin = self.origin(node);
        match self.parts[node.index()] {
            Part::Whole => Some(LocalStep::Node(origin)),
            Part::Wants => Some(LocalStep::Wants(origin)),
            Part::Rest => None,
        }
    }

    /// The instants of wanting that the graph has.
    pub(crate) fn instants(&self) -> &Arc<Instants> {
        &self.instants
    }

    /// The plain locks of callers that functions give up to wait for them. A call in which that happens needs not leave
    /// locks as they are from its beginning to its return.
    pub(crate) fn given_up(&self) -> LockSet {
        self.given_up
    }

    /// The locks that the process can wait for while they are buried, which the graph has not.
    pub(crate) fn buried(&self) -> &[LockId] {
        &self.buried
    }
}
