//! Models: resolved names, one control-flow graph per procedure, checked nesting of locks and units.
//!
//! A model is made from a syntax tree of EML ([`Model::from_program`], [`load()`], [`from_text`]), from statements made
//! by code ([`ModelBuilder`]), or from control-flow graphs ([`GraphBuilder`]), and is immutable. Lists are in the order
//! of the text, so everything computed from a model in this order is the same in every run.

mod assembly;
mod atomic_sets;
mod builder;
mod call_graph;
mod chain;
mod declarations;
mod error;
mod errors;
mod export;
mod flat_builder;
mod flow;
mod graph;
mod graph_builder;
mod graph_error;
mod ids;
mod instances;
mod jump_error;
mod load;
mod lower;
mod names;
mod nesting;
mod nesting_error;
mod opened;
mod resolve;
mod survey;
#[cfg(test)]
mod test_support;
mod vacuity;
mod warning;

pub use crate::syntax::ast::{Mode, Multiplicity};
pub use crate::syntax::{FileId, Position};
pub use builder::{BodyBuilder, ChoiceBuilder, ModelBuilder};
pub use declarations::{AtomicSet, InstanceBound, Location, Lock, LockKind, Procedure, Process};
pub use error::{ModelError, NameSpace};
pub use errors::Errors;
pub use flat_builder::{BlockError, Built, FlatBuilder, Refused};
pub use flow::{Choice, ChoiceKind};
pub use graph::{Node, Opened, Operation};
pub use graph_builder::{GraphBuilder, GraphNode};
pub use graph_error::{GraphError, GraphPath, GraphProblem, Place};
pub use ids::{LocationId, LockId, NodeId, OpenedId, ProcedureId, ProcessId};
pub use jump_error::JumpError;
pub use load::{Loaded, Rejected, RejectedReason, from_source, from_source_with_overlap, from_text, load};
pub use nesting_error::{NestingError, NestingProblem, OpenedName, OpenedPlace, Path};
pub use opened::OpenedSequence;
pub use warning::Warning;

use atomic_sets::AtomicSets;
pub use call_graph::CallGraph;
use graph::Graph;
use opened::OpenedSequences;

/// A resolved and checked model.
#[derive(Clone, Debug)]
pub struct Model {
    files: Vec<String>,
    locks: Vec<Lock>,
    locations: Vec<Location>,
    atomic_sets: AtomicSets,
    processes: Vec<Process>,
    procedures: Vec<Procedure>,
    graph: Graph,
    calls: CallGraph,
    opened: OpenedSequences,
    order_varies: bool,
}

impl Model {
    /// Returns the name of a file of positions; `None` for a model that is read from a text, whose positions are all in
    /// that text.
    pub fn file(&self, id: FileId) -> Option<&str> {
        self.files.get(id.named()?).map(String::as_str)
    }

    /// Returns the locks in the order of their declarations.
    pub fn locks(&self) -> &[Lock] {
        &self.locks
    }

    /// Returns a lock.
    pub fn lock(&self, id: LockId) -> &Lock {
        &self.locks[id.index()]
    }

    /// Formats a lock in a mode, in the syntax of the language: `l`, `read l` or `write l`.
    pub fn describe_lock(&self, id: LockId, mode: Mode) -> String {
        let lock = self.lock(id);
        match lock.kind {
            LockKind::Plain => lock.name.clone(),
            LockKind::ReadWrite => format!("{} {}", mode.name(), lock.name),
        }
    }

    /// Returns the lock of this name.
    pub fn lock_named(&self, name: &str) -> Option<LockId> {
        let index = self.locks.iter().position(|lock| lock.name == name)?;
        Some(LockId::new(index))
    }

    /// Returns the shared locations in the order of their declarations.
    pub fn locations(&self) -> &[Location] {
        &self.locations
    }

    /// Returns a location.
    pub fn location(&self, id: LocationId) -> &Location {
        &self.locations[id.index()]
    }

    /// Returns the location of this name.
    pub fn location_named(&self, name: &str) -> Option<LocationId> {
        let index = self.locations.iter().position(|location| location.name == name)?;
        Some(LocationId::new(index))
    }

    /// Returns the atomic sets: the declared ones in order, then those of the locations in no declared set.
    pub fn atomic_sets(&self) -> &[AtomicSet] {
        self.atomic_sets.sets()
    }

    /// Returns the numbers of the atomic sets that a location is in, ascending.
    pub fn sets_of(&self, location: LocationId) -> &[u32] {
        self.atomic_sets.sets_of(location)
    }

    /// Whether two locations are equal or in a common atomic set.
    pub fn related(&self, a: LocationId, b: LocationId) -> bool {
        self.atomic_sets.related(a, b)
    }

    /// Returns the processes in the order of their declarations.
    pub fn processes(&self) -> &[Process] {
        &self.processes
    }

    /// Returns a process.
    pub fn process(&self, id: ProcessId) -> &Process {
        &self.processes[id.index()]
    }

    /// Returns the process of this name.
    pub fn process_named(&self, name: &str) -> Option<ProcessId> {
        let index = self.processes.iter().position(|process| process.name == name)?;
        Some(ProcessId::new(index))
    }

    /// Returns the maximal number of instances of a process, started ones included.
    pub fn instance_bound(&self, id: ProcessId) -> InstanceBound {
        self.process(id).bound
    }

    /// Returns the functions and the bodies of processes in the order of their declarations.
    pub fn procedures(&self) -> &[Procedure] {
        &self.procedures
    }

    /// Whether the locks open at some node were opened in different orders on different paths; [`opened`](Self::opened)
    /// has one of the orders. Possible only for locks that may overlap.
    pub fn order_varies(&self) -> bool {
        self.order_varies
    }

    /// Whether some lock need not nest with others.
    pub fn locks_overlap(&self) -> bool {
        self.locks.iter().any(Lock::may_overlap)
    }

    /// Returns a procedure.
    pub fn procedure(&self, id: ProcedureId) -> &Procedure {
        &self.procedures[id.index()]
    }

    /// Returns the calls and starts between procedures.
    pub fn call_graph(&self) -> &CallGraph {
        &self.calls
    }

    /// Returns all nodes, procedure by procedure. Each can be reached from the entry of its procedure within that
    /// procedure.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = (NodeId, &Node)> {
        self.graph.nodes()
    }

    /// Returns a node.
    pub fn node(&self, id: NodeId) -> &Node {
        self.graph.node(id)
    }

    /// Returns the successors of a node, each once: the blocks of a `choose` in their order, the body of a loop before
    /// the code after it.
    pub fn successors(&self, id: NodeId) -> &[NodeId] {
        self.graph.successors(id)
    }

    /// Returns the locks and units that the procedure of a node has opened and not yet closed just before the node
    /// executes.
    pub fn opened(&self, id: NodeId) -> OpenedSequence<'_> {
        self.opened.get(self.graph.opened(id))
    }
}
