//! Errors in the text form of automata.

use std::fmt;

/// An error in the text form of automata, with its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// The byte offset of the text in error.
    pub offset: usize,
    /// The length of this text in bytes; 0 at the end of the text.
    pub length: usize,
    /// The kind of error.
    pub kind: ErrorKind,
}

/// The kinds of errors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// Another token is expected.
    Expected {
        /// A description of the expected token.
        expected: &'static str,
        /// A description of the token found.
        found: String,
    },
    /// A character that begins no token.
    Character(char),
    /// A comment that is not closed.
    OpenComment,
    /// A keyword is used as a name.
    Keyword(String),
    /// A name that is already in use for the same kind.
    Duplicate {
        /// The kind: `automaton`, `thread`, `location`, `lock` or `state`.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A thread, location or lock that is no parameter.
    Unknown {
        /// `thread`, `location` or `lock`.
        what: &'static str,
        /// The name.
        name: String,
        /// The names of the parameters.
        known: Vec<String>,
    },
    /// `*` for the thread of a transition.
    AnyThreadActs,
    /// `step` for the action of a transition.
    StepActs,
    /// A transition that does not lead to the state that follows.
    NotNext {
        /// Its target.
        target: String,
        /// The state that follows in the text, if there is one.
        next: Option<String>,
    },
    /// A second transition of the same state.
    SecondTransition,
    /// No states at all.
    NoState,
    /// A thread parameter without a transition.
    IdleThread(String),
}

impl fmt::Display for ErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Expected { expected, found } => write!(f, "expected {expected}, found {found}"),
            Self::Character(character) => write!(f, "unexpected character `{}`", character.escape_default()),
            Self::OpenComment => f.write_str("this comment is not closed"),
            Self::Keyword(word) => write!(f, "`{word}` is a keyword and cannot be a name"),
            Self::Duplicate { what, name } => write!(f, "the {what} `{name}` is declared twice"),
            Self::Unknown { what, name, .. } => write!(f, "there is no {what} parameter `{name}`"),
            Self::AnyThreadActs => f.write_str("a transition is taken by one thread, not by any"),
            Self::StepActs => f.write_str("a transition is taken by a certain action, not by any step"),
            Self::NotNext { target, next: Some(next) } => {
                write!(f, "the transition leads to `{target}`, but the state that follows is `{next}`")
            }
            Self::NotNext { target, next: None } => {
                write!(f, "the last transition leads back to `{target}` instead of a new accepting state")
            }
            Self::SecondTransition => f.write_str("a state has one transition"),
            Self::NoState => f.write_str("an automaton has at least one state with a transition"),
            Self::IdleThread(name) => write!(f, "the thread `{name}` has no transition"),
        }
    }
}

impl ErrorKind {
    /// A suggestion for the author of the text.
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Unknown { known, .. } if !known.is_empty() => {
                Some(format!("the parameters are {}", known.join(", ")))
            }
            Self::Unknown { what: "lock", .. } => {
                Some("locks are parameters after a second `;`: `automaton name(threads; locations; locks)`".into())
            }
            Self::StepActs => Some("`step` is allowed after `forbid` only".into()),
            Self::NotNext { .. } => Some(
                "the only loops of a phase automaton are self-loops: states stand in the order of the phases".into(),
            ),
            Self::SecondTransition => Some("write one automaton for each choice of transitions".into()),
            Self::IdleThread(_) => {
                Some("leave it out: processes that bind to no parameter may always run beside the others".into())
            }
            Self::AnyThreadActs => Some("name one of the thread parameters".into()),
            _ => None,
        }
    }
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "at byte {}: {}", self.offset, self.kind)
    }
}

impl std::error::Error for TextError {}
