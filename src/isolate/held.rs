//! Of which class the objects are that fields hold.
//!
//! A field may be declared as a `Map` and hold a `ConcurrentHashMap`. If all that any code of the program writes to it, but for null, was made of one
//! class there (`this.map = new ConcurrentHashMap<>()`), then whatever is found in it is of exactly this class: nobody else can write it, but by
//! reflection, which is left out. Of what comes from elsewhere, nothing is known.
//!
//! In the same way a field may hold a part of the lock that another field of its object holds (`readers = lock.readLock()`, `notFull = lock.newCondition()`). A part of another
//! object's lock (`other.readers = lock.readLock()`) is none of these. A part for reading excludes only writers, whoever they are: if one is written to a field, and it is
//! not known of which lock all that is written there is, then it is taken for one of a lock that nobody writes with.

use super::origin::{Origin, Part, walk};
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
    /// This part of the lock that another field of the same object, or a static field, holds.
    Part(Part, FieldId),
    /// Among others, the side for reading of some lock.
    Reading,
    /// It is not known.
    Anything,
}

impl Held {
    /// The class, if it is known.
    pub(super) fn class(self, program: &Program) -> Option<&str> {
        match self {
            Self::Class(name) => Some(program.text(name)),
            Self::Library(name) => Some(name),
            Self::Nothing | Self::Anything | Self::Part(..) | Self::Reading => None,
        }
    }

    /// Whether it may be the side for reading of a lock.
    fn may_read(self) -> bool {
        matches!(self, Self::Part(Part::Read, _) | Self::Reading)
    }

    /// A value from there is written, too.
    pub(super) fn add(&mut self, origin: Origin) {
        let new = match origin {
            Origin::Null => return,
            Origin::New(name) => Self::Class(name),
            Origin::Library(name) => Self::Library(name),
            Origin::Part(part, Some(field)) => Self::Part(part, field),
            Origin::Part(Part::Read, None) => Self::Reading,
            Origin::Part(..) | Origin::First | Origin::Argument | Origin::Field(_) | Origin::Unknown => Self::Anything,
        };
        let both = if self.may_read() || new.may_read() { Self::Reading } else { Self::Anything };
        *self = if *self == Self::Nothing || *self == new { new } else { both };
    }
}

/// A value that code writes to a field.
#[derive(Clone, Copy, Debug)]
pub(super) struct Written {
    pub(super) field: FieldId,
    /// Where it comes from.
    pub(super) value: Origin,
    /// Whether it is a field of local variable 0.
    pub(super) is_own: bool,
}

impl Written {
    /// Whether it is another object than the one that has the field, if the code is a constructor: nobody else has its object yet, so neither arguments nor what is
    /// made can be it.
    pub(super) fn is_other(self) -> bool {
        self.is_own
            && matches!(
                self.value,
                Origin::Argument | Origin::Null | Origin::New(_) | Origin::Library(_) | Origin::Part(..)
            )
    }
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
        let field: Option<FieldId> = written(instruction);
        let Some(field) = field else { return };
        let value = stack.last().copied().unwrap_or(Origin::Unknown);
        let receiver = stack.len().checked_sub(2).map(|at| stack[at]);
        let is_own = matches!(instruction, Instruction::PutField(_)) && receiver == Some(Origin::First);
        let value = value.if_of(|of| is_own || program.field(of).flags.is_static());
        visit(Written { field, value, is_own });
    });
}
