//! The state of the construction of a model: its declarations.

use super::super::exits::{Exits, Variant};
use super::super::flow::Step;
use super::super::ids::ContextId;
use super::super::isolated::NotIsolated;
use super::super::names::{LockMeaning, Meanings, printable, simple, source_path, static_name};
use super::super::purpose::Purpose;
use super::super::reachability::{contexts_with, steps};
use super::super::stuck::Stuck;
use super::input::Input;
use crate::value::{AliasId, Location, Lock, SymbolicIndex};
use eml::model::{FileId, GraphBuilder, GraphNode, LocationId, LockId, Mode, Operation, ProcedureId, ProcessId};
use eml::syntax::Position;
use java::{ClassId, MethodId};
use rustc_hash::FxHashSet;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Builds a model.
pub(super) struct Emitter<'a> {
    pub(super) input: Input<'a>,
    pub(super) builder: GraphBuilder,
    pub(super) exits: Exits,
    /// For each context whether it has a step that the purpose keeps, directly or through others.
    pub(super) accesses_subject: Vec<bool>,
    /// The variants with such a step, directly or through others.
    pub(super) accessing_variants: FxHashSet<Variant>,
    pub(super) functions: BTreeMap<Variant, ProcedureId>,
    /// The functions whose graphs are not built yet.
    pub(super) open: VecDeque<Variant>,
    /// The processes of the threads that are started, by the context that they run.
    pub(super) started: BTreeMap<ContextId, ProcessId>,
    /// The nodes at which no other thread is left.
    pub(super) alone: BTreeSet<(ContextId, usize)>,
    /// The reason why the first context was omitted, if one was.
    pub(super) omitted: Option<Stuck>,
    /// The number of nodes of inlined calls.
    pub(super) inlined: usize,
    /// The functions that contain copies of other methods' graphs, with these methods.
    pub(super) copies: BTreeSet<(ProcedureId, MethodId)>,
    /// The number of nodes of contexts in the model.
    pub(super) nodes: usize,
    pub(super) locations: BTreeMap<Location, LocationId>,
    files: BTreeMap<ClassId, FileId>,
    locks: BTreeMap<Lock, LockId>,
    /// The locks with an acquisition in read mode.
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
            accesses_subject: contexts_with(contexts, |step| input.purpose.keeps(step), Step::callee),
            read_write: read.collect(),
            input,
            builder: GraphBuilder::new(),
            accessing_variants: FxHashSet::default(),
            functions: BTreeMap::new(),
            open: VecDeque::new(),
            started: BTreeMap::new(),
            alone: BTreeSet::new(),
            omitted: None,
            inlined: 0,
            copies: BTreeSet::new(),
            nodes: 0,
            locations: BTreeMap::new(),
            files: BTreeMap::new(),
            locks: BTreeMap::new(),
            names: BTreeMap::new(),
            process_names: BTreeMap::new(),
        }
    }

    /// Checks for cancellation.
    ///
    /// # Errors
    /// If it is cancelled.
    pub(super) fn check_cancelled(&self) -> Result<(), NotIsolated> {
        if (self.input.is_cancelled)() { Err(NotIsolated::Stuck(Stuck::Cancelled)) } else { Ok(()) }
    }

    /// Returns the position of a node of a context in the source.
    pub(super) fn position(&mut self, context: ContextId, node: usize) -> Position {
        let context = &self.input.contexts[context.index()];
        let line = context.flow.nodes.get(node).map_or(1, |node| node.line.max(1));
        let class = self.input.program.method(context.method).class;
        self.file(class).at(line, 1)
    }

    /// Returns the position of the subject's class.
    pub(super) fn start(&mut self) -> Position {
        self.file(self.input.class).at(1, 1)
    }

    fn file(&mut self, class: ClassId) -> FileId {
        let (program, builder) = (self.input.program, &mut self.builder);
        *self.files.entry(class).or_insert_with(|| builder.file(&source_path(program, class)))
    }

    /// Makes a name unique among functions, locks and locations.
    pub(super) fn distinct(&mut self, name: &str) -> String {
        distinct(&mut self.names, name)
    }

    /// Makes a name unique among processes.
    pub(super) fn distinct_process(&mut self, name: &str) -> String {
        distinct(&mut self.process_names, name)
    }

    /// Declares one atomic set of all locations.
    ///
    /// # Errors
    /// If there are no locations.
    pub(super) fn add_atomic_set(&mut self) -> Result<(), NotIsolated> {
        if self.locations.is_empty() && self.input.purpose == Purpose::Deadlocks {
            return Ok(());
        }
        if self.locations.is_empty() {
            // The units only wait.
            return Err(NotIsolated::NothingToViolate(self.input.assumptions.clone(), None));
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
            Lock::Counter(region, None) => format!("work of {}", naming.region(region)),
            Lock::Flag(region, field) | Lock::Counter(region, Some(field)) => {
                format!("{}.{}", naming.region(region), program.text(program.field(field).name))
            }
            Lock::Holder(class) => format!("its {}", simple(program.text(program.class(class).name))),
            Lock::ExplicitHolder(class) => format!("lock its {}", simple(program.text(program.class(class).name))),
            Lock::Held(field) => static_name(program, field),
            Lock::ExplicitHeld(field) => format!("lock {}", static_name(program, field)),
            Lock::Element(array, _) => format!("element of {}", naming.region(array)),
            Lock::ExplicitElement(array, _) => format!("lock in {}", naming.region(array)),
            Lock::Operations(alias) => format!("{}{}", Meanings::OPERATIONS, naming.alias(alias)),
            Lock::Turn(region, turn) => format!("{}{}", Meanings::turn(turn), naming.region(region)),
            Lock::Functions(alias) => format!("{}{}", Meanings::FUNCTIONS, naming.alias(alias)),
            Lock::Restart => "restart".to_string(),
            Lock::Awaited(location) => format!("latch {}", self.location_name(location)),
            Lock::Owner(region) => format!("{}{}", Meanings::OWNER, naming.region(region)),
            Lock::Once(location) => format!("{}{}", Meanings::ONCE, self.location_name(location)),
            Lock::Found(location) => format!("{}{} found", Meanings::ONCE, self.location_name(location)),
        }
    }

    /// Returns the locks of the model that code can name, with their ids.
    pub(super) fn named_locks(&self) -> impl Iterator<Item = (LockId, LockMeaning)> + '_ {
        let Input { program, naming, .. } = self.input;
        let meaning = move |lock: &Lock| match *lock {
            Lock::Monitor(region) => LockMeaning::of_region(naming.region(region), false),
            Lock::Explicit(region) if naming.is_reentrant(region) => {
                LockMeaning::of_region(naming.region(region), true)
            }
            Lock::Class(_) => Some(LockMeaning::of_static(self.lock_name(*lock), false)),
            Lock::Static(field) => Some(LockMeaning::of_static(static_name(program, field), false)),
            Lock::Explicit(_) | Lock::ExplicitStatic(_) => None,
            Lock::Flag(..) | Lock::Counter(..) | Lock::Literal(_) | Lock::Holder(_) | Lock::ExplicitHolder(_) => None,
            Lock::Held(_) | Lock::ExplicitHeld(_) | Lock::Element(..) | Lock::ExplicitElement(..) => None,
            Lock::Operations(_) | Lock::Functions(_) | Lock::Turn(..) | Lock::Once(_) | Lock::Owner(_) => None,
            Lock::Restart | Lock::Awaited(_) | Lock::Found(_) => None,
        };
        self.locks.iter().filter_map(move |(lock, id)| Some((*id, meaning(lock)?)))
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
        // `this.x` is shown as `x`.
        name.strip_prefix("this.").unwrap_or(&name).to_string()
    }

    /// Adds a sequence of nodes; returns the first and the last one.
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

    /// Adds an endless loop after a node, so that control stays there.
    pub(super) fn add_endless_loop(&mut self, node: GraphNode, position: Position) {
        let end = self.builder.node(node.procedure(), Operation::Skip, position);
        self.builder.edge(node, end);
        self.builder.edge(end, end);
    }

    /// Adds a call, perhaps as a unit of work; returns its first and its last node.
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

/// Returns the name, with a number if it is taken.
fn distinct(given: &mut BTreeMap<String, usize>, name: &str) -> String {
    let name = printable(name).into_owned();
    let count = given.entry(name.clone()).or_default();
    *count += 1;
    if *count == 1 { name } else { format!("{name} ({count})") }
}
