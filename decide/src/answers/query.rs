//! Answers to queries in the form in which JSON stores them.

use crate::check::{Outcome, Reason, Verdict};
use crate::query::Query;
use crate::witness::Witness;
use eml::model::Model;
use phases::UnitMode;
use serde::{Deserialize, Serialize};

/// The answer to a query, without a witness or reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum VerdictKind {
    /// No interleaving violates the query.
    Safe,
    /// Some interleaving violates the query.
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
    /// The reason, if the query was not decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// More about the reason, such as the limitation of the engine for `unsupported`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// The interleaving that violates the query, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Witness>,
}

impl QueryRecord {
    /// The reason why the query was not decided, in words; empty if it was decided.
    pub fn why_unknown(&self) -> &str {
        self.detail.as_deref().or(self.reason.map(|reason| reason.name())).unwrap_or_default()
    }

    /// Creates the record of a query and its outcome.
    pub fn new(model: &Model, query: &Query, outcome: &Outcome) -> Self {
        Self::of(model, query, outcome.clone())
    }

    /// Makes an outcome the record of its query.
    pub(super) fn of(model: &Model, query: &Query, outcome: Outcome) -> Self {
        let (verdict, reason, witness) = match outcome.verdict {
            Verdict::Safe => (VerdictKind::Safe, None, None),
            Verdict::Violation(witness) => (VerdictKind::Violation, None, Some(witness)),
            Verdict::Unknown(reason) => (VerdictKind::Unknown, Some(reason), None),
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

/// The numbers of queries by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Number of all queries.
    pub queries: usize,
    /// Number of safe queries.
    pub safe: usize,
    /// Number of violated queries.
    pub violation: usize,
    /// Number of undecided queries.
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

/// Returns the unit mode with a name that [`units_name`] returns.
pub fn units_named(name: &str) -> Option<UnitMode> {
    [UnitMode::Both, UnitMode::First].into_iter().find(|units| units_name(*units) == name)
}
