//! What can be wrong with a file.

use std::fmt;

/// What is wrong, and where.
#[derive(Debug)]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// What is wrong.
    pub kind: ReadErrorKind,
}

/// The ways in which a file can be wrong.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// It cannot be read to its end.
    Input(std::io::Error),
    /// The line is not UTF-8.
    NotText,
    /// Something else is expected here.
    Expected {
        /// What.
        wanted: &'static str,
        /// What stands here; nothing at the end of the line.
        found: Option<String>,
    },
    /// A rule pushes more than two symbols.
    LongWord,
    /// The line is longer than any rule needs to be.
    LongLine,
    /// `*` stands where one name is expected.
    Star,
    /// A byte-order mark within the file, which nobody would see in a name.
    ByteOrderMark,
    /// A weight that is no natural number below 2^64 - 1.
    Weight(String),
    /// A transition of an automaton leads into a control state of the rules.
    IntoControl(String),
    /// More names than there are numbers.
    TooLarge,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.kind)
    }
}

impl fmt::Display for ReadErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(error) => write!(f, "the file cannot be read: {error}"),
            Self::NotText => f.write_str("the line is not UTF-8"),
            Self::Expected { wanted, found: Some(found) } => write!(f, "expected {wanted}, found `{found}`"),
            Self::Expected { wanted, found: None } => write!(f, "expected {wanted}, found the end of the line"),
            Self::LongWord => f.write_str("a rule replaces the topmost symbol by at most two"),
            Self::LongLine => f.write_str("the line has more than 1 MiB; this is no file of rules"),
            Self::Star => f.write_str(
                "`*` is no name: it stands for every stack symbol, and only in lines of `initial` and `target`",
            ),
            Self::ByteOrderMark => f.write_str(
                "a byte-order mark inside the file; it may stand at the beginning only, and is ignored there",
            ),
            Self::Weight(text) => write!(f, "`{text}` is no weight: a natural number below 2^64 - 1 is expected"),
            Self::IntoControl(name) => {
                write!(f, "`{name}` is a control state of the rules; transitions do not lead into control states")
            }
            Self::TooLarge => f.write_str("there are more names than fit into 2^31 numbers or 4 GiB"),
        }
    }
}

impl std::error::Error for ReadError {}
