//! What can be wrong with a class file or a method's code.

use super::names::Full;
use std::fmt;

/// A class file, or a part of it, that does not follow the format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Malformed {
    /// The byte of the class file (of the code array, in a [`CodeError`]) where it was noticed.
    pub offset: usize,
    /// What is wrong.
    pub problem: Problem,
}

/// What is wrong with a class file or a method's code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// It ends in the middle of something.
    Truncated,
    /// It does not begin with `CAFEBABE`.
    NoClassFile,
    /// A version before that of the first Java, 45.
    Version(u16),
    /// An entry of the constant pool of a kind that there is not.
    PoolTag(u8),
    /// The constant pool has no such entry there.
    PoolEntry {
        /// The index in the pool.
        index: u16,
        /// What should be there.
        expected: &'static str,
    },
    /// A descriptor of a field or method that is none.
    Descriptor(String),
    /// An opcode that there is not.
    Opcode(u8),
    /// A branch, a handler or a switch that leads between instructions, or out of the method.
    Target(i64),
    /// Control runs off the end of the code.
    FallsOff,
    /// A `tableswitch` whose bounds are the wrong way round, or a `lookupswitch` with a negative count.
    Switch,
    /// A `newarray` of no primitive type, or a `multianewarray` of no dimensions.
    Array,
    /// There is no code, or more than 65,535 bytes of it.
    CodeLength(usize),
    /// An attribute longer than what it contains, or shorter.
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

/// Why a method's code cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CodeError {
    /// The method, as `Class.name(descriptor)`.
    pub method: String,
    /// What is wrong, and at which byte of the `Code` attribute or of the code array.
    pub malformed: Malformed,
}

impl fmt::Display for CodeError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "the code of {} is damaged: {}", self.method.escape_debug(), self.malformed)
    }
}

impl std::error::Error for CodeError {}

/// Why a class file cannot be read.
#[derive(Debug)]
pub(crate) enum ReadError {
    Malformed(Malformed),
    /// No more names fit into a program.
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
