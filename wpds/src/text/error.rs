//! Errors of files.

use std::fmt;

/// An error with its position.
#[derive(Debug)]
pub struct ReadError {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1, in characters.
    pub column: usize,
    /// The kind of error.
    pub kind: ReadErrorKind,
}

/// The kinds of errors.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// It cannot be read to its end.
    Input(std::io::Error),
    /// The line is not UTF-8.
    NotText,
    /// Another token is expected here.
    Expected {
        /// A description of the expected token.
        wanted: &'static str,
        /// The token found; none at the end of the line.
        found: Option<String>,
    },
    /// A rule pushes more than two symbols.
    LongWord,
    /// A line is longer than 1 MiB.
    LongLine,
    /// `*` is found where one name is expected.
    Star,
    /// A byte-order mark within the file; in a name it would be invisible.
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
