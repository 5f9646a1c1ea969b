//! Immutable objects: nodes of a stack that is kept in an `AtomicReference`, records.
//!
//! **Definition.** A set is *immutable* if each of its objects is not followed, or is of a program class whose fields,
//! and those of its subclasses, are unchanging and hold immutable sets.
//!
//! **Invariant.** No step accesses an object of an immutable set, or a followed object reached from it: only changing
//! fields and contents are locations. So it is safe to forget which object of the set a value is.

use super::objects::ObjectKind;
use super::subject_facts::SubjectFacts;
use crate::value::SetId;
use java::ClassId;
use java::points_to::{Field, ObjectId};
use rustc_hash::FxHashSet;

/// The search gives up above this number of followed objects.
const MOST: usize = 256;

impl SubjectFacts<'_> {
    /// Whether a set is immutable; computed once for each set. Linear in the fields of the objects reached.
    pub(crate) fn is_immutable(&self, of: SetId) -> bool {
        if let Some(known) = self.known.immutable.get(&of) {
            return known;
        }
        let found = self.find_immutable(&self.sets.objects(of));
        self.known.immutable.insert(of, found);
        found
    }

    fn find_immutable(&self, objects: &[ObjectId]) -> bool {
        let mut known: FxHashSet<ObjectId> = FxHashSet::default();
        let mut open = objects.to_vec();
        while let Some(object) = open.pop() {
            if !self.may_be_followed(object) || !known.insert(object) {
                continue;
            }
            let classes = match self.heap.kind_of(object) {
                ObjectKind::Program(class) => vec![class],
                ObjectKind::External(of) => match self.heap.points.class_of(of) {
                    Some(class) => self.heap.program.subtypes(class),
                    None => return false,
                },
                _ => return false,
            };
            let is_changing = classes.into_iter().any(|class| self.has_changing_field(class));
            if is_changing || known.len() > MOST {
                return false;
            }
            for (_, field) in self.heap.fields_of(&[object]) {
                if field == Field::Content {
                    return false;
                }
                open.extend(self.heap.field(object, field));
            }
        }
        true
    }

    /// Whether objects of exactly a class have a changing field, or the content of a library class.
    fn has_changing_field(&self, class: ClassId) -> bool {
        let program = self.heap.program;
        let is_plain = self.heap.library_superclass(class).is_none_or(|name| name == "java/lang/Record");
        let mut fields = program.superclasses(class).flat_map(|class| program.class(class).fields());
        !is_plain || fields.any(|field| !program.field(field).flags.is_static() && !self.heap.is_unchanging(field))
    }
}
