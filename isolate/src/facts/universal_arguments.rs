//! Methods called on objects that clients pass by a universal type: `hashCode` of a map key, `compareTo` of the
//! arguments of `Collections.max`.
//!
//! *Definition.* The *client classes* are the subject's class, unless static fields are the subject, and the classes of
//! those followed objects that are external or escape. Such a class *has* a method of a name if it declares or inherits
//! one with code.
//!
//! *Assumption.* If clients pass an object by a universal type and a method is called on it, then the object's class is
//! no client class that has this method. If the code casts the object first, its new type determines its classes, and
//! the object is followed. Following it without a cast would let each map with keys of clients run `hashCode` of every
//! followed object.
//!
//! *Why it suffices.* An object that clients can pass and whose fields are followed belongs to a client class: it is
//! the subject's object or stands in the table of regions, and clients have it only if they made it (external) or
//! received it (it escapes). If its class does not have the method, the call runs no code of the program. So whenever a
//! call that could access a followed object is left out, the assumption is printed. Methods that do nothing else are
//! entered for this reason ([`client_callbacks`](super::functions)).

use super::answers::ClientClasses;
use super::objects::ObjectKind;
use super::subject_facts::SubjectFacts;
use java::points_to::ObjectId;
use java::{ClassId, Member};
use std::collections::BTreeSet;

impl SubjectFacts<'_> {
    /// The client classes, computed on first use. Linear in the table of regions and the subtypes of its classes.
    fn client_classes(&self) -> &ClientClasses {
        self.known.client_classes.get_or_init(|| {
            let program = self.heap.program;
            let own = (!self.mode.is_static).then_some(self.mode.class);
            let mut classes: BTreeSet<ClassId> = own.into_iter().collect();
            for object in self.regions.objects() {
                match self.heap.kind_of(object) {
                    ObjectKind::Program(class) if self.heap.points.escapes(object) => drop(classes.insert(class)),
                    ObjectKind::External(of) => {
                        let class = self.heap.points.class_of(of);
                        classes.extend(class.into_iter().flat_map(|class| program.subtypes(class)));
                    }
                    _ => {}
                }
            }
            let supertypes: BTreeSet<ClassId> = classes.iter().flat_map(|class| program.supertypes(*class)).collect();
            let methods = supertypes.into_iter().flat_map(|class| program.class(class).methods());
            let declared = methods.map(|method| program.method(method));
            let names = declared.filter(|it| it.has_code() && !it.flags.is_static()).map(|it| it.name).collect();
            ClientClasses { classes: classes.into_iter().collect(), names }
        })
    }

    /// Whether an object is external, has a universal type, and may belong to a client class with a method of this
    /// name.
    pub(crate) fn may_be_client_class(&self, object: ObjectId, name: &str) -> bool {
        if !self.heap.is_universal(object) {
            return false;
        }
        let name = self.heap.program.name(name);
        name.is_some_and(|name| self.client_classes().names.contains(&name))
    }

    /// Whether a call of a method on an object of a universal type is assumed to run no code of the program: a client
    /// class has the method.
    pub(crate) fn has_client_class(&self, of: &str, member: Member) -> bool {
        let program = self.heap.program;
        let known = self.client_classes();
        if !known.names.contains(&member.name) {
            return false;
        }
        let has = |class: &&ClassId| {
            let own = program.resolve_in(**class, member.name, member.descriptor).found();
            own.is_some_and(|method| program.method(method).has_code())
        };
        let library = self.heap.library;
        let extends = |outside: &str| library.supertypes(outside).chain([outside]).any(|it| it == of);
        let is_of =
            |class: &ClassId| of == "java/lang/Object" || self.library_supertypes(*class).into_iter().any(extends);
        known.classes.iter().filter(has).any(is_of)
    }

    /// The library types that a program class extends or implements.
    pub(crate) fn library_supertypes(&self, class: ClassId) -> BTreeSet<&str> {
        let program = self.heap.program;
        let supertypes = program.supertypes(class).into_iter().map(|class| program.class(class));
        let all = supertypes.flat_map(|class| class.superclass.iter().chain(&class.interfaces));
        let outside = all.filter(|name| program.named(**name).is_none()).map(|name| program.text(*name));
        outside.filter(|name| *name != "java/lang/Object").collect()
    }
}
