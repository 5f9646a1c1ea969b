//! The report of one subject: a class whose objects, or whose static fields, are analysed.

use super::finding::{Finding, fingerprint};
use super::grouping::{causes, defects};
use super::undecided::Undecided;
use super::verdict::ClassVerdict;
use crate::evidence::Likelihood;
use decide::answers::{QueryRecord, VerdictKind};
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

/// The kind of a subject.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SubjectKind {
    /// An object of exactly this class.
    Object,
    /// The static fields of the class.
    Static,
}

/// The report of a subject.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SubjectReport {
    /// The class.
    pub class: String,
    /// Its objects, or its static fields.
    pub kind: SubjectKind,
    /// The reason why it is a subject.
    pub claim: Cow<'static, str>,
    /// Number of entries: methods that clients can call, with each choice of arguments.
    pub entries: usize,
    /// Number of asked queries, without those that nothing in the model can violate.
    pub queries: usize,
    /// Number of subsumed queries: their answers would add nothing to a violated unit.
    pub subsumed: usize,
    /// Number of violated queries.
    #[serde(skip)]
    pub violations: usize,
    /// Number of undecided queries.
    #[serde(skip)]
    pub undecided: usize,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// In a whole program: no analysed thread accesses it, so it is open. Other threads may access it, by reflection.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unreached: bool,
    /// Number of precision losses in the models, by their kind as text.
    #[serde(skip)]
    pub coarse: BTreeMap<Cow<'static, str>, usize>,
    /// Number of findings that a baseline or a file of suppressions hides. The class is violated if there are some.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hidden: usize,
    /// The mutable locations of the subject.
    pub locations: Vec<String>,
    /// The findings, one per cause, the most important first.
    pub findings: Vec<Finding>,
    /// The undecided units, or the whole subject.
    pub unknown: Vec<Undecided>,
    /// The assumptions of a proof.
    pub assumptions: BTreeSet<String>,
    /// The listed queries.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub all_queries: Vec<QueryRecord>,
}

impl SubjectReport {
    /// The report of a subject before its analysis.
    pub fn new(class: String, kind: SubjectKind, claim: Cow<'static, str>) -> Self {
        Self {
            class,
            kind,
            claim,
            entries: 0,
            queries: 0,
            subsumed: 0,
            violations: 0,
            undecided: 0,
            seconds: 0.0,
            unreached: false,
            coarse: BTreeMap::new(),
            hidden: 0,
            locations: Vec::new(),
            findings: Vec::new(),
            unknown: Vec::new(),
            assumptions: BTreeSet::new(),
            all_queries: Vec::new(),
        }
    }

    /// The verdict. Hiding findings does not change it.
    pub fn verdict(&self) -> ClassVerdict {
        if !self.findings.is_empty() || self.hidden > 0 {
            ClassVerdict::Violated
        } else if !self.unknown.is_empty() || self.unreached {
            ClassVerdict::Open
        } else if self.queries == 0 {
            ClassVerdict::NothingAsked
        } else {
            ClassVerdict::Proved
        }
    }

    /// Whether a limit of time left a part of it undecided.
    pub fn met_time_limit(&self) -> bool {
        self.unknown.iter().any(Undecided::is_of_time)
    }

    /// Replaces its findings, which need steps that the code does not show, with undecided units. Its violated queries
    /// count as undecided.
    pub fn leave_violations_open(&mut self) {
        let findings = std::mem::take(&mut self.findings);
        self.unknown.extend(findings.iter().map(Undecided::only_possible));
        self.undecided += std::mem::take(&mut self.violations);
        for record in self.all_queries.iter_mut().filter(|record| record.verdict == VerdictKind::Violation) {
            (record.verdict, record.witness) = (VerdictKind::Unknown, None);
        }
    }

    /// Unites its findings, one per violation, to one per defect (see `grouping`), the most important first.
    pub fn find_causes(&mut self) {
        let mut causes = causes(std::mem::take(&mut self.findings));
        causes.sort_by(by_importance);
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        for cause in &mut causes {
            let count = known.entry(cause.fingerprint.clone()).or_default();
            *count += 1;
            if *count > 1 {
                cause.fingerprint = fingerprint(&cause.fingerprint, &count.to_string(), &[]);
            }
            cause.cause.places = vec![cause.place()];
        }
        self.findings = defects(causes);
        self.findings.sort_by(by_importance);
        self.spread();
    }

    /// Lowers the ranks of all findings but the first, so that a class with many findings does not hide other classes;
    /// more so for findings with the same fields and interfering lines as a previous one.
    fn spread(&mut self) {
        let mut factor = 1.0;
        let mut said: BTreeMap<Said, i32> = BTreeMap::new();
        for finding in &mut self.findings {
            let others = finding.witness.steps.iter().filter(|step| step.thread != 0 && step.event.is_some());
            let lines = others.map(|step| (step.file.clone().unwrap_or_default(), step.line)).collect();
            let known = said.entry(Said { fields: finding.locations.clone(), lines }).or_default();
            let rank = finding.rank * factor * REPEATED.powi(*known);
            finding.rank = (rank * 1000.0).round() / 1000.0;
            factor *= SPREAD;
            *known += 1;
        }
        self.findings.sort_by(|a, b| a.likelihood.cmp(&b.likelihood).then(b.rank.total_cmp(&a.rank)));
    }

    /// The likelihood of its first finding.
    pub fn likelihood(&self) -> Option<Likelihood> {
        self.findings.first().map(|finding| finding.likelihood)
    }

    /// The rank of its first finding; without findings, -1 if it is not decided, else -2.
    pub fn rank(&self) -> f64 {
        let without = if self.unknown.is_empty() { -2.0 } else { -1.0 };
        self.findings.first().map_or(without, |finding| finding.rank)
    }
}

/// The order of the findings of a subject: by likelihood, then by rank, then by their places.
fn by_importance(a: &Finding, b: &Finding) -> Ordering {
    let place = |one: &Finding| (one.cause.method.clone(), one.cause.lines);
    a.likelihood.cmp(&b.likelihood).then(b.rank.total_cmp(&a.rank)).then_with(|| place(a).cmp(&place(b)))
}

/// The parts of a finding besides the method with the torn section.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Said {
    fields: Vec<String>,
    /// The files and lines of the interfering accesses.
    lines: Vec<(String, u32)>,
}

/// Rank factor for each further finding of a class.
const SPREAD: f64 = 0.93;

/// Rank factor for each previous finding with the same fields and lines.
const REPEATED: f64 = 0.7;

/// Writes subjects with their verdicts.
///
/// # Errors
/// Those of the serializer.
pub(super) fn with_verdicts<S: Serializer>(subjects: &[SubjectReport], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct Judged<'a> {
        verdict: ClassVerdict,
        #[serde(flatten)]
        subject: &'a SubjectReport,
    }
    serializer.collect_seq(subjects.iter().map(|subject| Judged { verdict: subject.verdict(), subject }))
}

/// Whether a count is zero; JSON leaves it out then.
pub(super) fn is_zero(count: &usize) -> bool {
    *count == 0
}
