//! The report of one subject: a class whose objects, or whose static fields, are analysed.

use super::finding::{Finding, fingerprint};
use super::grouping::causes;
use super::undecided::Undecided;
use decide::answers::QueryRecord;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// What a subject is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SubjectKind {
    /// An object of exactly this class.
    Object,
    /// The static fields of the class.
    Static,
}

/// A class that was looked at.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SubjectReport {
    /// The class.
    pub class: String,
    /// What of it.
    pub kind: SubjectKind,
    /// Why it was looked at.
    pub claim: Cow<'static, str>,
    /// Methods that others can call with the object, each with each choice of arguments.
    pub entries: usize,
    /// Queries that were asked, without those that nothing in the model can violate.
    pub queries: usize,
    /// Queries that were subsumed, as their answers would say nothing new of a unit that is broken.
    #[serde(rename = "spared")]
    pub subsumed: usize,
    /// How many of them are violated.
    #[serde(skip)]
    pub violations: usize,
    /// How many of them were not decided.
    #[serde(skip)]
    pub undecided: usize,
    /// Wall-clock seconds.
    pub seconds: f64,
    /// With `--main`: no thread that was followed accesses it, so that it is not called safe. Others may, by
    /// reflection.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unreached: bool,
    /// How often precision was given up in the models, by what in words.
    #[serde(skip)]
    pub coarse: BTreeMap<&'static str, usize>,
    /// Findings that a baseline or a file of suppressions hides: the class is not safe, whatever is shown of it.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub hidden: usize,
    /// What of the object changes.
    pub locations: Vec<String>,
    /// The causes, the most important first.
    pub findings: Vec<Finding>,
    /// The units of which something was not decided, or the whole subject.
    pub unknown: Vec<Undecided>,
    /// What `safe` rests on.
    pub assumptions: BTreeSet<String>,
    /// The queries one by one, if that is wanted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub all_queries: Vec<QueryRecord>,
}

impl SubjectReport {
    /// Of a class of which nothing is known yet.
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

    /// Whether it is decided, and has no finding, shown or hidden.
    pub fn is_safe(&self) -> bool {
        self.findings.is_empty() && self.hidden == 0 && self.unknown.is_empty() && !self.unreached
    }

    /// Makes findings of violations: one of each cause, see `causes`. The most important comes first.
    pub fn find_causes(&mut self) {
        self.findings = causes(std::mem::take(&mut self.findings));
        self.findings.sort_by(|a, b| {
            b.rank
                .total_cmp(&a.rank)
                .then_with(|| (&a.cause.method, a.cause.lines).cmp(&(&b.cause.method, b.cause.lines)))
        });
        self.spread();
        let mut known: BTreeMap<String, usize> = BTreeMap::new();
        for finding in &mut self.findings {
            let count = known.entry(finding.fingerprint.clone()).or_default();
            *count += 1;
            if *count > 1 {
                finding.fingerprint = fingerprint(&finding.fingerprint, &count.to_string(), &[]);
            }
        }
    }

    /// Lowers the rank of all but the first findings, so that a class with many hides none of the others; more of those
    /// that say of other methods what was said before, of the same fields and interfering lines.
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
        self.findings.sort_by(|a, b| b.rank.total_cmp(&a.rank));
    }

    /// The rank of its first finding; less than that of any if something was not decided, and less than that if it is
    /// safe.
    pub fn rank(&self) -> f64 {
        let without = if self.unknown.is_empty() { -2.0 } else { -1.0 };
        self.findings.first().map_or(without, |finding| finding.rank)
    }
}

/// What a finding says besides the method that is torn apart.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Said {
    fields: Vec<String>,
    /// The files and lines of the accesses that interfere.
    lines: Vec<(String, u32)>,
}

/// Of each further finding of a class, the rank is so much of what it would be for the one before.
const SPREAD: f64 = 0.93;

/// The same for each finding before that is about the same fields and lines.
const REPEATED: f64 = 0.7;

/// Whether a count is zero; JSON leaves it out then.
pub(super) fn is_zero(count: &usize) -> bool {
    *count == 0
}
