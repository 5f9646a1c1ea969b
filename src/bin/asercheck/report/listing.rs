//! Findings and violations as text.

use super::detail::Detail;
use super::excerpts::excerpts;
use super::narrative::grouped;
use super::style::Role;
use super::summary::accesses;
use super::table::{Align, Cell, Table, clipped};
use super::witness::{View, witness_table};
use asercheck::answers::QueryRecord;
use asercheck::findings::{Finding, Group, Statement};
use asercheck::query::Property;
use asercheck::witness::{Action, Witness};
use phases::Automaton;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

/// Writes the findings of stored records as text, with `context` lines of source around each access.
pub fn findings_text(
    records: &[QueryRecord],
    findings: &[Finding],
    properties: &[Arc<Property>],
    view: View<'_>,
    detail: Detail,
    context: Option<usize>,
) -> String {
    let listing = Listing { records, findings, properties, view, context };
    listing.text(detail)
}

/// The findings of a run, with the data that is needed to show them.
#[derive(Clone, Copy, Debug)]
pub(super) struct Listing<'a> {
    pub(super) records: &'a [QueryRecord],
    pub(super) findings: &'a [Finding],
    pub(super) properties: &'a [Arc<Property>],
    pub(super) view: View<'a>,
    /// The number of lines of source that are shown around each access, after the table.
    pub(super) context: Option<usize>,
}

impl Listing<'_> {
    /// Writes the findings in the requested detail.
    pub(super) fn text(&self, detail: Detail) -> String {
        match detail {
            Detail::Counts => String::new(),
            Detail::Summary(most) => self.summary(most),
            Detail::Findings(most) => self.findings(most),
            Detail::All => self.violations(),
        }
    }

    /// Writes the first findings, each with its interleaving, and the number of the others.
    fn findings(&self, most: usize) -> String {
        let mut text = String::new();
        for (number, finding) in self.findings.iter().take(most).enumerate() {
            self.finding(&mut text, number + 1, finding);
        }
        self.more(&mut text, most, "--max-findings shows more, --summary a line of each");
        text
    }

    /// Writes a line for each of the first findings, and the number of the others.
    fn summary(&self, most: usize) -> String {
        if self.findings.is_empty() {
            return String::new();
        }
        let right = |name: &str| (name.to_string(), Align::Right);
        let left = |name: &str| (name.to_string(), Align::Left);
        let columns =
            vec![right("finding"), left("what"), left("of"), left("statements"), right("violations"), right("rank")];
        let mut table = Table::new(columns);
        for (number, finding) in self.findings.iter().take(most).enumerate() {
            let record = &self.records[finding.shown()];
            table.row(vec![
                Cell::painted(Role::Faint, (number + 1).to_string()),
                Cell::painted(Role::Bad, finding.group.name()),
                Cell::new(objects(record)),
                Cell::painted(Role::Faint, record.witness.as_ref().map_or_else(String::new, statements)),
                Cell::new(finding.queries.len().to_string()),
                Cell::new(format!("{:.2}", finding.rank)),
            ]);
        }
        if let Some(limit) = self.view.style.width {
            let beyond = table.width().saturating_sub(limit);
            let most = table.column_width(3).saturating_sub(beyond).max(12);
            table.clip(3, most, self.view.style);
        }
        let mut text = table.render(self.view.style) + "\n";
        self.more(&mut text, most, "--max-findings shows more");
        text
    }

    /// Writes every violation with its interleaving.
    fn violations(&self) -> String {
        let mut text = String::new();
        let mut all: Vec<_> = self.findings.iter().flat_map(|finding| &finding.queries).copied().collect();
        all.sort_unstable();
        for (place, number) in all.iter().enumerate() {
            let record = &self.records[*number];
            let head = format!("violation {} of {}: {}", place + 1, all.len(), subject(record));
            let _ = writeln!(text, "{}", self.view.style.paint(Role::Bad, head));
            self.meaning(&mut text, record, false);
            self.interleaving(&mut text, record, None);
        }
        text
    }

    fn finding(&self, text: &mut String, number: usize, finding: &Finding) {
        let record = &self.records[finding.shown()];
        let of = objects(record);
        let head = format!("finding {number} of {}: {} of {of}", self.findings.len(), finding.group);
        let head = clipped(&head, self.view.style.width.unwrap_or(usize::MAX), self.view.style);
        let _ = writeln!(text, "{}", self.view.style.paint(Role::Bad, head));
        self.meaning(text, record, true);
        if finding.queries.len() > 1 {
            let _ = writeln!(
                text,
                "shown for {} violations: {}",
                grouped(finding.queries.len() as u64),
                by_property(self.records, finding)
            );
        }
        self.interleaving(text, record, Some(finding));
    }

    /// Writes the meaning of the property, and the bindings of its parameters.
    fn meaning(&self, text: &mut String, record: &QueryRecord, names_it: bool) {
        let property = self.properties.iter().find(|property| property.label() == record.automaton);
        if let Some(lines) = meaning_of_built_in(record, property) {
            text.push_str(&lines);
            return;
        }
        let Some(property) = property else { return };
        let meaning = property.pattern().map_or_else(String::new, |pattern| format!(": {}", pattern.meaning()));
        let name = if names_it { format!("{}: ", kind(&record.automaton)) } else { String::new() };
        let _ = writeln!(text, "{name}{}{meaning}", accesses(property.automaton()));
        let _ = writeln!(text, "with {}", bindings(property.automaton(), record));
    }

    fn interleaving(&self, text: &mut String, record: &QueryRecord, finding: Option<&Finding>) {
        text.push('\n');
        let Some(witness) = &record.witness else { return };
        text.push_str(&witness_table(witness, &self.view));
        let fingerprint = finding.map(|finding| &finding.fingerprint).filter(|fingerprint| !fingerprint.is_empty());
        let fingerprint = fingerprint.map_or_else(String::new, |fingerprint| format!("; fingerprint {fingerprint}"));
        let _ = writeln!(text, "\n  {}{fingerprint}\n", length(witness));
        if let Some(context) = self.context {
            text.push_str(&excerpts(witness, context, &self.view));
        }
    }

    /// Writes how many findings are not shown, by group, and which options show them.
    fn more(&self, text: &mut String, shown: usize, options: &str) {
        let rest = self.findings.get(shown..).unwrap_or_default();
        if rest.is_empty() {
            return;
        }
        let of = |group: Group| (group, rest.iter().filter(|finding| finding.group == group).count());
        let groups = Group::ALL.map(of).into_iter().filter(|(_, count)| *count > 0);
        let groups: Vec<_> = groups.map(|(group, count)| format!("{} {group}", grouped(count as u64))).collect();
        let findings = counted(rest.len(), "more finding", "more findings");
        let _ = writeln!(text, "... and {findings} ({}); {options}\n", groups.join(", "));
    }
}

