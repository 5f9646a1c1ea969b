//! What is known of a model while it is made: its declarations.

use super::super::exits::{Exits, Variant};
use super::super::flow::Step;
use super::super::ids::ContextId;
use super::super::isolated::NotIsolated;
use super::super::names::{Meanings, printable, simple, source_path, static_name};
use super::super::reachability::{accesses, contexts_with, steps};
use super::super::stuck::Stuck;
use super::input::Input;
use crate::value::{AliasId, Location, Lock, SymbolicIndex};
use eml::model::{FileId, GraphBuilder, GraphNode, LocationId, LockId, Mode, Operation, ProcedureId, ProcessId};
use eml::syntax::Position;
use java::ClassId;
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Makes a model.
pub(super) struct Emitter<'a> {
    pub(super) input: Input<'a>,
    pub(super) builder: GraphBuilder,
    pub(super) exits: Exits,
    /// The contexts that access the subject, themselves or through others.
    pub(super) accesses_subject: Vec<bool>,
    /// The variants that do.
    pub(super) accessing_variants: FxHashSet<Variant>,
    pub(super) functions: BTreeMap<Variant, ProcedureId>,
    /// The functions whose graphs are not there yet.
    pub(super) open: VecDeque<Variant>,
    /// What threads run that are started.
    pub(super) started: BTreeMap<ContextId, ProcessId>,
    /// Nodes at which no other thread is left.
    pub(super) alone: BTreeSet<(ContextId, usize)>,
    /// How many nodes of inlined calls there are.
    pub(super) inlined: usize,
    /// How many nodes of contexts are in the model.
    pub(super) nodes: usize,
    pub(super) locations: BTreeMap<Location, LocationId>,
    files: BTreeMap<ClassId, FileId>,
    locks: BTreeMap<Lock, LockId>,
    /// The locks that are acquired for reading somewhere.
    read_write: BTreeSet<Lock>,
    names: BTreeMap<String, usize>,
    process_names: BTreeMap<String, usize>,
}

impl<'a> Emitter<'a> {
    pub(super) fn new(input: Input<'a>) -> Self {
        let contexts = input.contexts;
        let read = contexts.iter().flat_map(steps).filter_map(|step| match step {
            Step::Acquire(lock, Mode::Read) => Some(lock),
            _ => None,
        });
        Self {
            exits: Exits::new(contexts),
            accesses_subject: contexts_with(contexts, accesses, Step::callee),
            read_write: read.collect(),
            input,
            builder: GraphBuilder::new(),
            accessing_variants: FxHashSet::default(),
            functions: BTreeMap::new(),
            open: VecDeque::new(),
            started: BTreeMap::new(),
            alone: BTreeSet::new(),
            inlined: 0,
            nodes: 0,
            locations: BTreeMap::new(),
            files: BTreeMap::new(),
            locks: BTreeMap::new(),
            names: BTreeMap::new(),
            process_names: BTreeMap::new(),
        }
    }

    /// # Errors
    /// If it is cancelled.
    pub(super) fn check_cancelled(&self) -> Result<(), NotIsolated> {
        if (self.input.is_cancelled)() { Err(NotIsolated::Stuck(Stuck::Cancelled)) } else { Ok(()) }
    }

    /// Where a node of a context stands in the source.
    pub(super) fn position(&mut self, context: ContextId, node: usize) -> Position {
        let context = &self.input.contexts[context.index()];
        let line = context.flow.nodes.get(node).map_or(1, |node| node.line.max(1));
        let class = self.input.program.method(context.method).class;
        self.file(class).at(line, 1)
    }

    /// Where the subject's class begins.
    pub(super) fn start(&mut self) -> Position {
        self.file(self.input.class).at(1, 1)
    }

    fn file(&mut self, class: ClassId) -> FileId {
        let (program, builder) = (self.input.program, &mut self.builder);
        *self.files.entry(class).or_insert_with(|| builder.file(&source_path(program, class)))
    }

    /// A name that no function, lock or location has.
    pub(super) fn distinct(&mut self, name: &str) -> String {
        distinct(&mut self.names, name)
    }

    /// A name that no process has.
    pub(super) fn distinct_process(&mut self, name: &str) -> String {
        distinct(&mut self.process_names, name)
    }

