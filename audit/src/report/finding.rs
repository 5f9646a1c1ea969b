//! Findings: violations with one cause, shown by one of them.

use super::cause::{Cause, Member, TornAccess, cause_of};
use super::confirmation::{Confirmation, ConfirmationVerdict};
use crate::evidence::{Evidence, Likelihood};
use crate::violations::{LocationViolations, Section, faulty_accesses, section};
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
    #[serde(default, rename = "harmless", skip_serializing_if = "Option::is_none")]
    pub benign_reason: Option<String>,
    /// Who lets a lock go, or takes none.
    pub at_fault: Fault,
    /// What all its violations have in common, and which they are.
    #[serde(default)]
    pub cause: Cause,
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
    pub confirmation: Option<Confirmation>,
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

impl Finding {
    /// The record of the violations of a unit on a set of locations, of a class.
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
            confirmation: None,
            labels,
        }
    }

    /// Whether a client was seen that can tell.
    pub fn is_confirmed(&self) -> bool {
        self.confirmation.as_ref().is_some_and(|record| record.verdict == ConfirmationVerdict::Confirmed)
    }

    /// Those that are confirmed come first, those that are benign by experiment last.
    pub(super) fn place(&self) -> u8 {
        match self.confirmation.as_ref().map(|record| record.verdict) {
            Some(ConfirmationVerdict::Confirmed) => 0,
            Some(ConfirmationVerdict::Benign) => 2,
            _ => 1,
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

fn access_record(step: &Step, meanings: &Meanings) -> TornAccess {
    TornAccess {
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
pub(super) fn fingerprint(class: &str, method: &str, locations: &[String]) -> String {
    let fields: BTreeSet<&str> = locations.iter().map(String::as_str).collect();
    let fields: Vec<&str> = fields.into_iter().collect();
    format!("{:032x}", fnv(format!("{class}\u{1f}{method}\u{1f}{}", fields.join(" ")).as_bytes()))
}
