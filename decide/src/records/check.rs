//! The results of a run of `check` in the form in which they are written and read: JSON.

use crate::answers::{CycleRecords, LocationRecord, QueryRecord, Summary};
use crate::check::Reason;
use crate::findings::Finding;
use serde::{Deserialize, Serialize};

/// The version of what is written as JSON. It is raised when something that was there goes away or changes its meaning,
/// not when something is added.
pub const VERSION: u32 = 1;

/// Everything that a run of `check` finds out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CheckReport {
    /// [`VERSION`].
    #[serde(default = "first_version")]
    pub version: u32,
    /// The model's file.
    pub model: String,
    /// The engine's name.
    pub engine: String,
    /// Which threads must act in one unit: `both` or `first`.
    pub units: String,
    /// The verdicts, counted.
    pub summary: Summary,
    /// Why nothing that was asked can be violated in this model, whatever it does, if that is so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub vacuous: Option<String>,
    /// Why the run has ended before everything was decided, if it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Reason>,
    /// How many queries are counted but not listed, since there are more than 100,000: those that are safe, and those
    /// that come after the end of the run.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unlisted: usize,
    /// The violations by their causes, the most important first.
    #[serde(default)]
    pub findings: Vec<Finding>,
    /// The queries in order.
    pub queries: Vec<QueryRecord>,
    /// Whether there is a race on each location, and why not, if races were asked for by all processes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub locations: Option<Vec<LocationRecord>>,
    /// The cycles of the lock order, if deadlocks were asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cycles: Option<CycleRecords>,
}

impl CheckReport {
    /// The report about a model that was not read to its end, for this reason: nothing was asked.
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
        }
    }

    /// The verdict of the whole run in a word: `violation`, `unknown`, `vacuous` if nothing that was asked can be
    /// violated, or `safe`.
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

/// A file or an entry of an archive that could not be read, or only in part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ProblemRecord {
    /// The file, or `archive!entry`.
    pub path: String,
    /// What is wrong with it.
    pub message: String,
}

/// What could not be read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unread<'a> {
    /// Each file or entry.
    pub problems: &'a [ProblemRecord],
    /// Whether it leaves nothing undecided, as the user wants it.
    pub is_ignored: bool,
}

impl Unread<'_> {
    /// Whether something is undecided, as it may stand in what could not be read.
    pub fn leaves_open(&self) -> bool {
        !self.is_ignored && !self.problems.is_empty()
    }
}

/// That of a report that does not say it.
fn first_version() -> u32 {
    1
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}
