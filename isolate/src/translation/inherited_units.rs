//! Inherited library methods as units of work.
//!
//! **Definition.** A class inherits a public method from a library class or interface if no program class above it
//! declares a method with this name and these parameters. Clients call it like the methods of the class. Its code is
//! not given, so its unit is a sequence of calls of the class's own methods: those that [`own_calls`] lists, in the
//! order of the list. A call of another inherited method is replaced by the calls of that one. A call with `*` happens
//! any number of times, the others at most once. A call on the result of an own method runs the methods of the
//! objects that the method may return; a view or container that it returns is read, or changed by a method with a
//! changing name. The library's own iterators of a skeletal class (`AbstractList`) call the methods by which the class
//! is read, in any order.
//!
//! **Invariant.** Each inherited public method whose execution accesses the subject's state by two calls of own methods
//! is in a unit that has all these calls. *Why it suffices.* With at most one such call, the unit is that call, and
//! the called method is an entry itself. The accesses of library code to its own fields are [other
//! contexts](super::inherited_methods), which interfere.
//!
//! A traversal of a container of `java.util.concurrent` that the class has returned counts as one observation in
//! findings ([`Rule::WeakTraversals`]): its iterators are made to run beside changes.
//!
//! A called method that releases a lock of its caller, or keeps one beyond its end, does so in the model only within
//! its own call, as if a client called it: the unit holds no lock between two calls, which only adds interleavings.
//! Findings leave such calls out.
//!
//! Of a class that is neither in the list nor in the table, nothing is known. Its methods count as one that may call
//! each public or protected own method, any number of times and in any order; findings do not rely on that
//! ([`Rule::InheritedCode`]).

use crate::Rule;
use crate::effects::access::Access;
use crate::exec::interpreter::Interpreter;
use crate::facts::objects::ObjectKind;
use crate::graph::names::element_name;
use crate::graph::{ContextId, Exit, Flow, MethodContext, Step};
use crate::value::{Lock, RegionId, Value};
use eml::model::Mode;
use java::library::{Guard, own_calls};
use java::points_to::ObjectId;
use java::{ClassId, MethodId};
use std::collections::{BTreeMap, BTreeSet};

/// An inherited method that is a unit.
pub(crate) struct InheritedUnit {
    pub(crate) context: ContextId,
    /// The name for reports: `this.containsAll(Collection)`.
    pub(crate) name: String,
}

/// The object on which a library method calls a method.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Receiver {
    Subject,
    /// An iterator or another view that the library makes of the subject.
    ViewOfSubject,
    Object(ObjectId),
}

/// A part of a unit: one of these steps at most once, or these steps any number of times. Each has the line of the
/// code that it runs.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Part {
    steps: Vec<(Step, u32)>,
    is_repeated: bool,
}

/// The methods by which the library reads a skeletal class.
const READING: [&str; 9] =
    ["charAt", "contains", "entrySet", "get", "hasNext", "iterator", "length", "listIterator", "size"];

/// The beginnings of the names of methods that change a collection or an element of it.
const CHANGING: [&str; 8] = ["add", "clear", "offer", "poll", "put", "remove", "retain", "set"];

/// The maximal number of inherited methods that call each other. A deeper one may call any own method, any number of
/// times; findings do not rely on that.
const MOST_NESTED: usize = 8;

