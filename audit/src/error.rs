//! Errors of an audit. They are mistakes of the caller; faults of the analysis are in the report of their subject.

use decide::Reason;
use std::fmt;

/// An audit that cannot begin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// No class matches these name patterns.
    NoClass(Vec<String>),
    /// No class of this name has a method `main`.
    NoMain(String),
    /// The audit was ended before the subjects were known.
    Ended(Reason),
    /// The threads of the audit cannot be started; the message of the system.
    Threads(String),
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoClass(patterns) => write!(f, "there is no class `{}`", patterns.join("`, `")),
            Self::NoMain(name) => write!(f, "there is no class `{name}` with a method `main`"),
            Self::Ended(reason) => write!(f, "the audit was ended ({reason}) before any class was analysed"),
            Self::Threads(message) => write!(f, "cannot start threads: {message}"),
        }
    }
}

impl std::error::Error for Error {}
