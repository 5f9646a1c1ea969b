//! Errors of the pointer analysis.

use std::fmt;

/// The reason why the analysis has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointsToError {
    /// The caller cancelled it.
    Cancelled,
    /// There are more abstract objects than a set can hold: a million.
    TooManyObjects,
    /// The constraint graph or its sets would need more memory than the limit.
    TooLarge,
}

impl fmt::Display for PointsToError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Cancelled => "cancelled",
            Self::TooManyObjects => "the program makes objects in more places than the pointer analysis can tell apart",
            Self::TooLarge => "the pointer analysis would need too much memory",
        })
    }
}

impl std::error::Error for PointsToError {}
