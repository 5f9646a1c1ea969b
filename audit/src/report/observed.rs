//! Findings about methods that were seen to differ when they ran, although no finding names them.
//!
//! The interleaving of such a finding consists of the calls that really ran: the unit begins, the interfering call
//! runs, and the unit goes on. It says nothing about accesses, because only the outcome was compared.

use super::cause::{Cause, Place};
use super::confirmation::Confirmation;
use super::finding::{Fault, Finding, Labels, fingerprint};
use super::subject::SubjectReport;
use crate::evidence::{Effect, Likelihood};
use decide::findings::Group;
use decide::witness::{Action, Statement, Step, Witness};
use std::collections::{BTreeMap, BTreeSet};

/// The methods of a difference that was seen, and the lines at which they are shown.
#[derive(Clone, Debug, PartialEq)]
pub struct ObservedCalls {
    /// The interrupted method.
    pub unit: String,
    /// Its first known line: the file, which may lack its folders, and the number.
    pub unit_line: (String, u32),
    /// The line before which it was interrupted.
    pub interrupted_line: (String, u32),
    /// The method that ran meanwhile.
    pub by: String,
    /// Its first known line.
    pub by_line: (String, u32),
}

impl SubjectReport {
    /// Lets a finding show the calls that were seen, which its cause has as a unit and an interfering call, and confirms
    /// it. Its cause and its fingerprint stay the same.
    pub fn show_observed(&mut self, finding: usize, calls: &ObservedCalls, confirmation: Confirmation) {
        let labels = self.labels_of(calls);
        let witness = self.witness_of(calls, &labels);
        let shown = &mut self.findings[finding];
        if shown.by != calls.by || shown.unit != calls.unit {
            let [unit, by] = labels;
            shown.unit.clone_from(&calls.unit);
            exchange(&mut shown.labels.unit, &mut shown.labels.other_units, unit);
            exchange(&mut shown.by, &mut shown.other_by, calls.by.clone());
            exchange(&mut shown.labels.by, &mut shown.labels.other_by, by);
            shown.labels.held = None;
            shown.witness = witness;
            shown.says = says(&confirmation);
        }
        shown.confirmation = Some(confirmation);
    }

    /// Adds a finding about calls that were seen, and that no finding names.
    pub fn add_observed(&mut self, calls: &ObservedCalls, confirmation: Confirmation) {
        let labels = self.labels_of(calls);
        let witness = self.witness_of(calls, &labels);
        let group = Group::Observed;
        let ObservedCalls { unit, interrupted_line: (_, line), by, .. } = calls;
        let fingerprint = fingerprint(&self.class, &format!("{unit}\u{1f}{by}"), &[]);
        let file = witness.steps.last().and_then(|step| step.file.clone());
        let lines = [*line; 2];
        let place = Place {
            method: unit.clone(),
            file: file.clone(),
            lines,
            fingerprint: fingerprint.clone(),
            unit: unit.clone(),
            locations: BTreeSet::new(),
        };
        let cause = Cause {
            method: unit.clone(),
            file,
            lines,
            places: vec![place],
            units: vec![unit.clone()],
            by_all: vec![by.clone()],
            ..Cause::default()
        };
        let [unit_label, by_label] = labels;
        let labels = Labels {
            unit: unit_label,
            by: by_label,
            shown: Group::OBSERVED.to_string(),
            violations: BTreeMap::from([(Group::OBSERVED.to_string(), 1)]),
            ..Labels::default()
        };
        self.findings.push(Finding {
            fingerprint,
            says: says(&confirmation),
            likelihood: Likelihood::Likely,
            rank: group.severity(),
            effect: effect(&confirmation),
            evidence: Vec::new(),
            patterns: Vec::new(),
            automata: Vec::new(),
            locations: Vec::new(),
            other_locations: Vec::new(),
            unit: unit.clone(),
            by: by.clone(),
            other_by: Vec::new(),
            group: group.name().into(),
            benign_reason: None,
            at_fault: Fault::Unit,
            cause,
            repeats: None,
            also_in: Vec::new(),
            violations: 1,
            witness,
            waits: Vec::new(),
            repair: None,
            confirmation: Some(confirmation),
            labels,
        });
    }

