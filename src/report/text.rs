//! Reports for people.

use super::lock_tables::{cycle_table, location_table};
use super::record::{CheckReport, QueryRecord, Summary, VerdictKind};
use super::style::{Role, Style};
use super::summary::{accesses, summary_table};
use super::tally::Tally;
use super::witness::{grouped, witness_table};
use crate::query::Property;
use phases::{Automaton, Pattern, UnitMode};
use std::fmt::Write;
use std::sync::Arc;

/// A whole run: the counts, the table of automata by verdict, then every violation with its witness and every query that
/// was not decided. `quiet` leaves the counts only.
pub fn text_report(
    report: &CheckReport,
    properties: &[Arc<Property>],
    tally: &Tally,
    style: Style,
    quiet: bool,
) -> String {
    let mut text = String::new();
    if !quiet {
        let automata: Vec<_> = properties.iter().filter(|property| !property.is_race()).cloned().collect();
        let mut tables = vec![(!automata.is_empty()).then(|| summary_table(&automata, tally, style))];
        tables.push(report.locations.as_ref().map(|locations| location_table(locations, style)));
        tables.push(report.cycles.as_ref().map(|cycles| cycle_table(cycles, report.ended.is_none(), style)));
        for table in tables.into_iter().flatten().filter(|table| !table.is_empty()) {
            text.push_str(&table);
            text.push('\n');
        }
        let violations = report.queries.iter().filter(|record| record.verdict == VerdictKind::Violation);
        for (number, record) in violations.enumerate() {
            let property = properties.iter().find(|property| property.label() == record.automaton);
            violation(&mut text, number + 1, report.summary.violation, record, property, style);
        }
        for record in report.queries.iter().filter(|record| record.verdict == VerdictKind::Unknown) {
            let reason = record.reason.map_or("", |reason| reason.name());
            let reason = record.detail.as_deref().unwrap_or(reason);
            let _ = writeln!(text, "{}: {} ({reason})", style.paint(Role::Open, "unknown"), subject(record));
        }
        let listed = report.queries.iter().filter(|record| record.verdict == VerdictKind::Unknown).count();
        if let Some(reason) = report.ended {
            let rest = counted(report.summary.unknown - listed, "query", "queries");
            let _ = writeln!(text, "{}: {rest} after the end ({reason})", style.paint(Role::Open, "unknown"));
        }
        if report.summary.unknown > 0 {
            text.push('\n');
        }
    }
    text.push_str(&counts(report, style));
    text
}

/// Number of queries and verdicts, on one line.
fn counts(report: &CheckReport, style: Style) -> String {
    let Summary { queries, safe, violation, unknown, seconds } = report.summary;
    let (verdict, role) = match (violation, unknown) {
        (0, 0) if report.vacuous.is_some() => ("vacuous", Role::Open),
        (0, 0) => ("safe", Role::Good),
        (0, _) => ("unknown", Role::Open),
        _ => ("violation", Role::Bad),
    };
    let why = report.vacuous.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
    format!(
        "{}: {}{why}: {}, {safe} safe, {}, {unknown} unknown ({} engine, units {}, {seconds:.3} s)\n",
        report.model,
        style.paint(role, verdict),
        counted(queries, "query", "queries"),
        counted(violation, "violation", "violations"),
        report.engine,
        report.units,
    )
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// `pattern 12 on item, storage by T1, T2`, `race on item by T1, T2`, or `deadlock of a, b by T1, T2`.
fn subject(record: &QueryRecord) -> String {
    let QueryRecord { automaton, locations, locks, processes, .. } = record;
    let threads = Property::threads_of_deadlock(automaton);
    let kind = match threads {
        Some(count) if count == locks.len() => format!("deadlock of {}", locks.join(", ")),
        _ if automaton == "race" => "race".to_string(),
        _ if automaton.starts_with(|c: char| c.is_ascii_digit()) => format!("pattern {automaton}"),
        _ => format!("automaton {automaton}"),
    };
    let on = if locations.is_empty() { String::new() } else { format!(" on {}", locations.join(", ")) };
    format!("{kind}{on} by {}", processes.join(", "))
}

fn violation(
    text: &mut String,
    number: usize,
    count: usize,
    record: &QueryRecord,
    property: Option<&Arc<Property>>,
    style: Style,
) {
    let head = format!("violation {number} of {count}: {}", subject(record));
    let _ = writeln!(text, "{}", style.paint(Role::Bad, head));
    if let Some(lines) = meaning_of_built_in(record, property) {
        text.push_str(&lines);
    } else if let Some(property) = property {
        let meaning = property.pattern().map_or_else(String::new, |pattern| format!(": {}", pattern.meaning()));
        let _ = writeln!(text, "{}{meaning}", accesses(property.automaton()));
        let _ = writeln!(text, "with {}", bindings(property.automaton(), record));
    }
    text.push('\n');
    if let Some(witness) = &record.witness {
        text.push_str(&witness_table(witness, style));
        let switches = witness.steps.windows(2).filter(|pair| pair[0].thread != pair[1].thread).count();
        let length = witness.length();
        let steps = format!("{} {}", grouped(length), if length == 1 { "step" } else { "steps" });
        let switches = counted(switches, "context switch", "context switches");
        let _ = writeln!(text, "\n  {steps}, {switches}\n");
    }
}

/// What a race or a deadlock means, with the names of the threads; nothing for other automata.
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

/// What the parameters are bound to; thread `T1` is called 1 in the accesses.
fn bindings(automaton: &Automaton, record: &QueryRecord) -> String {
    let instances = record.witness.as_ref().map_or(&record.processes, |witness| &witness.threads);
    let threads = instances.iter().take(automaton.threads().len()).enumerate();
    let threads = threads.map(|(place, name)| format!("{} = {name}", place + 1));
    let locations = automaton.locations().iter().zip(&record.locations).map(|(own, name)| format!("{own} = {name}"));
    threads.chain(locations).collect::<Vec<_>>().join(", ")
}

/// What a pattern means, and its automaton.
pub fn explain_pattern(pattern: &Pattern, units: UnitMode, style: Style) -> String {
    let automaton = pattern.automaton(units);
    let mut text = String::new();
    let head = format!("pattern {}: {}", pattern.number(), accesses(automaton));
    let _ = writeln!(text, "{}", style.paint(Role::Heading, head));
    let _ = writeln!(text, "{}.\n", pattern.meaning());
    text.push_str("R and W are reads and writes, 1 and 2 the threads, in parentheses the locations");
    text.push_str(if automaton.locations().len() > 1 { ", two of one atomic set.\n" } else { ".\n" });
    text.push_str("All accesses of thread 1 lie in one of its units of work");
    let two = automaton.phases().iter().filter(|phase| phase.event.thread.index() == 1).count() > 1;
    text.push_str(match (two, units) {
        (true, UnitMode::Both) => ", those of thread 2 in one of its own.\n\n",
        (true, UnitMode::First) => "; those of thread 2 may lie anywhere.\n\n",
        (false, _) => ".\n\n",
    });
    let _ = write!(text, "{automaton}");
    text
}
