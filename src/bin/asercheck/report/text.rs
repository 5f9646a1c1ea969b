//! Reports of `check` as text.

use super::detail::Detail;
use super::listing::{Listing, counted, subject};
use super::lock_tables::{cycle_table, location_table};
use super::style::{Role, Style};
use super::summary::{accesses, summary_table};
use super::witness::View;
use asercheck::answers::{Summary, Tally, VerdictKind};
use asercheck::query::Property;
use asercheck::records::{CertificateRecord, CheckReport, UncertifiedRecord};
use phases::{Pattern, UnitMode};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::sync::Arc;

/// Writes the report of a run: the table of automata by verdict, then the findings or every violation, then every
/// undecided query, then the counts.
pub fn text_report(
    report: &CheckReport,
    properties: &[Arc<Property>],
    tally: &Tally,
    view: View<'_>,
    detail: Detail,
) -> String {
    let mut text = String::new();
    if detail != Detail::Counts {
        let automata: Vec<_> = properties.iter().filter(|property| !property.is_race()).cloned().collect();
        let mut tables = vec![(!automata.is_empty()).then(|| summary_table(&automata, tally, view.style))];
        tables.push(report.locations.as_ref().map(|locations| location_table(locations, view.style)));
        tables.push(report.cycles.as_ref().map(|cycles| cycle_table(cycles, report.ended.is_none(), view.style)));
        for table in tables.into_iter().flatten().filter(|table| !table.is_empty()) {
            text.push_str(&table);
            text.push('\n');
        }
        let (records, findings) = (&report.queries[..], &report.findings[..]);
        text.push_str(&Listing { records, findings, properties, view, context: None }.text(detail));
    }
    undecided(&mut text, report, view.style, detail);
    if let Some(certificates) = &report.certificates {
        certified(&mut text, certificates, report.summary.safe, detail);
    }
    text.push_str(&counts(report, view.style));
    text
}

/// Writes a line for each safe query without a certificate, then the number of those with one.
fn certified(text: &mut String, record: &CertificateRecord, safe: usize, detail: Detail) {
    let named = match detail {
        Detail::Counts => 0,
        Detail::Summary(_) | Detail::Findings(_) => NAMED,
        Detail::All => usize::MAX,
    };
    for query in record.missing.iter().take(named) {
        let bound = [&query.locations, &query.locks].map(|names| names.join(", ")).join("");
        let UncertifiedRecord { automaton, processes, reason, .. } = query;
        let processes = processes.join(", ");
        let _ = writeln!(text, "safe (no certificate): {automaton} of {bound} by {processes}: {reason}");
    }
    let CertificateRecord { file, certified, bytes, .. } = record;
    let _ = writeln!(text, "{file}: certificates of {certified} of {safe} safe queries, {bytes} bytes");
}

/// Largest number of undecided queries that are named; with all details, all are.
const NAMED: usize = 20;

/// Writes a line for each undecided query with its reason, then a line for each reason with the number of further
/// queries, then advice.
fn undecided(text: &mut String, report: &CheckReport, style: Style, detail: Detail) {
    let open = || report.queries.iter().filter(|record| record.verdict == VerdictKind::Unknown);
    let unknown = style.paint(Role::Open, "unknown");
    let named = match detail {
        Detail::Counts => 0,
        Detail::Summary(_) | Detail::Findings(_) => NAMED,
        Detail::All => usize::MAX,
    };
    for record in open().take(named) {
        let _ = writeln!(text, "{unknown}: {} ({})", subject(record), record.why_unknown());
    }
    let mut others: BTreeMap<&str, usize> = BTreeMap::new();
    open().skip(named).for_each(|record| *others.entry(record.why_unknown()).or_default() += 1);
    for (why, count) in others {
        let queries = match named {
            0 => counted(count, "query", "queries"),
            _ => counted(count, "more query", "more queries"),
        };
        let _ = writeln!(text, "{unknown}: {queries} ({why})");
    }
    let advice: BTreeSet<_> = open().filter_map(|record| record.reason?.advice()).collect();
    for advice in advice {
        let _ = writeln!(text, "help: {advice}");
    }
    if let Some(reason) = report.ended {
        let rest = counted(report.summary.unknown - open().count(), "query", "queries");
        let _ = writeln!(text, "{}: {rest} after the end ({reason})", style.paint(Role::Open, "unknown"));
    }
    if report.summary.unknown > 0 && detail != Detail::Counts {
        text.push('\n');
    }
}

/// Returns the line with the numbers of queries and verdicts.
fn counts(report: &CheckReport, style: Style) -> String {
    let Summary { queries, safe, violation, unknown, seconds } = report.summary;
    let verdict = report.verdict();
    let role = match verdict {
        "safe" => Role::Good,
        "violation" => Role::Bad,
        _ => Role::Open,
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

/// Explains a pattern: its meaning and its automaton.
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
