//! Positions in EML texts, and ranges of text.

/// The file of a position: the text that the model is read from, or a file that a builder names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(u32);

impl FileId {
    /// The file without a name, of models that have one file or none.
    pub const UNNAMED: FileId = FileId(0);

    /// Creates the id of the file with this index among the named files.
    pub(crate) fn new(index: usize) -> Self {
        Self(u32::try_from(index + 1).expect("a model has fewer than 2^32 files"))
    }

    /// Returns its index among the named files.
    pub(crate) fn named(self) -> Option<usize> {
        (self.0 as usize).checked_sub(1)
    }

    /// Returns a position in this file: line and column, both from 1.
    pub const fn at(self, line: u32, column: u32) -> Position {
        Position { file: self, line, column }
    }
}

/// A position: file, line and column. Lines and columns count from 1; columns count characters.
///
/// Positions in different files are in the order of the files. A line ends at `\n`; a byte order mark at the start of
/// the text takes no column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The file.
    pub file: FileId,
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters (not bytes).
    pub column: u32,
}

impl Position {
    /// The beginning of a text.
    pub const START: Position = FileId::UNNAMED.at(1, 1);
}

/// A range of source text: its start and its length in bytes.
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
    /// Creates the span of something that was built from code.
    pub const fn at(start: Position) -> Self {
        Self { offset: 0, length: 0, start }
    }

    /// Returns the byte offset after the last byte.
    pub const fn end(&self) -> u32 {
        self.offset.saturating_add(self.length)
    }
}
