//! Static fields with state, and the methods that reach them.
//!
//! **Definition.** A static field *has state* if a statement or handle may write it after the initialization of its
//! class, or if an object that can change is reachable from it. Arrays and library objects can change unless the table
//! says that they are immutable; an object of the program can change if one of its fields is written after construction
//! or if it extends a library class. A lock has no state of its own, and a `ThreadLocal` has state of one thread.

use super::heap::Heap;
use super::objects::{ObjectKind, is_visible};
use super::shared::StaticAccesses;
use java::ir::{Definition, Operation, Variable};
use java::library::Attribute;
use java::points_to::{Field, Object, ObjectId, Target};
use java::{CallSiteAction, ClassId, Constant, FieldId, MethodId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;

/// Library classes whose subclasses have no state by them.
const STATELESS_SUPERCLASSES: [&str; 2] = ["java/lang/Enum", "java/lang/Record"];

/// Library objects whose content belongs to one thread. Each thread makes or sets its own; an object that two threads
/// have is reached in another way, too.
const CONFINED: [&str; 2] = ["java/lang/ThreadLocal", "java/lang/ThreadLocal$SuppliedThreadLocal"];

/// The package of library classes that are only locks.
const LOCKS: &str = "java/util/concurrent/locks/";

impl Heap<'_> {
    /// The static fields with state that these methods, and those that they run, access.
    pub(crate) fn static_state_of(&self, methods: impl IntoIterator<Item = MethodId>) -> BTreeSet<FieldId> {
        let accesses = self.static_accesses();
        let is_relevant = |method: &MethodId| accesses.reaching.contains(method);
        let mut open: Vec<MethodId> = methods.into_iter().filter(is_relevant).collect();
        let mut known: FxHashSet<MethodId> = open.iter().copied().collect();
        let mut found = BTreeSet::new();
        while let Some(method) = open.pop() {
            found.extend(accesses.direct.get(&method).into_iter().flatten().copied());
            let run = self.run_by(method).into_iter();
            open.extend(run.filter(|callee| is_relevant(callee) && known.insert(*callee)));
        }
        found
    }

    /// Whether one of these methods, or one that they run, accesses a static field with state.
    pub(crate) fn reach_static_state(&self, methods: impl IntoIterator<Item = MethodId>) -> bool {
        let accesses = self.static_accesses();
        methods.into_iter().any(|method| accesses.reaching.contains(&method))
    }

    /// The accesses of all methods to static fields with state; computed on first use, linear in the program.
    fn static_accesses(&self) -> &StaticAccesses {
        self.shared.static_accesses.get_or_init(|| {
            let program = self.program;
            let is_reached = |method: &MethodId| self.points.is_reached(*method) && !self.is_initializer(*method);
            let methods: Vec<MethodId> = program.methods().map(|(method, _)| method).filter(is_reached).collect();
            let mut search = StateSearch { heap: self, without: FxHashSet::default(), fields: FxHashMap::default() };
            let mut direct: FxHashMap<MethodId, Box<[FieldId]>> = FxHashMap::default();
            let mut callers: FxHashMap<MethodId, Vec<MethodId>> = FxHashMap::default();
            for method in methods {
                let accessed = search.accessed(method);
                if !accessed.is_empty() {
                    direct.insert(method, accessed.into_iter().collect());
                }
                for callee in self.run_by(method) {
                    callers.entry(callee).or_default().push(method);
                }
            }
            let mut reaching: FxHashSet<MethodId> = direct.keys().copied().collect();
            let mut open: Vec<MethodId> = direct.keys().copied().collect();
            while let Some(method) = open.pop() {
                let more = callers.get(&method).into_iter().flatten().copied();
                open.extend(more.filter(|caller| reaching.insert(*caller)));
            }
            StaticAccesses { direct, reaching }
        })
    }

    /// The methods that a method runs or has others run: its callees; functions that it makes, which it may pass to
    /// clients or threads; and the methods of the objects that it makes, as functions, or all of them if clients cannot
    /// name the class.
    fn run_by(&self, method: MethodId) -> BTreeSet<MethodId> {
        let program = self.program;
        let mut found: BTreeSet<MethodId> = self.callees_of(method).iter().copied().collect();
        let Some(body) = self.body(method) else { return found };
        for statement in body.blocks().flat_map(|(_, block)| &*block.statements) {
            match &statement.operation {
                Operation::New(class) => match program.named(*class) {
                    Some(class) if is_visible(program, class) => found.extend(self.named_methods(class, None)),
                    Some(class) => found.extend(program.class(class).methods()),
                    None => {}
                },
                Operation::InvokeDynamic { site, .. } => {
                    if let CallSiteAction::Lambda { implementation, .. } = body.call_site(*site).action {
                        found.extend(self.methods_of_reference(implementation.kind, implementation.member));
                    }
                }
                _ => {}
            }
        }
        found.retain(|method| !self.is_initializer(*method));
        found
    }

    /// Whether an object, or the topmost class that it is followed by, is of a class whose objects are subjects of the
    /// run.
    pub(super) fn is_of_subject(&self, object: ObjectId, root: Option<ClassId>) -> bool {
        let class = match self.kind_of(object) {
            ObjectKind::Program(class) => Some(class),
            ObjectKind::External(of) => self.points.class_of(of),
            _ => None,
        };
        let Some(subjects) = self.shared.subjects.get() else { return false };
        class.into_iter().chain(root).any(|class| subjects.contains(&class))
    }

    /// Whether a method is the initializer of a class, which runs once, before the class is used.
    fn is_initializer(&self, method: MethodId) -> bool {
        self.program.text(self.program.method(method).name) == "<clinit>"
    }
}

