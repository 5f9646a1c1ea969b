//! Flow graphs: the rules of one process as a pushdown system with a single control state.
//!
//! The stack symbols are nodes. An edge has a label, the step of the process, and a target, the node where it goes on.
//! A call also has the entry of its callee; a return has no target. Locks are plain and not reentrant here, and every
//! access knows whether it lies in a unit (see `clone`).

use super::instants::InstantId;
use crate::semantics::ModelAction;
use eml::model::ProcessId;
use limits::{Meter, StopReason};
use lockhist::Operation;

/// A node of a flow graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct FlowNode(u32);

impl FlowNode {
    pub(crate) fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 nodes"))
    }

    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The step along an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Label {
    /// No step at all: control branches or joins.
    Silent,
    /// A step with no effect that matters, except in phases that forbid all steps.
    Plain,
    /// The process acquires a lock that it does not hold, or releases the lock that it acquired last.
    Lock(Operation),
    /// The process is about to take a lock whose wanting the words mention.
    Wants(InstantId),
    /// An access, with `in_unit` set if it lies in a unit, or a boundary of an outermost unit.
    Act(ModelAction),
    /// The process starts an instance of this process.
    Start(ProcessId),
    /// A call of the procedure that begins at this node. The target of the edge is the return site.
    Call(FlowNode),
    /// The return of a procedure. No edge has this label; phases use it to say whether they allow returns.
    Return,
}

impl Label {
    /// The entry of the callee, for a call.
    pub(crate) fn callee(self) -> Option<FlowNode> {
        match self {
            Self::Call(entry) => Some(entry),
            Self::Silent
            | Self::Plain
            | Self::Lock(_)
            | Self::Wants(_)
            | Self::Act(_)
            | Self::Start(_)
            | Self::Return => None,
        }
    }
}

/// An edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Edge {
    pub(crate) label: Label,
    pub(crate) target: FlowNode,
}

/// The outgoing edges of a node, while a graph is built.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Exits {
    pub(crate) edges: Vec<Edge>,
    /// Whether the procedure can return here.
    pub(crate) returns: bool,
}

/// The number of an edge in its graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct EdgeId(u32);

impl EdgeId {
    pub(crate) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A flow graph, with the edges of each node next to each other.
#[derive(Clone, Debug)]
pub(crate) struct FlowGraph {
    edges: Vec<Edge>,
    /// For each node, the end of its edges and whether it returns. Its edges begin at the end of the node before.
    nodes: Vec<(u32, bool)>,
    entry: FlowNode,
}

impl FlowGraph {
    /// Builds a graph. Linear in the number of edges.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn new(
        nodes: impl IntoIterator<Item = Exits>,
        entry: FlowNode,
        meter: &Meter,
    ) -> Result<Self, StopReason> {
        let mut graph = Self { edges: Vec::new(), nodes: Vec::new(), entry };
        for node in nodes {
            meter.work_of(1 + node.edges.len())?;
            graph.edges.extend(node.edges);
            graph.nodes.push((u32::try_from(graph.edges.len()).expect("fewer than 2^32 edges"), node.returns));
        }
        Ok(graph)
    }

    /// The entry of the process.
    pub(crate) fn entry(&self) -> FlowNode {
        self.entry
    }

    /// The number of nodes.
    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn nodes(&self) -> impl DoubleEndedIterator<Item = FlowNode> + use<> {
        (0..self.nodes.len()).map(FlowNode::new)
    }

    fn range(&self, node: FlowNode) -> std::ops::Range<usize> {
        let first = node.index().checked_sub(1).map_or(0, |before| self.nodes[before].0);
        first as usize..self.nodes[node.index()].0 as usize
    }

    /// The edges that leave a node.
    pub(crate) fn edges(&self, node: FlowNode) -> &[Edge] {
        &self.edges[self.range(node)]
    }

    /// The numbers of the edges that leave a node.
    pub(crate) fn edge_ids(&self, node: FlowNode) -> impl Iterator<Item = EdgeId> + use<> {
        self.range(node).map(|index| EdgeId(index as u32))
    }

    pub(crate) fn edge(&self, edge: EdgeId) -> Edge {
        self.edges[edge.0 as usize]
    }

    /// Whether the procedure can return at this node.
    pub(crate) fn returns(&self, node: FlowNode) -> bool {
        self.nodes[node.index()].1
    }
}
