//! Confinement: objects that are reached from only one object of the subject's class, their *owner*.
//!
//! Methods that run on another object of the class access that object's parts by the same fields and allocation sites.
//! This module decides whether these can be parts of the subject's object. An abstract object is *confined* if each
//! object that it represents has one owner and is reached only from that owner.
//!
//! **Invariant.** At each time of an execution: (1) in a frame, all variables that hold confined objects hold objects
//! of one owner; if the method's receiver is of the subject's class, that is the receiver; (2) whatever holds a
//! confined object in a field, or has captured it, is its owner or a confined object of the same owner; (3) *owner
//! fields* of confined objects and *owner parameters* of their constructors hold the owner.
//!
//! Candidates are the objects reached from the subject's object, and objects allocated in its nest that hold or capture
//! it: a task that a method creates for its own object, and that runs under its own lock, belongs to that object, too.
//!
//! *Why it suffices.* An object is created in a frame and gets the frame's owner. From there it moves by statements:
//! within the frame, which keeps (1); into and out of a field, by (2), unless the holder is an object of the class that
//! is not known to be the owner; into and out of another frame, unless the receiver there is such an object. The search
//! looks for these exceptions, and for static fields, copies made by `Object.clone`, exceptions, and functions whose
//! receiver comes from elsewhere; an abstract object with an exception is not confined. Objects with exceptions are
//! removed until none remain: the rest is the greatest set that keeps the invariant, by induction over the steps of an
//! execution.

use super::globals::ClassGlobals;
use super::heap::Heap;
use super::mode::Mode;
use super::regions::Regions;
use crate::value::{AliasId, RegionId};
use java::ir::{Body, Definition, Operation, Statement, Variable};
use java::points_to::{Field, Object, ObjectId, UsesOf};
use java::{FieldId, HandleKind, InvokeKind, MethodId};
use rustc_hash::{FxHashMap, FxHashSet};

/// The search gives up if more candidates than this are found.
const MOST_OBJECTS: usize = 4_000;

/// The confined objects, and the fields and parameters that hold owners.
#[derive(Debug, Default)]
pub(crate) struct Confined {
    objects: FxHashSet<ObjectId>,
    pub(super) owner_fields: FxHashSet<FieldId>,
    owner_parameters: FxHashSet<(MethodId, usize)>,
    pub(super) globals: ClassGlobals,
}

impl Confined {
    /// Whether an object is confined.
    pub(crate) fn has(&self, heap: &Heap<'_>, object: ObjectId) -> bool {
        self.objects.contains(&heap.points.viewed(object))
    }
}

/// The search for the greatest set that keeps the invariant.
pub(super) struct Search<'a, 'p> {
    heap: &'a Heap<'p>,
    regions: &'a Regions,
    mode: &'a Mode,
    confined: Confined,
    /// Whether abstract objects may be of the subject's class.
    subject: FxHashMap<ObjectId, bool>,
    /// Objects found to break the invariant in this round.
    wrong: FxHashSet<ObjectId>,
}

impl<'a, 'p> Search<'a, 'p> {
    pub(super) fn new(heap: &'a Heap<'p>, regions: &'a Regions, mode: &'a Mode) -> Self {
        Self {
            heap,
            regions,
            mode,
            confined: Confined::default(),
            subject: FxHashMap::default(),
            wrong: FxHashSet::default(),
        }
    }

    /// Removes objects that break the invariant until none do.
    pub(super) fn greatest_set(mut self) -> Confined {
        let reached: Vec<ObjectId> = self.regions.aliases.iter().flat_map(|it| it.objects.iter().copied()).collect();
        let holders = self.holders();
        let all = holders.into_iter().chain(reached.iter().copied()).collect();
        let found = self.candidates(all).or_else(|| self.candidates(reached));
        self.confined.objects = found.unwrap_or_default();
        let methods = self.methods();
        self.confined.owner_parameters = self.parameters(&methods);
        self.confined.owner_fields = self.fields();
        loop {
            let before =
                self.confined.objects.len() + self.confined.owner_parameters.len() + self.confined.owner_fields.len();
            self.check_owners();
            self.check_holders();
            for method in &methods {
                self.check_method(*method);
            }
            for object in self.wrong.drain() {
                self.confined.objects.remove(&object);
            }
            let after =
                self.confined.objects.len() + self.confined.owner_parameters.len() + self.confined.owner_fields.len();
            if before == after {
                return self.confined;
            }
        }
    }

