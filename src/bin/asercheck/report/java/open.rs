//! Classes without finding and without proof, in words.

use crate::report::listing::counted;
use asercheck::audit::{SubjectReport, Undecided};

/// Returns the reason why a subject is open, in a line.
pub(super) fn why_open(subject: &SubjectReport) -> String {
    match subject.unknown.first() {
        None => "not reached by main".to_string(),
        Some(first) if first.unit.is_some() => {
            format!("{} not decided in full ({})", counted(subject.unknown.len(), "unit", "units"), why(first))
        }
        Some(first) => why(first).to_string(),
    }
}

/// Returns everything on which an open subject depends, each once, in the order of the report.
pub(super) fn all_reasons(subject: &SubjectReport) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for open in &subject.unknown {
        let reason = open.unit.as_ref().map_or_else(|| why(open).to_string(), |unit| format!("{unit}: {}", why(open)));
        if !all.contains(&reason) {
            all.push(reason);
        }
    }
    if subject.unreached {
        all.push("not reached by main".to_string());
    }
    all
}

/// Returns the reason why nothing was asked about a subject.
pub(super) fn why_nothing_asked(subject: &SubjectReport) -> &'static str {
    match subject.locations.is_empty() {
        true => "no unit of work that is asked about accesses state that changes",
        false => "no unit of work that is asked about accesses changing state twice",
    }
}

fn why(open: &Undecided) -> &str {
    open.detail.as_deref().unwrap_or(&open.reason)
}
