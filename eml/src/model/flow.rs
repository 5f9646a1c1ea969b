//! The control-flow graph of one procedure while it is being built and checked.
//!
//! Unlike the finished graph it may have unreachable nodes, and its edges carry the choice that takes them, for
//! messages.

use super::graph::{Opened, Operation};
use crate::syntax::Span;

/// A node of a flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Point(u32);

impl Point {
    fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("a procedure has fewer than 2^32 nodes"))
    }

    /// Returns the index, from 0 in the order in which the nodes were added.
    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// The operation of a node and its place in the source.
#[derive(Clone, Copy, Debug)]
pub(super) struct FlowNode {
    /// The operation. The mode of a release with `in_any_mode` has no meaning.
    pub(super) operation: Operation,
    /// Whether it releases its lock in the mode of the last acquisition. This mode is the same on all paths, or the
    /// nesting is wrong.
    pub(super) in_any_mode: bool,
    /// Its statement.
    pub(super) statement: Span,
    /// The place that messages point to: for an operation at the end of a block the closing brace, for an operation of
    /// a jump out of a block the jump, otherwise the statement.
    pub(super) place: Span,
}

impl FlowNode {
    /// Returns the operation; the mode of a release is that of `innermost`, the lock or unit that was opened last.
    pub(super) fn operation_in(&self, innermost: Option<Opened>) -> Operation {
        match (self.operation, innermost) {
            (Operation::Release(lock, _), Some(Opened::Lock(opened, mode))) if self.in_any_mode && opened == lock => {
                Operation::Release(lock, mode)
            }
            (operation, _) => operation,
        }
    }
}

/// A choice on a path through a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The kind of choice.
    pub kind: ChoiceKind,
    /// The chosen block, the loop, the jump, or the successor.
    pub span: Span,
}

/// The kinds of choices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChoiceKind {
    /// A block of a `choose`.
    Block,
    /// Another iteration of a `loop`.
    Enter,
    /// No further iteration of a `loop`.
    Leave,
    /// A `goto`, `break` or `continue`.
    Jump,
    /// One of several successors, in a graph that was built as a graph; the span is the place of the successor.
    Successor,
}

/// An edge whose target is not known yet.
#[derive(Clone, Copy, Debug)]
pub(super) struct Exit {
    /// Its source; `None` for the entry of the procedure.
    pub(super) from: Option<Point>,
    /// The choice that takes it.
    pub(super) choice: Option<Choice>,
    /// Its rank among the edges that leave the same node.
    pub(super) rank: usize,
}

/// An edge.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: Point,
    to: Point,
    choice: Option<Choice>,
    rank: usize,
}

/// A graph under construction.
#[derive(Debug, Default)]
pub(super) struct FlowBuilder {
    nodes: Vec<FlowNode>,
    edges: Vec<Edge>,
    entry: Option<Point>,
}

impl FlowBuilder {
    /// Adds a node, the target of all these exits.
    pub(super) fn add(&mut self, node: FlowNode, exits: &[Exit]) -> Point {
        let point = Point::new(self.nodes.len());
        self.nodes.push(node);
        self.connect(exits, point);
        point
    }

    /// Connects exits to their target.
    pub(super) fn connect(&mut self, exits: &[Exit], to: Point) {
        for exit in exits {
            match exit.from {
                Some(from) => self.edges.push(Edge { from, to, choice: exit.choice, rank: exit.rank }),
                None => self.entry = Some(to),
            }
        }
    }

    /// Returns the finished graph; of several edges between the same nodes the first one remains.
    pub(super) fn finish(mut self) -> Flow {
        self.edges.sort_by_key(|edge| (edge.from, edge.rank));
        let mut last_source = vec![None; self.nodes.len()];
        self.edges.retain(|edge| {
            let is_new = last_source[edge.to.index()] != Some(edge.from);
            last_source[edge.to.index()] = Some(edge.from);
            is_new
        });
        let mut starts = vec![0; self.nodes.len() + 1];
        for edge in &self.edges {
            starts[edge.from.index() + 1] += 1;
        }
        for index in 1..starts.len() {
            starts[index] += starts[index - 1];
        }
        Flow { nodes: self.nodes, edges: self.edges, starts, entry: self.entry.unwrap_or(Point(0)) }
    }
}

/// A finished graph of one procedure, with at least one node.
#[derive(Debug)]
pub(super) struct Flow {
    nodes: Vec<FlowNode>,
    /// The edges, ordered by source, then by rank.
    edges: Vec<Edge>,
    starts: Vec<usize>,
    entry: Point,
}

impl Flow {
    /// Returns the node at which execution begins.
    pub(super) fn entry(&self) -> Point {
        self.entry
    }

    /// Returns all nodes in the order in which they were added.
    pub(super) fn points(&self) -> impl Iterator<Item = Point> + use<> {
        (0..self.nodes.len()).map(Point::new)
    }

    /// Returns a node.
    pub(super) fn node(&self, point: Point) -> &FlowNode {
        &self.nodes[point.index()]
    }

    /// Returns the successors of a node with the choices that take the edges.
    pub(super) fn successors(&self, point: Point) -> impl Iterator<Item = (Point, Option<Choice>)> + '_ {
        self.edges[self.starts[point.index()]..self.starts[point.index() + 1]].iter().map(|edge| (edge.to, edge.choice))
    }
}
