//! Models built from control-flow graphs: for front ends, which have graphs and source files, but neither EML text nor
//! the nested statements that [`ModelBuilder`](super::ModelBuilder) needs.
//!
//! The graphs pass the same checks as graphs of statements: the same locks and units are open on all paths to a node,
//! they are closed in the reverse order of opening, and all of them before a return. Everything that follows from the
//! graphs of a model, such as the bounds of instances, is computed by the same code.

mod check;

use super::Model;
use super::assembly::Parts;
use super::declarations::{AtomicSet, InstanceBound, Location, Lock, LockKind, Process};
use super::error::NameSpace;
use super::errors::Errors;
use super::graph::Operation;
use super::graph_error::{GraphError, GraphProblem};
use super::ids::{LocationId, LockId, NodeId, ProcedureId, ProcessId};
use super::warning::Warning;
use crate::syntax::ast::Multiplicity;
use crate::syntax::{FileId, Position, Span};
use std::collections::HashMap;
use std::sync::Arc;

/// A node of a graph that is being built.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GraphNode {
    procedure: ProcedureId,
    number: usize,
}

impl GraphNode {
    /// Returns the function or process that it belongs to.
    pub fn procedure(self) -> ProcedureId {
        self.procedure
    }

    /// Returns its number among the nodes of its procedure, in the order in which they were added.
    pub fn number(self) -> usize {
        self.number
    }
}

/// Builds a model node by node and edge by edge.
///
/// A name is any text that is not empty, and unique in its name space. A procedure begins at its first node, unless
/// [`enter_at`](Self::enter_at) sets another one. Successors are in the order in which their edges are added. The model
/// omits nodes that cannot be reached.
///
/// # Examples
///
/// ```
/// use eml::model::{GraphBuilder, Mode, Multiplicity, Operation};
///
/// let mut builder = GraphBuilder::new();
/// let pool = builder.file("Pool.java");
/// let lock = builder.lock("Pool.this", pool.at(1, 1));
/// let used = builder.location("Pool.used", pool.at(3, 5));
///
/// let take = builder.function("Pool.take()", pool.at(12, 5));
/// let acquire = builder.node(take, Operation::Acquire(lock, Mode::Write), pool.at(12, 5));
/// let write = builder.node(take, Operation::Write(used), pool.at(13, 9));
/// let release = builder.node(take, Operation::Release(lock, Mode::Write), pool.at(14, 5));
/// let back = builder.node(take, Operation::Return, pool.at(14, 5));
/// for (from, to) in [(acquire, write), (write, release), (release, back)] {
///     builder.edge(from, to);
/// }
///
/// let main = builder.file("Main.java");
/// let (_, client) = builder.process("Client", Multiplicity::Many, main.at(7, 1));
/// let call = builder.node(client, Operation::Call(take), main.at(8, 9));
/// builder.edge(call, call); // again and again
///
/// let (model, _) = builder.build().unwrap();
/// assert_eq!(model.nodes().len(), 5);
/// assert_eq!(model.file(main), Some("Main.java"));
/// ```
#[derive(Clone, Debug, Default)]
pub struct GraphBuilder {
    files: Vec<Arc<str>>,
    file_ids: HashMap<Arc<str>, FileId>,
    locks: Vec<Lock>,
    locations: Vec<Location>,
    sets: Vec<(String, Vec<LocationId>, Position)>,
    processes: Vec<(ProcedureId, Multiplicity)>,
    procedures: Vec<Draft>,
    /// Edges from or to nodes that do not exist, and entries at such nodes.
    stray: Vec<(GraphNode, GraphProblem)>,
}

/// A function or the body of a process.
#[derive(Clone, Debug)]
struct Draft {
    name: String,
    position: Position,
    process: Option<ProcessId>,
    nodes: Vec<(Operation, Position)>,
    /// Pairs of node numbers.
    edges: Vec<(usize, usize)>,
    entry: usize,
}

