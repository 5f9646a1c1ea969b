//! The lines of a report that count the answers of a confirmation.

use crate::report::listing::counted;
use crate::report::narrative::grouped;
use asercheck::audit::{ClientCounts, Confirmation, ConfirmationVerdict, Report, TestCounts};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Largest number of reasons that are listed.
const REASONS: usize = 5;

/// Returns the number of findings for each answer, and the most frequent reasons why some were not tried; nothing if no
/// finding was to be run.
pub fn confirmation_lines(report: &Report) -> String {
    let findings = report.subjects.iter().flat_map(|subject| &subject.findings);
    let all: Vec<&Confirmation> = findings.filter_map(|finding| finding.confirmation.as_ref()).collect();
    let Some(jdk) = all.iter().map(|one| one.jdk.as_str()).max() else { return String::new() };
    let of = |verdict| all.iter().filter(move |one| one.verdict == verdict);
    let counts = ConfirmationVerdict::ALL.map(|verdict| format!("{} {}", of(verdict).count(), verdict.name()));
    let schedules: usize = all.iter().map(|one| one.schedules_tried).sum();
    let schedules = match schedules {
        1 => "1 schedule".to_string(),
        count => format!("{} schedules", grouped(count as u64)),
    };
    let on = if jdk.is_empty() { String::new() } else { format!(" on {jdk}") };
    let mut text = format!("run{on}: {} ({schedules})\n", counts.join(", "));
    if let Some(clients) = &report.clients {
        text += &client_lines(clients);
    }
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for one in of(ConfirmationVerdict::NotTried) {
        *reasons.entry(one.reason.as_deref().unwrap_or_default()).or_default() += 1;
    }
    let mut reasons: Vec<_> = reasons.into_iter().collect();
    // Stable: equally frequent ones stay in the order of their texts.
    reasons.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    for (reason, count) in reasons.iter().take(REASONS) {
        let _ = writeln!(text, "  not tried: {}: {}", counted(*count, "finding", "findings"), plain(reason));
    }
    if reasons.len() > REASONS {
        let _ = writeln!(text, "  not tried: {} more reasons", reasons.len() - REASONS);
    }
    text
}

/// Returns the number of findings for each way in which their first clients were made, and the counts of tests.
fn client_lines(clients: &ClientCounts) -> String {
    let mut text = String::new();
    let ways: Vec<String> =
        clients.ways.iter().map(|(way, count)| format!("{} by {}", grouped(*count as u64), way.words())).collect();
    if !ways.is_empty() {
        let _ = writeln!(text, "  first clients: {}", ways.join(", "));
    }
    let Some(TestCounts { found, giving, others, left_out }) = &clients.tests else { return text };
    if *found == 0 {
        return text + "  no test of --clients was found: JUnit has to be in the class path\n";
    }
    let tests = counted(*found, "test", "tests");
    let _ =
        writeln!(text, "  {tests} of --clients: {giving} gave objects, {others} have none of a class with findings");
    let mut left_out: Vec<_> = left_out.iter().collect();
    left_out.sort_by_key(|(_, count)| std::cmp::Reverse(**count));
    if !left_out.is_empty() {
        let reasons: Vec<String> =
            left_out.iter().take(REASONS).map(|(why, count)| format!("{count} {}", plain(why))).collect();
        let more = if left_out.len() > REASONS { ", ..." } else { "" };
        let _ = writeln!(text, "  left out: {}{more}", reasons.join(", "));
    }
    text
}

/// Replaces characters that could move the terminal's cursor.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
