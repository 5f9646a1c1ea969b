//! Of which class the objects are that fields hold.
//!
//! A field may be declared as a `Map` and hold a `ConcurrentHashMap`. If all that any code of the program writes to it,
//! but for null, was made of one class there (`this.map = new ConcurrentHashMap<>()`), then whatever is found in it is
//! of exactly this class: nobody else can write it, but by reflection. Of what comes from elsewhere, nothing is known.

use super::origin::{Origin, walk};
use java::{Code, FieldId, Instruction, Name, Program};

/// Of which class the objects are that a field holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Held {
    /// There are none.
    #[default]
    Nothing,
    /// Exactly this one.
    Class(Name),
    /// Exactly this one of the library.
    Library(&'static str),
    /// It is not known.
    Anything,
}

impl Held {
    /// The class, if it is known.
    pub(super) fn class(self, program: &Program) -> Option<&str> {
        match self {
            Self::Class(name) => Some(program.text(name)),
            Self::Library(name) => Some(name),
            Self::Nothing | Self::Anything => None,
        }
    }

    /// A value from there is written, too.
    pub(super) fn add(&mut self, origin: Origin) {
        let new = match origin {
            Origin::Null => return,
            Origin::New(name) => Self::Class(name),
            Origin::Library(name) => Self::Library(name),
            Origin::First | Origin::Unknown => Self::Anything,
        };
        *self = if *self == Self::Nothing || *self == new { new } else { Self::Anything };
    }
}

/// A value that code writes to a field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    pub(super) field: FieldId,
    /// Where it comes from.
    pub(super) value: Origin,
}

/// What code writes to fields that hold objects. Linear in the code.
pub(super) fn written(program: &Program, code: &Code, mut visit: impl FnMut(Written)) {
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
            visit(Written { field, value: stack.last().copied().unwrap_or(Origin::Unknown) });
        }
    });
}
