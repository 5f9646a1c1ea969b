//! The counts of a run. Every form of reports takes them from here, so that no two forms differ.
//!
//! **Invariant.** `queries` is the sum of `safe`, `violation` and `unknown`; the subjects of a Java program are the sum
//! of those with each verdict.

use super::narrative::grouped;
use asercheck::answers::Summary;
use asercheck::audit::{ClassVerdict, Report};
use asercheck::records::CheckReport;

/// The counts of a run over one model, or over the classes of a Java program.
#[derive(Clone, Copy, Debug)]
pub struct Counts {
    /// The verdict in a word.
    pub verdict: &'static str,
    /// Findings that the report lists; those that only repeat a finding of another class are left out.
    pub findings: usize,
    /// Queries that were asked.
    pub queries: usize,
    /// Queries that are safe.
    pub safe: usize,
    /// Queries that are violated.
    pub violation: usize,
    /// Queries that were not decided.
    pub unknown: usize,
    /// The undecided items of the report.
    pub undecided: Undecided,
    /// The number of subjects of a Java program with each verdict.
    pub subjects: Option<Subjects>,
}

/// The number of subjects with each verdict.
pub type Subjects = [(ClassVerdict, usize); 4];

/// Returns the number of subjects of a report with each verdict.
pub fn subjects(report: &Report) -> Subjects {
    ClassVerdict::ALL.map(|verdict| (verdict, report.summary.count(verdict)))
}

/// Returns the numbers in words: `48 violated, 39 proved, 0 open, 0 nothing asked`.
pub fn subjects_text(subjects: &Subjects) -> String {
    let one = |(verdict, count): &(ClassVerdict, usize)| format!("{} {}", grouped(*count as u64), verdict.words());
    subjects.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// How many items were not decided. A Java class may be undecided without any query: if it has no model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undecided {
    /// Queries of a model.
    Queries(usize),
    /// Units of work of Java classes, and whole classes.
    Units(usize),
}

impl Counts {
    /// Returns the counts of a run over a model.
    pub fn of_model(report: &CheckReport) -> Self {
        let Summary { queries, safe, violation, unknown, .. } = report.summary;
        let undecided = Undecided::Queries(unknown);
        Self {
            verdict: report.verdict(),
            findings: report.findings.len(),
            queries,
            safe,
            violation,
            unknown,
            undecided,
            subjects: None,
        }
    }

    /// Returns the counts of a run over a Java program.
    pub fn of_java(report: &Report) -> Self {
        let (queries, violation, unknown) = (report.summary.queries, report.summary.violation, report.summary.unknown);
        let findings = report.subjects.iter().flat_map(|subject| &subject.findings);
        Self {
            verdict: report.verdict().words(),
            findings: findings.filter(|finding| finding.stands_alone()).count(),
            queries,
            safe: queries.saturating_sub(violation).saturating_sub(unknown),
            violation,
            unknown,
            undecided: Undecided::Units(report.subjects.iter().map(|subject| subject.unknown.len()).sum()),
            subjects: Some(subjects(report)),
        }
    }
}

impl Undecided {
    /// Returns the number of items.
    pub fn count(self) -> usize {
        match self {
            Self::Queries(count) | Self::Units(count) => count,
        }
    }

    /// Names the items: `query`, `units or classes`.
    pub fn noun(self) -> &'static str {
        match self {
            Self::Queries(1) => "query",
            Self::Queries(_) => "queries",
            Self::Units(1) => "unit or class",
            Self::Units(_) => "units or classes",
        }
    }
}
