//! Counts of a report, its suppressed findings, and its comparison with a baseline.

use super::verdict::ClassVerdict;
use serde::{Deserialize, Serialize};

/// Counts of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Classes that were read, without libraries.
    pub classes: usize,
    /// Subjects.
    pub subjects: usize,
    /// Violated subjects, by shown or hidden findings.
    pub violated: usize,
    /// Proved subjects.
    pub proved: usize,
    /// Open subjects.
    pub open: usize,
    /// Subjects about which nothing was asked.
    pub nothing_asked: usize,
    /// In a whole program: open subjects that no analysed thread accesses.
    #[serde(default, skip_serializing_if = "super::subject::is_zero")]
    pub unreached: usize,
    /// Subjects that a limit of time left undecided in whole or in part.
    #[serde(default, skip_serializing_if = "super::subject::is_zero")]
    pub timeouts: usize,
    /// Findings that are not in the baseline.
    pub findings: usize,
    /// Likely findings, without those that repeat one of another class.
    #[serde(default)]
    pub likely: usize,
    /// Possible findings, likewise.
    #[serde(default)]
    pub possible: usize,
    /// Possibly benign findings, likewise.
    #[serde(default)]
    pub benign: usize,
    /// Confirmed findings, if findings were run.
    #[serde(default, skip_serializing_if = "super::subject::is_zero")]
    pub confirmed: usize,
    /// Decided queries, without those that nothing in a model can violate.
    pub queries: usize,
    /// Subsumed queries: their answers would add nothing to a violated unit.
    pub subsumed: usize,
    /// Violated queries.
    pub violation: usize,
    /// Queries that a limit left undecided.
    pub unknown: usize,
    /// Wall-clock seconds of the whole run.
    pub seconds: f64,
}

impl Summary {
    /// The number of subjects with a verdict. The numbers of all verdicts add up to `subjects`.
    pub fn count(&self, verdict: ClassVerdict) -> usize {
        match verdict {
            ClassVerdict::Violated => self.violated,
            ClassVerdict::Proved => self.proved,
            ClassVerdict::Open => self.open,
            ClassVerdict::NothingAsked => self.nothing_asked,
        }
    }
}

/// A suppressed finding, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suppressed {
    /// Its fingerprint.
    pub fingerprint: String,
    /// The class.
    pub class: String,
    /// Its sentence.
    pub says: String,
    /// The reason, as the user gives it.
    pub reason: String,
}

/// The comparison with a baseline.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BaselineComparison {
    /// Number of hidden findings, which the baseline has.
    pub hidden: usize,
    /// Entries of the baseline without finding: unit and class.
    pub gone: Vec<String>,
}
