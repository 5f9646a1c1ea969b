//! The report of an audit: the subjects with their findings, and the counts. `asercheck java` writes it as JSON.

use super::client_counts::{ClientCounts, TestCounts};
use super::shard::ShardPart;
use super::subject::{SubjectReport, with_verdicts};
use super::summary::{BaselineComparison, Summary, Suppressed};
use super::undecided::Undecided;
use super::verdict::ClassVerdict;
use decide::Reason;
use decide::records::{ProblemRecord, Unread};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

/// The version of the JSON form. It is raised if an older program would misunderstand a new report.
pub const VERSION: u32 = 4;

/// The reason for which classes that the user excludes are no subjects.
pub(crate) const EXCLUDED: &str = "excluded";

/// The result of an audit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`VERSION`].
    pub version: u32,
    /// The given paths.
    pub paths: Vec<String>,
    /// `client` if any number of threads call any methods, `program` for a whole program.
    pub mode: Cow<'static, str>,
    /// The class with the program's `main`, in a whole program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub main: Option<String>,
    /// The engine's name.
    pub engine: String,
    /// Which threads must act in one unit: `both` or `first`.
    pub units: String,
    /// Whether deadlocks were asked for, among the locks of one object of each class.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub deadlocks: bool,
    /// The counts.
    pub summary: Summary,
    /// The reason why the run ended before all queries were decided, if it did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Reason>,
    /// The part of the classes that it covers, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardPart>,
    /// The comparison with a baseline, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineComparison>,
    /// The clients of the findings that were run, if any were.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clients: Option<ClientCounts>,
    /// The suppressed findings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suppressed: Vec<Suppressed>,
    /// The subjects, the most important first.
    #[serde(serialize_with = "with_verdicts")]
    pub subjects: Vec<SubjectReport>,
    /// Number of classes that are no subjects, by the reason.
    pub skipped: BTreeMap<Cow<'static, str>, usize>,
    /// Classes that do not claim to be thread-safe.
    #[serde(skip)]
    pub unclaimed: Vec<String>,
    /// Inputs that could not be read.
    pub problems: Vec<ProblemRecord>,
    /// Whether unreadable inputs are ignored for the verdict, an option of the user.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keep_going: bool,
}

impl Report {
    /// Fills in the summary, for this number of classes and this time.
    #[must_use]
    pub fn finished(mut self, classes: usize, time: Duration) -> Self {
        let subjects = &self.subjects;
        let count = |is_one: &dyn Fn(&SubjectReport) -> bool| subjects.iter().filter(|subject| is_one(subject)).count();
        let verdicts = |verdict| count(&|subject| subject.verdict() == verdict);
        let sum = |of: &dyn Fn(&SubjectReport) -> usize| subjects.iter().map(of).sum();
        self.summary = Summary {
            classes,
            subjects: subjects.len(),
            violated: verdicts(ClassVerdict::Violated),
            proved: verdicts(ClassVerdict::Proved),
            open: verdicts(ClassVerdict::Open),
            nothing_asked: verdicts(ClassVerdict::NothingAsked),
            unreached: count(&|subject| subject.unreached),
            timeouts: count(&SubjectReport::met_time_limit),
            findings: sum(&|subject| subject.findings.len()),
            likely: 0,
            possible: 0,
            benign: 0,
            confirmed: 0,
            queries: sum(&|subject| subject.queries),
            subsumed: sum(&|subject| subject.subsumed),
            violation: sum(&|subject| subject.violations),
            unknown: sum(&|subject| subject.undecided),
            seconds: time.as_secs_f64(),
        };
        self
    }

    /// Counts the ways in which clients were made, with the tests that gave objects.
    pub fn count_clients(&mut self, tests: Option<TestCounts>) {
        let mut counts = ClientCounts { tests, ..ClientCounts::default() };
        for finding in self.subjects.iter().flat_map(|subject| &subject.findings) {
            if let Some(way) = finding.confirmation.as_ref().and_then(|one| one.way) {
                *counts.ways.entry(way).or_default() += 1;
            }
        }
        self.clients = (!counts.ways.is_empty() || counts.tests.is_some()).then_some(counts);
    }

    /// The verdict of the whole run: violated if a class is; else open if a class is or classes may be missing; else
    /// proved if a class is.
    pub fn verdict(&self) -> ClassVerdict {
        let Summary { violated, open, proved, .. } = self.summary;
        if violated > 0 {
            ClassVerdict::Violated
        } else if open > 0 || self.is_incomplete() {
            ClassVerdict::Open
        } else if proved > 0 {
            ClassVerdict::Proved
        } else {
            ClassVerdict::NothingAsked
        }
    }

    /// Whether classes may be missing: the run was ended early, or an input could not be read and that is not ignored.
    pub fn is_incomplete(&self) -> bool {
        self.ended.is_some() || self.unread().leaves_open()
    }

    /// Whether a class is neither violated nor proved, classes may be missing, or there is no class in any shard.
    pub fn lacks_proof(&self) -> bool {
        let Summary { subjects, open, nothing_asked, .. } = self.summary;
        let is_empty = subjects == 0 && self.shard.is_none();
        self.is_incomplete() || is_empty || open + nothing_asked > 0
    }

    /// Whether a fault of the analysis leaves a subject undecided.
    pub fn has_fault(&self) -> bool {
        self.subjects.iter().flat_map(|subject| &subject.unknown).any(Undecided::is_fault)
    }

    /// Inputs that could not be read.
    pub fn unread(&self) -> Unread<'_> {
        Unread { problems: &self.problems, is_ignored: self.keep_going }
    }

    /// The reason why there was no query, if there was none.
    pub fn why_vacuous(&self) -> Option<&'static str> {
        let is_part = self.shard.is_some();
        (self.verdict() == ClassVerdict::NothingAsked).then_some(match self.subjects.len() {
            0 if is_part => "no class that is looked at is in this shard",
            0 if self.skipped.contains_key(EXCLUDED) => "no class that appears thread-safe is left",
            0 => "no class appears thread-safe",
            _ => "no unit of work that is asked about accesses changing state twice",
        })
    }
}