    /// Objects allocated in the nest that hold or capture an object of the class.
    fn holders(&mut self) -> Vec<ObjectId> {
        let points = self.heap.points;
        let is_of_nest = |object: &Object| match object {
            Object::Made { site, .. } | Object::Lambda { site, .. } => {
                self.mode.nest.contains(&self.heap.program.method(site.method).class)
            }
            _ => false,
        };
        let made = points.objects().filter(|(id, object)| is_of_nest(object) && points.is_inside(*id));
        let mut made: Vec<ObjectId> = made.map(|(id, _)| id).collect();
        made.retain(|object| {
            points.fields(*object).into_iter().any(|field| {
                let mut held = points.field(*object, field).iter();
                held.any(|held| self.is_subject(held))
            })
        });
        made
    }

    /// These objects, the objects reached from them, and the holders of these, as far as the program allocates them and
    /// they do not escape; none if there are too many.
    fn candidates(&mut self, mut open: Vec<ObjectId>) -> Option<FxHashSet<ObjectId>> {
        let points = self.heap.points;
        let mut found = FxHashSet::default();
        while let Some(object) = open.pop() {
            let object = points.viewed(object);
            if !points.is_inside(object) || self.is_subject(object) || self.is_thrown(object) || !found.insert(object) {
                continue;
            }
            if found.len() > MOST_OBJECTS {
                return None;
            }
            open.extend(points.fields(object).into_iter().flat_map(|field| points.field(object, field).iter()));
            open.extend(self.uses(object).holders.iter().copied());
        }
        found.retain(|object| {
            let uses = points.uses().of(*object);
            uses.methods.is_some() && !uses.is_static
        });
        Some(found)
    }

