//! Where a piece of EML text stands.

/// A position in a text: line and column, both counted from 1, columns in characters.
///
/// A line ends at `\n`; a byte order mark at the start of the text takes no column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters (not bytes).
    pub column: u32,
}

impl Position {
    /// The beginning of a text.
    pub const START: Position = Position { line: 1, column: 1 };
}

/// A piece of source text: where it begins and how many bytes it has.
///
/// Spans of models that are built from code have offset and length 0 and the position that the caller gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Span {
    /// Byte offset of the first byte.
    pub offset: u32,
    /// Length in bytes.
    pub length: u32,
    /// Position of the first character.
    pub start: Position,
}

impl Span {
    /// The span of something that was built from code.
    pub const fn at(start: Position) -> Self {
        Self { offset: 0, length: 0, start }
    }

    /// The byte offset behind the last byte.
    pub const fn end(&self) -> u32 {
        self.offset.saturating_add(self.length)
    }
}
