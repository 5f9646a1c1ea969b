//! Findings: violations with one cause, shown by one of them.

use super::cause::{Cause, Member, Place, TornAccess, cause_of};
use super::confirmation::{Confirmation, ConfirmationVerdict};
use super::lock_wait::LockWait;
use super::repair::RepairRecord;
use crate::evidence::{Effect, Evidence, Likelihood};
use crate::violations::section::is_access;
use crate::violations::{
    Interference, LocationViolations, Section, SectionLine, faulty_accesses, section, section_lines,
};
use decide::findings::{Group, fnv};
use decide::witness::{Step, Witness};
use isolate::Meanings;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Violations with one cause, shown by one of them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// 32 hexadecimal digits that depend on the class, the method with the torn section, and the fields that are shown.
    pub fingerprint: String,
    /// A sentence that describes the violation to a caller.
    #[serde(default)]
    pub says: String,
    /// How likely it should be repaired.
    #[serde(default)]
    pub likelihood: Likelihood,
    /// The importance, from 0 to 1.
    pub rank: f64,
    /// The effect for a caller.
    #[serde(default)]
    pub effect: Effect,
    /// The evidence for the likelihood.
    #[serde(default)]
    pub evidence: Vec<Evidence>,
    /// The numbers of the patterns, that of the shown violation first.
    pub patterns: Vec<usize>,
    /// Other violated properties: `race`, names of automata.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub automata: Vec<String>,
    /// The locations of the shown violation.
    pub locations: Vec<String>,
    /// The locations of the other violations.
    pub other_locations: Vec<String>,
    /// The violated unit of the shown violation.
    pub unit: String,
    /// The interfering call of the shown violation.
    pub by: String,
    /// Other known interfering calls.
    pub other_by: Vec<String>,
    /// The name of the group: the kind of violation.
    pub group: Cow<'static, str>,
    /// The reason why it is possibly benign, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub benign_reason: Option<String>,
    /// The side that releases a lock in between, or takes none.
    pub at_fault: Fault,
    /// The common cause of its violations, with all of them.
    #[serde(default)]
    pub cause: Cause,
    /// The class with the finding of the same cause that represents this one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<String>,
    /// The classes whose findings this one represents.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_in: Vec<String>,
    /// Number of its violated queries.
    pub violations: usize,
    /// One interleaving.
    pub witness: Witness,
    /// The calls of a deadlock, in the order of the threads of the interleaving; empty for other findings.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub waits: Vec<LockWait>,
    /// The result of running it, if it was run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub confirmation: Option<Confirmation>,
    /// The result of searching a repair, if one was searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repair: Option<RepairRecord>,
    /// The short names for users.
    #[serde(skip)]
    pub labels: Labels,
}

/// Short names for a finding.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Labels {
    /// The unit: `this.take()`.
    pub unit: String,
    /// The units of other violations.
    #[serde(default)]
    pub other_units: Vec<String>,
    /// The interfering call.
    pub by: String,
    /// Other interfering calls.
    pub other_by: Vec<String>,
    /// The locations, in the order of the parameters.
    pub locations: Vec<String>,
    /// The other locations.
    pub other_locations: Vec<String>,
    /// The property of the shown violation: a pattern's number, `race`, an automaton's name.
    pub shown: String,
    /// Number of violations by the label of the property.
    pub violations: BTreeMap<String, usize>,
    /// The lock that the unit holds throughout, if the interfering call is at fault.
    pub held: Option<String>,
}

/// The side at fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fault {
    /// The unit, which does not hold one lock from its first access to its last.
    Unit,
    /// The interfering calls: the unit holds a lock throughout.
    By,
}

impl Finding {
    /// A finding for the violations of a unit of a class on one set of locations.
    pub fn new(
        class: &str,
        unit: &str,
        violations: LocationViolations,
        meanings: &Meanings,
        benign_reason: Option<String>,
    ) -> Self {
        let rank = violations.rank();
        let faulty = faulty_accesses(&violations.witness, violations.is_victim);
        let section = section(&violations.witness, &faulty);
        let accesses = faulty.iter().map(|place| access_record(&violations.witness.steps[*place], meanings)).collect();
        let method =
            section.as_ref().map_or_else(Default::default, |section: &Section| meanings.method(&section.function));
        let LocationViolations {
            interfering_calls,
            patterns,
            counts,
            shown,
            witness,
            interfering_call,
            held_lock,
            is_victim,
            ..
        } = violations;
        let by = interfering_call.unwrap_or_else(|| shown.processes.last().cloned().unwrap_or_default());
        let labels = Labels {
            other_by: interfering_calls.into_iter().filter(|one| *one != by).collect(),
            other_locations: Vec::new(),
            locations: shown.locations,
            unit: unit.to_string(),
            other_units: Vec::new(),
            by,
            shown: shown.automaton,
            violations: counts,
            held: held_lock.filter(|_| is_victim),
        };
        let locations: Vec<String> = labels.locations.iter().map(|name| meanings.location(name).to_string()).collect();
        let number: Option<usize> = labels.shown.parse().ok();
        let others = patterns.into_iter().filter(|other| Some(*other) != number);
        let patterns: Vec<usize> = number.into_iter().chain(others).collect();
        let full = |name: &String| meanings.unit(name).to_string();
        let (unit, by) = (full(&labels.unit), full(&labels.by));
        let other_by: Vec<String> = labels.other_by.iter().map(full).collect();
        let group = Group::of(&labels.shown).name();
        let member = Member {
            unit: unit.clone(),
            locations: locations.clone(),
            patterns: patterns.clone(),
            group: group.into(),
            benign: benign_reason.clone(),
        };
        let by_all = [by.clone()].into_iter().chain(other_by.iter().cloned()).collect();
        let fingerprint = fingerprint(class, &method.identity, &locations);
        Self {
            fingerprint,
            says: String::new(),
            likelihood: Likelihood::Possible,
            effect: Effect::default(),
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
            benign_reason,
            at_fault: if is_victim { Fault::By } else { Fault::Unit },
            cause: cause_of(section, accesses, method, member, by_all),
            repeats: None,
            also_in: Vec::new(),
            violations: labels.violations.values().sum(),
            witness,
            waits: Vec::new(),
            confirmation: None,
            repair: None,
            labels,
        }
    }

