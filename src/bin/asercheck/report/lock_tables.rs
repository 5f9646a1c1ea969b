//! Tables of locations and their races, and of cycles of locks.

use super::style::{Role, Style};
use super::table::{Align, Cell, Table};
use asercheck::answers::{CycleRecords, LocationRecord, LocationStatus, VerdictKind};
use std::fmt::Write;

/// Number of locations or cycles from which on only the most important ones are listed.
const LISTED: usize = 100;

/// Writes a line for each location that is accessed.
pub(super) fn location_table(records: &[LocationRecord], style: Style) -> String {
    let columns = ["location", "data race", "written by", "read by"];
    let mut table = Table::new(columns.map(|name| (name.to_string(), Align::Left)).to_vec());
    let is_accessed = |record: &&LocationRecord| {
        !(record.writers.is_empty() && record.readers.is_empty()) || record.status == LocationStatus::Unknown
    };
    let accessed: Vec<_> = records.iter().filter(is_accessed).collect();
    let is_short = accessed.len() <= LISTED;
    let is_open = |status| matches!(status, LocationStatus::Race | LocationStatus::Unknown);
    for record in accessed.iter().filter(|record| is_short || is_open(record.status)) {
        let (role, text) = words(record);
        let processes = |names: &[String]| Cell::new(if names.is_empty() { "-".into() } else { names.join(", ") });
        let cells = vec![
            Cell::new(&record.location),
            Cell::painted(role, text),
            processes(&record.writers),
            processes(&record.readers),
        ];
        table.row(cells);
    }
    let mut text = table.render(style);
    if !is_short {
        let rest = accessed.iter().filter(|record| !is_open(record.status)).count();
        let _ = writeln!(text, "\n  {rest} other locations have no race");
    }
    let unused = records.len() - accessed.len();
    if unused > 0 {
        let _ = writeln!(text, "\n  {}", unused_words(unused));
    }
    text
}

fn unused_words(unused: usize) -> String {
    if unused == 1 { "1 location is not accessed".into() } else { format!("{unused} locations are not accessed") }
}

fn words(record: &LocationRecord) -> (Role, String) {
    match record.status {
        LocationStatus::Race => (Role::Bad, "race".into()),
        LocationStatus::Unknown => (Role::Open, "unknown".into()),
        LocationStatus::Protected => (Role::Good, format!("none: protected by {}", record.locks.join(", "))),
        LocationStatus::Apart => (Role::Good, "none: never at the same time".into()),
        LocationStatus::ReadOnly => (Role::Good, "none: read only".into()),
        LocationStatus::Unshared => (Role::Good, "none: unshared".into()),
    }
}

/// Writes a line for each cycle; without cycles, that there is none.
pub(super) fn cycle_table(records: &CycleRecords, is_complete: bool, style: Style) -> String {
    if records.cycles.is_empty() {
        let none = "no cycle in the order in which locks are taken by threads that can run together";
        return if is_complete { format!("  {none}: no deadlock\n") } else { String::new() };
    }
    let columns = ["cycle of locks", "deadlock", "of choices of processes"];
    let mut table = Table::new(columns.map(|name| (name.to_string(), Align::Left)).to_vec());
    let arrow = style.pick(" \u{2192} ", " -> ");
    let mut sorted: Vec<_> = records.cycles.iter().collect();
    sorted.sort_by_key(|cycle| match cycle.status {
        VerdictKind::Violation => 0,
        VerdictKind::Unknown => 1,
        VerdictKind::Safe => 2,
    });
    for cycle in sorted.iter().take(LISTED) {
        let (role, text) = match cycle.status {
            VerdictKind::Violation => (Role::Bad, "possible"),
            VerdictKind::Unknown => (Role::Open, "unknown"),
            VerdictKind::Safe => (Role::Good, "none: the cycle cannot close"),
        };
        let locks = cycle.locks.iter().chain(cycle.locks.first()).map(String::as_str).collect::<Vec<_>>().join(arrow);
        let count = match cycle.status {
            VerdictKind::Violation => format!("{} of {}", cycle.violation, cycle.queries),
            VerdictKind::Unknown => format!("{} of {}", cycle.unknown, cycle.queries),
            VerdictKind::Safe => format!("all {}", cycle.queries),
        };
        table.row(vec![Cell::new(locks), Cell::painted(role, text), Cell::new(count)]);
    }
    let mut text = table.render(style);
    let rest = sorted.len().saturating_sub(LISTED) + records.unlisted;
    if rest > 0 {
        let _ = writeln!(text, "\n  and {rest} other cycles");
    }
    text
}
