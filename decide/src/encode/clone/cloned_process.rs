//! A process without reentrancy: a flow graph whose nodes know their node of the model.

use crate::encode::flow::{FlowGraph, FlowNode, Instants};
use crate::witness::LocalStep;
use eml::model::{LockId, NodeId};
use lockhist::LockSet;
use std::sync::Arc;

/// The part of a node of the model that an edge executes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// The node itself.
    Whole,
    /// The instant of wanting before it.
    Wants,
    /// Nothing: one of the other plain locks.
    Rest,
}

/// A flow graph whose nodes know their node of the model.
#[derive(Clone, Debug)]
pub(crate) struct ClonedProcess {
    pub(super) graph: Arc<FlowGraph>,
    pub(super) origins: Vec<NodeId>,
    pub(super) parts: Vec<Part>,
    /// For each flow node, whether no contended lock is held when it is executed.
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

    /// The executed part of it.
    pub(crate) fn step(&self, node: FlowNode) -> Option<LocalStep> {
        let origin = self.origin(node);
        match self.parts[node.index()] {
            Part::Whole => Some(LocalStep::Node(origin)),
            Part::Wants => Some(LocalStep::Wants(origin)),
            Part::Rest => None,
        }
    }

    /// The instants of wanting in the graph.
    pub(crate) fn instants(&self) -> &Arc<Instants> {
        &self.instants
    }

    /// The plain locks of callers that functions may release to wait for them. A call with such a wait may change locks
    /// between its beginning and its return.
    pub(crate) fn given_up(&self) -> LockSet {
        self.given_up
    }

    /// The locks that the process may wait for while they are buried; the graph omits these waits.
    pub(crate) fn buried(&self) -> &[LockId] {
        &self.buried
    }
}
