//! From clones to a model.

use super::alike::alike;
use super::clone_graph::{doing, predecessors, reachable, spread_over, starts};
use super::entries::Entry;
use super::exits::{Exit, Exits, Variant};
use super::flow::{CloneId, Step, Through, WayId};
use super::follow::{Follower, MethodClone, Stuck};
use super::model::{Isolated, NotIsolated};
use super::names::{
    Meanings, full_location, full_name, method_name, place_names, printable, simple, source_path, static_name,
};
use super::value::{Location, Lock, PlaceId, Value};
use crate::eml::Position;
use crate::model::{
    FileId, GraphBuilder, GraphNode, LocationId, LockId, Mode, Multiplicity, Operation, ProcedureId, ProcessId,
};
use java::ClassId;
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::rc::Rc;

/// Makes the model.
pub(super) struct Emitter<'f, 'p> {
    follower: &'f Follower<'p>,
    class: ClassId,
    builder: GraphBuilder,
    files: BTreeMap<ClassId, FileId>,
    locks: BTreeMap<Lock, LockId>,
    locations: BTreeMap<Location, LocationId>,
    functions: BTreeMap<Variant, ProcedureId>,
    /// The functions whose graphs are not there yet.
    open: VecDeque<Variant>,
    exits: Exits,
    /// The variants that access the object, themselves or through others.
    acting: BTreeSet<Variant>,
    /// The clones that do.
    acts: Vec<bool>,
    names: BTreeMap<String, usize>,
    process_names: BTreeMap<String, usize>,
    /// What is a unit of work.
    units: Units,
    /// What threads run that are started.
    started: BTreeMap<CloneId, ProcessId>,
    /// What a proof rests on besides what the follower assumed.
    assumptions: BTreeSet<String>,
    /// Nodes of a clone at which no other thread is left.
    alone: BTreeSet<(CloneId, usize)>,
    /// The locks that are acquired for reading somewhere.
    read_write: BTreeSet<Lock>,
    /// How many nodes of copies there are.
    nodes: usize,
    /// How many nodes of clones are in the model.
    in_all: usize,
    /// What [`Self::predecessors`] keeps.
    last: RefCell<Option<(CloneId, Rc<Edges>)>>,
}

/// For each node, nodes to which or from which edges lead.
type Edges = Vec<Vec<usize>>;

/// Copies of calls stand in each other so deep.
const DEEPEST: usize = 32;

/// So many nodes are copied.
const MOST_NODES: usize = 200_000;

/// So many nodes of clones are put into the model, once for each way out of them that matters to a caller.
const MOST_IN_ALL: usize = 1_500_000;

/// How a clone is copied.
#[derive(Clone, Copy, Debug)]
struct Copied {
    /// Whether it stands in a caller, and is no function.
    is_inside: bool,
    /// How many locks callers have opened that it could close.
    closable: usize,
    /// How many copies it stands in.
    depth: usize,
}

/// The nodes of a copy by which others are connected to it.
struct Copy {
    first: GraphNode,
    /// Where control leaves it, by the way and the exit.
    leaves: BTreeMap<(WayId, Exit), Vec<GraphNode>>,
}

/// The assumption about methods that wait in a loop.
const WAITING: &str = "what a method has read before it waits in a loop does not count when it is woken";

/// The assumption about threads that are objects.
const ONCE: &str = "the method `run` of a `Thread` or a `TimerTask` is run by one thread only";

/// An entry of client mode, and the process that runs it.
#[derive(Clone, Copy)]
struct Run {
    clone: CloneId,
    process: ProcessId,
    is_unit: bool,
    /// Whether the object runs it once.
    is_once: bool,
    position: Position,
}

/// What is a unit of work besides the entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Units {
    /// In client mode, a call that enters the class from a class that is not inside it.
    Entering,
    /// In program mode, a call that enters the class.
    Calls,
    /// In program mode, the body of a method of another class, or of a loop in it, in which something depends on the object.
    Bodies,
}

