//! A finding in the terms of other tools: a title, a message, a severity, and the places of its accesses.

use super::counts::Counts;
use super::listing::{counted, kind, objects, subject};
use super::places::at;
use super::sources::Sources;
use asercheck::answers::QueryRecord;
use asercheck::findings::{Finding, Group, Statement};
use asercheck::query::Property;
use asercheck::records::CheckReport;
use asercheck::witness::{Action, Step, Witness};
use std::sync::Arc;

/// Rank below which a finding is possibly benign: all other findings have a rank of at least 0.6 - 0.25.
const HARMLESS: f64 = 0.3;

/// The results of a run over one model, or over a Java program as one model.
#[derive(Clone, Copy, Debug)]
pub struct Checked<'a> {
    /// The results.
    pub report: &'a CheckReport,
    /// The counts, as all forms tell them.
    pub counts: Counts,
    /// The properties that were asked.
    pub properties: &'a [Arc<Property>],
    /// The texts of the sources.
    pub sources: &'a Sources,
    /// The paths that were read.
    pub artifacts: &'a [String],
}

/// A finding without its interleaving.
#[derive(Clone, Debug)]
pub(super) struct Outline<'a> {
    pub(super) finding: &'a Finding,
    pub(super) record: &'a QueryRecord,
    pub(super) witness: &'a Witness,
    /// `lost update of x`.
    pub(super) title: String,
    /// One or more sentences.
    pub(super) message: String,
    /// The steps that are accesses, each statement once.
    pub(super) accesses: Vec<&'a Step>,
    /// The step at which the violated unit of work begins; none for findings that are not about units, such as races.
    unit: Option<&'a Step>,
}

impl<'a> Outline<'a> {
    /// Returns the outlines of the findings of a run, in order.
    pub(super) fn all(checked: &Checked<'a>) -> impl Iterator<Item = Outline<'a>> + use<'a> {
        let Checked { report, properties, .. } = *checked;
        report.findings.iter().filter_map(move |finding| {
            let record = report.queries.get(finding.shown())?;
            let witness = record.witness.as_ref()?;
            let title = format!("{} of {}", finding.group, objects(record));
            let accesses = accesses(witness);
            let message = message(finding, record, witness, &accesses, properties);
            let unit = is_about_units(finding.group).then(|| violated_unit(witness)).flatten();
            Some(Self { finding, record, witness, title, message, accesses, unit })
        })
    }

    /// Returns the step at which the finding is shown: the beginning of the violated unit, which is the unit's own code
    /// wherever the accesses are; without a unit, the first access.
    pub(super) fn place(&self) -> Option<&'a Step> {
        self.unit.or(self.accesses.first().copied())
    }

    /// Returns the accesses at other places than the finding.
    pub(super) fn related(&self) -> impl Iterator<Item = &'a Step> {
        self.accesses.iter().copied().skip(usize::from(self.unit.is_none()))
    }

    /// Whether it leaves wrong values, rather than that a thread only sees some. Possibly benign findings have a rank
    /// below that of all others, and are no errors.
    pub(super) fn is_error(&self) -> bool {
        self.finding.group.severity() >= Group::Race.severity() && self.finding.rank >= HARMLESS
    }
}

/// Whether a finding says that a unit of work is violated.
fn is_about_units(group: Group) -> bool {
    !matches!(group, Group::Race | Group::Deadlock | Group::Automaton)
}

/// Returns the step that begins the outermost unit of work that is open at the first access of the first thread.
fn violated_unit(witness: &Witness) -> Option<&Step> {
    let is_boundary = |step: &Step| matches!(step.action, Action::Begin | Action::End);
    let mut open = Vec::new();
    for step in witness.steps.iter().filter(|step| step.thread == 0) {
        match step.action {
            Action::Begin => open.push(step),
            Action::End => drop(open.pop()),
            _ if step.event.is_some() && !is_boundary(step) => return open.first().copied(),
            _ => {}
        }
    }
    None
}

