//! The report of an audit: the subjects with their findings, in the order in which to read them, and the counts.
//! `asercheck java` writes it as JSON.

use super::finding::Finding;
use super::shard::ShardPart;
use super::subject::SubjectReport;
use super::undecided::Undecided;
use crate::evidence::Likelihood;
use decide::Reason;
use decide::records::{ProblemRecord, Unread};
use isolate::Claim;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::time::Duration;

/// The version of the form. It is raised when an older program would misunderstand it.
pub const VERSION: u32 = 2;

/// Everything that a run of `asercheck java` finds out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// [`VERSION`].
    pub version: u32,
    /// What was given.
    pub paths: Vec<String>,
    /// `client`: any number of threads call any methods.
    pub mode: Cow<'static, str>,
    /// The class of the program's `main`, if a program was looked at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub main: Option<String>,
    /// The engine's name.
    pub engine: String,
    /// Which threads must act in one unit: `both` or `first`.
    pub units: String,
    /// How many there are of what.
    pub summary: Summary,
    /// Why the run has ended before everything was decided, if it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Reason>,
    /// Which part of the classes it is about, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardPart>,
    /// What was compared with a baseline, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineComparison>,
    /// What a file of suppressions takes out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suppressed: Vec<Suppressed>,
    /// The subjects, in the order in which to look at them.
    pub subjects: Vec<SubjectReport>,
    /// How many classes are no subjects, by the reason.
    pub skipped: BTreeMap<Cow<'static, str>, usize>,
    /// Classes that make no claim.
    #[serde(skip)]
    pub unclaimed: Vec<String>,
    /// What could not be read.
    pub problems: Vec<ProblemRecord>,
    /// Whether what could not be read leaves nothing undecided, as the user wants it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub keep_going: bool,
}

impl Report {
    /// The report of so many classes with its summary, after this time.
    #[must_use]
    pub fn finished(mut self, classes: usize, time: Duration) -> Self {
        let subjects = &self.subjects;
        let count = |is_one: &dyn Fn(&SubjectReport) -> bool| subjects.iter().filter(|subject| is_one(subject)).count();
        let sum = |of: &dyn Fn(&SubjectReport) -> usize| subjects.iter().map(of).sum();
        self.summary = Summary {
            classes,
            subjects: subjects.len(),
            violated: count(&|subject| !subject.findings.is_empty()),
            safe: count(&SubjectReport::is_safe),
            unreached: count(&|subject| subject.unreached),
            undecided: count(&|subject| subject.findings.is_empty() && !subject.unknown.is_empty()),
            findings: sum(&|subject| subject.findings.len()),
            likely: 0,
            possible: 0,
            benign: 0,
            queries: sum(&|subject| subject.queries),
            subsumed: sum(&|subject| subject.subsumed),
            violation: sum(&|subject| subject.violations),
            unknown: sum(&|subject| subject.undecided),
            seconds: time.as_secs_f64(),
        };
        self
    }

    /// Puts the subjects into the order in which to look at them, equally important ones by their places, which are
    /// given: those with findings, the most important one first, then those that are not decided, then those that are
    /// safe. A class that is only named claims nothing, so its findings come behind those of classes that do.
    pub fn order(&mut self, places: Vec<usize>) {
        let group = |record: &SubjectReport| match record.findings.is_empty() {
            true => 2,
            false => u8::from(record.claim == Claim::Named.name()),
        };
        let sorted = |places: Vec<usize>, subjects: Vec<SubjectReport>| -> (Vec<usize>, Vec<SubjectReport>) {
            let mut placed: Vec<_> = places.into_iter().zip(subjects).collect();
            placed.sort_by(|(place, a), (other, b)| {
                group(a).cmp(&group(b)).then(b.rank().total_cmp(&a.rank())).then(place.cmp(other))
            });
            placed.into_iter().unzip()
        };
        let (places, subjects) = sorted(places, std::mem::take(&mut self.subjects));
        self.subjects = subjects;
        if let Some(shard) = &mut self.shard {
            // What is told elsewhere is known when the shards are united.
            shard.places = places;
            return;
        }
        super::repeats::mark(&mut self.subjects);
        for subject in &mut self.subjects {
            subject
                .findings
                .sort_by(|a, b| a.repeats.is_some().cmp(&b.repeats.is_some()).then(b.rank.total_cmp(&a.rank)));
        }
        (_, self.subjects) = sorted(places, std::mem::take(&mut self.subjects));
        self.count_likelihoods();
    }

