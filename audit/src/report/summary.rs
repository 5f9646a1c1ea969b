//! Counts of a report, its suppressed findings, and its comparison with a baseline.

use serde::{Deserialize, Serialize};

/// Counts of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Classes that were read, without libraries.
    pub classes: usize,
    /// Subjects.
    pub subjects: usize,
    /// Subjects with a finding, in the baseline or not.
    #[serde(rename = "broken")]
    pub violated: usize,
    /// Decided subjects without finding.
    pub safe: usize,
    /// Subjects without finding that are not decided.
    pub undecided: usize,
    /// In a whole program: subjects that no analysed thread accesses.
    #[serde(default, skip_serializing_if = "super::subject::is_zero")]
    pub unreached: usize,
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
    /// Decided queries, without those that nothing in a model can violate.
    pub queries: usize,
    /// Subsumed queries: their answers would add nothing to a violated unit.
    #[serde(rename = "spared")]
    pub subsumed: usize,
    /// Violated queries.
    pub violation: usize,
    /// Queries that a limit left undecided.
    pub unknown: usize,
    /// Wall-clock seconds of the whole run.
    pub seconds: f64,
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
