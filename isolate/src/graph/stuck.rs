//! The reasons why a subject has no model.

/// A reason why a subject has no model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// Locks are not released in the reverse order of acquisition, or are held at a return.
    NotNested {
        /// The method.
        method: String,
        /// The line, 0 if it is not known.
        line: u32,
    },
    /// A callee is resolved at run time: dynamic code of Groovy, or an unknown `invokedynamic`.
    Dynamic {
        /// The method that calls it.
        method: String,
        /// The line, 0 if it is not known.
        line: u32,
    },
    /// The code of a method that has to be analysed is damaged.
    Damaged {
        /// The method.
        method: String,
    },
    /// There are too many states.
    TooLarge {
        /// The method of the last state.
        method: String,
    },
    /// Elements of an array or collection are locked, and cannot be distinguished.
    Elements {
        /// The elements.
        path: String,
    },
    /// The analysis was cancelled.
    Cancelled,
}

/// The place of an instruction: `line 12`; `byte 4` in code without lines.
struct At(u32);

impl std::fmt::Display for At {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match java::code_offset(self.0) {
            Some(byte) => write!(out, "byte {byte}"),
            None => write!(out, "line {}", self.0),
        }
    }
}

impl std::fmt::Display for Stuck {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotNested { method, line: 0 } => write!(out, "locks are not nested in {method}"),
            Self::NotNested { method, line } => write!(out, "locks are not nested in {method}, {}", At(*line)),
            Self::Dynamic { method, line } => {
                write!(out, "what is called is looked up when the program runs, in {method}, {}", At(*line))
            }
            Self::Damaged { method } => write!(out, "the code of {method} is damaged"),
            Self::TooLarge { method } => write!(out, "there are too many states, the last of them in {method}"),
            Self::Elements { path } => write!(out, "elements of {path} are locked, which are not told apart"),
            Self::Cancelled => out.write_str("cancelled"),
        }
    }
}
