//! The errors of class files and of the code of methods.

use super::names::Full;
use std::fmt;

/// A violation of the class file format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The byte offset in the class file; in a [`CodeError`], in the code array.
    pub offset: usize,
    /// The kind of the violation.
    pub problem: Problem,
}

/// The kinds of violations of the class file format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// The input ends too early.
    Truncated,
    /// The file does not begin with `CAFEBABE`.
    NoClassFile,
    /// A major version before 45, the first one.
    Version(u16),
    /// A constant pool entry with an unknown tag.
    PoolTag(u8),
    /// A constant pool entry of another kind than expected.
    PoolEntry {
        /// The index of the entry.
        index: u16,
        /// The expected kind, with an article: "a class".
        expected: &'static str,
    },
    /// An invalid descriptor of a field or method.
    Descriptor(String),
    /// An unknown opcode.
    Opcode(u8),
    /// The target of a branch, handler or switch at which no instruction begins.
    Target(i64),
    /// Control flow past the end of the code.
    FallsOff,
    /// A `tableswitch` whose lower bound exceeds the upper one, a `lookupswitch` with a negative count, or a table that
    /// is larger than the rest of the code.
    Switch,
    /// A `newarray` of an unknown type, or a `multianewarray` with an impossible number of dimensions.
    Array,
    /// A code array without bytes, or with more than 65,535.
    CodeLength(usize),
    /// An attribute whose length or content is wrong.
    Attribute(String),
}

impl fmt::Display for Malformed {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "byte {}: {}", self.offset, self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Truncated => out.write_str("ends in the middle"),
            Self::NoClassFile => out.write_str("is no class file: it does not begin with CAFEBABE"),
            Self::Version(version) => write!(out, "has version {version}, which there is not"),
            Self::PoolTag(tag) => write!(out, "the constant pool has an entry of the unknown kind {tag}"),
            Self::PoolEntry { index, expected } => {
                write!(out, "the constant pool's entry {index} should be {expected}")
            }
            Self::Descriptor(text) => write!(out, "`{}` is no descriptor", text.escape_debug()),
            Self::Opcode(opcode) => write!(out, "there is no opcode {opcode:#04x}"),
            Self::Target(target) => write!(out, "control would go to byte {target}, where no instruction begins"),
            Self::FallsOff => out.write_str("control runs off the end of the code"),
            Self::Switch => out.write_str("a switch has impossible bounds"),
            Self::Array => out.write_str("an array of a type that there is not is made"),
            Self::CodeLength(length) => write!(out, "{length} bytes of code are not possible"),
            Self::Attribute(name) => {
                write!(out, "the length of the attribute `{}` is wrong", name.escape_debug())
            }
        }
    }
}

impl std::error::Error for Malformed {}

/// A failure to decode the code of a method.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeError {
    /// The method, as `Class.name(descriptor)`.
    pub method: String,
    /// The violation, with its offset in the `Code` attribute or in the code array.
    pub malformed: Malformed,
}

impl fmt::Display for CodeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the code of {} is damaged: {}", self.method.escape_debug(), self.malformed)
    }
}

impl std::error::Error for CodeError {}

/// A failure to read a class file.
#[derive(Debug)]
pub(crate) enum ReadError {
    Malformed(Malformed),
    /// The table of names is full.
    Full,
}

impl From<Malformed> for ReadError {
    fn from(malformed: Malformed) -> Self {
        Self::Malformed(malformed)
    }
}

impl From<Full> for ReadError {
    fn from(_: Full) -> Self {
        Self::Full
    }
}