impl Interpreter<'_> {
    /// Adds a context for each inherited library method that makes several calls of methods of the subject's class,
    /// which run as these entries. Of methods with equal units, the first one is added.
    pub(crate) fn inherited_units(
        &mut self,
        entries: &BTreeSet<ContextId>,
        contexts: &mut Vec<MethodContext>,
    ) -> Vec<InheritedUnit> {
        let class = self.mode.class;
        if self.mode.is_static || self.heap.program.class(class).flags.is_interface() {
            return Vec::new();
        }
        let mut found = Vec::new();
        let mut known: Vec<Vec<Part>> = Vec::new();
        let mut expansion = Expansion::new(self, entries, contexts);
        let mut units: Vec<(String, Guard, Vec<Part>)> = Vec::new();
        for (signature, guard) in expansion.interpreter.inherited_signatures(class) {
            let parts = expansion.parts(Receiver::Subject, &signature, false, 0);
            let count: usize = parts.iter().map(|part| if part.is_repeated { 2 } else { 1 }).sum();
            if count > 1 && !known.contains(&parts) {
                units.push((signature, guard, parts.clone()));
                known.push(parts);
            }
        }
        if !expansion.interpreter.heap.modality.omits(Rule::InheritedCode)
            && let Some(unknown) = expansion.interpreter.unknown_supertype(class)
        {
            let steps: Vec<(Step, u32)> = expansion.all_own_calls();
            if !steps.is_empty() {
                units.push((format!("{unknown}.*()"), Guard::None, vec![Part { steps, is_repeated: true }]));
            }
        }
        for (signature, guard, parts) in units {
            let context = ContextId(u32::try_from(contexts.len()).expect("the number of states is bounded"));
            let called = parts.iter().flat_map(|part| &part.steps).find_map(|(step, _)| step.called());
            let Some(method) = called.map(|called| contexts[called.index()].method) else { continue };
            let shown = shown(&signature);
            contexts.push(MethodContext {
                method,
                arguments: vec![Value::Region(RegionId::SUBJECT)],
                flow: self.flow_of_parts(&parts, guard),
                lock_effects: Vec::new(),
                own_lock: None,
                is_unit_body: false,
                title: Some(format!("inherited {shown}")),
            });
            found.push(InheritedUnit { context, name: format!("this.{shown}") });
        }
        found
    }

    /// The public methods with calls of their own object that a class inherits from the library, by signature, with
    /// the guard of their library class.
    fn inherited_signatures(&self, class: ClassId) -> Vec<(String, Guard)> {
        let mut found: Vec<(String, Guard)> = Vec::new();
        let mut known: BTreeSet<&str> = BTreeSet::new();
        for above in self.library_classes_above(class) {
            for method in own_calls(above).unwrap_or_default() {
                if !known.insert(&method.signature) || !method.is_public || method.calls.is_empty() {
                    continue;
                }
                if self.own_methods(class, &method.signature).is_empty() {
                    let (name, parameters) = method.signature.split_once('(').unwrap_or((&method.signature, ")"));
                    let row = self.heap.library.find(above, name, &format!("({parameters}V"));
                    let attributes = self.heap.library.attributes(self.heap.library_superclass(class).unwrap_or(above));
                    let is_guarded = row.is_some_and(|row| !row.traits.unguarded);
                    let guard = if is_guarded { attributes.guard() } else { Guard::None };
                    found.push((method.signature.to_string(), guard));
                }
            }
        }
        found
    }

    /// The library classes and interfaces above a program class, in the order in which a method is selected: classes
    /// before interfaces, and subtypes before supertypes.
    fn library_classes_above(&self, class: ClassId) -> Vec<&str> {
        let library = self.heap.library;
        let direct = self.library_supertypes(class);
        let superclass = self.heap.library_superclass(class);
        let mut found: Vec<&str> = Vec::new();
        for one in superclass.into_iter().chain(direct.into_iter().filter(|one| Some(*one) != superclass)) {
            let above = std::iter::once(one).chain(library.supertypes(one).filter(|above| *above != one));
            found.extend(above);
        }
        let mut known: BTreeSet<&str> = BTreeSet::new();
        found.retain(|one| !one.starts_with("java/lang/Object") && known.insert(one));
        let supertypes = |one: &str| library.supertypes(one).count();
        found.sort_by_key(|one| {
            let is_interface = library.is_interface(one);
            (is_interface, std::cmp::Reverse(if is_interface { supertypes(one) } else { 0 }))
        });
        found
    }

    /// A library supertype of which neither the table nor the list of calls knows anything.
    fn unknown_supertype(&self, class: ClassId) -> Option<String> {
        let is_unknown = |name: &&str| own_calls(name).is_none() && !self.heap.library.has_class(name);
        self.library_supertypes(class).into_iter().find(is_unknown).map(|name| name.replace('/', "."))
    }

    /// The methods of a program class with this signature, its own and inherited ones, bridges included.
    fn own_methods(&self, class: ClassId, signature: &str) -> Vec<MethodId> {
        let program = self.heap.program;
        let is_it = |method: &MethodId| {
            let declared = program.method(*method);
            let parameters = program.text(declared.descriptor).split_inclusive(')').next().unwrap_or_default();
            let named = signature.strip_prefix(program.text(declared.name));
            let is_other = declared.flags.is_static() || declared.flags.is_private() || !declared.has_code();
            named == Some(parameters) && !is_other
        };
        let is_root = |class: &ClassId| program.text(program.class(*class).name) == "java/lang/Object";
        let classes = program.supertypes(class).into_iter().filter(|class| !is_root(class));
        let all = classes.flat_map(|of| program.class(of).methods()).filter(is_it);
        let selected = all.filter(|method| {
            let declared = program.method(*method);
            program.resolve_in(class, declared.name, declared.descriptor).found() == Some(*method)
        });
        selected.collect()
    }

    /// The graph of a sequence of parts.
    fn flow_of_parts(&self, parts: &[Part], guard: Guard) -> Flow {
        let lock = match guard {
            Guard::Monitor => Some(Lock::Monitor(RegionId::SUBJECT)),
            Guard::Operations | Guard::None => None,
        };
        let mut flow = Flow::default();
        let mut last = flow.add(Step::Skip, 0);
        let mut then = |flow: &mut Flow, step: Step| {
            let node = flow.add(step, 0);
            flow.connect(last, node);
            last = node;
            node
        };
        if let Some(lock) = lock {
            then(&mut flow, Step::Acquire(lock, Mode::Write));
        }
        for part in parts {
            let head = then(&mut flow, Step::Skip);
            let nodes: Vec<usize> = part.steps.iter().map(|(step, line)| flow.add(*step, *line)).collect();
            nodes.iter().for_each(|node| flow.connect(head, *node));
            let end = then(&mut flow, Step::Skip);
            let back = if part.is_repeated { head } else { end };
            nodes.iter().for_each(|node| flow.connect(*node, back));
        }
        if let Some(lock) = lock {
            then(&mut flow, Step::Release(lock, Mode::Write));
        }
        then(&mut flow, Step::Return(Exit::Any));
        flow
    }
}

