//! Why there is no model of a subject.

/// Why there is no model of a subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// Locks are not closed in the reverse order of opening, or are open at a return.
    NotNested {
        /// The method.
        method: String,
        /// The line, 0 if it is not known.
        line: u32,
    },
    /// A method that is called is looked up when the program runs: dynamic code of Groovy, or an `invokedynamic` of
    /// which it is not known what it does.
    Dynamic {
        /// The method that calls it.
        method: String,
        /// The line, 0 if it is not known.
        line: u32,
    },
    /// The code of a method that has to be followed is damaged.
    Damaged {
        /// The method.
        method: String,
    },
    /// There are too many states.
    TooLarge {
        /// The method in which the last one was.
        method: String,
    },
    /// It takes longer than it may, if time is to be left for an analysis in part.
    TakesLong,
    /// Elements of an array or collection are locked: which of them a lock is for is not told apart.
    Elements {
        /// The elements.
        path: String,
    },
    /// The analysis was cancelled.
    Cancelled,
}

/// `line 12`; of code without lines, `byte 4`.
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
            Self::TakesLong => out.write_str("it takes more than half of its time to follow it as a whole"),
            Self::Elements { path } => write!(out, "elements of {path} are locked, which are not told apart"),
            Self::Cancelled => out.write_str("cancelled"),
        }
    }
}
