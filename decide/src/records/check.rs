//! The results of a run of `check` in the form in which JSON stores them.

use crate::answers::{CycleRecords, LocationRecord, QueryRecord, Summary};
use crate::check::Reason;
use crate::findings::Finding;
use serde::{Deserialize, Serialize};

/// The version of the JSON format. It is raised when a field is removed or changes its meaning, not when one is added.
pub const VERSION: u32 = 1;

/// The report of a run of `check`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckReport {
    /// The version of the format: [`VERSION`].
    #[serde(default = "first_version")]
    pub version: u32,
    /// The file of the model.
    pub model: String,
    /// The name of the engine.
    pub engine: String,
    /// Which threads must act in one unit: `both` or `first`.
    pub units: String,
    /// The numbers of queries by verdict.
    pub summary: Summary,
    /// The reason why no query can be violated in this model, if it is trivially so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vacuous: Option<String>,
    /// The reason why the run ended before all queries were decided, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Reason>,
    /// Number of queries that are counted but not listed, since there are more than 100,000: safe queries, and those
    /// after the end of the run.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unlisted: usize,
    /// The findings (violations grouped by cause), the most important first.
    #[serde(default)]
    pub findings: Vec<Finding>,
    /// The queries in order.
    pub queries: Vec<QueryRecord>,
    /// The results for the locations, if there were queries about races between all processes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locations: Option<Vec<LocationRecord>>,
    /// The results for the cycles of the lock order, if there were queries about deadlocks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycles: Option<CycleRecords>,
    /// The certificate that was written, if one was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub certificates: Option<CertificateRecord>,
}

/// A file of certificates for safe queries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CertificateRecord {
    /// The file.
    pub file: String,
    /// The number of safe queries with a certificate.
    pub certified: usize,
    /// The size of the file.
    pub bytes: usize,
    /// The safe queries without one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<UncertifiedRecord>,
}

/// A safe query without a certificate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UncertifiedRecord {
    /// A pattern's number, or an automaton's name.
    pub automaton: String,
    /// Names of the locations, in parameter order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locations: Vec<String>,
    /// Names of the locks, in parameter order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locks: Vec<String>,
    /// Names of the processes, in parameter order.
    pub processes: Vec<String>,
    /// The reason, in words.
    pub reason: String,
}

impl CheckReport {
    /// Creates the report for a model that was not read completely, for this reason. It has no queries.
    pub fn unread(model: String, engine: String, units: String, reason: Reason, seconds: f64) -> Self {
        Self {
            version: VERSION,
            model,
            engine,
            units,
            summary: Summary { queries: 0, safe: 0, violation: 0, unknown: 0, seconds },
            vacuous: None,
            ended: Some(reason),
            unlisted: 0,
            findings: Vec::new(),
            queries: Vec::new(),
            locations: None,
            cycles: None,
            certificates: None,
        }
    }

    /// The verdict of the whole run in a word: `violation`, `unknown`, `vacuous` if no query can be violated, or
    /// `safe`.
    pub fn verdict(&self) -> &'static str {
        match (self.summary.violation, self.summary.unknown) {
            (0, 0) if self.ended.is_some() => "unknown",
            (0, 0) if self.vacuous.is_some() => "vacuous",
            (0, 0) => "safe",
            (0, _) => "unknown",
            _ => "violation",
        }
    }
}

/// A file or archive entry that could not be read completely.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProblemRecord {
    /// The file, or `archive!entry`.
    pub path: String,
    /// The error message.
    pub message: String,
}

/// The files and archive entries that could not be read completely.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unread<'a> {
    /// One problem for each file or entry.
    pub problems: &'a [ProblemRecord],
    /// Whether the user wants these problems to be ignored; then they leave nothing undecided.
    pub is_ignored: bool,
}

impl Unread<'_> {
    /// Whether unread files leave the result undecided.
    pub fn leaves_open(&self) -> bool {
        !self.is_ignored && !self.problems.is_empty()
    }
}

/// The version of a report without this field.
fn first_version() -> u32 {
    1
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}
