//! The results of `asercheck java` in the form in which they are written: JSON.

use super::super::record::{ProblemRecord, QueryRecord, Unread};
use super::confirmation::ConfirmationRecord;
use super::shard::ShardRecord;
use crate::check::Reason;
use crate::findings::{Group, fnv};
use crate::isolate::{Claim, Meanings};
use crate::verdict::Broken;
use crate::witness::{Action, Step, Witness};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

/// Everything that a run of `asercheck java` finds out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct JavaReport {
    /// [`VERSION`](super::super::VERSION).
    pub version: u32,
    /// What was given.
    pub paths: Vec<String>,
    /// `client`: any number of threads call any methods.
    pub mode: Cow<'static, str>,
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
            safe: count(&|subject| subject.findings.is_empty() && subject.unknown.is_empty()),
            undecided: count(&|subject| subject.findings.is_empty() && !subject.unknown.is_empty()),
            findings: sum(&|subject| subject.findings.len()),
            queries: sum(&|subject| subject.queries),
            spared: sum(&|subject| subject.spared),
            violation: sum(&|subject| subject.violations),
            unknown: sum(&|subject| subject.undecided),
            seconds: time.as_secs_f64(),
        };
        self
    }

    /// Puts the subjects into the order in which to look at them, equally important ones by their places, which are given: those with findings, the
    /// most important one first, then those that are not decided, then those that are safe. A class that is only named claims nothing, so its
    /// findings come behind those of classes that do.
    pub fn order(&mut self, places: Vec<usize>) {
        let group = |record: &SubjectRecord| match record.findings.is_empty() {
            true => 2,
            false => u8::from(record.claim == Claim::Named.name()),
        };
        let mut placed: Vec<_> = places.into_iter().zip(std::mem::take(&mut self.subjects)).collect();
        placed.sort_by(|(place, a), (other, b)| {
            group(a).cmp(&group(b)).then(b.rank().total_cmp(&a.rank())).then(place.cmp(other))
        });
        let places: Vec<usize>;
        (places, self.subjects) = placed.into_iter().unzip();
        super::repeats::mark(&mut self.subjects);
        if let Some(shard) = &mut self.shard {
            shard.places = places;
        }
    }

    /// The verdict of the whole run in a word: `violation`, `unknown` or `safe`; `vacuous` if nothing was asked. Nothing is safe if something
    /// could not be read, unless that is to be ignored.
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
    /// Findings that no baseline hides.
    pub findings: usize,
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
    /// What of the object changes.
    pub locations: Vec<String>,
    /// The units that can be broken, the most important first.
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
    /// Orders the findings, and says which follow from others of the class: repairing those repairs them, too. They are
    ///
    /// - units of which the shown accesses are the same as those of one before, on the same lines: methods that call a common one. (Units of which
    ///   the object is an argument are found by themselves: another object of its class is at work.)
    /// - units that hold a lock all the time, and are broken only by methods that are found themselves, or that break such a unit before.
    pub fn order(&mut self) {
        self.findings.sort_by(|a, b| b.rank.total_cmp(&a.rank));
        let mut places = BTreeSet::new();
        for finding in &mut self.findings {
            finding.follows = !places.insert(accesses(&finding.witness)) && !is_of_argument(&finding.unit);
        }
        let is_own = |finding: &&FindingRecord| finding.at_fault == Fault::Unit;
        let mut told: BTreeSet<String> =
            self.findings.iter().filter(is_own).map(|finding| finding.unit.clone()).collect();
        for finding in self.findings.iter_mut().filter(|finding| finding.at_fault == Fault::By) {
            let by: Vec<String> = finding.other_by.iter().chain([&finding.by]).cloned().collect();
            finding.follows |= by.iter().all(|by| told.contains(by));
            told.extend(by);
        }
        // Stable: by rank.
        self.findings.sort_by_key(|finding| finding.follows);
    }

    /// The rank of its first finding; less than that of any if something was not decided, and less than that if it is safe.
    pub fn rank(&self) -> f64 {
        let without = if self.unknown.is_empty() { -2.0 } else { -1.0 };
        self.findings.first().map_or(without, |finding| finding.rank)
    }
}

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

