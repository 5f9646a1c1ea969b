//! The results of `asercheck java` in the form in which they are written: JSON.

use super::causes::{AccessRecord, CauseRecord, MemberRecord, cause_of, causes};
use super::confirmation::ConfirmationRecord;
use super::shard::ShardRecord;
use crate::verdict::{Evidence, Likelihood, Section, Tear, faulty_accesses, section};
use decide::Reason;
use decide::answers::QueryRecord;
use decide::findings::{Group, fnv};
use decide::records::{ProblemRecord, Unread};
use decide::witness::{Step, Witness};
use isolate::{Claim, Meanings};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// The version of the form. It is raised when an older program would misunderstand it.
pub const VERSION: u32 = 2;

/// Everything that a run of `asercheck java` finds out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JavaReport {
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
    pub summary: JavaSummary,
    /// Why the run has ended before everything was decided, if it has.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ended: Option<Reason>,
    /// Which part of the classes it is about, if not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<ShardRecord>,
    /// What was compared with a baseline, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<BaselineRecord>,
    /// What a file of suppressions takes out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suppressed: Vec<SuppressedRecord>,
    /// The subjects, in the order in which to look at them.
    pub subjects: Vec<SubjectRecord>,
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

impl JavaReport {
    /// The report of so many classes with its summary, after this time.
    #[must_use]
    pub fn finished(mut self, classes: usize, time: Duration) -> Self {
        let subjects = &self.subjects;
        let count = |is_one: &dyn Fn(&SubjectRecord) -> bool| subjects.iter().filter(|subject| is_one(subject)).count();
        let sum = |of: &dyn Fn(&SubjectRecord) -> usize| subjects.iter().map(of).sum();
        self.summary = JavaSummary {
            classes,
            subjects: subjects.len(),
            broken: count(&|subject| !subject.findings.is_empty()),
            safe: count(&SubjectRecord::is_safe),
            unreached: count(&|subject| subject.unreached),
            undecided: count(&|subject| subject.findings.is_empty() && !subject.unknown.is_empty()),
            findings: sum(&|subject| subject.findings.len()),
            likely: 0,
            possible: 0,
            benign: 0,
            queries: sum(&|subject| subject.queries),
            spared: sum(&|subject| subject.spared),
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
        let group = |record: &SubjectRecord| match record.findings.is_empty() {
            true => 2,
            false => u8::from(record.claim == Claim::Named.name()),
        };
        let sorted = |places: Vec<usize>, subjects: Vec<SubjectRecord>| -> (Vec<usize>, Vec<SubjectRecord>) {
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
pub struct JavaSummary {
    /// Classes that were read, those of libraries not counted.
    pub classes: usize,
    /// Classes that were looked at.
    pub subjects: usize,
    /// Subjects with a finding, whether a baseline knows it or not.
    pub broken: usize,
    /// Subjects that are decided and have none.
    pub safe: usize,
    /// Subjects without findings of which something was not decided.
    pub undecided: usize,
    /// With `--main`: subjects that no thread that was followed accesses.
    #[serde(default, skip_serializing_if = "is_none")]
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
    /// Queries that were spared, as their answers would say nothing new of a unit that is broken.
    pub spared: usize,
    /// Queries that are violated, of those that were asked.
    pub violation: usize,
    /// Queries that were not decided, of those that were asked.
    pub unknown: usize,
    /// Wall-clock seconds of the whole run.
    pub seconds: f64,
}

fn is_none(count: &usize) -> bool {
    *count == 0
}

/// A finding that is not shown, and why.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SuppressedRecord {
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
pub struct BaselineRecord {
    /// How many findings are known, and not shown.
    pub hidden: usize,
    /// Entries of which there is no finding any more: unit and class.
    pub gone: Vec<String>,
}

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
pub struct SubjectRecord {
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
    /// Queries that were spared, as their answers would say nothing new of a unit that is broken.
    pub spared: usize,
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
    #[serde(default, skip_serializing_if = "is_none")]
    pub hidden: usize,
    /// What of the object changes.
    pub locations: Vec<String>,
    /// The causes, the most important first.
    pub findings: Vec<FindingRecord>,
    /// The units of which something was not decided, or the whole subject.
    pub unknown: Vec<OpenRecord>,
    /// What `safe` rests on.
    pub assumptions: BTreeSet<String>,
    /// The queries one by one, if that is wanted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub all_queries: Vec<QueryRecord>,
}

impl SubjectRecord {
    /// Of a class of which nothing is known yet.
    pub fn new(class: String, kind: SubjectKind, claim: Cow<'static, str>) -> Self {
        Self {
            class,
            kind,
            claim,
            entries: 0,
            queries: 0,
            spared: 0,
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

/// Something that was not decided.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OpenRecord {
    /// The unit; none for the whole subject.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unit: Option<String>,
    /// Why: `timeout`, `memory`, `bound`, `unsupported` or `cancelled`.
    pub reason: Cow<'static, str>,
    /// The same in words, where there is more to say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

/// Violations with one cause, shown by one of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingRecord {
    /// 32 hexadecimal digits that depend on the class, the method with the torn section, and the fields that are shown.
    pub fingerprint: String,
    /// What goes wrong for a caller, in a sentence.
    #[serde(default)]
    pub says: String,
    /// Whether it is one to repair, as far as the evidence tells.
    #[serde(default)]
    pub likelihood: Likelihood,
    /// How important it is, from 0 to 1.
    pub rank: f64,
    /// What the likelihood rests on.
    #[serde(default)]
    pub evidence: Vec<Evidence>,
    /// The numbers of the patterns, that of what is shown first.
    pub patterns: Vec<usize>,
    /// What else is violated: `race`, names of automata.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub automata: Vec<String>,
    /// The locations of what is shown.
    pub locations: Vec<String>,
    /// The other locations that are concerned.
    pub other_locations: Vec<String>,
    /// The violated unit of what is shown.
    pub unit: String,
    /// The call that interferes there.
    pub by: String,
    /// Other calls that interfere, as far as it was asked.
    pub other_by: Vec<String>,
    /// What goes wrong, in a few words.
    pub group: Cow<'static, str>,
    /// Why it is possibly benign, if there is a reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harmless: Option<String>,
    /// Who lets a lock go, or takes none.
    pub at_fault: Fault,
    /// What all its violations have in common, and which they are.
    #[serde(default)]
    pub cause: CauseRecord,
    /// The class that tells the same: the shown accesses are on the same lines.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<String>,
    /// The classes in which the same is found.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_in: Vec<String>,
    /// How many violated queries it stands for, of those that were asked.
    pub violations: usize,
    /// One interleaving.
    pub witness: Witness,
    /// What came of running it, if it was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmation: Option<ConfirmationRecord>,
    /// The short names that people read.
    #[serde(skip)]
    pub labels: Labels,
}

/// The short names of what is in a finding.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Labels {
    /// The unit: `this.take()`.
    pub unit: String,
    /// The units of other violations.
    #[serde(default)]
    pub other_units: Vec<String>,
    /// What interferes.
    pub by: String,
    /// What else does.
    pub other_by: Vec<String>,
    /// The locations, in the order of the parameters.
    pub locations: Vec<String>,
    /// The other locations.
    pub other_locations: Vec<String>,
    /// The property that is shown: a pattern's number, `race`, an automaton's name.
    pub shown: String,
    /// How many violations there are of which property.
    pub violations: BTreeMap<String, usize>,
    /// The lock that the unit holds all the time, if the other one is at fault.
    pub held: Option<String>,
}

/// Whose fault a violation is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fault {
    /// That of the unit, which does not hold one lock from its first access to its last.
    Unit,
    /// That of the methods that break it: the unit holds a lock all the time.
    By,
}

impl FindingRecord {
    /// The record of the violations of a unit on a set of locations, of a class.
    pub fn new(class: &str, unit: &str, tear: Tear, meanings: &Meanings, harmless: Option<String>) -> Self {
        let rank = tear.rank();
        let faulty = faulty_accesses(&tear.witness, tear.is_victim);
        let section = section(&tear.witness, &faulty);
        let accesses = faulty.iter().map(|place| access_record(&tear.witness.steps[*place], meanings)).collect();
        let method =
            section.as_ref().map_or_else(Default::default, |section: &Section| meanings.method(&section.function));
        let Tear { breakers, patterns, violations, shown, witness, breaker, held, is_victim, .. } = tear;
        let by = breaker.unwrap_or_else(|| shown.processes.last().cloned().unwrap_or_default());
        let labels = Labels {
            other_by: breakers.into_iter().filter(|one| *one != by).collect(),
            other_locations: Vec::new(),
            locations: shown.locations,
            unit: unit.to_string(),
            other_units: Vec::new(),
            by,
            shown: shown.automaton,
            violations,
            held: held.filter(|_| is_victim),
        };
        let locations: Vec<String> = labels.locations.iter().map(|name| meanings.location(name).to_string()).collect();
        let number: Option<usize> = labels.shown.parse().ok();
        let others = patterns.into_iter().filter(|other| Some(*other) != number);
        let patterns: Vec<usize> = number.into_iter().chain(others).collect();
        let full = |name: &String| meanings.unit(name).to_string();
        let (unit, by) = (full(&labels.unit), full(&labels.by));
        let other_by: Vec<String> = labels.other_by.iter().map(full).collect();
        let group = Group::of(&labels.shown).name();
        let member = MemberRecord {
            unit: unit.clone(),
            locations: locations.clone(),
            patterns: patterns.clone(),
            group: group.into(),
            benign: harmless.clone(),
        };
        let by_all = [by.clone()].into_iter().chain(other_by.iter().cloned()).collect();
        let fingerprint = fingerprint(class, &method.identity, &locations);
        Self {
            fingerprint,
            says: String::new(),
            likelihood: Likelihood::Possible,
            evidence: Vec::new(),
            patterns,
            automata: labels.violations.keys().filter(|label| label.parse::<usize>().is_err()).cloned().collect(),
            locations,
            other_locations: Vec::new(),
            by,
            other_by,
            unit,
            rank,
            group: group.into(),
            harmless,
            at_fault: if is_victim { Fault::By } else { Fault::Unit },
            cause: cause_of(section, accesses, method, member, by_all),
            repeats: None,
            also_in: Vec::new(),
            violations: labels.violations.values().sum(),
            witness,
            confirmation: None,
            labels,
        }
    }

    /// Those that are confirmed come first, those that are benign by experiment or possibly benign last.
    pub fn order(&self) -> u8 {
        match self.place() {
            1 if self.likelihood == Likelihood::Benign => 2,
            place => place,
        }
    }

    /// Whether it is told here, and not of another class.
    pub fn stands_alone(&self) -> bool {
        self.repeats.is_none()
    }

    /// All locations that are concerned.
    pub fn all_locations(&self) -> impl Iterator<Item = &str> {
        self.locations.iter().chain(&self.other_locations).map(String::as_str)
    }
}

fn access_record(step: &Step, meanings: &Meanings) -> AccessRecord {
    AccessRecord {
        method: meanings.method(&step.function).name,
        file: step.file.clone(),
        line: step.line,
        action: step.action,
        location: meanings.location(step.object.as_deref().unwrap_or_default()).to_string(),
    }
}

/// The fingerprint of a cause: it survives every change of the code but of the names of the class, of the method and
/// its parameters, and of the fields; of lambdas and anonymous classes also of what they call. By whom and in which
/// order it is torn apart does not matter, as a witness is one of many.
fn fingerprint(class: &str, method: &str, locations: &[String]) -> String {
    let fields: BTreeSet<&str> = locations.iter().map(String::as_str).collect();
    let fields: Vec<&str> = fields.into_iter().collect();
    format!("{:032x}", fnv(format!("{class}\u{1f}{method}\u{1f}{}", fields.join(" ")).as_bytes()))
}