    fn count_likelihoods(&mut self) {
        let all = || self.subjects.iter().flat_map(|subject| &subject.findings).filter(|it| it.stands_alone());
        let count = |likelihood: Likelihood| all().filter(|finding| finding.likelihood == likelihood).count();
        let [likely, possible, benign] = [Likelihood::Likely, Likelihood::Possible, Likelihood::Benign].map(count);
        (self.summary.likely, self.summary.possible, self.summary.benign) = (likely, possible, benign);
    }

    /// Puts what is confirmed first, and leaves all else in its order.
    pub fn confirmed_first(&mut self) {
        for subject in &mut self.subjects {
            subject.findings.sort_by_key(Finding::place);
        }
        if self.shard.is_none() {
            let is_not = |subject: &SubjectReport| !subject.findings.iter().any(Finding::is_confirmed);
            self.subjects.sort_by_key(is_not);
        }
    }

    /// The verdict of the whole run in a word: `violation`, `unknown` or `safe`; `vacuous` if nothing was asked.
    /// Nothing is safe if something could not be read, unless that is to be ignored.
    pub fn verdict(&self) -> &'static str {
        let are_decided = self.subjects.iter().all(|subject| subject.unknown.is_empty());
        let is_decided = self.ended.is_none() && are_decided && !self.unread().leaves_open();
        match (self.summary.findings, is_decided, self.summary.queries) {
            (0, true, 0) => "vacuous",
            (0, true, _) => "safe",
            (0, false, _) => "unknown",
            _ => "violation",
        }
    }

    /// Whether a fault of the analysis leaves something undecided.
    pub fn has_fault(&self) -> bool {
        self.subjects.iter().flat_map(|subject| &subject.unknown).any(Undecided::is_fault)
    }

    /// What could not be read.
    pub fn unread(&self) -> Unread<'_> {
        Unread { problems: &self.problems, is_ignored: self.keep_going }
    }

    /// Why nothing was asked, if that is so.
    pub fn why_vacuous(&self) -> Option<&'static str> {
        let is_part = self.shard.is_some();
        (self.verdict() == "vacuous").then_some(match self.subjects.len() {
            0 if is_part => "no class that is looked at is in this shard",
            0 => "no class claims to be safe for threads",
            _ => "nothing that is asked about accesses anything that changes",
        })
    }
}

/// How many there are of what.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Classes that were read, those of libraries not counted.
    pub classes: usize,
    /// Classes that were looked at.
    pub subjects: usize,
    /// Subjects with a finding, whether a baseline knows it or not.
    #[serde(rename = "broken")]
    pub violated: usize,
    /// Subjects that are decided and have none.
    pub safe: usize,
    /// Subjects without findings of which something was not decided.
    pub undecided: usize,
    /// With `--main`: subjects that no thread that was followed accesses.
    #[serde(default, skip_serializing_if = "super::subject::is_zero")]
    pub unreached: usize,
    /// Findings that no baseline hides.
    pub findings: usize,
    /// Findings that are likely ones to repair, without those that are told of another class.
    #[serde(default)]
    pub likely: usize,
    /// Findings that perhaps are.
    #[serde(default)]
    pub possible: usize,
    /// Findings with a reason why they are possibly benign.
    #[serde(default)]
    pub benign: usize,
    /// Queries that were asked, without those that nothing in a model can violate.
    pub queries: usize,
    /// Queries that were subsumed, as their answers would say nothing new of a unit that is broken.
    #[serde(rename = "spared")]
    pub subsumed: usize,
    /// Queries that are violated, of those that were asked.
    pub violation: usize,
    /// Queries that were not decided, of those that were asked.
    pub unknown: usize,
    /// Wall-clock seconds of the whole run.
    pub seconds: f64,
}

/// A finding that is not shown, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Suppressed {
    /// Its fingerprint.
    pub fingerprint: String,
    /// The class.
    pub class: String,
    /// What goes wrong.
    pub says: String,
    /// The reason that is given.
    pub reason: String,
}

/// What comparing with a baseline showed.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct BaselineComparison {
    /// How many findings are known, and not shown.
    pub hidden: usize,
    /// Entries of which there is no finding any more: unit and class.
    pub gone: Vec<String>,
}
