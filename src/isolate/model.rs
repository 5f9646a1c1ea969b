//! From clones to a model: client mode.

use super::flow::{CloneId, Step};
use super::follow::{Context, Follower, Stuck};
use super::names::{Meanings, full_location, full_name, printable, source_path};
use super::subject::Subject;
use super::value::{Location, Lock, PlaceId, Value};
use crate::eml::Position;
use crate::model::{
    FileId, GraphBuilder, GraphError, LocationId, LockId, Mode, Model, Multiplicity, Operation, ProcedureId, ProcessId,
};
use java::{ClassId, FieldId, Lookup, MethodId, Program, Type};
use std::collections::{BTreeMap, BTreeSet};

/// The model of one object, which any number of threads use.
#[derive(Debug)]
pub struct Isolated {
    /// The model. Each of `entries` is a process of any number of instances that runs the entry once, as a unit of work; `others`
    /// runs any of them, again and again. All locations are one atomic set.
    pub model: Model,
    /// The processes that run one entry each.
    pub entries: Vec<ProcessId>,
    /// The process that runs any entry.
    pub others: ProcessId,
    /// What a proof rests on, in words.
    pub assumptions: BTreeSet<String>,
    /// What the names of the model stand for.
    pub meanings: Meanings,
}

/// Why there is no model.
#[derive(Debug)]
pub enum NotIsolated {
    /// The methods cannot be followed.
    Stuck(Stuck),
    /// No method accesses the object twice, so that nothing can be broken.
    NothingToBreak,
    /// The program is at fault: the graphs are no model.
    Fault(Vec<GraphError>),
}

/// So many combinations of arguments that are the object are asked for.
const MOST_FITTING: usize = 4;

