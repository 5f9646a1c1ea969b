//! The parts of a finding on which its confirmation by clients depends.
//!
//! A cause is a torn section of one method, which several units may reach. The finding shows one of them. Another one is
//! often easier to run, or it is the only one whose callers notice a difference: `hashCode` itself, not a method that
//! compares hash codes. So every third client calls another unit of the cause, beginning with the method that has the
//! section. The section of such a unit consists of the accesses of the cause. A difference of such a unit belongs to
//! the finding (`answers`), which then shows the calls that were seen.

use crate::attribution::Attribution;
use crate::torn_section::{CodeLine, TornSection};
use audit::{Fault, Finding, SubjectKind, SubjectReport};
use decide::witness::Step;
use std::borrow::Cow;
use std::collections::BTreeSet;

/// A unit of the cause of a finding.
#[derive(Debug)]
pub(crate) struct Unit<'a> {
    pub(crate) name: &'a str,
    /// The method that clients call: the unit, or an inherited one that calls it.
    pub(crate) called: Cow<'a, str>,
    pub(crate) section: TornSection,
}

/// The parts of a finding on which its confirmation depends.
#[derive(Debug)]
pub(crate) struct Question<'a> {
    pub(crate) class: &'a str,
    pub(crate) is_static: bool,
    /// The units of the cause; the one of the witness, which the sentence names, is the first.
    units: Vec<Unit<'a>>,
    /// The interfering methods; the one of the witness, which the sentence names, is the first.
    by: Vec<&'a str>,
    /// Whether the finding says that calls wait for each other.
    is_deadlock: bool,
    /// The accesses before which the witness switches back to the unit, as `FILE:LINE`.
    pub(crate) lines: BTreeSet<String>,
    /// The names of the fields of the finding.
    pub(crate) fields: BTreeSet<&'a str>,
}

impl<'a> Question<'a> {
    /// Returns the question about a finding of a subject.
    pub(crate) fn of(subject: &'a SubjectReport, finding: &'a Finding) -> Self {
        let shown = Unit { name: &finding.unit, called: called(subject, finding), section: TornSection::of(finding) };
        let others = other_units(finding).into_iter().map(|name| Unit {
            name,
            called: Cow::Borrowed(name),
            section: TornSection::of_other_unit(finding),
        });
        Self {
            class: &subject.class,
            is_static: subject.kind == SubjectKind::Static,
            units: std::iter::once(shown).chain(others).collect(),
            by: std::iter::once(&finding.by).chain(&finding.other_by).map(String::as_str).collect(),
            is_deadlock: finding.is_deadlock(),
            lines: lines_after_switches(&finding.witness.steps),
            fields: finding
                .locations
                .iter()
                .filter_map(|location| field(location))
                .filter(|name| !name.contains(' '))
                .collect(),
        }
    }

    /// Returns the unit of the client of a seed: in two of three clients that of the sentence.
    pub(crate) fn unit(&self, seed: usize) -> &Unit<'a> {
        self.other_unit(seed).unwrap_or(&self.units[0])
    }

    /// Returns the unit of the client of a seed, if it is not that of the sentence.
    fn other_unit(&self, seed: usize) -> Option<&Unit<'a>> {
        let others = &self.units[1..];
        (seed % 3 == 2 && !others.is_empty()).then(|| &others[seed / 3 % others.len()])
    }

    /// Returns the interfering method of the client of a seed: with the unit of the sentence, in every other client
    /// that of the sentence; each method with each other unit in turn.
    pub(crate) fn by(&self, seed: usize) -> &'a str {
        let others = &self.by[1..];
        if self.other_unit(seed).is_some() {
            return self.by[seed / 3 / (self.units.len() - 1) % self.by.len()];
        }
        match (seed % 2, others) {
            (1, [_, ..]) => others[seed / 2 % others.len()],
            _ => self.by[0],
        }
    }

    /// The torn section of the sentence.
    pub(crate) fn section(&self) -> &TornSection {
        &self.units[0].section
    }

    /// Whether a difference confirms the finding: both methods of the sentence ran, the switch is in the torn section,
    /// and a deadlock hangs.
    pub(crate) fn is_answered(&self, attribution: &Attribution, hangs: bool) -> bool {
        attribution.is_of(self.units[0].name, self.by[0], self.section()) && (hangs || !self.is_deadlock)
    }
}

/// Returns the units of a cause that a client can call, except for the one that the finding shows. The one with the
/// section comes first.
fn other_units(finding: &Finding) -> Vec<&str> {
    if finding.is_deadlock() || finding.at_fault == Fault::By {
        return Vec::new();
    }
    let is_other = |name: &&str| *name != finding.unit && !name.contains(' ');
    let mut units: Vec<&str> = finding.cause.units.iter().map(String::as_str).filter(is_other).collect();
    units.sort_by_key(|name| *name != finding.cause.method);
    units
}

/// Returns the lines of the accesses before which a witness switches back to the unit.
fn lines_after_switches(steps: &[Step]) -> BTreeSet<String> {
    let mut lines = BTreeSet::new();
    for (place, step) in steps.iter().enumerate().filter(|(_, step)| step.thread == 0 && step.event.is_some()) {
        let mut has_switched =
            steps[..place].iter().rev().take_while(|other| other.event.is_none() || other.thread != 0);
        if has_switched.any(|other| other.thread != 0) {
            lines.insert(CodeLine::of(step).to_string());
        }
    }
    lines
}

/// Returns the method that clients call. If the thread of the witness begins with a method that the class inherits from
/// the class library, the unit is only the first of its own methods that this one calls. The witness names the
/// inherited method, with simple names of the types of its parameters.
fn called<'a>(subject: &SubjectReport, finding: &'a Finding) -> Cow<'a, str> {
    let witness = &finding.witness;
    let method = witness.threads.first().and_then(|name| name.strip_prefix("this."));
    let is_inherited = |method: &&str| {
        let name = format!("inherited {method}");
        witness.steps.iter().any(|step| step.thread == 0 && step.function == name)
    };
    match method.filter(is_inherited) {
        Some(method) => Cow::Owned(format!("{}.{method}", subject.class)),
        None => Cow::Borrowed(&finding.unit),
    }
}

/// Returns the name of the field of a location.
fn field(location: &str) -> Option<&str> {
    location.split('[').next()?.rsplit('.').next()
}
