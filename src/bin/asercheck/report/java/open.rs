//! Subjects without finding and without proof, in words.

use crate::report::listing::counted;
use asercheck::audit::{SubjectKind, SubjectReport, Undecided};

/// Names a subject: a class, or its static fields.
pub(super) fn name(subject: &SubjectReport) -> String {
    match subject.kind {
        SubjectKind::Object => subject.class.clone(),
        SubjectKind::Static => format!("static fields of {}", subject.class),
    }
}

/// Returns the first reason why a subject is open, and the number of the others.
pub(super) fn why_open(subject: &SubjectReport) -> String {
    let all = all_reasons(subject);
    match all.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [first, others @ ..] => format!("{first} (and {})", counted(others.len(), "other reason", "other reasons")),
    }
}

/// Returns everything on which an open subject depends, each once, in the order of the report.
pub(super) fn all_reasons(subject: &SubjectReport) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let unreached = subject.unreached.then(|| "not reached by main".to_string());
    for reason in subject.unknown.iter().map(reason).chain(unreached) {
        if !all.contains(&reason) {
            all.push(reason);
        }
    }
    all
}

fn reason(open: &Undecided) -> String {
    let why = open.detail.as_deref().unwrap_or(&open.reason);
    // A possible violation names the place.
    match &open.unit {
        Some(unit) if !open.is_possible() => format!("{unit}: {why}"),
        _ => why.to_string(),
    }
}

/// Returns the reason why nothing was asked about a subject.
pub(super) fn why_nothing_asked(subject: &SubjectReport) -> &'static str {
    match subject.locations.is_empty() {
        true => "no unit of work that is asked about accesses state that changes",
        false => "no unit of work that is asked about accesses changing state twice",
    }
}