impl<'f, 'p> Emitter<'f, 'p> {
    pub(super) fn new(follower: &'f Follower<'p>, class: ClassId, units: Units) -> Self {
        Self {
            follower,
            class,
            builder: GraphBuilder::new(),
            files: BTreeMap::new(),
            locks: BTreeMap::new(),
            locations: BTreeMap::new(),
            functions: BTreeMap::new(),
            open: VecDeque::new(),
            exits: Exits::new(&follower.clones),
            acting: BTreeSet::new(),
            acts: doing(&follower.clones, accesses, Step::callee),
            names: BTreeMap::new(),
            process_names: BTreeMap::new(),
            units,
            started: BTreeMap::new(),
            assumptions: follower.assumptions.clone(),
            alone: BTreeSet::new(),
            read_write: read_write(follower),
            nodes: 0,
            in_all: 0,
            last: RefCell::default(),
        }
    }

    /// The model of client mode.
    pub(super) fn emit(mut self, entries: BTreeMap<CloneId, Entry>) -> Result<Isolated, NotIsolated> {
        let entries: Vec<_> = entries.into_iter().filter(|(clone, _)| self.acts[clone.index()]).collect();
        if entries.is_empty() {
            return Err(NotIsolated::NothingToBreak);
        }
        let clones: Vec<CloneId> = entries.iter().map(|(clone, _)| *clone).collect();
        self.functions(&clones);
        self.graphs()?;
        if self.locations.is_empty() {
            // Nothing is done but waiting.
            return Err(NotIsolated::NothingToBreak);
        }
        self.set();
        let start = self.start();
        let mut runs = Vec::new();
        for (clone, entry) in entries {
            let position = self.position(clone, 0);
            let name = distinct(&mut self.process_names, &entry.name);
            let (process, body) = self.builder.process(name, Multiplicity::Many, position);
            let run = self.run(body, Variant::whole(clone), entry.is_unit, position);
            let back = self.builder.node(body, Operation::Return, position);
            self.builder.edge(run[1], back);
            let is_once = self.follower.runs_once(clone);
            runs.push(Run { clone, process, is_unit: entry.is_unit, is_once, position });
        }
        let alike = alike(&self.follower.clones, |id, node| self.is_special(id, node));
        let mut first: BTreeMap<(CloneId, bool, bool), ProcessId> = BTreeMap::new();
        let mut others_alike = Vec::new();
        let mut chosen = Vec::new();
        for run in &runs {
            let known = *first.entry((alike[run.clone.index()], run.is_unit, run.is_once)).or_insert(run.process);
            if known == run.process {
                chosen.push(*run);
            } else {
                others_alike.push((run.process, known));
            }
        }
        let others = self.others(&chosen, start);
        let others_than_once = chosen.iter().any(|run| run.is_once).then(|| {
            self.assumptions.insert(ONCE.to_string());
            let rest: Vec<Run> = chosen.iter().copied().filter(|run| !run.is_once).collect();
            self.others(&rest, start)
        });
        let pair = |run: &Run| [run.process, others_than_once.filter(|_| run.is_once).unwrap_or(others)];
        let pairs = chosen.iter().map(pair).collect();
        let runs: Vec<_> = runs.iter().map(|run| (run.clone, run.process)).collect();
        self.finish((pairs, others_alike), &runs, others)
    }

    /// A process that runs any of these, again and again.
    fn others(&mut self, runs: &[Run], start: Position) -> ProcessId {
        let name = distinct(&mut self.process_names, "another thread");
        let (others, body) = self.builder.process(name, Multiplicity::Many, start);
        let choice = self.builder.node(body, Operation::Skip, start);
        let back = self.builder.node(body, Operation::Return, start);
        self.builder.edge(choice, back);
        for run in runs {
            let run = self.run(body, Variant::whole(run.clone), run.is_unit, run.position);
            self.builder.edge(choice, run[0]);
            self.builder.edge(run[1], choice);
        }
        others
    }

    /// Whether something differs from others by more than its step: a call that is a unit of work, waiting that only guards, a clone
    /// that does not act, so that it is left out.
    fn is_special(&self, id: CloneId, node: Option<usize>) -> bool {
        let Some(node) = node else { return self.acts[id.index()] };
        match self.follower.clones[id.index()].flow.nodes[node].step {
            Step::Call(callee, _) | Step::Through(Through { callee, .. }) => self.enters(id, callee),
            Step::Wait(_) => self.only_guards(id, node),
            Step::Skip | Step::Read(_) | Step::Write(_) | Step::Acquire(..) | Step::Release(..) => false,
            Step::Close(..) | Step::Start(_) | Step::Join | Step::Cut | Step::Return(_) | Step::Leave(..) => false,
        }
    }