/// Returns the steps that take a transition, each statement once; boundaries of units only if there are no others.
fn accesses(witness: &Witness) -> Vec<&Step> {
    let events: Vec<_> = witness.steps.iter().filter(|step| step.event.is_some()).collect();
    let is_boundary = |step: &&Step| matches!(step.action, Action::Begin | Action::End);
    let only_boundaries = events.iter().all(is_boundary);
    let mut seen: Vec<&Statement> = Vec::new();
    let mut accesses = events;
    accesses.retain(|step| {
        let is_new = (only_boundaries || !is_boundary(step)) && !seen.contains(&&*step.statement);
        if is_new {
            seen.push(&step.statement);
        }
        is_new
    });
    accesses
}

/// Describes the fault and the accesses of each thread.
fn message(
    finding: &Finding,
    record: &QueryRecord,
    witness: &Witness,
    accesses: &[&Step],
    properties: &[Arc<Property>],
) -> String {
    let property = properties.iter().find(|property| property.label() == record.automaton);
    let meaning = property.and_then(|property| property.pattern()).map(|pattern| {
        let threads = |place: usize| witness.threads.get(place).map_or("", String::as_str);
        let words = pattern.meaning().split(' ').map(|word| match word {
            "1" => threads(0).to_string(),
            "2" => threads(1).to_string(),
            word => word.to_string(),
        });
        format!(": {}", words.collect::<Vec<_>>().join(" "))
    });
    let does = accesses.iter().map(|step| {
        let thread = witness.threads.get(step.thread).map_or("", String::as_str);
        let object = step.object.as_deref().map_or_else(String::new, |object| format!(" {object}"));
        format!("{thread} {} in {} ({})", verb(step.action).to_string() + &object, step.function, at(step))
    });
    let violations = match finding.queries.len() {
        1 => String::new(),
        count => format!(" {} have this cause.", counted(count, "violation", "violations")),
    };
    // The result of running it.
    let detail = record.detail.as_ref().map_or_else(String::new, |detail| format!(" {}.", capitalized(detail)));
    let kind = match kind(&record.automaton) {
        kind if kind == finding.group.name() => String::new(),
        kind => format!(" ({kind})"),
    };
    format!(
        "{}{}{kind}. {}.{violations}{detail}",
        capitalized(finding.group.name()),
        meaning.unwrap_or_default(),
        does.collect::<Vec<_>>().join(", then "),
    )
}

/// Returns the verb for an action.
fn verb(action: Action) -> &'static str {
    match action {
        Action::Acquire => "acquires",
        Action::Release => "releases",
        Action::Read => "reads",
        Action::Write => "writes",
        Action::Begin => "begins a unit",
        Action::End => "ends a unit",
        Action::Call => "calls",
        Action::Return => "returns from",
        Action::Start => "starts",
        Action::Wants => "wants",
        Action::Wait => "waits for",
        Action::Resume => "gets back",
    }
}

/// Capitalizes a sentence, unless it begins with a name: `size() ...`.
pub(in crate::report) fn capitalized(words: &str) -> String {
    let first = words.split(' ').next().unwrap_or_default();
    if !first.chars().all(char::is_alphabetic) {
        return words.to_string();
    }
    let mut characters = words.chars();
    characters.next().map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}

/// Says that a query, or a unit or class of a Java program, is not decided.
pub(super) fn not_decided(checked: &Checked<'_>, record: &QueryRecord) -> String {
    let (named, why) = (undecided_subject(checked, record), record.why_unknown());
    match checked.counts.subjects {
        Some(_) => format!("Not decided: {named}: {why}."),
        None => format!("Not decided ({why}): {named}."),
    }
}

/// Names an undecided query, or an undecided unit or class of a Java program.
pub(super) fn undecided_subject(checked: &Checked<'_>, record: &QueryRecord) -> String {
    match checked.counts.subjects {
        Some(_) => record.processes.join(", "),
        None => subject(record),
    }
}

/// Says that a model was not read to its end, if that is so.
pub(super) fn not_read(report: &CheckReport) -> Option<String> {
    let reason = report.ended.filter(|_| report.summary.queries == 0)?;
    Some(format!("Not decided ({reason}): the model was not read to its end."))
}

/// Returns the path of a step's file, or of the model.
pub(super) fn file<'a>(step: &'a Step, model: &'a str) -> &'a str {
    step.file.as_deref().unwrap_or(model)
}
