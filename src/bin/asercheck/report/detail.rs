//! The detail of a report.

use super::narrative::Steps;

/// The detail of a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detail {
    /// The numbers of queries and verdicts.
    Counts,
    /// Also the table of automata by verdict, a line for each of at most this number of findings, and the undecided
    /// queries.
    Summary(usize),
    /// The same, with the interleavings of the findings.
    Findings(usize),
    /// The same, with the interleaving of every violation.
    All,
}

impl Detail {
    /// Returns the steps of interleavings that are shown.
    pub fn steps(self) -> Steps {
        if self == Self::All { Steps::All } else { Steps::Folded }
    }
}
