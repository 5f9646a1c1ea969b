//! The lines of a report that count the answers of a confirmation.

use crate::report::listing::counted;
use crate::report::narrative::grouped;
use asercheck::audit::{Confirmation, ConfirmationVerdict, Report};
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

/// Replaces characters that could move the terminal's cursor.
fn plain(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect()
}
