//! The same cause in several classes: in methods that subclasses inherit, or that objects of several classes call.
//!
//! Findings of several subjects have one cause if their torn sections are in one method and overlap, as within one
//! subject (see `causes`). Without line numbers this is unknown. One finding represents the cause, with the units,
//! locations, accesses and interfering calls of all; the others refer to it. The representative is a finding of the
//! class whose file contains the first access; if there is none, the first one in the order of the report.

use super::finding::Finding;
use super::grouping::{add, groups, tidy};
use super::subject::SubjectReport;
use crate::evidence::Likelihood;
use std::collections::BTreeSet;

/// Marks findings that repeat others. The subjects are in their order. `O(n log n)` for `n` findings, without
/// comparisons of names.
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
        let (owner, represented, _) = *places.iter().find(declares).unwrap_or(&places[0]);
        let class = subjects[owner].class.clone();
        let mut finding = subjects[owner].findings[represented].clone();
        let mut also_in: BTreeSet<String> = finding.also_in.iter().cloned().collect();
        for (subject, place, _) in
            places.iter().filter(|(subject, place, _)| (*subject, *place) != (owner, represented))
        {
            let subject = &mut subjects[*subject];
            let repeated = &mut subject.findings[*place];
            // Violations are counted in their own class.
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
        subjects[owner].findings[represented] = finding;
    }
}

/// Removes the benign reason if a member is not benign: a finding is possibly benign only if all its members are. The
/// members keep their own reasons.
fn keep_reason(shown: &mut Finding) {
    if shown.likelihood != Likelihood::Benign {
        shown.benign_reason = None;
    }
}

/// Whether the first access of the witness is in the file of a class, by the name of the file.
fn is_of(class: &str, finding: &Finding) -> bool {
    let first = finding.witness.steps.iter().find(|step| step.event.is_some());
    let file = first.and_then(|step| step.file.as_deref()).and_then(|file| file.rsplit_once('.'));
    let outermost = class.split('$').next().unwrap_or(class).replace('.', "/");
    // The name begins with a folder if sources were found.
    let folder = file.and_then(|(stem, _)| stem.strip_suffix(&outermost));
    folder.is_some_and(|folder| folder.is_empty() || folder.ends_with(['/', '\\']))
}