    /// The model with what its names stand for; each of these processes runs a clone.
    fn finish(
        self,
        (pairs, alike): (Vec<[ProcessId; 2]>, Vec<(ProcessId, ProcessId)>),
        runs: &[(CloneId, ProcessId)],
        others: ProcessId,
    ) -> Result<Isolated, NotIsolated> {
        let Self { builder, follower, functions, assumptions, .. } = self;
        let program = follower.context.program;
        let (model, _) = builder.build().map_err(NotIsolated::Fault)?;
        let mut meanings = Meanings::default();
        for (clone, process) in runs {
            let name = model.process(*process).name().to_string();
            let followed = &follower.clones[clone.index()];
            meanings.units.insert(name.clone(), full_name(program, followed.method, &followed.arguments));
            meanings.processes.insert(model.procedure(functions[&Variant::whole(*clone)]).name().to_string(), name);
        }
        for (location, id) in &self.locations {
            let full = full_location(program, self.class, *location, &follower.places);
            let name = model.location(*id).name().to_string();
            if follower.guessed.contains(location) {
                meanings.guessed.insert(name.clone());
            }
            meanings.locations.insert(name, full);
        }
        let assumptions = assumptions.iter().map(|one| printable(one).into_owned()).collect();
        let entries = runs.iter().map(|(_, process)| *process).collect();
        Ok(Isolated { model, pairs, alike, entries, others, assumptions, partial: None, meanings })
    }

    /// The model of program mode: the first clone is what the main thread runs.
    pub(super) fn emit_program(mut self, main: CloneId) -> Result<Isolated, NotIsolated> {
        if !self.acts[main.index()] {
            return Err(NotIsolated::NothingToBreak);
        }
        let started: BTreeSet<CloneId> = self.follower.clones.iter().flat_map(starts).collect();
        let started: Vec<CloneId> = started.into_iter().filter(|clone| self.acts[clone.index()]).collect();
        if started.is_empty() {
            return Err(NotIsolated::NothingToBreak);
        }
        let roots: Vec<CloneId> = [main].into_iter().chain(started.iter().copied()).collect();
        self.functions(&roots);
        self.alone = super::join::alone(&self.follower.clones, main);
        let mut bodies = Vec::new();
        for (clone, title) in [(main, "main thread".to_string())].into_iter().chain(started.iter().map(|clone| {
            let called = &self.follower.clones[clone.index()];
            (*clone, format!("thread of {}", method_name(self.follower.context.program, called.method)))
        })) {
            let position = self.position(clone, 0);
            let name = distinct(&mut self.process_names, &title);
            let (process, body) = self.builder.process(name, Multiplicity::Single, position);
            if !bodies.is_empty() {
                self.started.insert(clone, process);
            }
            bodies.push((process, body, clone, position));
        }
        self.graphs()?;
        if self.locations.is_empty() {
            // Nothing is done but waiting.
            return Err(NotIsolated::NothingToBreak);
        }
        self.set();
        for (_, body, clone, position) in &bodies {
            // A task may be a method of the object itself: `counter::add`.
            let called = &self.follower.clones[clone.index()];
            let gets_object =
                self.follower.statics.is_some() || called.arguments.contains(&Value::Place(PlaceId::OBJECT));
            let is_unit = self.units == Units::Calls && gets_object && self.follower.is_own(*clone);
            let run = self.run(*body, Variant::whole(*clone), is_unit, *position);
            let back = self.builder.node(*body, Operation::Return, *position);
            self.builder.edge(run[1], back);
        }
        let processes: Vec<ProcessId> = bodies.iter().map(|body| body.0).collect();
        let pairs = processes.iter().flat_map(|one| processes.iter().map(|other| [*one, *other]));
        let single =
            bodies.iter().enumerate().filter(|(index, body)| *index == 0 || !self.follower.may_run_twice(body.2));
        let single: Vec<ProcessId> = single.map(|(_, body)| body.0).collect();
        let main = processes[0];
        let pairs = pairs.filter(|[one, other]| one != other || !single.contains(one)).collect();
        let runs: Vec<_> = bodies.iter().map(|body| (body.2, body.0)).collect();
        self.finish((pairs, Vec::new()), &runs, main)
    }