/// Follows one object of a class through all methods that clients can call with it.
///
/// # Errors
/// If there is no model; see [`NotIsolated`].
pub(super) fn isolate(
    context: Context<'_>,
    subject: &Subject,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Isolated, NotIsolated> {
    let mut follower = Follower::new(context, subject.class);
    let mut entries = BTreeMap::new();
    for (method, arguments) in entry_arguments(&follower) {
        let name = entry_name(context.program, method, &arguments);
        let clone = follower.clone_of(method, arguments).map_err(NotIsolated::Stuck)?;
        entries.entry(clone).or_insert(name);
    }
    follower.run(is_cancelled).map_err(NotIsolated::Stuck)?;
    for thread in follower.threads.clone() {
        let clone = &follower.clones[thread.index()];
        let name = format!("{} on another thread", entry_name(context.program, clone.method, &clone.arguments));
        entries.entry(thread).or_insert(name);
    }
    follower.clones.iter_mut().for_each(|clone| clone.flow.pass_skips());
    Emitter::new(&follower, subject.class).emit(entries)
}

/// The methods that clients can call, with each combination of arguments of which one at least is the object; and those of other
/// classes of the nest that find the object in their own fields.
fn entry_arguments(follower: &Follower<'_>) -> Vec<(MethodId, Vec<Value>)> {
    let Context { program, facts, .. } = follower.context;
    let mut found = Vec::new();
    let mut known: BTreeSet<(&str, &str)> = BTreeSet::new();
    // Superclasses first: their methods hold before those of interfaces.
    let interfaces =
        program.supertypes(follower.class).into_iter().filter(|class| program.class(*class).flags.is_interface());
    let classes = program.superclasses(follower.class).filter(|class| follower.classes.contains(class));
    for class in classes.chain(interfaces) {
        for method in program.class(class).methods().filter(|method| can_be_entry(program, *method)) {
            let declared = program.method(method);
            let is_first = known.insert((program.text(declared.name), program.text(declared.descriptor)));
            let resolved = program.resolve_in(follower.class, declared.name, declared.descriptor);
            if is_first
                && resolved == Lookup::Found(method)
                && facts.is_called_by_others(program, method, &follower.classes)
            {
                let all = combinations(follower, method);
                found.extend(
                    all.into_iter()
                        .filter(|arguments| arguments.iter().any(|value| value.can_act()))
                        .map(|it| (method, it)),
                );
            }
        }
    }
    let mut touching: Vec<MethodId> = follower.touching.iter().copied().collect();
    touching.sort_unstable();
    for method in touching.into_iter().filter(|method| can_be_entry(program, *method)) {
        let own = program.superclasses(program.method(method).class).collect();
        if facts.is_called_by_others(program, method, &own) {
            found.extend(combinations(follower, method).into_iter().map(|arguments| (method, arguments)));
        }
    }
    found
}

fn can_be_entry(program: &Program, method: MethodId) -> bool {
    let declared = program.method(method);
    let is_hidden = declared.flags.is_private() || declared.flags.is_synthetic();
    !is_hidden && !program.text(declared.name).starts_with('<') && declared.has_code()
}

/// Arguments of a method, the receiver first: each that fits is the object or another one.
fn combinations(follower: &Follower<'_>, method: MethodId) -> Vec<Vec<Value>> {
    let program = follower.context.program;
    let declared = program.method(method);
    let Some(types) = program.method_type(declared.descriptor) else { return Vec::new() };
    let is_object = |of: &Type| matches!(of, Type::Class(name) if program.text(*name) == "java/lang/Object");
    // What is only taken as some object is mostly a key or an element.
    let fitting = types.parameters.iter().map(|of| follower.fits(*of) && !is_object(of));
    let receiver = (!declared.flags.is_static()).then_some(program.is_subtype(follower.class, declared.class));
    let fitting: Vec<bool> = receiver.into_iter().chain(fitting).collect();
    let places: Vec<usize> = (0..fitting.len()).filter(|place| fitting[*place]).take(MOST_FITTING).collect();
    let chosen = (0_usize..1 << places.len()).map(|combination| {
        let mut arguments = vec![Value::Any; fitting.len()];
        for (bit, place) in places.iter().enumerate() {
            if combination >> bit & 1 == 1 {
                arguments[*place] = Value::Place(PlaceId::OBJECT);
            }
        }
        arguments
    });
    chosen.collect()
}

/// `this.append(CharSequence)`, `other.append(this)`.
fn entry_name(program: &Program, method: MethodId, arguments: &[Value]) -> String {
    let declared = program.method(method);
    let is_object = |value: &Value| *value == Value::Place(PlaceId::OBJECT);
    let class = program.class_name(declared.class);
    let (receiver, rest) = match (declared.flags.is_static(), arguments.split_first()) {
        (false, Some((receiver, rest))) if is_object(receiver) => ("this".to_string(), rest),
        (false, Some((_, rest))) if rest.iter().any(is_object) => ("other".to_string(), rest),
        (false, Some((_, rest))) => (simple(&class).to_string(), rest),
        _ => (simple(&class).to_string(), arguments),
    };
    let types = program.method_type(declared.descriptor);
    let types = types.iter().flat_map(|types| types.parameters.iter());
    let parameters =
        types.zip(rest).map(|(of, value)| if is_object(value) { "this".into() } else { type_name(program, *of) });
    format!("{receiver}.{}({})", program.text(declared.name), parameters.collect::<Vec<_>>().join(", "))
}

/// A method as reports name it: `Vector.addAll(Collection)`.
fn method_name(program: &Program, method: MethodId) -> String {
    let declared = program.method(method);
    let types = program.method_type(declared.descriptor);
    let types = types.iter().flat_map(|types| types.parameters.iter());
    let parameters: Vec<_> = types.map(|of| type_name(program, *of)).collect();
    let class = program.class_name(declared.class);
    format!("{}.{}({})", simple(&class), program.text(declared.name), parameters.join(", "))
}

fn simple(name: &str) -> &str {
    name.rsplit(['.', '/']).next().unwrap_or(name)
}

fn type_name(program: &Program, of: Type) -> String {
    match of {
        Type::Boolean => "boolean".into(),
        Type::Byte => "byte".into(),
        Type::Char => "char".into(),
        Type::Short => "short".into(),
        Type::Int => "int".into(),
        Type::Long => "long".into(),
        Type::Float => "float".into(),
        Type::Double => "double".into(),
        Type::Class(name) => simple(program.text(name)).into(),
        Type::Array(descriptor) => {
            let text = program.text(descriptor).trim_start_matches('[');
            let element = match text {
                "Z" => "boolean",
                "B" => "byte",
                "C" => "char",
                "S" => "short",
                "I" => "int",
                "J" => "long",
                "F" => "float",
                "D" => "double",
                class => simple(class.trim_start_matches('L').trim_end_matches(';')),
            };
            element.to_string() + &"[]".repeat(program.text(descriptor).len() - text.len())
        }
    }
}

/// Makes the model.
struct Emitter<'f, 'p> {
    follower: &'f Follower<'p>,
    class: ClassId,
    builder: GraphBuilder,
    files: BTreeMap<ClassId, FileId>,
    locks: BTreeMap<Lock, LockId>,
    locations: BTreeMap<Location, LocationId>,
    functions: BTreeMap<CloneId, ProcedureId>,
    /// The clones that access the object, themselves or through others.
    acts: Vec<bool>,
    names: BTreeMap<String, usize>,
}

impl<'f, 'p> Emitter<'f, 'p> {
    fn new(follower: &'f Follower<'p>, class: ClassId) -> Self {
        Self {
            follower,
            class,
            builder: GraphBuilder::new(),
            files: BTreeMap::new(),
            locks: BTreeMap::new(),
            locations: BTreeMap::new(),
            functions: BTreeMap::new(),
            acts: acting(follower),
            names: BTreeMap::new(),
        }
    }

    fn emit(mut self, entries: BTreeMap<CloneId, String>) -> Result<Isolated, NotIsolated> {
        let entries: Vec<_> = entries.into_iter().filter(|(clone, _)| self.acts[clone.index()]).collect();
        if entries.is_empty() {
            return Err(NotIsolated::NothingToBreak);
        }
        let program = self.follower.context.program;
        let acting: Vec<CloneId> =
            (0..).map(CloneId).take(self.follower.clones.len()).filter(|clone| self.acts[clone.index()]).collect();
        for clone in &acting {
            let method = self.follower.clones[clone.index()].method;
            let name = self.distinct(method_name(program, method));
            let position = self.position(*clone, 0);
            self.functions.insert(*clone, self.builder.function(name, position));
        }
        let rw = self.read_write();
        for clone in acting {
            self.graph(clone, &rw);
        }
        let locations: Vec<LocationId> = self.locations.values().copied().collect();
        let start = self.start();
        self.builder.atomic_set(program.class_name(self.class), locations, start);
        let mut processes = Vec::new();
        let mut runs = Vec::new();
        let mut process_names = BTreeMap::new();
        for (clone, name) in entries {
            let position = self.position(clone, 0);
            let name = distinct(&mut process_names, &name);
            let (process, body) = self.builder.process(name, Multiplicity::Many, position);
            processes.push(process);
            let unit = self.unit(body, clone, position);
            let back = self.builder.node(body, Operation::Return, position);
            self.builder.edge(unit[2], back);
            runs.push((clone, position, process));
        }
        let name = distinct(&mut process_names, "another thread");
        let (others, body) = self.builder.process(name, Multiplicity::Many, start);
        let choice = self.builder.node(body, Operation::Skip, start);
        let back = self.builder.node(body, Operation::Return, start);
        self.builder.edge(choice, back);
        for (clone, position, _) in &runs {
            let unit = self.unit(body, *clone, *position);
            self.builder.edge(choice, unit[0]);
            self.builder.edge(unit[2], choice);
        }
        let (model, _) = self.builder.build().map_err(NotIsolated::Fault)?;
        let mut meanings = Meanings::default();
        for (clone, _, process) in runs {
            let name = model.process(process).name().to_string();
            let followed = &self.follower.clones[clone.index()];
            meanings.units.insert(name.clone(), full_name(program, followed.method, &followed.arguments));
            meanings.processes.insert(model.procedure(self.functions[&clone]).name().to_string(), name);
        }
        for (location, id) in &self.locations {
            let full = full_location(program, self.class, *location, |place| self.follower.places.path(place));
            meanings.locations.insert(model.location(*id).name().to_string(), full);
        }
        let assumptions = self.follower.assumptions.iter().map(|one| printable(one).into_owned()).collect();
        Ok(Isolated { model, entries: processes, others, assumptions, meanings })
    }

    /// One call as a unit of work.
    fn unit(&mut self, body: ProcedureId, clone: CloneId, position: Position) -> [crate::model::GraphNode; 3] {
        let call = Operation::Call(self.functions[&clone]);
        let nodes =
            [Operation::Begin, call, Operation::End].map(|operation| self.builder.node(body, operation, position));
        self.builder.edge(nodes[0], nodes[1]);
        self.builder.edge(nodes[1], nodes[2]);
        nodes
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

    /// The locks that are acquired for reading somewhere.
    fn read_write(&self) -> BTreeSet<Lock> {
        let steps = self.follower.clones.iter().flat_map(|clone| clone.flow.nodes.iter().map(|node| node.step));
        let read = steps.filter_map(|step| match step {
            Step::Acquire(lock, Mode::Read) => Some(lock),
            _ => None,
        });
        read.collect()
    }

    fn graph(&mut self, id: CloneId, rw: &BTreeSet<Lock>) {
        let clone = &self.follower.clones[id.index()];
        let function = self.functions[&id];
        let reached = reachable(clone);
        let mut nodes = BTreeMap::new();
        for index in reached.iter().copied() {
            let position = self.position(id, index);
            let first = match clone.flow.nodes[index].step {
                Step::Wait(lock) => {
                    let lock = self.lock(lock, rw);
                    self.builder.wait(function, lock, position)
                }
                step => {
                    let operation = self.operation(step, rw);
                    [self.builder.node(function, operation, position); 2]
                }
            };
            nodes.insert(index, first);
        }
        for index in reached {
            let node = &clone.flow.nodes[index];
            for next in &node.next {
                self.builder.edge(nodes[&index][1], nodes[next][0]);
            }
            if node.next.is_empty() && node.step != Step::Return {
                // Nothing can happen any more.
                self.builder.edge(nodes[&index][1], nodes[&index][0]);
            }
        }
        self.builder.enter_at(nodes[&0][0]);
    }

    fn operation(&mut self, step: Step, rw: &BTreeSet<Lock>) -> Operation {
        match step {
            Step::Skip => Operation::Skip,
            Step::Read(location) => Operation::Read(self.location(location)),
            Step::Write(location) => Operation::Write(self.location(location)),
            Step::Acquire(lock, mode) => Operation::Acquire(self.lock(lock, rw), mode),
            Step::Release(lock, mode) => Operation::Release(self.lock(lock, rw), mode),
            Step::Call(callee) => {
                self.functions.get(&callee).map_or(Operation::Skip, |callee| Operation::Call(*callee))
            }
            Step::Return => Operation::Return,
            Step::Wait(_) => unreachable!("waiting takes two nodes"),
        }
    }

    fn lock(&mut self, lock: Lock, rw: &BTreeSet<Lock>) -> LockId {
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
        let id = if rw.contains(&lock) { self.builder.rwlock(name, start) } else { self.builder.lock(name, start) };
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
        let fields = self.follower.places.path(place).iter().map(|field| program.text(program.field(*field).name));
        ["this"].into_iter().chain(fields).collect::<Vec<_>>().join(".")
    }
}

fn static_name(program: &Program, field: FieldId) -> String {
    let declared = program.field(field);
    format!("{}.{}", simple(&program.class_name(declared.class)), program.text(declared.name))
}

/// The name, with a number if it was given before.
fn distinct(given: &mut BTreeMap<String, usize>, name: &str) -> String {
    let name = printable(name).into_owned();
    let count = given.entry(name.clone()).or_default();
    *count += 1;
    if *count == 1 { name } else { format!("{name} ({count})") }
}

/// The nodes that control can reach, in order.
fn reachable(clone: &super::follow::MethodClone) -> BTreeSet<usize> {
    let mut found = BTreeSet::from([0]);
    let mut open = vec![0];
    while let Some(node) = open.pop() {
        open.extend(clone.flow.nodes[node].next.iter().copied().filter(|next| found.insert(*next)));
    }
    found
}

/// Which clones access the object, themselves or through those that they call. A clone that only locks is left out, which adds
/// interleavings.
fn acting(follower: &Follower<'_>) -> Vec<bool> {
    let mut acts = vec![false; follower.clones.len()];
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); follower.clones.len()];
    let mut open = Vec::new();
    for (index, clone) in follower.clones.iter().enumerate() {
        for node in reachable(clone) {
            match clone.flow.nodes[node].step {
                Step::Read(_) | Step::Write(_) | Step::Wait(_) => acts[index] = true,
                Step::Call(callee) => callers[callee.index()].push(index),
                Step::Skip | Step::Acquire(..) | Step::Release(..) | Step::Return => {}
            }
        }
        open.extend(acts[index].then_some(index));
    }
    while let Some(index) = open.pop() {
        for caller in std::mem::take(&mut callers[index]) {
            if !std::mem::replace(&mut acts[caller], true) {
                open.push(caller);
            }
        }
    }
    acts
}
