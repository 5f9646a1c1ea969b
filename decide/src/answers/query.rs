//! The answers to queries, as they are written and read: JSON.

use crate::check::{Outcome, Reason, Verdict};
use crate::query::Query;
use crate::witness::Witness;
use eml::model::Model;
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