impl GraphBuilder {
    /// Creates an empty builder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates a builder of a model with the same declarations and graphs, to be changed. All ids stay the same, and the
    /// nodes of a procedure have its numbers from 0 in the model's order; see [`node_of`](Self::node_of). Linear in the
    /// size of the model.
    pub fn from_model(model: &Model) -> Self {
        let mut builder = Self::new();
        for file in &model.files {
            builder.file(file);
        }
        builder.locks.clone_from(&model.locks);
        builder.locations.clone_from(&model.locations);
        let named = model.atomic_sets().iter().filter_map(|set| Some((set.name.clone()?, set.members.clone())));
        builder.sets = named.map(|(name, members)| (name, members, Position::START)).collect();
        builder.processes = model.processes.iter().map(|process| (process.body, process.multiplicity)).collect();
        for procedure in &model.procedures {
            let first = procedure.nodes.start;
            let of = |node: NodeId| node.index() - first;
            let nodes = procedure.nodes().map(|id| (model.node(id).operation, model.node(id).position));
            let edges = procedure.nodes().flat_map(|id| model.successors(id).iter().map(move |to| (of(id), of(*to))));
            builder.procedures.push(Draft {
                name: procedure.name.clone(),
                position: procedure.position,
                process: procedure.process,
                nodes: nodes.collect(),
                edges: edges.collect(),
                entry: of(procedure.entry),
            });
        }
        builder
    }

    /// Returns the node with a number of a procedure, if it exists.
    pub fn node_of(&self, procedure: ProcedureId, number: usize) -> Option<GraphNode> {
        let node = GraphNode { procedure, number };
        self.has(node).then_some(node)
    }