    /// Returns the short names of both calls. The findings have the names of all methods that ran.
    fn labels_of(&self, calls: &ObservedCalls) -> [String; 2] {
        let of = |finding: &Finding, name: &str| -> Option<String> {
            let labels = &finding.labels;
            let others = finding.other_by.iter().zip(&labels.other_by);
            let mut known = [(&finding.unit, &labels.unit), (&finding.by, &labels.by)].into_iter().chain(others);
            known.find(|(full, label)| *full == name && !label.is_empty()).map(|(_, label)| label.clone())
        };
        [&calls.unit, &calls.by].map(|name| {
            let label = self.findings.iter().find_map(|finding| of(finding, name));
            label.or_else(|| self.label_of_unit(name)).unwrap_or_else(|| name.clone())
        })
    }

    /// Returns the short name of a unit, if only one unit of the findings has the name of its method.
    fn label_of_unit(&self, name: &str) -> Option<String> {
        let method = name.split('(').next()?.rsplit('.').next()?;
        let call = format!(".{method}(");
        let all = self.findings.iter().flat_map(|finding| {
            let Labels { unit, other_units, .. } = &finding.labels;
            std::iter::once(unit).chain(other_units)
        });
        let mut labels = all.filter(|label| label.contains(&call)).collect::<BTreeSet<_>>().into_iter();
        let label = labels.next()?;
        labels.next().is_none().then(|| label.clone())
    }

    /// Returns the interleaving of both calls.
    fn witness_of(&self, calls: &ObservedCalls, labels: &[String; 2]) -> Witness {
        use Action::{Begin, Call, End, Return};
        let (unit, by, end) = (&calls.unit_line, &calls.by_line, &calls.interrupted_line);
        let first = [(0, Begin, unit), (0, Call, unit), (1, Begin, by), (1, Call, by)];
        let order = first.into_iter().chain([(1, Return, by), (1, End, by), (0, Return, end), (0, End, end)]);
        let mut events = 0;
        let step = |(thread, action, (file, line)): (usize, Action, &(String, u32))| {
            let is_call = matches!(action, Call | Return);
            events += usize::from(is_call);
            let statement = Statement {
                function: labels[thread].clone(),
                file: Some(self.path_of(file)),
                line: *line,
                column: 1,
                action,
                object: is_call.then(|| labels[thread].clone()),
                mode: None,
            };
            Step { event: is_call.then_some(events), ..Step::new(thread, statement) }
        };
        Witness { threads: labels.to_vec(), steps: order.map(step).collect() }
    }

    /// Returns the path of a file that a finding of the class names, or else the file as it is.
    fn path_of(&self, file: &str) -> String {
        let mut steps = self.findings.iter().flat_map(|finding| &finding.witness.steps);
        let is_it = |path: &&String| path.rsplit(['/', '\\']).next() == Some(file);
        steps.find_map(|step| step.file.as_ref().filter(is_it)).map_or_else(|| file.to_string(), String::clone)
    }
}

/// Shows another name. The shown one becomes one of the others.
fn exchange(shown: &mut String, others: &mut Vec<String>, new: String) {
    if *shown != new {
        others.retain(|other| *other != new);
        others.push(std::mem::replace(shown, new));
    }
}

/// The sentence of a confirmation.
fn says(confirmation: &Confirmation) -> String {
    confirmation.demonstration.as_ref().map_or_else(String::new, |shown| shown.says.clone())
}

/// The effect of a confirmed difference.
fn effect(confirmation: &Confirmation) -> Effect {
    let fails = confirmation.demonstration.as_ref().is_some_and(|shown| shown.kind == "fails");
    if fails { Effect::Exception } else { Effect::WrongResult }
}