    /// Declares the functions of what threads run.
    fn functions(&mut self, roots: &[CloneId]) {
        self.acting = self.exits.doing(&self.follower.clones, roots.iter().copied(), accesses);
        for clone in roots {
            self.function(Variant::whole(*clone));
        }
    }

    /// The function that a variant is; it is declared if it was not.
    fn function(&mut self, variant: Variant) -> ProcedureId {
        if let Some(known) = self.functions.get(&variant) {
            return *known;
        }
        let method = self.follower.clones[variant.clone.index()].method;
        let name = self.distinct(method_name(self.follower.context.program, method));
        let position = self.position(variant.clone, 0);
        let function = self.builder.function(name, position);
        self.functions.insert(variant, function);
        self.open.push_back(variant);
        function
    }

    /// The graphs of all functions that are called.
    fn graphs(&mut self) -> Result<(), NotIsolated> {
        while let Some(variant) = self.open.pop_front() {
            self.graph(variant)?;
        }
        Ok(())
    }

    /// All locations are one atomic set.
    fn set(&mut self) {
        let locations: Vec<LocationId> = self.locations.values().copied().collect();
        let start = self.start();
        let name = self.follower.context.program.class_name(self.class);
        self.builder.atomic_set(name, locations, start);
    }

    /// One call, perhaps as a unit of work: its first and its last node.
    fn run(&mut self, body: ProcedureId, callee: Variant, is_unit: bool, position: Position) -> [GraphNode; 2] {
        let call = Operation::Call(self.function(callee));
        if !is_unit {
            return [self.builder.node(body, call, position); 2];
        }
        // Control enters a process at its first node.
        let [begin, call, end] =
            [Operation::Begin, call, Operation::End].map(|operation| self.builder.node(body, operation, position));
        self.builder.edge(begin, call);
        self.builder.edge(call, end);
        [begin, end]
    }

    /// Whether a call is a unit of work by itself: it enters the object's class from a class that is not of its nest.
    fn enters(&self, caller: CloneId, callee: CloneId) -> bool {
        let clones = [caller, callee].map(|clone| &self.follower.clones[clone.index()]);
        let [caller_is_own, callee_is_own] = [caller, callee].map(|clone| self.follower.is_own(clone));
        let [caller, callee] = clones;
        let gets_object = self.follower.statics.is_some() || callee.arguments.contains(&Value::Place(PlaceId::OBJECT));
        let enters = gets_object && callee_is_own && !caller_is_own;
        let program = self.follower.context.program;
        match self.units {
            Units::Entering => enters && !self.follower.is_inside(caller.method),
            Units::Calls => enters && !program.is_constructor(callee.method),
            Units::Bodies => false,
        }
    }

    fn distinct(&mut self, name: String) -> String {
        distinct(&mut self.names, &name)
    }

    fn start(&mut self) -> Position {
        let file = self.file(self.class);
        file.at(1, 1)
    }

    fn file(&mut self, class: ClassId) -> FileId {
        let program = self.follower.context.program;
        let builder = &mut self.builder;
        *self.files.entry(class).or_insert_with(|| builder.file(&source_path(program, class)))
    }

    fn position(&mut self, clone: CloneId, node: usize) -> Position {
        let clone = &self.follower.clones[clone.index()];
        let line = clone.flow.nodes[node].line.max(1);
        let class = self.follower.context.program.method(clone.method).class;
        self.file(class).at(line, 1)
    }

    fn graph(&mut self, variant: Variant) -> Result<(), NotIsolated> {
        let function = self.functions[&variant];
        let entry = self.copy(function, variant, Copied { is_inside: false, closable: 0, depth: 0 })?;
        self.builder.enter_at(entry.first);
        Ok(())
    }