/// The replacement of calls of inherited methods by calls of own methods.
struct Expansion<'a, 'p> {
    interpreter: &'a mut Interpreter<'p>,
    /// The contexts of entries, by their methods: those on the subject, and those on other objects.
    on_subject: BTreeMap<MethodId, Vec<(ContextId, u32)>>,
    on_others: BTreeMap<MethodId, Vec<(ContextId, u32)>>,
}

impl<'a, 'p> Expansion<'a, 'p> {
    fn new(interpreter: &'a mut Interpreter<'p>, entries: &BTreeSet<ContextId>, contexts: &[MethodContext]) -> Self {
        let (mut on_subject, mut on_others) = (BTreeMap::new(), BTreeMap::new());
        let omits = interpreter.heap.modality.omits(Rule::InheritedCode);
        for id in entries {
            let context = &contexts[id.index()];
            let declared = interpreter.heap.program.method(context.method);
            let keeps_locks = context.lock_effects.len() > 1;
            if declared.flags.is_static() || keeps_locks && omits {
                continue;
            }
            let line = context.flow.nodes.iter().map(|node| node.line).find(|line| *line > 0).unwrap_or(0);
            let of = match context.arguments.first() {
                Some(Value::Region(RegionId::SUBJECT)) => &mut on_subject,
                _ => &mut on_others,
            };
            of.entry(context.method).or_insert_with(Vec::new).push((*id, line));
        }
        Self { interpreter, on_subject, on_others }
    }

