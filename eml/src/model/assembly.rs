//! From checked graphs to a model: the common last step of models from texts and from code.

use super::atomic_sets::AtomicSets;
use super::call_graph::CallGraph;
use super::declarations::{AtomicSet, Location, Lock, Procedure, Process};
use super::flow::Flow;
use super::graph::{Graph, Node};
use super::ids::{NodeId, ProcedureId, ProcessId};
use super::nesting::Nesting;
use super::opened::OpenedInterner;
use super::warning::Warning;
use super::{Model, instances, vacuity};
use crate::syntax::{Position, Span};

/// The graphs of all procedures, one after the other.
#[derive(Default)]
pub(super) struct Graphs {
    graph: Graph,
    pub(super) opened: OpenedInterner,
    procedures: Vec<Procedure>,
    /// Whether locks that overlap are opened in different orders on different paths.
    order_varies: bool,
}

impl Graphs {
    /// Adds a procedure with its reachable nodes.
    pub(super) fn add(
        &mut self,
        name: &str,
        position: Position,
        process: Option<ProcessId>,
        flow: &Flow,
        nesting: &Nesting,
    ) {
        let procedure = ProcedureId::new(self.procedures.len());
        self.order_varies |= nesting.order_varies;
        let first = self.graph.len();
        let mut ids: Vec<Option<NodeId>> = Vec::new();
        let mut next = first;
        for opened in &nesting.opened {
            ids.push(opened.map(|_| NodeId::new(next)));
            next += usize::from(opened.is_some());
        }
        for point in flow.points() {
            let Some(opened) = nesting.opened[point.index()] else {
                continue;
            };
            let node = flow.node(point);
            let operation = node.operation_in(self.opened.closed_by(opened, node.operation));
            let successors = flow.successors(point);
            self.graph.push(
                Node { operation, position: node.statement.start, procedure },
                opened,
                successors.filter_map(|(successor, _)| ids[successor.index()]),
            );
        }
        self.procedures.push(Procedure {
            name: name.to_string(),
            position,
            entry: ids[flow.entry().index()].unwrap_or(NodeId::new(first)),
            nodes: first..next,
            process,
        });
    }
}

/// The checked parts of a model.
pub(super) struct Parts {
    pub(super) files: Vec<String>,
    pub(super) locks: Vec<Lock>,
    pub(super) locations: Vec<Location>,
    /// The declared sets.
    pub(super) sets: Vec<AtomicSet>,
    /// The processes; their bounds are not computed yet.
    pub(super) processes: Vec<Process>,
    pub(super) graphs: Graphs,
    /// The first unit, reachable or not.
    pub(super) first_unit: Option<Span>,
}

impl Parts {
    /// Returns the model, and simple reasons why none of its queries can be violated.
    pub(super) fn finish(self) -> (Model, Vec<Warning>) {
        let Graphs { graph, opened, procedures, order_varies } = self.graphs;
        let mut model = Model {
            files: self.files,
            locks: self.locks,
            atomic_sets: AtomicSets::new(self.sets, self.locations.len()),
            locations: self.locations,
            processes: self.processes,
            calls: CallGraph::new(&graph, procedures.len()),
            procedures,
            graph,
            opened: opened.finish(),
            order_varies,
        };
        let bounds = instances::bounds(&model.graph, &model.procedures, &model.calls, &model.processes);
        for (process, bound) in model.processes.iter_mut().zip(bounds) {
            process.bound = bound;
        }
        let warnings = vacuity::reasons(&model, self.first_unit);
        (model, warnings)
    }
}
