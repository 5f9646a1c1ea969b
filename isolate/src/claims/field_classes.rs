//! The exact classes of the objects in fields.
//!
//! A field may be declared as a `Map` and hold a `ConcurrentHashMap`. If every write of the program to the field stores
//! null or a new object of one class (`this.map = new ConcurrentHashMap<>()`), then its objects are of exactly this
//! class: other code can write it only by reflection. The class of a value from elsewhere is unknown.

use super::value_sources::{ValueSource, walk};
use java::{Code, FieldId, Instruction, Name, Program};

/// The exact class of the objects in a field.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum FieldClass {
    /// The field holds no object.
    #[default]
    None,
    /// A class by its name.
    Class(Name),
    /// A class of the library.
    Library(&'static str),
    /// Several classes, or an unknown one.
    Unknown,
}

impl FieldClass {
    /// Returns the class, if it is known.
    pub(super) fn class(self, program: &Program) -> Option<&str> {
        match self {
            Self::Class(name) => Some(program.text(name)),
            Self::Library(name) => Some(name),
            Self::None | Self::Unknown => None,
        }
    }

    /// Adds a write of a value from this source.
    pub(super) fn add(&mut self, origin: ValueSource) {
        let new = match origin {
            ValueSource::Null => return,
            ValueSource::New(name) => Self::Class(name),
            ValueSource::Library(name) => Self::Library(name),
            ValueSource::Local0 | ValueSource::Unknown => Self::Unknown,
        };
        *self = if *self == Self::None || *self == new { new } else { Self::Unknown };
    }
}

/// A value that code writes to a field.
#[derive(Clone, Copy, Debug)]
pub(super) struct FieldWrite {
    pub(super) field: FieldId,
    /// The source of the value.
    pub(super) value: ValueSource,
}

/// Visits the writes of code to fields of reference types. Linear in the code.
pub(super) fn field_writes(program: &Program, code: &Code, mut visit: impl FnMut(FieldWrite)) {
    let written = |instruction| match instruction {
        Instruction::PutField(member) | Instruction::PutStatic(member) => {
            let of = program.field_type(member.descriptor).filter(|of| of.is_reference());
            of.and_then(|_| program.resolve_field(member).found())
        }
        _ => None,
    };
    if !code.instructions().any(|(_, instruction)| written(instruction).is_some()) {
        return;
    }
    walk(program, code, |_, instruction, stack| {
        if let Some(field) = written(instruction) {
            visit(FieldWrite { field, value: stack.last().copied().unwrap_or(ValueSource::Unknown) });
        }
    });
}