/// A unit that can be broken.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FindingRecord {
    /// 32 hexadecimal digits that depend on the class and the unit only.
    pub fingerprint: String,
    /// The numbers of the patterns, that of what is shown first.
    pub patterns: Vec<usize>,
    /// What else is violated: `race`, names of automata.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub automata: Vec<String>,
    /// The locations of what is shown.
    pub locations: Vec<String>,
    /// The other locations that are concerned.
    pub other_locations: Vec<String>,
    /// The unit that is broken.
    pub unit: String,
    /// The method that breaks it in what is shown.
    pub by: String,
    /// Other methods that break it, as far as it was asked.
    pub other_by: Vec<String>,
    /// How important it is, from 0 to 1.
    pub rank: f64,
    /// What goes wrong, in a few words.
    pub group: Cow<'static, str>,
    /// Why it is perhaps harmless, if there is a reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub harmless: Option<String>,
    /// Who lets a lock go, or takes none.
    pub at_fault: Fault,
    /// Whether repairing other findings of the class repairs it, too.
    pub follows: bool,
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
    /// Who breaks it.
    pub by: String,
    /// Who else does.
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

/// An access: by which thread, in which line of which file, what to what.
type Access = (usize, Option<String>, u32, Action, Option<String>);

/// The accesses of a witness.
pub(super) fn accesses(witness: &Witness) -> BTreeSet<Access> {
    let is_access = |step: &&Step| step.event.is_some() && matches!(step.action, Action::Read | Action::Write);
    let own = |step: &Step| (step.thread, step.file.clone(), step.line, step.action, step.object.clone());
    witness.steps.iter().filter(is_access).map(own).collect()
}

/// Of what is perhaps harmless the rank is so much of what it would be: less than that of anything else.
const HARMLESS: f64 = 0.3;

/// Of what is broken only if methods that were not given write, the rank is so much of what it would be: whatever else is broken in a class comes first.
const GUESSED: f64 = 0.6;

impl FindingRecord {
    /// The record of a unit that can be broken, of a class.
    pub fn new(class: &str, broken: Broken, meanings: &Meanings, harmless: Option<String>) -> Self {
        let is_guess = broken.shown.locations.iter().all(|name| meanings.guessed.contains(name));
        let rank = broken.rank()
            * match (&harmless, is_guess) {
                (Some(_), _) => HARMLESS,
                (None, true) => GUESSED,
                (None, false) => 1.0,
            };
        let rank = (rank * 1000.0).round() / 1000.0;
        let Broken {
            unit, locations, breakers, patterns, violations, shown, witness, breaker, held, is_victim, ..
        } = broken;
        let by = breaker.unwrap_or_else(|| shown.processes.last().cloned().unwrap_or_default());
        let others = |all: BTreeSet<String>, shown: &[String]| -> Vec<String> {
            all.into_iter().filter(|one| !shown.contains(one)).collect()
        };
        let labels = Labels {
            other_by: others(breakers, std::slice::from_ref(&by)),
            other_locations: others(locations, &shown.locations),
            locations: shown.locations,
            unit,
            by,
            shown: shown.automaton,
            violations,
            held: held.filter(|_| is_victim),
        };
        let full = |names: &[String]| names.iter().map(|name| meanings.location(name).to_string()).collect();
        let number: Option<usize> = labels.shown.parse().ok();
        let others = patterns.into_iter().filter(|other| Some(*other) != number);
        let unit = meanings.unit(&labels.unit).to_string();
        Self {
            fingerprint: fingerprint(class, meanings.identity(&labels.unit)),
            patterns: number.into_iter().chain(others).collect(),
            automata: labels.violations.keys().filter(|label| label.parse::<usize>().is_err()).cloned().collect(),
            locations: full(&labels.locations),
            other_locations: full(&labels.other_locations),
            by: meanings.unit(&labels.by).to_string(),
            other_by: labels.other_by.iter().map(|by| meanings.unit(by).to_string()).collect(),
            unit,
            rank,
            group: Group::of(&labels.shown).name().into(),
            harmless,
            at_fault: if is_victim { Fault::By } else { Fault::Unit },
            follows: false,
            repeats: None,
            also_in: Vec::new(),
            violations: labels.violations.values().sum(),
            witness,
            confirmation: None,
            labels,
        }
    }

    /// Whether repairing other findings does not repair it, too.
    pub fn stands_alone(&self) -> bool {
        !self.follows && self.repeats.is_none()
    }

    /// All locations that are concerned.
    pub fn all_locations(&self) -> impl Iterator<Item = &str> {
        self.locations.iter().chain(&self.other_locations).map(String::as_str)
    }
}

/// Whether a unit is a method of which the object is an argument, by its full name.
fn is_of_argument(unit: &str) -> bool {
    unit.ends_with(']') && unit.contains(" [argument")
}

/// The fingerprint of a unit that can be broken: it survives every change of the code but of the names of the class and the method, and
/// of the method's parameters; of lambdas and anonymous classes also of what they call. How, by whom and on which fields it is broken does not matter, as a witness is one of many.
fn fingerprint(class: &str, unit: &str) -> String {
    format!("{:032x}", fnv(format!("{class}\u{1f}{unit}").as_bytes()))
}
