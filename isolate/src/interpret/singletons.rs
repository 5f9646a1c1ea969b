//! Singleton classes: objects of Kotlin or Scala, companion objects.
//!
//! **Definition.** A class is a *singleton* class if its constructors are private, or added by a compiler for its own
//! use; it has no subclasses and cannot be cloned; and exactly one statement of the program allocates objects of it,
//! which stands in a static initializer and in no loop.
//!
//! *Why it has one object.* No other code can call the constructors, except by reflection, which every proof excludes
//! by assumption. A static initializer runs once and executes a statement outside of loops once. So the receiver of any
//! method of the class is the object in the static field to which that initializer has written it, if the field never
//! changes.

use super::interpreter::Interpreter;
use super::objects::ObjectKind;
use crate::value::{RegionId, Value};
use java::ir::Loops;
use java::points_to::{Object, ObjectId, Site};
use java::{ClassId, FieldId};

impl Interpreter<'_> {
    /// The receiver of a method of a class that anyone may call: its singleton object, or any object.
    pub(crate) fn receiver_of(&mut self, class: ClassId) -> Value {
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
        let can_be_cloned = || program.name("java/lang/Cloneable").is_some_and(|name| program.extends(class, name));
        if declared.flags.is_abstract() || !is_hidden || program.subtypes(class).len() != 1 || can_be_cloned() {
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
