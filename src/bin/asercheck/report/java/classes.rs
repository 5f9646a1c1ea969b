//! The number of classes of a Java program that were looked at, and of the others by the reason.
//!
//! **Invariant.** The numbers add up to the number of classes. A class counts once, though its objects and its static
//! fields are two subjects.

use asercheck::audit::{Report, SubjectReport};
use std::collections::BTreeSet;

/// The classes of a program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Classes {
    /// All classes that were read, without those of libraries.
    pub(super) all: usize,
    /// Classes that were looked at.
    pub(super) looked_at: usize,
    /// The number of the other classes, by the reason.
    pub(super) others: Vec<(String, usize)>,
}

impl Classes {
    /// Counts the classes of a report.
    pub(super) fn of(report: &Report) -> Self {
        let all = report.summary.classes;
        let names = |is_one: &dyn Fn(&&SubjectReport) -> bool| -> BTreeSet<&str> {
            report.subjects.iter().filter(is_one).map(|subject| subject.class.as_str()).collect()
        };
        let has_ended = report.ended.is_some();
        let looked_at = names(&|subject| !(has_ended && is_untouched(subject)));
        let after = names(&|subject| !looked_at.contains(subject.class.as_str())).len();
        let skipped: usize = report.skipped.values().sum();
        let elsewhere = all.saturating_sub(looked_at.len() + after + skipped);
        let elsewhere = (report.shard.is_some() && elsewhere > 0).then(|| ("in other shards".to_string(), elsewhere));
        let after = (after > 0).then(|| ("after the end of the run".to_string(), after));
        let skipped = report.skipped.iter().map(|(reason, count)| (words(reason).to_string(), *count));
        let others = after.into_iter().chain(elsewhere).chain(skipped).collect();
        Self { all, looked_at: looked_at.len(), others }
    }
}

/// Whether the run ended before anything of a subject was decided.
pub(super) fn is_untouched(subject: &SubjectReport) -> bool {
    subject.findings.is_empty()
        && !subject.unknown.is_empty()
        && subject.unknown.iter().all(|open| open.unit.is_none() && open.detail.is_none())
}

/// Returns the words for a reason why classes are no subjects.
fn words(reason: &str) -> &str {
    match reason {
        "claims no safety" => "without a claim of safety for threads",
        "abstract" => "abstract or interfaces",
        "bundled" => "in archives inside of archives (--class names them)",
        "no state" => "without state that changes",
        other => other,
    }
}
