//! Types outside of the program of which nothing is known: loggers, handles, and the streams of a reactive library.
//!
//! **Definition.** A type is *unknown* if it is neither a class of the program nor in the library table, and no array
//! and no universal type. It *returns objects* if code of the program calls a method of it whose result is a reference
//! to a type that may hold an object of the program.
//!
//! **Rule** [`UnknownTypes`](crate::Rule::UnknownTypes). An external object of an unknown type is no object of the
//! program, although classes of the program may extend the type: the declared type is all that the code says about it.
//! The same holds for classes of the program that may be of a library type only because nothing is known of another
//! supertype. An object that the program makes and stores in such a variable is in the points-to set by itself. The
//! content of an object of an unknown type that returns no objects is not followed: what was passed to a logger is not
//! found in it again.

use super::heap::Heap;
use super::objects::ObjectKind;
use crate::Rule;
use java::ir::Operation;
use java::library::Attribute;
use java::points_to::{ObjectId, TypeId};
use java::{ClassId, InvokeKind, Name, Type};
use rustc_hash::FxHashSet;

/// Types of handles to memory: their methods get and return values of any type that they do not keep.
const MEMORY: [&str; 2] = ["jdk/internal/misc/Unsafe", "sun/misc/Unsafe"];

impl Heap<'_> {
    /// Whether external objects of a type are no objects of the program, by [`UnknownTypes`](Rule::UnknownTypes).
    pub(super) fn omits_program_objects(&self, of: TypeId) -> bool {
        self.modality.omits(Rule::UnknownTypes) && self.is_unknown_type(of)
    }

    /// Whether nothing is found in an object again, by [`UnknownTypes`](Rule::UnknownTypes).
    pub(super) fn omits_content(&self, object: ObjectId) -> bool {
        let ObjectKind::External(of) = self.kind_of(object) else { return false };
        let text = self.points.type_name(of);
        self.modality.omits(Rule::UnknownTypes)
            && (MEMORY.contains(&text)
                || self.is_unknown_type(of)
                    && !self.program.name(text).is_some_and(|name| self.returning_types().contains(&name)))
    }

    fn is_unknown_type(&self, of: TypeId) -> bool {
        let text = self.points.type_name(of);
        self.points.class_of(of).is_none()
            && !text.starts_with('[')
            && !self.is_universal_text(text)
            && !self.library.has_class(text)
    }

    /// The types outside of the program whose methods return objects to code of the program. Linear in the program.
    fn returning_types(&self) -> &FxHashSet<Name> {
        self.shared.returning_types.get_or_init(|| {
            let methods = self.program.methods().map(|(method, _)| method);
            let mut found = FxHashSet::default();
            for body in methods.filter(|method| self.points.is_reached(*method)).filter_map(|method| self.body(method))
            {
                for statement in body.blocks().flat_map(|(_, block)| &*block.statements) {
                    let Operation::Invoke { kind, member, .. } = &statement.operation else { continue };
                    let result = self.program.result_type(member.descriptor);
                    if *kind != InvokeKind::Static
                        && statement.to.is_some()
                        && result.is_some_and(|of| self.may_hold(of))
                    {
                        found.insert(member.class);
                    }
                }
            }
            found
        })
    }

    /// Whether a reference of a type may be an object of the program, or lead to one.
    fn may_hold(&self, of: Type) -> bool {
        match of {
            Type::Class(name) => !self.library.attributes(self.program.text(name)).has(Attribute::Immutable),
            of => of.is_reference(),
        }
    }

    /// Whether some object of a class, or of a class that extends it, is certainly of a type: not only because nothing
    /// is known of one of its supertypes. By [`UnknownTypes`](Rule::UnknownTypes), others are not.
    pub(super) fn omits_class(&self, root: ClassId, of: TypeId) -> bool {
        let is_of = |name: Name| {
            self.program.subtypes(root).into_iter().any(|class| self.is_of(class, Type::Class(name)) == Some(true))
        };
        self.modality.omits(Rule::UnknownTypes)
            && self.points.class_of(of).is_none()
            && self.program.name(self.points.type_name(of)).is_some_and(|name| !is_of(name))
    }
}