/// The search for state, with earlier answers.
struct StateSearch<'a, 'p> {
    heap: &'a Heap<'p>,
    /// Objects from which no object that can change is reachable.
    without: FxHashSet<ObjectId>,
    /// Whether fields have state.
    fields: FxHashMap<FieldId, bool>,
}

impl StateSearch<'_, '_> {
    /// The static fields with state that a method accesses itself. A handle in a static field accesses its target.
    fn accessed(&mut self, method: MethodId) -> BTreeSet<FieldId> {
        let (heap, program) = (self.heap, self.heap.program);
        let mut found = BTreeSet::new();
        let Some(body) = heap.body(method) else { return found };
        for statement in body.blocks().flat_map(|(_, block)| &*block.statements) {
            let (Operation::GetStatic(member) | Operation::PutStatic(member, _)) = &statement.operation else {
                continue;
            };
            let Some(field) = program.resolve_field(*member).found() else { continue };
            let targets = heap.points.static_field(field).iter().filter_map(|held| match heap.points.object(held) {
                Object::Handle { target: Target::Field(target), .. } => Some(*target),
                _ => None,
            });
            found.extend(targets.filter(|target| program.field(*target).flags.is_static()));
            if self.has_state(field) {
                found.insert(field);
            }
        }
        found
    }

    /// Whether a static field has state. Fields that a compiler adds, such as tables of enum constants, have none.
    fn has_state(&mut self, field: FieldId) -> bool {
        if let Some(known) = self.fields.get(&field) {
            return *known;
        }
        let declared = self.heap.program.field(field);
        // Old compilers keep class objects in fields.
        let is_class = self.heap.program.text(declared.name).starts_with("class$");
        let is_hidden = declared.flags.is_synthetic() || is_class;
        let has_state = !is_hidden && (self.heap.points.is_written(field) || self.holds_state(field));
        self.fields.insert(field, has_state);
        has_state
    }

    /// Whether an object that can change is reachable from a static field.
    fn holds_state(&mut self, field: FieldId) -> bool {
        let mut open = self.heap.static_field(field);
        let mut seen: FxHashSet<ObjectId> = open.iter().copied().collect();
        while let Some(object) = open.pop() {
            if self.without.contains(&object) {
                continue;
            }
            if self.can_change(object) {
                return true;
            }
            let is_confined = self.is_confined(object);
            let fields = self.heap.fields_of(&[object]).into_iter();
            for (object, of) in fields.filter(|(_, of)| !is_confined || *of != Field::Content) {
                open.extend(self.heap.field(object, of).into_iter().filter(|held| seen.insert(*held)));
            }
        }
        self.without.extend(seen);
        false
    }

    /// Whether an object itself can change.
    fn can_change(&self, object: ObjectId) -> bool {
        let heap = self.heap;
        match heap.kind_of(object) {
            ObjectKind::Program(class) => self.changes(class),
            ObjectKind::External(of) if heap.is_universal(object) || heap.points.class_of(of).is_none() => {
                !heap.is_universal(object) && self.changes_in_library(heap.points.type_name(of))
            }
            ObjectKind::External(of) => {
                let class = heap.points.class_of(of).into_iter();
                class.flat_map(|class| heap.program.subtypes(class)).any(|class| self.changes(class))
            }
            ObjectKind::Library(class) => self.changes_in_library(class),
            ObjectKind::View(base, _) => self.can_change(base),
            ObjectKind::Array => !self.is_empty_array(object),
            ObjectKind::Lambda | ObjectKind::Class(_) | ObjectKind::Literal(_) | ObjectKind::Value(_) => false,
        }
    }

    /// Whether an array has no elements, by its allocation.
    fn is_empty_array(&self, object: ObjectId) -> bool {
        let Object::Made { site, .. } = self.heap.points.object(object) else { return false };
        let Some(body) = self.heap.body(site.method) else { return false };
        let Operation::NewArray(_, lengths) = &body.statement(site.statement).operation else { return false };
        let is_zero = |length: &Variable| match body.variable(*length).definition {
            Definition::Statement(id) => {
                matches!(body.statement(id).operation, Operation::Constant(Constant::Int(0)))
            }
            _ => false,
        };
        lengths.first().is_some_and(is_zero)
    }

    /// Whether the content of an object belongs to one thread.
    fn is_confined(&self, object: ObjectId) -> bool {
        match self.heap.kind_of(object) {
            ObjectKind::Library(class) => CONFINED.contains(&class),
            ObjectKind::Program(class) => {
                self.heap.library_superclass(class).is_some_and(|above| CONFINED.contains(&above))
            }
            _ => false,
        }
    }

    fn changes_in_library(&self, class: &str) -> bool {
        let attributes = self.heap.library.attributes(class);
        let is_stateless = CONFINED.contains(&class) || class.starts_with(LOCKS);
        !(is_stateless || attributes.has(Attribute::Immutable) || attributes.has(Attribute::Handle))
    }

    /// Whether objects of exactly this class can change.
    fn changes(&self, class: ClassId) -> bool {
        let program = self.heap.program;
        let mut fields = program.superclasses(class).flat_map(|class| program.class(class).fields());
        let is_state = |field: FieldId| !program.field(field).flags.is_static() && self.heap.points.is_written(field);
        let above = self.heap.library_superclass(class);
        fields.any(is_state)
            || above.is_some_and(|above| !STATELESS_SUPERCLASSES.contains(&above) && self.changes_in_library(above))
    }
}
