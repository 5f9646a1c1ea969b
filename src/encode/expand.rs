//! From a run of a product back to the nodes of the model.
//!
//! A step of the run goes from a node of the reduced graph to another. The nodes of the original graph that a reduced node
//! stands for have the same future, so from whichever of them the process is at, plain steps within the same class lead to an
//! edge that does what the run says and ends in the class where the run goes on. A shortest such way is looked for each
//! time; calls of quiet functions on it are followed through the function.

use super::flow::{Edge, FlowNode, Label};
use super::product::{Executed, TracedRule};
use super::reduce::ReducedProcess;
use crate::witness::LocalPath;
use rustc_hash::FxHashSet;
use std::collections::VecDeque;

/// The nodes of the model that the process executes in each of so many phases along a run; `None` if there is no such
/// path, which would be a fault of a reduction.
pub(crate) fn expand(process: &ReducedProcess, run: &[TracedRule], phases: usize) -> Option<LocalPath> {
    let mut walker = Walker { process, at: process.original().graph().entry(), stack: Vec::new() };
    let mut path = vec![Vec::new(); phases];
    for step in run {
        let nodes = match step.executed {
            Executed::Nothing => Vec::new(),
            Executed::Edge(edge) => walker.take(&process.graph().edge(edge))?,
            Executed::Return => walker.leave()?,
        };
        path[step.phase].extend(nodes.into_iter().map(|node| process.original().origin(node)));
    }
    Some(LocalPath(path))
}

struct Walker<'a> {
    process: &'a ReducedProcess,
    at: FlowNode,
    /// Where the calls that have not returned go on.
    stack: Vec<FlowNode>,
}

impl Walker<'_> {
    /// Takes an edge of the reduced graph; gives the nodes that are executed.
    fn take(&mut self, wanted: &Edge) -> Option<Vec<FlowNode>> {
        let class = |node| self.process.class(node);
        let does = |edge: &Edge| {
            let label = match self.process.label(edge)? {
                Label::Call(entry) => Label::Call(class(entry)),
                label => label,
            };
            (label == wanted.label && class(edge.target) == wanted.target).then_some(*edge)
        };
        let graph = self.process.original().graph();
        let (mut nodes, last, edge) = self.search(|node| graph.edges(node).iter().find_map(does))?;
        self.execute(last, &edge, &mut nodes);
        match (wanted.label, edge.label) {
            (Label::Call(_), Label::Call(entry)) => {
                self.stack.push(edge.target);
                self.at = entry;
            }
            _ => self.at = edge.target,
        }
        Some(nodes)
    }

    /// Returns from the procedure; gives the nodes that are executed.
    fn leave(&mut self) -> Option<Vec<FlowNode>> {
        let graph = self.process.original().graph();
        let (mut nodes, last, ()) = self.search(|node| graph.returns(node).then_some(()))?;
        nodes.push(last);
        // After the end of the process there is no further step.
        self.at = self.stack.pop().unwrap_or(last);
        Some(nodes)
    }

    /// Goes on by plain steps within the class to a node that has what is looked for; gives the nodes executed on the way,
    /// that node, and what it has.
    fn search<T>(&self, found: impl Fn(FlowNode) -> Option<T>) -> Option<(Vec<FlowNode>, FlowNode, T)> {
        let graph = self.process.original().graph();
        let class = self.process.class(self.at);
        let mut seen = FxHashSet::from_iter([self.at]);
        let mut waiting: VecDeque<(FlowNode, usize)> = VecDeque::from([(self.at, usize::MAX)]);
        // How nodes were reached: from which entry of this list, over which edge.
        let mut ways: Vec<(FlowNode, Edge, usize)> = Vec::new();
        while let Some((node, way)) = waiting.pop_front() {
            if let Some(found) = found(node) {
                let back = std::iter::successors(ways.get(way), |(_, _, before)| ways.get(*before));
                let steps: Vec<_> = back.map(|(node, edge, _)| (*node, *edge)).collect();
                let mut nodes = Vec::new();
                for (node, edge) in steps.iter().rev() {
                    self.execute(*node, edge, &mut nodes);
                }
                return Some((nodes, node, found));
            }
            for edge in graph.edges(node) {
                let plain = self.process.label(edge) == Some(Label::Plain);
                if plain && self.process.class(edge.target) == class && seen.insert(edge.target) {
                    ways.push((node, *edge, way));
                    waiting.push_back((edge.target, ways.len() - 1));
                }
            }
        }
        None
    }

    /// Adds what is executed along an edge: the node, and the function if the node calls a quiet one.
    fn execute(&self, node: FlowNode, edge: &Edge, nodes: &mut Vec<FlowNode>) {
        nodes.push(node);
        if let (Label::Call(entry), Some(Label::Plain)) = (edge.label, self.process.label(edge)) {
            nodes.extend(self.process.quiet().way(self.process.original().graph(), entry));
        }
    }
}
