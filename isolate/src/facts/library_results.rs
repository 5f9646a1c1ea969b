//! Whether an object that a constructor gets from the library is its own.
//!
//! **Definition.** A possible result of a row ([`Part`]) is *own* if it is
//!
//! - a new object,
//! - a view of an argument that is own, or this argument itself: `checkedList(new ArrayList<>())` is own, while
//!   `checkedList(other.list)` shares the list of another object, and `unmodifiableList` may return its argument,
//! - the result of a function, if the row is static and makes an object otherwise. In the tables these are the threads
//!   of a factory, which the type of the result excludes, and values without state.
//!
//! The result of a call is own ([`Stored::Fresh`]) if each possible result is, and if it is no state of the process.
//!
//! *Why it suffices.* A view has the content of the object that it shows, and the library makes each new object anew.
//! So by induction over the nesting of calls, an own result and the content that it shows belong to this run of the
//! constructor, and two runs get different ones.

use super::argument_flows::argument_place;
use super::heap::Heap;
use super::stored::Stored;
use java::InvokeKind;
use java::ir::Variable;
use java::library::{Action, Part, Row, Subject};

impl Heap<'_> {
    /// The result of a row that makes an object or a view; `within` evaluates an argument.
    pub(super) fn library_result(
        &self,
        row: &Row<'_>,
        (kind, arguments): (InvokeKind, &[Variable]),
        within: &impl Fn(&Variable) -> Stored,
    ) -> Stored {
        let is_own_argument = |subject: Subject| {
            let argument = argument_place(subject, kind).and_then(|place| arguments.get(place));
            match argument.map(within) {
                Some(Stored::Fresh) => true,
                Some(Stored::Field(field)) => *self.construction(field) == Stored::Fresh,
                _ => false,
            }
        };
        let is_own = |part: &Part<'_>| match part {
            Part::New(_) => true,
            Part::View(view) => is_own_argument(view.of),
            Part::Is(subject) => is_own_argument(*subject),
            Part::Yielded => kind == InvokeKind::Static,
            _ => false,
        };
        let parts: Vec<Part<'_>> = row.actions.iter().filter_map(Action::part).collect();
        if !row.traits.global && parts.iter().all(is_own) {
            return Stored::Fresh;
        }
        // An argument that is read or viewed is not null, or the call throws.
        let is_used = |subject: Subject| {
            row.reads(subject) || parts.iter().any(|part| matches!(part, Part::View(view) if view.of == subject))
        };
        let is_object = |part: &Part<'_>| match part {
            Part::New(_) | Part::View(_) => true,
            Part::Is(subject) => is_used(*subject),
            _ => false,
        };
        if parts.iter().all(is_object) { Stored::Shared } else { Stored::Unknown }
    }
}
