//! Fields that no program class declares, such as `FilterInputStream.in`.

use super::heap::Heap;
use java::ir::Operation;
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
    pub(crate) fn is_unchanging_library_field(&self, field: Member) -> bool {
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