    /// The nodes of a variant, as a function or inside of another one.
    fn copy(&mut self, function: ProcedureId, variant: Variant, copied: Copied) -> Result<Copy, NotIsolated> {
        let id = variant.clone;
        let clone = &self.follower.clones[id.index()];
        let is_unit = self.units == Units::Bodies && clone.is_dependent;
        let reached = self.exits.nodes(clone, variant);
        self.nodes += if copied.is_inside { reached.len() } else { 0 };
        if copied.depth > DEEPEST || self.nodes > MOST_NODES {
            let method = self.follower.context.program.method_name(clone.method);
            return Err(NotIsolated::Stuck(Stuck::NotNested { method, line: clone.flow.nodes[0].line }));
        }
        self.in_all += reached.len();
        if self.in_all > MOST_IN_ALL {
            let method = self.follower.context.program.method_name(clone.method);
            return Err(NotIsolated::Stuck(Stuck::TooLarge { method }));
        }
        let mut leaves_by: BTreeMap<(WayId, Exit), Vec<GraphNode>> = BTreeMap::new();
        let mut nodes = BTreeMap::new();
        let mut ends = BTreeSet::new();
        let position = self.position(id, 0);
        let begin = is_unit.then(|| self.builder.node(function, Operation::Begin, position));
        for index in reached.iter().copied() {
            let position = self.position(id, index);
            let is_alone = self.alone.contains(&(id, index));
            let first = match clone.flow.nodes[index].step {
                Step::Read(_) | Step::Write(_) | Step::Call(..) if is_alone => {
                    [self.builder.node(function, Operation::Skip, position); 2]
                }
                Step::Wait(lock) => {
                    let lock = self.lock(lock);
                    let [waits, resumes] = self.builder.wait(function, lock, position);
                    if self.only_guards(id, index) {
                        // What it does when it is woken is what it does when it comes later.
                        self.stays(resumes, position);
                        self.assumptions.insert(WAITING.to_string());
                        ends.insert(index);
                    }
                    [waits, resumes]
                }
                Step::Call(callee, exit) => match self.exits.called(callee, exit) {
                    Some(called) if self.acting.contains(&called) => {
                        self.run(function, called, self.enters(id, callee), position)
                    }
                    _ => [self.builder.node(function, Operation::Skip, position); 2],
                },
                Step::Through(through) => self.through(function, id, through, copied, position)?,
                Step::Close(lock, mode, number) => {
                    let is_open = usize::from(number) < copied.closable;
                    let step = if is_open { Step::Release(lock, mode) } else { Step::Skip };
                    let operation = self.operation(step);
                    [self.builder.node(function, operation, position); 2]
                }
                Step::Cut if is_unit => self.chain(function, &[Operation::End, Operation::Begin], position),
                Step::Return(_) | Step::Leave(..) => {
                    ends.insert(index);
                    let leaves = self.leaves(function, clone, index, is_unit, copied.is_inside, position);
                    if copied.is_inside {
                        leaves_by.entry(leaves.0).or_default().push(leaves.1[1]);
                    }
                    leaves.1
                }
                step => {
                    let operation = self.operation(step);
                    [self.builder.node(function, operation, position); 2]
                }
            };
            nodes.insert(index, first);
        }
        for index in reached.difference(&ends).copied() {
            let mut next = clone.flow.nodes[index].next.iter().filter_map(|next| nodes.get(next)).peekable();
            if next.peek().is_none() {
                let position = self.position(id, index);
                self.stays(nodes[&index][1], position);
            }
            next.for_each(|[next, _]| self.builder.edge(nodes[&index][1], *next));
        }
        if let Some(begin) = begin {
            self.builder.edge(begin, nodes[&0][0]);
        }
        Ok(Copy { first: begin.unwrap_or(nodes[&0][0]), leaves: leaves_by })
    }

    /// Nothing can happen any more behind a node.
    fn stays(&mut self, node: GraphNode, position: Position) {
        let end = self.builder.node(node.procedure(), Operation::Skip, position);
        self.builder.edge(node, end);
        self.builder.edge(end, end);
    }

