//! Why there is no result.

use std::fmt;

/// Why there is no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PointsToError {
    /// It was cancelled.
    Cancelled,
    /// The program makes more objects than can be told apart: a million.
    TooManyObjects,
    /// The constraint graph would need more memory than is allowed.
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