    /// All locations are one atomic set.
    ///
    /// # Errors
    /// If there are none.
    pub(super) fn add_atomic_set(&mut self) -> Result<(), NotIsolated> {
        if self.locations.is_empty() {
            // Nothing is done but waiting.
            return Err(NotIsolated::NothingToViolate(self.input.assumptions.clone()));
        }
        let locations: Vec<LocationId> = self.locations.values().copied().collect();
        let start = self.start();
        self.builder.atomic_set(self.input.program.class_name(self.input.class), locations, start);
        Ok(())
    }

    pub(super) fn lock(&mut self, lock: Lock) -> LockId {
        if let Some(known) = self.locks.get(&lock) {
            return *known;
        }
        let name = self.lock_name(lock);
        let name = self.distinct(&name);
        let start = self.start();
        let id = match self.read_write.contains(&lock) {
            true => self.builder.rwlock(name, start),
            false => self.builder.lock(name, start),
        };
        if self.input.overlaps {
            self.builder.let_overlap(id);
        }
        self.locks.insert(lock, id);
        id
    }

    fn lock_name(&self, lock: Lock) -> String {
        let Input { program, naming, .. } = self.input;
        match lock {
            Lock::Monitor(region) => naming.region(region),
            Lock::Explicit(region) => format!("lock {}", naming.region(region)),
            Lock::Class(class) => format!("{}.class", simple(program.text(class))),
            Lock::Literal(text) => format!("\"{}\"", program.text(text)),
            Lock::Static(field) => static_name(program, field),
            Lock::ExplicitStatic(field) => format!("lock {}", static_name(program, field)),
            Lock::Element(array, _) => format!("element of {}", naming.region(array)),
            Lock::ExplicitElement(array, _) => format!("lock in {}", naming.region(array)),
            Lock::Operations(alias) => format!("{}{}", Meanings::OPERATIONS, naming.alias(alias)),
            Lock::Functions(alias) => format!("functions of {}", naming.alias(alias)),
        }
    }

    pub(super) fn location(&mut self, location: Location) -> LocationId {
        if let Some(known) = self.locations.get(&location) {
            return *known;
        }
        let name = self.location_name(location);
        let name = self.distinct(&name);
        let start = self.start();
        let id = self.builder.location(name, start);
        self.locations.insert(location, id);
        id
    }

    fn location_name(&self, location: Location) -> String {
        let program = self.input.program;
        let alias = |alias: AliasId| self.input.naming.alias(alias);
        let name = match location {
            Location::Field(of, field) => format!("{}.{}", alias(of), program.text(program.field(field).name)),
            Location::Static(field) => program.text(program.field(field).name).to_string(),
            Location::Content(of) => format!("{}[]", alias(of)),
            Location::Element(of, SymbolicIndex::First) => format!("{}[k]", alias(of)),
            Location::Element(of, SymbolicIndex::Second) => format!("{}[l]", alias(of)),
            Location::Deep => Meanings::DEEP.to_string(),
        };
        // Of `this.x`, what counts is `x`.
        name.strip_prefix("this.").unwrap_or(&name).to_string()
    }

    /// Nodes after each other: the first and the last.
    pub(super) fn add_chain(
        &mut self,
        function: ProcedureId,
        operations: &[Operation],
        position: Position,
    ) -> [GraphNode; 2] {
        let nodes: Vec<GraphNode> =
            operations.iter().map(|operation| self.builder.node(function, *operation, position)).collect();
        nodes.windows(2).for_each(|pair| self.builder.edge(pair[0], pair[1]));
        [nodes[0], nodes[nodes.len() - 1]]
    }

    /// Nothing can happen any more after a node.
    pub(super) fn add_endless_loop(&mut self, node: GraphNode, position: Position) {
        let end = self.builder.node(node.procedure(), Operation::Skip, position);
        self.builder.edge(node, end);
        self.builder.edge(end, end);
    }

    /// One call, perhaps as a unit of work: its first and its last node.
    pub(super) fn add_call(
        &mut self,
        body: ProcedureId,
        callee: Variant,
        is_unit: bool,
        position: Position,
    ) -> [GraphNode; 2] {
        let call = Operation::Call(self.function(callee));
        match is_unit {
            // Control enters a process at its first node.
            true => self.add_chain(body, &[Operation::Begin, call, Operation::End], position),
            false => self.add_chain(body, &[call], position),
        }
    }
}

/// The name, with a number if it was given before.
fn distinct(given: &mut BTreeMap<String, usize>, name: &str) -> String {
    let name = printable(name).into_owned();
    let count = given.entry(name.clone()).or_default();
    *count += 1;
    if *count == 1 { name } else { format!("{name} ({count})") }
}
