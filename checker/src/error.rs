//! Places in texts, unreadable inputs, and conditions that fail.

use std::fmt;

/// A position in a text: line and column, from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}:{}", self.line, self.column)
    }
}

/// One of the texts that the checker reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The model.
    Model,
    /// The certificate.
    Certificate,
    /// A file of automata, counted from 0.
    Automata(usize),
}

/// The reason why a text cannot be read, or is no certificate (F1, F2).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    /// The text.
    pub source: Source,
    /// The position in it.
    pub place: Place,
    /// The reason.
    pub message: String,
}

/// A reason with its position, of the text that is being read.
pub(crate) type Unread = (Place, String);

/// The first condition of a query that fails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// The number of the condition, as `N3`.
    pub condition: &'static str,
    /// The body and the position of the instruction in the model, if it is one of an instruction.
    pub at: Option<(String, Place)>,
    /// The reason.
    pub message: String,
}

impl Refusal {
    pub(crate) fn new(condition: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { condition, at: None, message: message.into() }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}: {}", self.condition, self.message)?;
        self.at.as_ref().map_or(Ok(()), |(body, place)| write!(to, ", at {body}:{place}"))
    }
}