    /// The nodes at which control leaves a clone, and which way and exit that is. What threads and clients call closes what is still open.
    fn leaves(
        &mut self,
        function: ProcedureId,
        clone: &MethodClone,
        index: usize,
        is_unit: bool,
        is_inside: bool,
        position: Position,
    ) -> ((WayId, Exit), [GraphNode; 2]) {
        let (way, exit) = match clone.flow.nodes[index].step {
            Step::Leave(way, exit) => (way, exit),
            Step::Return(exit) => (WayId::PLAIN, exit),
            _ => unreachable!("control leaves there"),
        };
        let mut operations: Vec<Operation> = is_unit.then_some(Operation::End).into_iter().collect();
        if is_inside {
            operations.push(Operation::Skip);
        } else {
            for open in clone.left_open(way).iter().rev() {
                let operation = open.release().map(|step| self.operation(step));
                operations.extend(operation);
            }
            operations.push(Operation::Return);
        }
        ((way, exit), self.chain(function, &operations, position))
    }

    /// A call that is copied: the nodes before and behind it.
    fn through(
        &mut self,
        function: ProcedureId,
        caller: CloneId,
        through: Through,
        copied: Copied,
        position: Position,
    ) -> Result<[GraphNode; 2], NotIsolated> {
        let Through { callee, way, exit, open, closed } = through;
        // What leaves other locks open than it finds is a part of a unit at most.
        let is_unit = way == WayId::PLAIN && self.enters(caller, callee);
        let [first, last] = match is_unit {
            true => [Operation::Begin, Operation::End],
            false => [Operation::Skip; 2],
        }
        .map(|operation| self.builder.node(function, operation, position));
        let closable = usize::from(open) + copied.closable.saturating_sub(usize::from(closed));
        let inner =
            self.copy(function, Variant::whole(callee), Copied { is_inside: true, closable, depth: copied.depth + 1 })?;
        self.builder.edge(first, inner.first);
        for (left, nodes) in inner.leaves {
            for node in nodes {
                // Other copies go on where control leaves in another way.
                self.builder.edge(node, if left == (way, exit) { last } else { node });
            }
        }
        Ok([first, last])
    }

    /// Whether waiting at a node only guards what comes behind it: the loop around it only reads, nothing is accessed before the
    /// loop, and the clone is called as a unit of work by itself.
    ///
    /// Then, whatever a run has done in the unit when it is woken, it has only read, in order to test again: it goes on as a run that
    /// comes then. So runs that wait may stay there for ever.
    ///
    /// Linear in the clone, and much less if what comes before the node is soon seen to do more. A clone may wait at hundreds of its nodes.
    fn only_guards(&self, id: CloneId, node: usize) -> bool {
        let nodes = &self.follower.clones[id.index()].flow.nodes;
        let is_quiet = |one: usize| match nodes[one].step {
            Step::Call(callee, _) | Step::Through(Through { callee, .. }) => !self.acts[callee.index()],
            Step::Write(_) | Step::Start(_) => false,
            Step::Wait(_) => one == node,
            Step::Read(_) | Step::Skip | Step::Acquire(..) | Step::Release(..) | Step::Close(..) => true,
            Step::Join | Step::Cut | Step::Return(_) | Step::Leave(..) => true,
        };
        let into = self.predecessors(id);
        let Some(before) = spread_over(nodes.len(), &into[node], |one| is_quiet(one).then_some(&into[one])) else {
            return false;
        };
        let behind = spread_over(nodes.len(), &nodes[node].next, |one| Some(&nodes[one].next));
        let is_behind = |one: usize| behind.as_ref().is_some_and(|behind| behind.contains(one));
        let is_read = |one: &usize| matches!(nodes[*one].step, Step::Read(_));
        let is_unit = || {
            (0..).map(CloneId).zip(&self.follower.clones).all(|(caller, clone)| {
                let calls = clone.flow.nodes.iter().any(|node| node.step.called() == Some(id));
                !calls || self.enters(caller, id)
            })
        };
        is_behind(node) && before.ones().filter(is_read).all(is_behind) && is_unit()
    }

    /// For each node of a clone, from which nodes that control can reach an edge leads to it. It is kept until another clone is asked for.
    fn predecessors(&self, id: CloneId) -> Rc<Edges> {
        let mut last = self.last.borrow_mut();
        match &*last {
            Some((known, into)) if *known == id => into.clone(),
            Some(_) | None => {
                let clone = &self.follower.clones[id.index()];
                let into = Rc::new(predecessors(&clone.flow.nodes, &reachable(clone)));
                *last = Some((id, into.clone()));
                into
            }
        }
    }

