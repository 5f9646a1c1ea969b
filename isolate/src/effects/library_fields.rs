//! Fields declared by library classes: `count` of `java.io.ByteArrayOutputStream` in a subclass, `x` of
//! `java.awt.Point`.
//!
//! **Definition.** Such a field belongs to the *content* of its object, like everything that the library's own methods
//! access in the object: a load reads the content, a store writes it.
//!
//! *Why it suffices.* The field is a part of the location, and the methods of the library class access the same
//! location by their rows. So two accesses of one field are accesses of one location.
//!
//! Fields that the library assigns only in constructors ([`ASSIGNED_ONCE`]) and that no program code assigns are
//! unchanging: reading one is no access.

use crate::Stuck;
use crate::exec::execution::{Execution, Position};
use crate::exec::interpreter::Interpreter;
use crate::exec::state::State;
use crate::facts::heap::Heap;
use crate::value::Value;
use java::ir::{Operation, Statement};
use java::{Lookup, Member, Name};
use rustc_hash::FxHashSet;

/// Fields that library classes assign only in their constructors (Java SE API, serialized forms and sources of JDK 8 to
/// 21).
const ASSIGNED_ONCE: [(&str, &str); 7] = [
    ("java/io/FilterInputStream", "in"),
    ("java/io/FilterOutputStream", "out"),
    ("java/io/FilterReader", "in"),
    ("java/io/FilterWriter", "out"),
    ("java/io/Reader", "lock"),
    ("java/io/Writer", "lock"),
    ("java/util/EventObject", "source"),
];

impl Heap<'_> {
    /// The library class that declares a field which no program class declares.
    fn declaring_library_class(&self, field: Member) -> Name {
        let program = self.program;
        let given = program.named(field.class).and_then(|class| program.superclasses(class).last());
        given.and_then(|class| program.class(class).superclass).unwrap_or(field.class)
    }

    /// Whether a library field has one value from the end of the constructor on.
    fn is_unchanging_library_field(&self, field: Member) -> bool {
        let of = self.program.text(self.declaring_library_class(field));
        let name = self.program.text(field.name);
        let is_it = |(class, known): &(&str, &str)| *known == name && self.library.is_subtype(of, class);
        ASSIGNED_ONCE.iter().any(is_it) && !self.assigned_library_fields().contains(&field.name)
    }

    /// The names of library fields that some program code assigns.
    fn assigned_library_fields(&self) -> &FxHashSet<Name> {
        self.shared.assigned_library_fields.get_or_init(|| {
            let mut found = FxHashSet::default();
            let bodies = self.program.methods().filter_map(|(method, _)| self.body(method));
            for body in bodies {
                let statements = body.blocks().flat_map(|(_, block)| &*block.statements);
                found.extend(statements.filter_map(|statement| match &statement.operation {
                    Operation::PutField { field, .. } if self.is_library_field(*field) => Some(field.name),
                    _ => None,
                }));
            }
            found
        })
    }

    /// Whether no program class declares a field.
    pub(super) fn is_library_field(&self, field: Member) -> bool {
        !matches!(self.program.resolve_field(field), Lookup::Found(_))
    }
}

impl Interpreter<'_> {
    /// Loads a library field of an object with this value.
    pub(crate) fn get_library_field(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        statement: &Statement,
        state: State,
        (base, field): (Value, Member),
    ) -> Result<(), Stuck> {
        let value = self.assigned_value(at, &state, statement.to);
        match base.region().filter(|_| !self.heap.is_unchanging_library_field(field)) {
            Some(region) => {
                let location = self.content_location(region);
                self.load_location(execution, at, statement, state, (location, value))
            }
            None => self.assign_value(execution, at, statement, state, value),
        }
    }

    /// Stores to a library field of an object with this value.
    pub(crate) fn put_library_field(&mut self, execution: &mut Execution, at: Position<'_>, state: State, base: Value) {
        match base.region() {
            Some(region) => {
                let location = self.content_location(region);
                self.store_location(execution, at, state, location);
            }
            None => {
                let after = self.add_unfollowed_change(execution, at, at.after);
                execution.continue_at(after, at.next(), state);
            }
        }
    }
}
