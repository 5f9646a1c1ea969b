//! The verdict on a class.

use serde::{Deserialize, Serialize};

/// The verdict on a subject, and on a whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClassVerdict {
    /// There is a finding, shown or hidden.
    Violated,
    /// At least one query was asked, all were decided, and none is violated.
    Proved,
    /// No finding and no proof.
    Open,
    /// No query was asked: no unit accesses anything that another call can change. This is no proof.
    NothingAsked,
}

impl ClassVerdict {
    /// All verdicts, in the order of reports.
    pub const ALL: [Self; 4] = [Self::Violated, Self::Proved, Self::Open, Self::NothingAsked];

    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::NothingAsked => "nothing_asked",
            other => other.words(),
        }
    }

    /// Its words in reports for people.
    pub fn words(self) -> &'static str {
        match self {
            Self::Violated => "violated",
            Self::Proved => "proved",
            Self::Open => "open",
            Self::NothingAsked => "nothing asked",
        }
    }
}