    /// The calls of all public and protected methods on the subject.
    fn all_own_calls(&self) -> Vec<(Step, u32)> {
        let program = self.interpreter.heap.program;
        let methods = self.on_subject.iter().filter(|(method, _)| !program.is_constructor(**method));
        methods.flat_map(|(_, contexts)| contexts).map(|(id, line)| (Step::Call(*id, Exit::Any), *line)).collect()
    }

    /// The parts of a call on a receiver.
    fn parts(&mut self, receiver: Receiver, signature: &str, is_repeated: bool, depth: usize) -> Vec<Part> {
        match receiver {
            Receiver::Subject => {
                let class = self.interpreter.mode.class;
                self.parts_of_program_object(receiver, class, signature, is_repeated, depth)
            }
            Receiver::ViewOfSubject => one_part(self.steps_of_view(signature), true),
            Receiver::Object(object) => match self.interpreter.heap.kind_of(object) {
                ObjectKind::Program(class) => {
                    self.parts_of_program_object(receiver, class, signature, is_repeated, depth)
                }
                _ => one_part(self.accesses(object, signature), is_repeated),
            },
        }
    }

    fn parts_of_program_object(
        &mut self,
        receiver: Receiver,
        class: ClassId,
        signature: &str,
        is_repeated: bool,
        depth: usize,
    ) -> Vec<Part> {
        let own = self.interpreter.own_methods(class, signature);
        if !own.is_empty() {
            let of = if receiver == Receiver::Subject { &self.on_subject } else { &self.on_others };
            let contexts = own.iter().filter_map(|method| of.get(method)).flatten();
            let steps = contexts.map(|(id, line)| (Step::Call(*id, Exit::Any), *line)).collect();
            return one_part(steps, is_repeated);
        }
        let above = self.interpreter.library_classes_above(class);
        let mut methods = above.into_iter().filter_map(own_calls).flatten();
        let inherited = methods.find(|method| *method.signature == *signature);
        let Some(inherited) = inherited else { return Vec::new() };
        if depth >= MOST_NESTED {
            let is_omitted = self.interpreter.heap.modality.omits(Rule::InheritedCode);
            return one_part(if is_omitted { Vec::new() } else { self.all_own_calls() }, true);
        }
        let mut found = Vec::new();
        for call in &inherited.calls {
            let [before @ .., last] = &*call.path else { continue };
            let mut receivers = BTreeSet::from([receiver]);
            for called in before {
                receivers = receivers.into_iter().flat_map(|one| self.results(one, called)).collect();
            }
            let of_each: Vec<Vec<Part>> = receivers
                .into_iter()
                .map(|one| self.parts(one, last, is_repeated || call.is_repeated, depth + 1))
                .collect();
            match of_each.len() {
                0 | 1 => found.extend(of_each.into_iter().flatten()),
                _ => {
                    let is_repeated =
                        of_each.iter().any(|parts| parts.len() > 1 || parts.iter().any(|it| it.is_repeated));
                    let steps = of_each.into_iter().flatten().flat_map(|part| part.steps).collect();
                    found.extend(one_part(steps, is_repeated));
                }
            }
        }
        joined(found, is_repeated)
    }