    /// Shows another interfering call, if that has the same cause.
    pub fn with_interference(&self, other: &Interference, meanings: &Meanings) -> Option<Self> {
        let Interference { by, witness, is_victim } = other;
        let faulty = faulty_accesses(witness, *is_victim);
        let section = section(witness, &faulty)?;
        let method = meanings.method(&section.function);
        if *is_victim || self.at_fault == Fault::By || method.name != self.cause.method {
            return None;
        }
        let mut shown = self.clone();
        let lines = [section.first.min(self.cause.lines[0]), section.last.max(self.cause.lines[1])];
        shown.cause.lines = lines;
        shown.cause.accesses.extend(faulty.iter().map(|place| access_record(&witness.steps[*place], meanings)));
        shown.witness.clone_from(witness);
        let old = std::mem::replace(&mut shown.labels.by, by.clone());
        shown.labels.other_by.push(old);
        shown.labels.other_by.retain(|known| known != by);
        let full = meanings.unit(by).to_string();
        shown.cause.by_all.push(full.clone());
        let old = std::mem::replace(&mut shown.by, full);
        shown.other_by.push(old);
        let by = shown.by.clone();
        shown.other_by.retain(|known| *known != by);
        shown.labels.held = None;
        Some(shown)
    }

    /// Notes the reason why it is possibly benign.
    pub fn note_benign(&mut self, reason: &str) {
        self.benign_reason = Some(reason.to_string());
        self.cause.members.iter_mut().for_each(|member| member.benign = Some(reason.to_string()));
    }

    /// Names the interfering call that another form of the finding shows.
    pub fn note_interference(&mut self, other: Self) {
        let note = |names: &mut Vec<String>, own: &str, new: String| {
            if new != own && !names.contains(&new) {
                names.push(new);
            }
        };
        note(&mut self.other_by, &self.by, other.by.clone());
        note(&mut self.labels.other_by, &self.labels.by, other.labels.by);
        note(&mut self.cause.by_all, "", other.by);
    }

    /// The lines of the unit that its accesses in the shown interleaving are on, and those of the interfering call.
    pub fn lines(&self) -> [Vec<SectionLine>; 2] {
        let is_of = |of_unit: bool| {
            let is_one = |step: &Step| if self.is_deadlock() { self.is_of_deadlock(step) } else { is_access(step) };
            let is_own = |step: &Step| is_one(step) && (step.thread == 0) == of_unit;
            let all = self.witness.steps.iter().enumerate().filter(|(_, step)| is_own(step));
            all.map(|(place, _)| place).collect::<Vec<usize>>()
        };
        [true, false].map(|of_unit| section_lines(&self.witness, &is_of(of_unit)))
    }

    /// The place of its shown section.
    pub(super) fn place(&self) -> Place {
        Place {
            method: self.cause.method.clone(),
            file: self.cause.file.clone(),
            lines: self.cause.lines,
            fingerprint: self.fingerprint.clone(),
            unit: self.unit.clone(),
            locations: self.all_locations().map(str::to_string).collect(),
        }
    }

    /// Whether a run has confirmed it.
    pub fn is_confirmed(&self) -> bool {
        self.confirmation.as_ref().is_some_and(|record| record.verdict == ConfirmationVerdict::Confirmed)
    }

    /// The sentence for users: if it is confirmed, that of what was seen; else that of the model.
    pub fn headline(&self) -> &str {
        let shown = self.confirmation.as_ref().and_then(|confirmation| confirmation.demonstration.as_ref());
        shown.map(|shown| shown.says.as_str()).filter(|says| !says.is_empty()).unwrap_or(&self.says)
    }

    /// Sort key: confirmed findings first, then by likelihood.
    pub fn order(&self) -> (bool, Likelihood) {
        (!self.is_confirmed(), self.likelihood)
    }

    /// Whether no finding of another class represents it.
    pub fn stands_alone(&self) -> bool {
        self.repeats.is_none()
    }

    /// The locations of all its violations.
    pub fn all_locations(&self) -> impl Iterator<Item = &str> {
        self.locations.iter().chain(&self.other_locations).map(String::as_str)
    }
}

fn access_record(step: &Step, meanings: &Meanings) -> TornAccess {
    TornAccess {
        method: meanings.method(&step.function).name,
        file: step.file.clone(),
        line: step.line,
        action: step.action,
        location: meanings.location(step.object.as_deref().unwrap_or_default()).to_string(),
    }
}

/// The fingerprint of a cause. It changes only with the names of the class, of the method and its parameters, and of
/// the fields; for lambdas and anonymous classes also with the methods that they call. Interfering calls and the order
/// of the interleaving do not matter, as a witness is one of many.
pub(super) fn fingerprint(class: &str, method: &str, locations: &[String]) -> String {
    let fields: BTreeSet<&str> = locations.iter().map(String::as_str).collect();
    let fields: Vec<&str> = fields.into_iter().collect();
    format!("{:032x}", fnv(format!("{class}\u{1f}{method}\u{1f}{}", fields.join(" ")).as_bytes()))
}
