//! The value of an unchanging field by its construction, and of an atomic that is set once.

use java::library::Named;
use java::{FieldId, Handle, Name};

/// The value that a constructor stores in a field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stored {
    /// The object under construction.
    This,
    /// An object that the constructor has allocated itself.
    Fresh,
    /// The value of another unchanging field of the same object.
    Field(FieldId),
    /// The value of an unchanging static field.
    Static(FieldId),
    /// The parameter of this number; the object under construction is number 0.
    Parameter(u32),
    /// A lambda with its captured values.
    Lambda(Handle, Vec<Stored>),
    /// One side of a read-write lock; true for the write side.
    Side(Box<Stored>, bool),
    /// A lock that the constructor has allocated, of which only sides are kept; the first field with one.
    LockOfSide(FieldId),
    /// A condition of a lock.
    Condition(Box<Stored>),
    /// A handle: the kind of its target, the class, and the name.
    Handle(Named, Name, Option<Name>),
    /// An object from the library that others may hold, or whose content others may hold.
    Shared,
    Null,
    Int(i32),
    Class(Name),
    Literal(Name),
    /// Unknown.
    Unknown,
}

/// The value of an atomic that is set once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OnceValue {
    /// Its first value.
    pub(crate) first: Stored,
    /// Whether it is a truth value.
    pub(crate) is_flag: bool,
    /// Whether the value that replaces the first one is not replaced again.
    pub(crate) is_final: bool,
    /// Whether its content is [lazily made](crate::facts::lazy_values).
    pub(crate) is_lazy: bool,
}
