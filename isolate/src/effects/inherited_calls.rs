//! Calls that library code makes on an object of a program class that extends a library class.
//!
//! - A *view* of such an object, such as the result of `AbstractList.iterator`, is implemented by the object's methods:
//!   a call on it may call each method by which the class overrides a library method. If the call only reads, it calls
//!   only methods whose library rows only read. What these return to show the elements, such as iterators of the
//!   program, is called as well; the pointer analysis puts it into the content of the object.
//! - A method that the class inherits from the library (`AbstractCollection.toString` in `"" + list`) calls the methods
//!   that its row names, and those by which it traverses the object.

use crate::Stuck;
use crate::exec::execution::{Call, Execution, Position};
use crate::exec::interpreter::{Interpreter, MadeKind};
use crate::facts::objects::ObjectKind;
use crate::value::Value;
use java::library::{Row, Subject, TRAVERSAL};
use java::points_to::{Field, ObjectId};
use java::{ClassId, InvokeKind};
use std::collections::BTreeSet;

/// The library types of objects that show elements of other objects.
const SHOWING: [&str; 5] = [
    "java/lang/Iterable",
    "java/util/Enumeration",
    "java/util/Iterator",
    "java/util/Map$Entry",
    "java/util/Spliterator",
];

impl Interpreter<'_> {
    /// Adds the calls that a call on a view makes on the viewed program object.
    pub(super) fn add_calls_of_view(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        row: &Row<'_>,
        call: &Call<'_>,
    ) -> Result<Option<usize>, Stuck> {
        let (receiver, bases) = self.viewed_object(at, call);
        let classes = self.program_classes(receiver, &bases);
        let is_writing = row.writes(Subject::This);
        let mut names: BTreeSet<&str> = BTreeSet::new();
        for class in classes {
            for outside in self.library_supertypes(class) {
                let rows = self.heap.library.rows_of_class(outside, |_, _| false);
                let rows = rows.into_iter().filter(|(_, row)| is_writing || !row.writes(Subject::This));
                names.extend(rows.map(|(name, _)| name));
            }
        }
        let mut contexts = Vec::new();
        for name in names.into_iter().filter(|name| !["*", "<init>", "equals", "hashCode", "toString"].contains(name)) {
            contexts.extend(self.contexts_of(receiver, &bases, Some(name))?);
        }
        let shown = self.shown_by_views(at, call);
        for name in if shown.is_empty() { &[] } else { &TRAVERSAL[..] } {
            contexts.extend(self.contexts_of(Value::Any, &shown, Some(name))?);
        }
        contexts.sort_unstable();
        contexts.dedup();
        Ok(self.run_any_of(execution, at, after, contexts))
    }

    /// The program objects by which viewed program objects show their elements: their own iterators and entries.
    fn shown_by_views(&self, at: Position<'_>, call: &Call<'_>) -> Vec<ObjectId> {
        let variable = call.variables.and_then(|variables| variables.first().copied());
        let method = self.contexts[at.id.index()].method;
        let objects = variable.map(|variable| self.heap.variable(method, variable)).unwrap_or_default();
        let bases = self.viewed_program_objects(&objects);
        let mut shown: Vec<ObjectId> = bases.iter().flat_map(|base| self.heap.field(*base, Field::Content)).collect();
        shown.retain(|object| match self.heap.kind_of(*object) {
            ObjectKind::Program(class) => self.shows_elements(class),
            _ => false,
        });
        shown.sort_unstable();
        shown.dedup();
        shown
    }

    /// Whether objects of a class show elements of others.
    fn shows_elements(&self, class: ClassId) -> bool {
        let library = &self.heap.library;
        let shows = |of: &&str| SHOWING.iter().any(|showing| of == showing || library.is_subtype(of, showing));
        self.library_supertypes(class).iter().any(shows)
    }

    /// The program object viewed by the receiver of a call: its value, or abstract objects.
    fn viewed_object(&self, at: Position<'_>, call: &Call<'_>) -> (Value, Vec<ObjectId>) {
        match call.values.first() {
            Some(Value::View(region)) if self.is_program_object(*region) => (Value::Region(*region), Vec::new()),
            // A view has the same value as its object; the type that the call names tells them apart.
            Some(value @ Value::Region(region)) if self.is_program_object(*region) && self.is_view(*value, call) => {
                (*value, Vec::new())
            }
            Some(value @ Value::Made(made))
                if matches!(self.made(*made).kind, MadeKind::Object(_)) && self.is_view(*value, call) =>
            {
                (*value, Vec::new())
            }
            Some(Value::Any | Value::Other | Value::Foreign | Value::Derived) => {
                let variable = call.variables.and_then(|variables| variables.first().copied());
                let method = self.contexts[at.id.index()].method;
                let objects = variable.map(|variable| self.heap.variable(method, variable)).unwrap_or_default();
                (Value::Any, self.viewed_program_objects(&objects))
            }
            // A view held by an unchanging field.
            Some(Value::Region(region)) => {
                (Value::Any, self.viewed_program_objects(&self.regions.regions[region.index()].objects))
            }
            _ => (Value::Any, Vec::new()),
        }
    }

    /// The program objects viewed by some objects.
    fn viewed_program_objects(&self, objects: &[ObjectId]) -> Vec<ObjectId> {
        let base = |object: &ObjectId| match self.heap.kind_of(*object) {
            ObjectKind::View(base, _) if matches!(self.heap.kind_of(base), ObjectKind::Program(_)) => Some(base),
            _ => None,
        };
        objects.iter().filter_map(base).collect()
    }

    /// Whether the class of a value is not of the type that the call names, so that the receiver is a view.
    fn is_view(&self, value: Value, call: &Call<'_>) -> bool {
        let program = self.heap.program;
        let named = program.text(call.member.class);
        let is_outside = program.named(call.member.class).is_none() && named != "java/lang/Object";
        let is_of =
            |class: ClassId| self.library_supertypes(class).iter().any(|of| self.heap.library.is_subtype(of, named));
        call.kind != InvokeKind::Static && is_outside && !self.program_classes(value, &[]).into_iter().any(is_of)
    }
}