    /// Nodes behind each other: the first and the last.
    fn chain(&mut self, function: ProcedureId, operations: &[Operation], position: Position) -> [GraphNode; 2] {
        let nodes: Vec<GraphNode> =
            operations.iter().map(|operation| self.builder.node(function, *operation, position)).collect();
        nodes.windows(2).for_each(|pair| self.builder.edge(pair[0], pair[1]));
        [nodes[0], nodes[nodes.len() - 1]]
    }

    fn operation(&mut self, step: Step) -> Operation {
        match step {
            Step::Skip | Step::Join | Step::Cut => Operation::Skip,
            Step::Start(clone) => {
                self.started.get(&clone).map_or(Operation::Skip, |process| Operation::Start(*process))
            }
            Step::Read(location) => Operation::Read(self.location(location)),
            Step::Write(location) => Operation::Write(self.location(location)),
            Step::Acquire(lock, mode) => Operation::Acquire(self.lock(lock), mode),
            Step::Release(lock, mode) => Operation::Release(self.lock(lock), mode),
            Step::Return(_) | Step::Leave(..) => Operation::Return,
            Step::Wait(_) | Step::Call(..) | Step::Through(_) | Step::Close(..) => {
                unreachable!("they take several nodes")
            }
        }
    }

    fn lock(&mut self, lock: Lock) -> LockId {
        if let Some(known) = self.locks.get(&lock) {
            return *known;
        }
        let program = self.follower.context.program;
        let name = match lock {
            Lock::Monitor(place) => self.place(place),
            Lock::Explicit(place) => format!("lock {}", self.place(place)),
            Lock::Class(class) => format!("{}.class", simple(program.text(class))),
            Lock::Static(field) => static_name(program, field),
            Lock::ExplicitStatic(field) => format!("lock {}", static_name(program, field)),
            Lock::Content(place) => format!("operations of {}", self.place(place)),
        };
        let name = self.distinct(name);
        let start = self.start();
        let id = if self.read_write.contains(&lock) {
            self.builder.rwlock(name, start)
        } else {
            self.builder.lock(name, start)
        };
        self.locks.insert(lock, id);
        id
    }

    fn location(&mut self, location: Location) -> LocationId {
        if let Some(known) = self.locations.get(&location) {
            return *known;
        }
        let program = self.follower.context.program;
        let name = match location {
            Location::Field(place, field) => {
                format!("{}.{}", self.place(place), program.text(program.field(field).name))
            }
            Location::Static(field) => program.text(program.field(field).name).to_string(),
            Location::Content(PlaceId::OBJECT) => "this[]".to_string(),
            Location::Content(place) => format!("{}[]", self.place(place)),
        };
        // Of `this.x`, what counts is `x`.
        let name = name.strip_prefix("this.").unwrap_or(&name).to_string();
        let name = self.distinct(name);
        let start = self.start();
        let id = self.builder.location(name, start);
        self.locations.insert(location, id);
        id
    }

    fn place(&self, place: PlaceId) -> String {
        let program = self.follower.context.program;
        let names = place_names(program, &self.follower.places, place);
        ["this".to_string()].into_iter().chain(names).collect::<Vec<_>>().join(".")
    }
}

/// The name, with a number if it was given before.
fn distinct(given: &mut BTreeMap<String, usize>, name: &str) -> String {
    let name = printable(name).into_owned();
    let count = given.entry(name.clone()).or_default();
    *count += 1;
    if *count == 1 { name } else { format!("{name} ({count})") }
}

/// Whether a step is more than control and locks. A clone that only locks is left out, which adds interleavings.
fn accesses(step: Step) -> bool {
    matches!(step, Step::Read(_) | Step::Write(_) | Step::Wait(_))
}

/// The locks that are acquired for reading somewhere.
fn read_write(follower: &Follower<'_>) -> BTreeSet<Lock> {
    let steps = follower.clones.iter().flat_map(|clone| clone.flow.nodes.iter().map(|node| node.step));
    let read = steps.filter_map(|step| match step {
        Step::Acquire(lock, Mode::Read) => Some(lock),
        _ => None,
    });
    read.collect()
}