    /// The possible results of a call.
    fn results(&self, receiver: Receiver, signature: &str) -> BTreeSet<Receiver> {
        let heap = &self.interpreter.heap;
        let class = match receiver {
            Receiver::Subject => self.interpreter.mode.class,
            Receiver::ViewOfSubject => return [receiver].into(),
            Receiver::Object(object) => match heap.kind_of(object) {
                ObjectKind::Program(class) => class,
                _ => return [receiver].into(),
            },
        };
        let own = self.interpreter.own_methods(class, signature);
        if own.is_empty() {
            let is_skeletal =
                heap.library_superclass(class).is_some_and(|above| above.starts_with("java/util/Abstract"));
            let is_view = receiver == Receiver::Subject && is_skeletal;
            return is_view.then_some(Receiver::ViewOfSubject).into_iter().collect();
        }
        let objects = own.iter().flat_map(|method| heap.points.result(*method).iter());
        objects.map(Receiver::Object).collect()
    }

    /// The calls that a method of a library view makes on the subject.
    fn steps_of_view(&self, signature: &str) -> Vec<(Step, u32)> {
        let program = self.interpreter.heap.program;
        let name = signature.split('(').next().unwrap_or_default();
        let is_called = |method: &MethodId| {
            let called = program.text(program.method(*method).name);
            READING.contains(&called) || (is_changing(name) && called == name)
        };
        let called = self.on_subject.iter().filter(|(method, _)| is_called(method)).flat_map(|(_, contexts)| contexts);
        called.map(|(id, line)| (Step::Call(*id, Exit::Any), *line)).collect()
    }

    /// The accesses of a method of a container or view to the contents that the subject follows.
    fn accesses(&mut self, object: ObjectId, signature: &str) -> Vec<(Step, u32)> {
        let base = match self.interpreter.heap.kind_of(object) {
            ObjectKind::View(base, _) => base,
            ObjectKind::Library(_) | ObjectKind::Array => object,
            _ => return Vec::new(),
        };
        let access = if is_changing(signature) { Access::Write } else { Access::Read };
        let heap = &self.interpreter.heap;
        if access == Access::Read && heap.is_concurrent(base) && heap.modality.omits(Rule::WeakTraversals) {
            return Vec::new();
        }
        let regions = self.interpreter.regions_of(&[base]);
        regions
            .into_iter()
            .flat_map(|region| self.interpreter.steps_of(region, &[access]))
            .map(|step| (step, 0))
            .collect()
    }
}

fn is_changing(name: &str) -> bool {
    CHANGING.iter().any(|beginning| name.starts_with(beginning))
}

/// A part of these steps, if there are any.
fn one_part(steps: Vec<(Step, u32)>, is_repeated: bool) -> Vec<Part> {
    if steps.is_empty() { Vec::new() } else { vec![Part { steps, is_repeated }] }
}

/// Parts in a row, neighbouring loops as one; a single loop of all steps, if the whole is repeated.
fn joined(parts: Vec<Part>, is_repeated: bool) -> Vec<Part> {
    if is_repeated {
        return one_part(parts.into_iter().flat_map(|part| part.steps).collect(), true);
    }
    let mut found: Vec<Part> = Vec::new();
    for part in parts {
        match found.last_mut() {
            Some(last) if last.is_repeated && part.is_repeated => {
                let new = part.steps.into_iter().filter(|step| !last.steps.contains(step)).collect::<Vec<_>>();
                last.steps.extend(new);
            }
            _ => found.push(part),
        }
    }
    found
}

/// A signature for reports: `containsAll(Collection)`.
fn shown(signature: &str) -> String {
    let Some((name, parameters)) = signature.split_once('(') else { return signature.to_string() };
    let mut types = Vec::new();
    let mut rest = parameters.trim_end_matches(')');
    while !rest.is_empty() {
        let element = rest.trim_start_matches('[');
        let dimensions = rest.len() - element.len();
        let length = if element.starts_with('L') { element.find(';').map_or(element.len(), |end| end + 1) } else { 1 };
        let of = element_name(&element[..length.min(element.len())]);
        let of = of.rsplit('$').next().unwrap_or(of);
        types.push(of.to_string() + &"[]".repeat(dimensions));
        rest = &element[length.min(element.len())..];
    }
    format!("{name}({})", types.join(", "))
}
