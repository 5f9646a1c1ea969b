//! The reasons why there is no proof.

use limits::StopReason;
use std::fmt;

/// The reason why there is no proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unproved {
    /// Some interleaving is not refuted: the rule does not suffice, or the claim is wrong.
    NotRefuted,
    /// A bound of the search for a proof was reached: of steps, cases or participants.
    Budget,
    /// More locks are contended than an invariant can have.
    ManyLocks,
    /// The names of the claim do not belong to the model.
    UnknownName,
    /// The model has too many instructions, its blocks nest too deeply, or its calls lead to too many functions.
    Large,
    /// A limit was reached.
    Stopped(StopReason),
}

impl fmt::Display for Unproved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotRefuted => "the proof rule does not suffice",
            Self::Budget => "a bound of the search for a proof was reached",
            Self::ManyLocks => "more than 32 locks are contended",
            Self::UnknownName => "its names do not belong to the model",
            Self::Large => "the model is too large",
            Self::Stopped(StopReason::Timeout) => "the time was over",
            Self::Stopped(StopReason::Memory) => "the memory was not enough",
            Self::Stopped(StopReason::Steps) => "the steps were used up",
            Self::Stopped(StopReason::Cancelled) => "the run was cancelled",
        })
    }
}

impl std::error::Error for Unproved {}
