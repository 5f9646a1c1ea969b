//! Objects of any type that clients give, and of which methods are called: a key of which a map asks `hashCode`, what
//! `Collections.max` compares.
//!
//! *Definition.* The classes that clients *know* are the subject's class, unless static fields are the subject, and
//! those of the followed objects that are external or escape. Such a class *has* a method of a name if it declares or
//! inherits one that has code.
//!
//! *Assumption.* What clients give by a universal type, of which a method is called, is no object of a class that they
//! know and that has this method. Where the code casts such an object first, its new type says what it may be, and it
//! is followed. To follow it here, too, would let each map with keys of clients run `hashCode` of all that is followed.
//!
//! *Why it is enough.* An object that clients can give and whose fields are followed is of a class that they know: it
//! is the subject's object or stands in the table of regions, and clients have it only if they made it (external) or
//! got it (it escapes). If its class does not have the method, the call runs no code of the program. So whenever a
//! call could access what is followed and is left out, the assumption is printed. Methods in which nothing else is
//! done are entered for it ([`handed`](super::client_callbacks)).

use super::interpreter::Interpreter;
use super::objects::ObjectKind;
use crate::Assumption;
use java::points_to::ObjectId;
use java::{ClassId, Member, Name};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The classes that clients know, and the names of the methods that these have.
#[derive(Clone, Debug, Default)]
pub(super) struct ClientClasses {
    classes: Vec<ClassId>,
    names: FxHashSet<Name>,
}

impl Interpreter<'_> {
    /// The classes that clients know. Linear in the table of regions and the subtypes of what is there, once.
    fn client_classes(&self) -> &ClientClasses {
        self.memo.client_classes.get_or_init(|| {
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

    /// Whether an object is external, of any type, and may be of a class that clients know and that has a method of a
    /// name.
    pub(super) fn may_be_client_class(&self, object: ObjectId, name: &str) -> bool {
        if !self.heap.is_universal(object) {
            return false;
        }
        let name = self.heap.program.name(name);
        name.is_some_and(|name| self.client_classes().names.contains(&name))
    }

    /// A method is called of an object of a universal type.
    pub(super) fn assume_no_client_class(&mut self, of: &str, member: Member) {
        let program = self.heap.program;
        let known = self.client_classes();
        if !known.names.contains(&member.name) {
            return;
        }
        let has = |class: &&ClassId| {
            let own = program.resolve_in(**class, member.name, member.descriptor).found();
            own.is_some_and(|method| program.method(method).has_code())
        };
        let library = self.heap.library;
        let extends = |outside: &str| library.supertypes(outside).chain([outside]).any(|it| it == of);
        let is_of =
            |class: &ClassId| of == "java/lang/Object" || self.library_supertypes(*class).into_iter().any(extends);
        if known.classes.iter().filter(has).any(is_of) {
            self.assume(Assumption::NotAmongAny(format!("`{}`", program.text(member.name))));
        }
    }
}
