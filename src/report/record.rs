//! The results of a run in the form in which they are written and read: JSON.

use super::cycles::CycleRecords;
use super::locations::LocationRecord;
use crate::check::{Outcome, Reason, Verdict};
use crate::findings::Finding;
use crate::model::Model;
use crate::query::Query;
use crate::witness::Witness;
use phases::UnitMode;
use serde::{Deserialize, Serialize};

/// The answer to a query, without what goes with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VerdictKind {
    /// No interleaving violates the query.
    Safe,
    /// Some interleaving does.
    Violation,
    /// The query was not decided.
    Unknown,
}

impl From<&Verdict> for VerdictKind {
    fn from(verdict: &Verdict) -> Self {
        match verdict {
            Verdict::Safe => Self::Safe,
            Verdict::Violation(_) => Self::Violation,
            Verdict::Unknown(_) => Self::Unknown,
        }
    }
}

/// A decided query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct QueryRecord {
    /// A pattern's number, or an automaton's name.
    pub automaton: String,
    /// Names of the locations, in parameter order.
    pub locations: Vec<String>,
    /// Names of the locks, in parameter order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub locks: Vec<String>,
    /// Names of the processes, in parameter order.
    pub processes: Vec<String>,
    /// The answer.
    pub verdict: VerdictKind,
    /// Why it was not decided, if it was not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// With the reason `unsupported`, what the engine does not support.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// The interleaving that violates it, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
}

impl QueryRecord {
    /// Why it was not decided, in words; nothing if it was.
    pub fn why_unknown(&self) -> &str {
        self.detail.as_deref().or(self.reason.map(|reason| reason.name())).unwrap_or_default()
    }

    /// The record of a query's outcome.
    pub fn new(model: &Model, query: &Query, outcome: &Outcome) -> Self {
        let (verdict, reason, witness) = match &outcome.verdict {
            Verdict::Safe => (VerdictKind::Safe, None, None),
            Verdict::Violation(witness) => (VerdictKind::Violation, None, Some(witness.clone())),
            Verdict::Unknown(reason) => (VerdictKind::Unknown, Some(*reason), None),
        };
        Self {
            automaton: query.property.label().to_string(),
            locations: query.locations.iter().map(|id| model.location(*id).name().to_string()).collect(),
            locks: query.locks.iter().map(|id| model.lock(*id).name().to_string()).collect(),
            processes: query.processes.iter().map(|id| model.process(*id).name().to_string()).collect(),
            verdict,
            reason,
            detail: reason.and_then(Reason::detail),
            seconds: outcome.time.as_secs_f64(),
            witness,
        }
    }
}

/// How many queries have which verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// All queries.
    pub queries: usize,
    /// Those that are safe.
    pub safe: usize,
    /// Those that are violated.
    pub violation: usize,
    /// Those that were not decided.
    pub unknown: usize,
    /// Wall-clock seconds of the whole run.
    pub seconds: f64,
}

impl Summary {
    /// Counts the verdicts of records.
    pub fn of<'a>(records: impl IntoIterator<Item = &'a QueryRecord>, seconds: f64) -> Self {
        let mut summary = Self { seconds, ..Self::default() };
        for record in records {
            summary.queries += 1;
            *match record.verdict {
                VerdictKind::Safe => &mut summary.safe,
                VerdictKind::Violation => &mut summary.violation,
                VerdictKind::Unknown => &mut summary.unknown,
            } += 1;
        }
        summary
    }
}

/// The version of what is written as JSON. It is raised when something that was there goes away or changes its meaning, not when something is
/// added.
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
    /// How many queries are counted but not listed, since there are more than 100,000: those that are safe, and those that come after the
    /// end of the run.
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

    /// The verdict of the whole run in a word: `violation`, `unknown`, `vacuous` if nothing that was asked can be violated, or `safe`.
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

/// The name of a unit mode on the command line and in reports.
pub fn units_name(units: UnitMode) -> &'static str {
    match units {
        UnitMode::Both => "both",
        UnitMode::First => "first",
    }
}

/// The unit mode of a name, as [`units_name`] gives it.
pub fn units_named(name: &str) -> Option<UnitMode> {
    [UnitMode::Both, UnitMode::First].into_iter().find(|units| units_name(*units) == name)
}