    fn uses(&self, object: ObjectId) -> &'a UsesOf {
        self.heap.points.uses().of(object)
    }

    /// Whether an object may be thrown: handlers in any frame may catch it. Types known only as a library container are
    /// no exceptions.
    fn is_thrown(&self, object: ObjectId) -> bool {
        let points = self.heap.points;
        match points.object(object) {
            Object::Made { of, .. } => {
                points.type_named("java/lang/Throwable").is_some_and(|throwable| points.is_subtype(*of, throwable))
            }
            _ => false,
        }
    }

    fn is_subject(&mut self, object: ObjectId) -> bool {
        let (heap, regions) = (self.heap, self.regions);
        let of_subject = regions.alias(RegionId::SUBJECT);
        *self.subject.entry(object).or_insert_with(|| {
            regions.alias_of(heap, object).iter().any(|(alias, _): &(AliasId, bool)| *alias == of_subject)
        })
    }

    fn may_be_subject(&mut self, method: MethodId, variable: Variable) -> bool {
        self.heap.variable(method, variable).into_iter().any(|object| self.is_subject(object))
    }

    /// The confined objects that a variable may hold.
    fn confined_in(&self, method: MethodId, variable: Variable) -> Vec<ObjectId> {
        let points = self.heap.points;
        let objects = points.variable(method, variable).iter().map(|object| points.viewed(object));
        objects.filter(|object| self.confined.objects.contains(object)).collect()
    }

    fn methods(&self) -> Vec<MethodId> {
        let all = self.confined.objects.iter().flat_map(|object| self.uses(*object).methods.iter().flatten().copied());
        let mut methods: Vec<MethodId> = all.collect();
        methods.sort_unstable();
        methods.dedup();
        methods
    }

    /// Parameters of constructors of confined objects that may hold an object of the class.
    fn parameters(&mut self, methods: &[MethodId]) -> FxHashSet<(MethodId, usize)> {
        let mut found = FxHashSet::default();
        for method in methods {
            let Some(body) = self.heap.body(*method).filter(|_| self.heap.program.is_constructor(*method)) else {
                continue;
            };
            for place in 1..body.parameters.len() {
                if self.may_be_subject(*method, body.parameters[place]) {
                    found.insert((*method, place));
                }
            }
        }
        found
    }

    /// Unchanging fields of confined objects that may hold an object of the class.
    fn fields(&mut self) -> FxHashSet<FieldId> {
        let points = self.heap.points;
        let mut found = FxHashSet::default();
        for object in self.confined.objects.clone() {
            for field in points.fields(object) {
                let Field::Declared(field) = field else { continue };
                let mut held = points.field(object, Field::Declared(field)).iter();
                if held.any(|object| self.is_subject(object)) && self.heap.is_unchanging(field) {
                    found.insert(field);
                }
            }
        }
        found
    }

    /// Removes owner fields that are not always assigned an owner, and owner parameters that do not always get one.
    fn check_owners(&mut self) {
        for field in self.confined.owner_fields.clone() {
            let stores = self.heap.points.stores(field).iter();
            let is_right = { stores }.all(|store| {
                let Some(body) = self.heap.body(store.method) else { return false };
                match body.statement(store.statement).operation {
                    Operation::PutField { object, value, .. } => {
                        body.parameters.first() == Some(&object) && self.is_owner(&body, value)
                    }
                    _ => false,
                }
            });
            if !is_right {
                self.confined.owner_fields.remove(&field);
            }
        }
        for (constructor, place) in self.confined.owner_parameters.clone() {
            let sites = self.heap.points.callers(constructor).iter();
            let receiver = self.heap.body(constructor).and_then(|body| body.parameters.first().copied());
            let is_inside = receiver.is_some_and(|receiver| self.holds_confined_only(constructor, receiver));
            let is_right = is_inside && { sites }.all(|site| {
                let Some(body) = self.heap.body(site.method) else { return false };
                match &body.statement(site.statement).operation {
                    Operation::Invoke { arguments, .. } => {
                        self.confined_in(site.method, arguments[0]).is_empty()
                            || arguments.get(place).is_some_and(|argument| self.is_owner(&body, *argument))
                    }
                    _ => false,
                }
            });
            if !is_right {
                self.confined.owner_parameters.remove(&(constructor, place));
            }
        }
    }

    /// Whether a variable certainly holds the owner of the confined objects of its frame.
    fn is_owner(&mut self, body: &Body, variable: Variable) -> bool {
        match body.variable(variable).definition {
            Definition::Parameter(0) if self.is_own(body.method) => true,
            Definition::Parameter(place) => self.confined.owner_parameters.contains(&(body.method, place as usize)),
            Definition::Joined(..) | Definition::Caught(_) => false,
            Definition::Statement(id) => match &body.statement(id).operation {
                Operation::GetField { object, field } => {
                    let field = self.heap.program.resolve_field(*field).found();
                    field.is_some_and(|field| self.confined.owner_fields.contains(&field))
                        && self.holds_confined_only(body.method, *object)
                }
                _ => false,
            },
        }
    }

    fn holds_confined_only(&self, method: MethodId, variable: Variable) -> bool {
        let objects = self.heap.variable(method, variable);
        !objects.is_empty() && objects.iter().all(|object| self.confined.has(self.heap, *object))
    }

    /// Whether a method runs on objects of the class.
    fn is_own(&mut self, method: MethodId) -> bool {
        let is_static = self.heap.program.method(method).flags.is_static();
        let receiver = self.heap.body(method).and_then(|body| body.parameters.first().copied());
        !is_static && receiver.is_some_and(|receiver| self.may_be_subject(method, receiver))
    }

    /// Checks that all holders of confined objects are of the class or confined.
    fn check_holders(&mut self) {
        let program = self.heap.program;
        for object in self.confined.objects.clone() {
            let uses = self.uses(object);
            let is_of_class = |field: &FieldId| program.is_subtype(self.mode.class, program.field(*field).class);
            let mut is_right = uses.fields.iter().all(is_of_class);
            for holder in &uses.holders {
                is_right &= self.confined.objects.contains(holder) || self.is_subject(*holder);
            }
            if !is_right {
                self.wrong.insert(object);
            }
        }
    }

    fn check_method(&mut self, method: MethodId) {
        let Some(body) = self.heap.body(method) else { return };
        self.check_function(&body);
        for (_, block) in body.blocks() {
            for statement in &*block.statements {
                self.check_statement(&body, statement);
            }
        }
    }

    /// Checks arguments and results of a method that runs as a function. They come from frames that hold the function,
    /// so the function must be confined, and its receiver with it.
    fn check_function(&mut self, body: &Body) {
        let functions = self.heap.functions_of(body.method);
        if functions.is_empty() {
            return;
        }
        let mut moved: Vec<ObjectId> =
            body.parameters.iter().flat_map(|parameter| self.confined_in(body.method, *parameter)).collect();
        let points = self.heap.points;
        let given = points.result(body.method).iter().map(|object| points.viewed(object));
        moved.extend(given.filter(|object| self.confined.objects.contains(object)));
        let is_own = self.is_own(body.method);
        for function in functions.iter().copied() {
            let captures = self.captures_subject(function);
            let is_right = match (captures, is_own) {
                (false, false) => true,
                (true, _) => self.confined.objects.contains(&function),
                (false, true) => false,
            };
            if !is_right {
                self.wrong.extend(moved.iter().copied());
            }
        }
    }

    fn captures_subject(&mut self, function: ObjectId) -> bool {
        let points = self.heap.points;
        (0..self.heap.captured_count(function))
            .any(|number| points.field(function, Field::Captured(number)).iter().any(|object| self.is_subject(object)))
    }

    fn check_statement(&mut self, body: &Body, statement: &Statement) {
        let method = body.method;
        let moved = |search: &Self, variables: &[Variable]| -> Vec<ObjectId> {
            variables.iter().flat_map(|variable| search.confined_in(method, *variable)).collect()
        };
        let to: Vec<Variable> = statement.to.into_iter().collect();
        let (holder, moved) = match &statement.operation {
            Operation::GetField { object, .. } => (Some(*object), moved(self, &to)),
            Operation::PutField { object, value, .. } => (Some(*object), moved(self, &[*value])),
            Operation::LoadElement { array, .. } => (Some(*array), moved(self, &to)),
            Operation::StoreElement { array, value, .. } => (Some(*array), moved(self, &[*value])),
            Operation::Invoke { kind: InvokeKind::Static, .. } => return,
            Operation::Invoke { arguments, .. } => {
                let others: Vec<Variable> = arguments.iter().skip(1).copied().chain(to).collect();
                (arguments.first().copied(), moved(self, &others))
            }
            Operation::InvokeDynamic { arguments, .. } => {
                let all: Vec<Variable> = arguments.iter().copied().chain(to).collect();
                let moved = moved(self, &all);
                for argument in arguments.iter().copied() {
                    self.check_holder(body, argument, &moved);
                }
                return;
            }
            _ => return,
        };
        if let Some(holder) = holder {
            self.check_holder(body, holder, &moved);
        }
    }

    /// Checks that an object of the class from or to which confined objects move is their owner.
    fn check_holder(&mut self, body: &Body, holder: Variable, moved: &[ObjectId]) {
        if !moved.is_empty() && self.may_be_subject(body.method, holder) && !self.is_owner(body, holder) {
            self.wrong.extend(moved.iter().copied());
        }
    }
}

impl Heap<'_> {
    /// The lambdas and method references that run a method.
    pub(super) fn functions_of(&self, method: MethodId) -> &[ObjectId] {
        let functions = self.shared.functions.get_or_init(|| self.find_functions());
        functions.get(&method).map_or(&[], |objects| objects)
    }

    fn find_functions(&self) -> FxHashMap<MethodId, Box<[ObjectId]>> {
        let mut found: FxHashMap<MethodId, Vec<ObjectId>> = FxHashMap::default();
        for (id, object) in self.points.objects() {
            let Object::Lambda { implementation: handle, .. } = object else { continue };
            let Some(resolved) = self.program.resolve_method(handle.member).found() else { continue };
            let is_virtual = matches!(handle.kind, HandleKind::InvokeVirtual | HandleKind::InvokeInterface);
            let overriders = self.program.overriders(resolved);
            let methods = if is_virtual { overriders.methods.clone() } else { vec![resolved] };
            for method in methods {
                found.entry(method).or_default().push(id);
            }
        }
        found.into_iter().map(|(method, objects)| (method, objects.into())).collect()
    }
}