    /// Returns the nodes of a procedure with their operations and positions.
    pub fn nodes_of(&self, procedure: ProcedureId) -> impl Iterator<Item = (GraphNode, Operation, Position)> + '_ {
        let drafts = self.procedures.get(procedure.index()).into_iter();
        let nodes = drafts.flat_map(|draft| draft.nodes.iter().enumerate());
        nodes.map(move |(number, (operation, position))| (GraphNode { procedure, number }, *operation, *position))
    }

    /// Returns the edges of a procedure, in the order in which they were added.
    pub fn edges_of(&self, procedure: ProcedureId) -> impl Iterator<Item = [GraphNode; 2]> + '_ {
        let drafts = self.procedures.get(procedure.index()).into_iter();
        let edges = drafts.flat_map(|draft| &draft.edges);
        edges.map(move |(from, to)| [*from, *to].map(|number| GraphNode { procedure, number }))
    }

    /// Returns the node at which a procedure begins, if it has nodes.
    pub fn entry_of(&self, procedure: ProcedureId) -> Option<GraphNode> {
        self.node_of(procedure, self.procedures.get(procedure.index())?.entry)
    }

    /// Replaces the operation of a node.
    pub fn set_operation(&mut self, node: GraphNode, operation: Operation) {
        match self.has(node) {
            true => self.procedures[node.procedure.index()].nodes[node.number].0 = operation,
            false => self.stray.push((node, GraphProblem::UnknownNode)),
        }
    }

    /// Puts a node with an operation on each edge of a procedure that is chosen, and before its entry if that is chosen
    /// (then the origin is `None`). Successors keep their order. Linear in the edges of the procedure.
    pub fn insert_between(
        &mut self,
        procedure: ProcedureId,
        mut chosen: impl FnMut(Option<GraphNode>, GraphNode) -> Option<Operation>,
    ) {
        let Some(draft) = self.procedures.get_mut(procedure.index()) else { return };
        let node = |number| GraphNode { procedure, number };
        for place in 0..draft.edges.len() {
            let (from, to) = draft.edges[place];
            if let Some(operation) = chosen(Some(node(from)), node(to)) {
                draft.nodes.push((operation, draft.nodes[to].1));
                let new = draft.nodes.len() - 1;
                draft.edges[place].1 = new;
                draft.edges.push((new, to));
            }
        }
        if draft.nodes.is_empty() {
            return;
        }
        if let Some(operation) = chosen(None, node(draft.entry)) {
            draft.nodes.push((operation, draft.nodes[draft.entry].1));
            let new = draft.nodes.len() - 1;
            draft.edges.push((new, draft.entry));
            draft.entry = new;
        }
    }

    /// Returns the id of a file of the front end's sources: the same id for the same name.
    pub fn file(&mut self, name: &str) -> FileId {
        if let Some(id) = self.file_ids.get(name) {
            return *id;
        }
        let name: Arc<str> = name.into();
        let id = FileId::new(self.files.len());
        self.files.push(name.clone());
        self.file_ids.insert(name, id);
        id
    }

    /// Declares a plain lock, which is acquired in write mode.
    pub fn lock(&mut self, name: impl Into<String>, position: Position) -> LockId {
        self.any_lock(name.into(), LockKind::Plain, position)
    }

    /// Declares a read-write lock.
    pub fn rwlock(&mut self, name: impl Into<String>, position: Position) -> LockId {
        self.any_lock(name.into(), LockKind::ReadWrite, position)
    }

    /// Lets a lock overlap with others instead of nesting: it may be released before a lock that was acquired after it,
    /// and the other way round. A lock that is not declared is ignored.
    pub fn let_overlap(&mut self, lock: LockId) {
        if let Some(lock) = self.locks.get_mut(lock.index()) {
            lock.may_overlap = true;
        }
    }

    fn any_lock(&mut self, name: String, kind: LockKind, position: Position) -> LockId {
        self.locks.push(Lock { name, kind, position, may_overlap: false });
        LockId::new(self.locks.len() - 1)
    }

    /// Declares a shared location.
    pub fn location(&mut self, name: impl Into<String>, position: Position) -> LocationId {
        self.locations.push(Location { name: name.into(), position });
        LocationId::new(self.locations.len() - 1)
    }

    /// Declares an atomic set. A location that is named twice is a member once.
    pub fn atomic_set(
        &mut self,
        name: impl Into<String>,
        members: impl IntoIterator<Item = LocationId>,
        position: Position,
    ) {
        self.sets.push((name.into(), members.into_iter().collect(), position));
    }

    /// Declares a function, whose nodes may follow at any time.
    pub fn function(&mut self, name: impl Into<String>, position: Position) -> ProcedureId {
        self.procedure(name.into(), position, None)
    }

    /// Declares a process; returns its id and its body, whose nodes may follow at any time.
    pub fn process(
        &mut self,
        name: impl Into<String>,
        multiplicity: Multiplicity,
        position: Position,
    ) -> (ProcessId, ProcedureId) {
        let process = ProcessId::new(self.processes.len());
        let body = self.procedure(name.into(), position, Some(process));
        self.processes.push((body, multiplicity));
        (process, body)
    }

    fn procedure(&mut self, name: String, position: Position, process: Option<ProcessId>) -> ProcedureId {
        self.procedures.push(Draft { name, position, process, nodes: Vec::new(), edges: Vec::new(), entry: 0 });
        ProcedureId::new(self.procedures.len() - 1)
    }

    /// Adds a node to a function or the body of a process.
    pub fn node(&mut self, procedure: ProcedureId, operation: Operation, position: Position) -> GraphNode {
        let Some(draft) = self.procedures.get_mut(procedure.index()) else {
            let node = GraphNode { procedure, number: 0 };
            let problem = GraphProblem::UnknownId { space: NameSpace::Function, index: procedure.index() };
            self.stray.push((node, problem));
            return node;
        };
        draft.nodes.push((operation, position));
        GraphNode { procedure, number: draft.nodes.len() - 1 }
    }

    /// Adds a wait on a plain lock: a node that releases the lock completely, a node that acquires it again, and an
    /// edge from the first to the second. Returns both.
    pub fn wait(&mut self, procedure: ProcedureId, lock: LockId, position: Position) -> [GraphNode; 2] {
        let [waits, resumes] =
            [Operation::Wait(lock), Operation::Resume(lock)].map(|operation| self.node(procedure, operation, position));
        self.edge(waits, resumes);
        [waits, resumes]
    }

    /// Adds an edge: control can go from the first node to the second.
    pub fn edge(&mut self, from: GraphNode, to: GraphNode) {
        if !(self.has(from) && self.has(to)) {
            self.stray.push((from, GraphProblem::UnknownNode));
        } else if from.procedure != to.procedure {
            self.stray.push((from, GraphProblem::LeavesProcedure));
        } else {
            self.procedures[from.procedure.index()].edges.push((from.number, to.number));
        }
    }

    /// Sets the entry of a procedure.
    pub fn enter_at(&mut self, node: GraphNode) {
        if self.has(node) {
            self.procedures[node.procedure.index()].entry = node.number;
        } else {
            self.stray.push((node, GraphProblem::UnknownNode));
        }
    }

    fn has(&self, node: GraphNode) -> bool {
        self.procedures.get(node.procedure.index()).is_some_and(|draft| node.number < draft.nodes.len())
    }

    /// Builds the model; returns it with warnings about probable oversights. Linear in the size of the graphs.
    ///
    /// # Errors
    /// All errors: in names and ids, or, if these are correct, in the graphs.
    pub fn build(self) -> Result<(Model, Vec<Warning>), Errors<GraphError>> {
        let graphs = check::checked(&self).map_err(Errors::new)?;
        let sets = self
            .sets
            .iter()
            .map(|(name, members, _)| AtomicSet { name: Some(name.clone()), members: distinct(members) });
        let parts = Parts {
            sets: sets.collect(),
            processes: self.declared_processes(),
            graphs,
            first_unit: self.first_unit(),
            files: self.files.iter().map(ToString::to_string).collect(),
            locks: self.locks,
            locations: self.locations,
        };
        Ok(parts.finish())
    }

    /// Returns the processes that some node starts, with the position of the first such node.
    fn started(&self) -> HashMap<ProcessId, Position> {
        let mut started = HashMap::new();
        for (operation, position) in self.procedures.iter().flat_map(|draft| &draft.nodes) {
            if let Operation::Start(process) = operation {
                started.entry(*process).or_insert(*position);
            }
        }
        started
    }

    fn declared_processes(&self) -> Vec<Process> {
        let started = self.started();
        let declared = self.processes.iter().enumerate().map(|(index, (body, multiplicity))| Process {
            name: self.procedures[body.index()].name.clone(),
            position: self.procedures[body.index()].position,
            body: *body,
            multiplicity: *multiplicity,
            is_started: started.contains_key(&ProcessId::new(index)),
            bound: InstanceBound::Zero,
        });
        declared.collect()
    }

    fn first_unit(&self) -> Option<Span> {
        let mut nodes = self.procedures.iter().flat_map(|draft| &draft.nodes);
        nodes.find(|(operation, _)| *operation == Operation::Begin).map(|(_, position)| Span::at(*position))
    }
}