/// Counts the violations of a finding by property.
pub(super) fn by_property(records: &[QueryRecord], finding: &Finding) -> String {
    let mut counts: BTreeMap<(u64, &str), usize> = BTreeMap::new();
    for number in &finding.queries {
        let label = records[*number].automaton.as_str();
        *counts.entry((label.parse().unwrap_or(u64::MAX), label)).or_default() += 1;
    }
    let all: Vec<_> = counts.iter().map(|((_, label), count)| format!("{count} of {}", kind(label))).collect();
    all.join(", ")
}

/// The length of a witness: `28 steps, 2 context switches`.
pub(super) fn length(witness: &Witness) -> String {
    let length = witness.length();
    let steps = format!("{} {}", grouped(length), if length == 1 { "step" } else { "steps" });
    format!("{steps}, {}", counted(witness.switches(), "context switch", "context switches"))
}

pub(crate) fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// Names a property by its label: `pattern 12`, `race` or `automaton a`.
pub(crate) fn kind(label: &str) -> String {
    match Group::of(label) {
        Group::Race | Group::Deadlock | Group::Observed => label.to_string(),
        Group::Automaton => format!("automaton {label}"),
        _ => format!("pattern {label}"),
    }
}

/// Names the objects of a query: its locations; if it has none, its locks; if it has none either, its processes.
pub(crate) fn objects(record: &QueryRecord) -> String {
    let names = [&record.locations, &record.locks, &record.processes];
    names.into_iter().find(|names| !names.is_empty()).map_or_else(String::new, |names| names.join(", "))
}

/// Names a query: `pattern 12 on item, storage by T1, T2`.
pub(crate) fn subject(record: &QueryRecord) -> String {
    let objects = [&record.locations[..], &record.locks[..]].concat();
    let on = if objects.is_empty() { String::new() } else { format!(" on {}", objects.join(", ")) };
    format!("{}{on} by {}", kind(&record.automaton), record.processes.join(", "))
}

/// Names the statements of the accesses of a witness, each once, in the order in which they happen.
fn statements(witness: &Witness) -> String {
    let accesses = witness.steps.iter().filter(|step| step.event.is_some());
    let mut seen: Vec<&Statement> = Vec::new();
    for step in accesses.filter(|step| !matches!(step.action, Action::Begin | Action::End)) {
        if !seen.contains(&&*step.statement) {
            seen.push(&step.statement);
        }
    }
    let one = |statement: &Statement| format!("{} {}:{}", statement.action.name(), statement.function, statement.line);
    seen.into_iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Returns the meaning of a race or a deadlock, with the names of the threads; nothing for other automata.
fn meaning_of_built_in(record: &QueryRecord, property: Option<&Arc<Property>>) -> Option<String> {
    let threads = &record.witness.as_ref()?.threads;
    if let Some(property) = property {
        let [location] = &record.locations[..] else { return None };
        let [writer, other] = threads.get(..2)? else { return None };
        return property
            .is_race()
            .then(|| format!("{writer} has just written {location}, and {other} accesses it at the same time\n"));
    }
    let count = record.locks.len();
    let line = |(place, thread): (usize, &String)| {
        let [held, wanted] = [place, (place + 1) % count].map(|lock| &record.locks[lock]);
        format!("{thread} holds {held} and wants {wanted}\n")
    };
    Some(threads.iter().take(count).enumerate().map(line).collect())
}

/// Returns the bindings of the parameters; thread `T1` is called 1 in the accesses.
pub(super) fn bindings(automaton: &Automaton, record: &QueryRecord) -> String {
    let instances = record.witness.as_ref().map_or(&record.processes, |witness| &witness.threads);
    let threads = instances.iter().take(automaton.threads().len()).enumerate();
    let threads = threads.map(|(place, name)| format!("{} = {name}", place + 1));
    let locations = automaton.locations().iter().zip(&record.locations);
    let locks = automaton.locks().iter().zip(&record.locks);
    let objects =
        locations.map(|(own, name)| (own.to_string(), name)).chain(locks.map(|(own, name)| (own.to_string(), name)));
    threads.chain(objects.map(|(own, name)| format!("{own} = {name}"))).collect::<Vec<_>>().join(", ")
}
