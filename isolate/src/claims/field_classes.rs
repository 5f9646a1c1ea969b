//! Of which class the objects are that fields hold.
//!
//! A field may be declared as a `Map` and hold a `ConcurrentHashMap`. If all that any code of the program writes to it,
//! but for null, was made of one class there (`this.map = new ConcurrentHashMap<>()`), then whatever is found in it is
//! of exactly this class: nobody else can write it, but by reflection. Of what comes from elsewhere, nothing is known.

use super::value_sources::{ValueSource, walk};
use java::{Code, FieldId, Instruction, Name, Program};

/// Of which class the objects are that a field holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum FieldClass {
    /// There are none.
    #[default]
    None,
    /// Exactly this one.
    Class(Name),
    /// Exactly this one of the library.
    Library(&'static str),
    /// It is not known.
    Unknown,
}

impl FieldClass {
    /// The class, if it is known.
    pub(super) fn class(self, program: &Program) -> Option<&str> {
        match self {
            Self::Class(name) => Some(program.text(name)),
            Self::Library(name) => Some(name),
            Self::None | Self::Unknown => None,
        }
    }

    /// A value from there is written, too.
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
    /// Where it comes from.
    pub(super) value: ValueSource,
}

/// What code writes to fields that hold objects. Linear in the code.
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
