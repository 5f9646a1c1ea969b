//! The same cause in several classes: of methods that subclasses inherit, or that objects of several classes reach.
//!
//! Findings of several subjects have one cause if their torn sections are in one method and overlap, as those of one
//! subject have (see `causes`). Without line numbers it is not known. One of the subjects tells the cause, with all
//! that the others know of it: their units, locations, accesses and interfering calls; the others repeat it. It is told
//! by the class in whose file the first access stands; if that has no such finding, by the first one in the order of
//! the report.

use super::finding::Finding;
use super::grouping::{add, groups, tidy};
use super::subject::SubjectReport;
use crate::evidence::Likelihood;
use std::collections::BTreeSet;

/// Which findings repeat which. The subjects are in their order. `O(n log n)` for `n` findings, but for names.
pub(super) fn mark(subjects: &mut [SubjectReport]) {
    let all = subjects.iter().enumerate().flat_map(|(subject, record)| {
        let has_lines = |finding: &&Finding| finding.cause.lines[1] > 1;
        let places = 0..record.findings.len();
        let known = places.zip(&record.findings).filter(move |(_, finding)| has_lines(finding));
        known.map(move |(place, finding)| (subject, place, finding.cause.clone()))
    });
    let all: Vec<_> = all.collect();
    for mut places in groups(all, |(_, _, cause)| cause).into_iter().filter(|places| places.len() > 1) {
        // In the order of the report.
        places.sort_by_key(|(subject, place, _)| (*subject, *place));
        let declares = |(subject, place, _): &&(usize, usize, _)| {
            let subject = &subjects[*subject];
            is_of(&subject.class, &subject.findings[*place])
        };
        let (teller, told, _) = *places.iter().find(declares).unwrap_or(&places[0]);
        let class = subjects[teller].class.clone();
        let mut finding = subjects[teller].findings[told].clone();
        let mut also_in: BTreeSet<String> = finding.also_in.iter().cloned().collect();
        for (subject, place, _) in places.iter().filter(|(subject, place, _)| (*subject, *place) != (teller, told)) {
            let subject = &mut subjects[*subject];
            let repeated = &mut subject.findings[*place];
            // Violations are counted where they were found.
            let violations = (finding.violations, finding.labels.violations.clone());
            add(&mut finding, repeated);
            (finding.violations, finding.labels.violations) = violations;
            finding.rank = finding.rank.max(repeated.rank);
            finding.likelihood = finding.likelihood.min(repeated.likelihood);
            repeated.repeats = Some(class.clone());
            if subject.class != class {
                also_in.insert(subject.class.clone());
            }
        }
        finding.also_in = also_in.into_iter().collect();
        keep_reason(&mut finding);
        tidy(&mut finding);
        subjects[teller].findings[told] = finding;
    }
}

/// A finding is possibly benign if all its members are. Else the reason of the shown member is none of the finding; it
/// stands with the member.
fn keep_reason(shown: &mut Finding) {
    if shown.likelihood != Likelihood::Benign {
        shown.benign_reason = None;
    }
}

/// Whether the first access that is shown stands in the file of a class, as files are called that hold it.
fn is_of(class: &str, finding: &Finding) -> bool {
    let first = finding.witness.steps.iter().find(|step| step.event.is_some());
    let file = first.and_then(|step| step.file.as_deref()).and_then(|file| file.rsplit_once('.'));
    let outermost = class.split('$').next().unwrap_or(class).replace('.', "/");
    // Where sources were found, their folder stands before.
    let folder = file.and_then(|(stem, _)| stem.strip_suffix(&outermost));
    folder.is_some_and(|folder| folder.is_empty() || folder.ends_with(['/', '\\']))
}
