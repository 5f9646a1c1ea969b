//! The static fields that are followed with a class.
//!
//! **Definition.** A method *belongs* to a class if the class declares or inherits it, or if it is a method of a class
//! of its nest that clients cannot name: an anonymous, local or private one. A static field is *reached* from a class
//! if a method that belongs to the class, or one that such a method runs, reads or writes it, itself or by a handle.
//!
//! **Invariant.** The static subject of a class follows the static fields of the class, and every reached field that
//! [has state](crate::facts::static_state), whichever class declares it: a superclass, an interface, an enum, a
//! singleton. *Why it suffices.* An access of a unit to state that belongs to no object of the class begins at an
//! argument, at a new object or at a static field. Arguments are followed with the object, and a new object is shared
//! only after it is stored. The call graph of the pointer analysis lists all methods that a unit runs, functions that
//! the library calls back included, so the third kind of accesses begins at a reached field. All fields of one class
//! are in one model, so a unit that uses two of them is asked about both.
//!
//! In a program with its own threads each class with static state is a subject. There a class follows the fields that
//! it declares.

use super::Analysis;
use super::client::{callable, inherited_static_methods};
use crate::facts::heap::Heap;
use crate::facts::objects::is_visible;
use java::points_to::Mode;
use java::{ClassId, FieldId, MethodId, Program, Role};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// Whether methods that belong to a class reach static state of the program.
pub fn reaches_static_state(analysis: Analysis<'_>, class: ClassId) -> bool {
    let heap = analysis.heap();
    let methods = methods_of(analysis.program, class);
    heap.reach_static_state(methods.iter().copied()) && !reached(&heap, &methods).is_empty()
}

/// The static fields that are followed with a class.
pub(super) fn followed(heap: &Heap<'_>, class: ClassId) -> Vec<FieldId> {
    let program = heap.program;
    let own = program.class(class).fields().filter(|field| program.field(*field).flags.is_static());
    let mut fields: Vec<FieldId> = own.collect();
    if matches!(heap.points.mode(), Mode::Client(_)) {
        let reached = reached(heap, &methods_of(program, class));
        fields.extend(reached.into_iter().filter(|field| program.field(*field).class != class));
    }
    fields
}

/// The static fields of the program with state that these methods reach.
fn reached(heap: &Heap<'_>, methods: &BTreeSet<MethodId>) -> Vec<FieldId> {
    let program = heap.program;
    let is_own = |field: &FieldId| program.class(program.field(*field).class).role != Role::Library;
    heap.static_state_of(methods.iter().copied()).into_iter().filter(is_own).collect()
}

/// The methods that belong to a class, without its initializer.
pub(super) fn methods_of(program: &Program, class: ClassId) -> BTreeSet<MethodId> {
    let nest = super::nest(program, &FxHashSet::from_iter([class]));
    let hidden = nest.into_iter().filter(|other| *other == class || !is_visible(program, *other));
    let declared = hidden.flat_map(|class| program.class(class).methods());
    let is_one = |method: &MethodId| program.text(program.method(*method).name) != "<clinit>";
    let inherited = callable(program, class).into_iter().chain(inherited_static_methods(program, class));
    declared.chain(inherited).filter(is_one).collect()
}
