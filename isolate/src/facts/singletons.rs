//! Singleton classes: objects of Kotlin or Scala, companion objects.
//!
//! **Definition.** A class is a *singleton* class if its constructors are private, or added by a compiler for its own
//! use; it has no subclasses; its objects are neither copied nor read from a stream; and exactly one statement of the
//! program allocates objects of it, which stands in a static initializer and in no loop.
//!
//! Objects of a class are *copied* if it, or a supertype, is `Cloneable`. They are *read from a stream* if it, or a
//! supertype, is `Serializable`, unless it is an `enum`, it has a method `writeReplace` that gives only objects of
//! other classes, or it has a method `readResolve` that gives the singleton back, and no `readObject`, which would run
//! on the second object before that one is dropped.
//!
//! *Why it has one object.* No other code can call the constructors, except by reflection, which every proof excludes
//! by assumption. A static initializer runs once and executes a statement outside of loops once. So the receiver of any
//! method of the class is the object in the static field to which that initializer has written it, if the field never
//! changes.

use super::heap::Heap;
use super::objects::ObjectKind;
use super::subject_facts::SubjectFacts;
use crate::value::{RegionId, Value};
use java::ir::{Definition, End, Loops, Operation, Variable};
use java::points_to::{Object, ObjectId, Site};
use java::{ClassId, FieldId, MethodId};

impl SubjectFacts<'_> {
    /// The receiver of a method of a class that anyone may call: its singleton object, or any object.
    pub(crate) fn receiver_of(&self, class: ClassId) -> Value {
        match self.singleton(class) {
            Some(region) => Value::Region(region),
            None => self.unknown_of_class(class),
        }
    }

    /// The singleton object of a class, if it is followed.
    fn singleton(&self, class: ClassId) -> Option<RegionId> {
        let program = self.heap.program;
        let declared = program.class(class);
        let is_hidden = declared.methods().filter(|method| program.is_constructor(*method)).all(|method| {
            let flags = program.method(method).flags;
            flags.is_private() || flags.is_synthetic()
        });
        let has_second = || self.heap.is_copied(class) || self.heap.is_read_from_stream(class);
        if declared.flags.is_abstract() || !is_hidden || program.subtypes(class).len() != 1 || has_second() {
            return None;
        }
        let (object, site) = self.only_allocation(class)?;
        let initializer = program.method(site.method);
        if program.text(initializer.name) != "<clinit>" || !self.is_executed_once(site) {
            return None;
        }
        let holds_it = |field: &FieldId| {
            let objects = self.heap.static_field(*field);
            program.field(*field).flags.is_static()
                && self.heap.is_unchanging(*field)
                && self.heap.is_never_null(*field)
                && objects == [object]
        };
        let mut fields = program.class(initializer.class).fields().filter(holds_it);
        fields.find_map(|field| self.regions.static_region(field))
    }

    /// The only abstract object of a class that the program allocates, with its allocation site.
    fn only_allocation(&self, class: ClassId) -> Option<(ObjectId, Site)> {
        let mut found = self.heap.points.objects().filter_map(|(id, object)| match (object, self.heap.kind_of(id)) {
            (Object::Made { site, .. }, ObjectKind::Program(of)) if of == class => Some((id, *site)),
            _ => None,
        });
        let first = found.next()?;
        found.next().is_none().then_some(first)
    }

    /// Whether a statement of a static initializer is in no loop.
    fn is_executed_once(&self, site: Site) -> bool {
        let Some(body) = self.heap.body(site.method) else { return false };
        Loops::new(&body, &|| false).is_ok_and(|loops| loops.innermost(site.statement.block).is_none())
    }
}

impl Heap<'_> {
    /// Whether deserialization may make objects of exactly this class that stay, or whose methods it runs.
    fn is_read_from_stream(&self, class: ClassId) -> bool {
        let program = self.program;
        let is_one = |name: &str| name == "java/io/Serializable" || name == "java/io/Externalizable";
        let outside = program.supertypes(class).into_iter().flat_map(|class| {
            let declared = program.class(class);
            declared.superclass.iter().chain(&declared.interfaces).copied().collect::<Vec<_>>()
        });
        let names: Vec<&str> = outside.map(|name| program.text(name)).collect();
        let is_serializable = names.iter().any(|name| is_one(name) || self.library.supertypes(name).any(is_one));
        if !is_serializable || names.contains(&"java/lang/Enum") {
            return false;
        }
        let all = || program.superclasses(class).flat_map(|class| program.class(class).methods());
        let called = |name: &str, descriptor: &str| {
            let is_it = |method: &MethodId| {
                let declared = program.method(*method);
                program.text(declared.name) == name && program.text(declared.descriptor) == descriptor
            };
            all().find(is_it)
        };
        const REPLACES: &str = "()Ljava/lang/Object;";
        let is_of_class = |object: ObjectId| match self.kind_of(object) {
            ObjectKind::Program(of) => of == class,
            ObjectKind::External(_) => true,
            _ => false,
        };
        let gives_others = |method: MethodId| {
            let mut given = self.points.result(method).iter().peekable();
            given.peek().is_some() && given.all(|object| !is_of_class(object))
        };
        if called("writeReplace", REPLACES).is_some_and(gives_others) {
            return false;
        }
        let reads = called("readObject", "(Ljava/io/ObjectInputStream;)V").is_some();
        reads || !called("readResolve", REPLACES).is_some_and(|method| self.gives_singleton(method, class))
    }

    /// Whether a method returns only the values of unchanging static fields that hold one object of exactly this class.
    fn gives_singleton(&self, method: MethodId, class: ClassId) -> bool {
        let Some(body) = self.body(method) else { return false };
        let is_singleton = |variable: Variable| {
            let Definition::Statement(id) = body.variable(variable).definition else { return false };
            let Operation::GetStatic(member) = body.statement(id).operation else { return false };
            let Some(field) = self.unchanging_member(member) else { return false };
            matches!(self.static_field(field)[..], [object] if self.only_class(&[object]) == Some(class))
        };
        body.blocks().all(|(_, block)| match &block.end {
            End::Return(value) => value.is_some_and(is_singleton),
            _ => true,
        })
    }
}
