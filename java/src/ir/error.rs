//! The errors of the translation to register form.

use crate::bytecode::{InstructionIndex, StackError};
use crate::class_file::CodeError;
use std::fmt;

/// A failure to translate a method to register form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BodyError {
    /// Its code cannot be decoded.
    Code(CodeError),
    /// Its code uses the operand stack inconsistently, so that a virtual machine rejects it.
    Stack {
        /// The method, as `Class.name(descriptor)`.
        method: String,
        /// The inconsistency.
        error: StackError,
    },
    /// Its code reads a local variable that does not hold a value of the right kind on every path.
    Local {
        /// The method, as `Class.name(descriptor)`.
        method: String,
        /// The instruction that uses the value.
        at: InstructionIndex,
    },
    /// A `ret` has no return address.
    Subroutine {
        /// The method, as `Class.name(descriptor)`.
        method: String,
        /// The `ret`.
        at: InstructionIndex,
    },
    /// Its register form would be too large because of nested subroutines or handlers.
    TooLarge {
        /// The method, as `Class.name(descriptor)`.
        method: String,
    },
    /// The translation was cancelled.
    Cancelled,
}

impl fmt::Display for BodyError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let method = |method: &str| format!("the code of {}", method.escape_debug());
        match self {
            Self::Code(error) => error.fmt(out),
            Self::Stack { method: name, error } => write!(out, "{} is wrong: {error}", method(name)),
            Self::Local { method: name, at } => write!(
                out,
                "{} is wrong: instruction {}: a local variable does not hold what is read from it",
                method(name),
                at.index()
            ),
            Self::Subroutine { method: name, at } => {
                write!(out, "{} is wrong: instruction {}: a ret without a return address", method(name), at.index())
            }
            Self::TooLarge { method: name } => write!(out, "{} is too large in register form", method(name)),
            Self::Cancelled => out.write_str("cancelled"),
        }
    }
}

impl std::error::Error for BodyError {}

/// The error of a cancelled computation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cancelled;

impl fmt::Display for Cancelled {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("cancelled")
    }
}

impl std::error::Error for Cancelled {}

impl From<Cancelled> for BodyError {
    fn from(_: Cancelled) -> Self {
        Self::Cancelled
    }
}

/// A [`BodyError`] without the name of the method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    Stack(StackError),
    Local(InstructionIndex),
    Subroutine(InstructionIndex),
    TooLarge,
    Cancelled,
}

impl From<StackError> for Stop {
    fn from(error: StackError) -> Self {
        Self::Stack(error)
    }
}

impl Stop {
    /// The error for a method with this name.
    pub(super) fn of(self, method: String) -> BodyError {
        match self {
            Self::Stack(error) => BodyError::Stack { method, error },
            Self::Local(at) => BodyError::Local { method, at },
            Self::Subroutine(at) => BodyError::Subroutine { method, at },
            Self::TooLarge => BodyError::TooLarge { method },
            Self::Cancelled => BodyError::Cancelled,
        }
    }
}
