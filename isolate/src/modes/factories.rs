//! Subclasses whose objects clients get as objects of a class.
//!
//! **Definition.** A class is a *subclass of factories* of another class if it is a strict subtype of it with methods
//! of its own, the program makes objects of it that clients can get, and clients do not choose it: they cannot name the
//! class, or a method of the other class's nest makes the objects.
//!
//! *Why they are part of the question.* Clients that get an object of the class may have got one of these classes, and
//! then run its overriding methods, which may lock less. A subclass that clients name themselves is a class of its own,
//! with a claim of its own.

use super::Analysis;
use crate::facts::heap::Heap;
use crate::facts::objects::is_visible;
use java::points_to::{Object, ObjectId};
use java::{ClassId, Program};
use rustc_hash::FxHashSet;

/// The subclasses whose objects clients get as objects of a class, in ascending order.
pub fn subclasses_of_factories(analysis: Analysis<'_>, class: ClassId) -> Vec<ClassId> {
    let program = analysis.program;
    let heap = analysis.heap();
    let mut candidates: Vec<ClassId> = program.subtypes(class);
    candidates.retain(|one| *one != class && can_differ(program, *one));
    if candidates.is_empty() {
        return candidates;
    }
    let nest = super::nest(program, &FxHashSet::from_iter([class]));
    candidates.retain(|one| {
        let is_chosen = is_visible(program, *one);
        let is_given = |object: ObjectId| is_given(&heap, object, is_chosen.then_some(&nest));
        analysis.points.objects_of(*one).into_iter().any(is_given)
    });
    candidates.sort_unstable();
    candidates.dedup();
    candidates
}

/// Whether objects of a class exist and may behave in another way than those of its superclass.
fn can_differ(program: &Program, class: ClassId) -> bool {
    let declared = program.class(class);
    let has_own = || {
        let is_own = |method| !program.is_constructor(method) && program.method(method).has_code();
        declared.methods().any(|method| is_own(method) && program.text(program.method(method).name) != "<clinit>")
    };
    !declared.flags.is_interface() && !declared.flags.is_abstract() && !declared.is_library && has_own()
}

/// Whether the program makes an object and clients get it; of a class that they can name, if the nest makes it.
fn is_given(heap: &Heap<'_>, object: ObjectId, nest: Option<&FxHashSet<ClassId>>) -> bool {
    let Object::Made { site, .. } = heap.points.object(object) else { return false };
    let maker = heap.program.method(site.method).class;
    heap.points.escapes(object) && nest.is_none_or(|nest| nest.contains(&maker))
}