/// Returns the members without repetition, in order.
fn distinct(members: &[LocationId]) -> Vec<LocationId> {
    let mut seen = std::collections::HashSet::new();
    members.iter().filter(|member| seen.insert(**member)).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::super::ModelBuilder;
    use super::*;
    use crate::syntax::ast::Mode;

    /// Adds nodes with these operations one after the other, each in a line of its own from 10 on.
    pub(super) fn line(builder: &mut GraphBuilder, procedure: ProcedureId, operations: &[Operation]) -> Vec<GraphNode> {
        let file = builder.file("Pool.java");
        let nodes: Vec<_> = (10..)
            .zip(operations)
            .map(|(line, operation)| builder.node(procedure, *operation, file.at(line, 5)))
            .collect();
        nodes.windows(2).for_each(|pair| builder.edge(pair[0], pair[1]));
        nodes
    }

    /// Returns a builder with a lock, a location and a process without nodes.
    pub(super) fn small() -> (GraphBuilder, LockId, LocationId, ProcedureId) {
        let mut builder = GraphBuilder::new();
        let file = builder.file("Pool.java");
        let lock = builder.lock("Pool.this", file.at(1, 1));
        let location = builder.location("Pool.used", file.at(2, 1));
        let (_, body) = builder.process("Client", Multiplicity::Many, file.at(3, 1));
        (builder, lock, location, body)
    }

    #[test]
    fn a_model_is_built_again() {
        let text = "lock l; rwlock r; shared x, y; atomicset S { x, y } fn f() { sync read r { read x; } }
            process P * 2 { loop { atomic { sync l { call f; wait l; } choose { write y; } or { return; } } } }
            process Q { start R; } process R { write x; }";
        let model = crate::model::from_text("m.eml", text).unwrap().model;
        let (again, _) = GraphBuilder::from_model(&model).build().unwrap();
        assert_eq!(again.to_eml(&[], &|_| None), model.to_eml(&[], &|_| None));
        assert_eq!(again.nodes().collect::<Vec<_>>(), model.nodes().collect::<Vec<_>>());
    }

    #[test]
    fn nodes_are_put_on_edges_and_before_the_entry() {
        let model = crate::model::from_text("m.eml", "lock l; shared x; process P { read x; write x; }").unwrap().model;
        let lock = model.lock_named("l").unwrap();
        let mut builder = GraphBuilder::from_model(&model);
        let body = model.processes()[0].body();
        let is_return = |node: GraphNode| model.node(model.procedure(body).nodes().nth(node.number).unwrap()).operation;
        builder.insert_between(body, |from, to| match (from, is_return(to)) {
            (None, _) => Some(Operation::Acquire(lock, Mode::Write)),
            (Some(_), Operation::Return) => Some(Operation::Release(lock, Mode::Write)),
            _ => None,
        });
        let (changed, _) = builder.build().unwrap();
        let text = changed.to_eml(&[], &|_| None);
        let order = ["acquire l;", "read x;", "write x;", "release l;"].map(|step| text.find(step).unwrap());
        assert!(order.is_sorted(), "{text}");
    }

    #[test]
    fn graphs_and_statements_make_the_same_model() {
        let (mut builder, lock, location, body) = small();
        let nodes = line(
            &mut builder,
            body,
            &[
                Operation::Skip,
                Operation::Begin,
                Operation::Acquire(lock, Mode::Write),
                Operation::Read(location),
                Operation::Release(lock, Mode::Write),
                Operation::End,
            ],
        );
        let back = builder.node(body, Operation::Return, Position::START);
        builder.edge(nodes[5], nodes[0]);
        builder.edge(nodes[0], back);
        let (graphs, warnings) = builder.build().unwrap();

        let mut builder = ModelBuilder::new();
        builder.lock("l").location("x");
        builder.process("Client", Multiplicity::Many, |body| {
            body.loop_(|body| {
                body.atomic(|body| {
                    body.sync("l", |body| {
                        body.read("x");
                    });
                });
            });
        });
        let (statements, others) = builder.build().unwrap();
        let nodes = |model: &Model| -> Vec<_> {
            let opened = |id| model.opened(id).iter().collect::<Vec<_>>();
            model.nodes().map(|(id, node)| (node.operation, model.successors(id).to_vec(), opened(id))).collect()
        };
        assert_eq!(nodes(&graphs), nodes(&statements));
        assert_eq!(warnings, others);
        assert_eq!(graphs.processes()[0].instance_bound(), InstanceBound::Several);
    }

    #[test]
    fn positions_name_their_files() {
        let (mut builder, _, location, body) = small();
        let other = builder.file("Main.java");
        let write = builder.node(body, Operation::Write(location), other.at(7, 3));
        let back = builder.node(body, Operation::Return, Position::START);
        builder.edge(write, back);
        assert_eq!(builder.file("Main.java"), other);
        let model = builder.build().unwrap().0;
        let files: Vec<_> = model.nodes().map(|(_, node)| model.file(node.position.file)).collect();
        assert_eq!(files, [Some("Main.java"), None]);
        assert_eq!(model.file(model.locks()[0].position().file), Some("Pool.java"));
    }

    #[test]
    fn any_depth_fits_on_a_small_stack() {
        const DEPTH: usize = 100_000;
        let build = || {
            let (mut builder, lock, location, body) = small();
            let mut operations = vec![Operation::Acquire(lock, Mode::Write); DEPTH];
            operations.push(Operation::Write(location));
            operations.extend(vec![Operation::Release(lock, Mode::Write); DEPTH]);
            operations.push(Operation::Return);
            line(&mut builder, body, &operations);
            let model = builder.build().unwrap().0;
            assert_eq!(model.nodes().map(|(id, _)| id).filter(|id| model.opened(*id).is_empty()).count(), 2);
        };
        let thread = std::thread::Builder::new().stack_size(1 << 20).spawn(build).expect("a thread can be started");
        thread.join().expect("the stack is large enough");
    }
}
