//! The same cause in several classes: in methods that subclasses inherit, or that objects of several classes call.
//!
//! Findings of several subjects have one cause if their torn sections are in one method and overlap, as within one
//! subject (see `causes`), and they share a field or have the same lines. Without line numbers this is unknown. One
//! finding represents the cause, with the units, locations, accesses and interfering calls of all; the others refer to
//! it. The representative is one of the most likely ones, as its sentence and its interleaving are shown: a finding of
//! the class whose file contains the first access, or else the first one in the order of the report.

use super::cause::Place;
use super::finding::Finding;
use super::grouping::{DisjointSets, add, groups, tidy};
use super::subject::SubjectReport;
use crate::evidence::Likelihood;
use std::collections::{BTreeMap, BTreeSet};

/// Marks findings that repeat others. The subjects are in their order. `O(n log n)` for `n` findings, without
/// comparisons of names.
pub(super) fn mark(subjects: &mut [SubjectReport]) {
    for mut places in same(subjects) {
        // In the order of the report.
        places.sort_unstable();
        let finding = |(subject, place): &(usize, usize)| &subjects[*subject].findings[*place];
        let declares = |at: &(usize, usize)| is_of(&subjects[at.0].class, finding(at));
        let order = |at: &&(usize, usize)| (finding(at).likelihood, !declares(at));
        let Some((owner, represented)) = places.iter().min_by_key(order).copied() else { continue };
        let class = subjects[owner].class.clone();
        let mut finding = subjects[owner].findings[represented].clone();
        let mut also_in: BTreeSet<String> = finding.also_in.iter().cloned().collect();
        for (subject, place) in places.iter().filter(|place| **place != (owner, represented)) {
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

/// The findings of one cause, each with the numbers of its subject and of itself, where there are several: the section
/// that one shows is in the same method as a place of another, and overlaps it.
fn same(subjects: &[SubjectReport]) -> Vec<Vec<(usize, usize)>> {
    let of_subject = |(subject, record): (usize, &SubjectReport)| -> Vec<(usize, usize)> {
        (0..record.findings.len()).map(|finding| (subject, finding)).collect()
    };
    let findings: Vec<(usize, usize)> = subjects.iter().enumerate().flat_map(of_subject).collect();
    let mut places = Vec::new();
    for (number, (subject, finding)) in findings.iter().enumerate() {
        let all = subjects[*subject].findings[*finding].cause.places.iter().enumerate();
        places.extend(all.map(|(place, it)| (number, place == 0, it)).filter(|(_, _, it)| it.lines[1] > 1));
    }
    let mut sets = DisjointSets::new(findings.len());
    for group in groups(places, |(_, _, place)| (&place.method, place.lines)) {
        // The first finding that shows the section with a mark.
        let mut shown: BTreeMap<Mark<'_>, usize> = BTreeMap::new();
        for (number, _, place) in group.iter().filter(|(_, is_shown, _)| *is_shown) {
            for mark in marks(place) {
                sets.unite(*shown.entry(mark).or_insert(*number), *number);
            }
        }
        for (number, _, place) in &group {
            marks(place).filter_map(|mark| shown.get(&mark)).for_each(|first| sets.unite(*first, *number));
        }
    }
    let mut of_causes: BTreeMap<usize, Vec<(usize, usize)>> = BTreeMap::new();
    for (number, finding) in findings.into_iter().enumerate() {
        of_causes.entry(sets.first(number)).or_default().push(finding);
    }
    of_causes.into_values().filter(|of_cause| of_cause.len() > 1).collect()
}

/// A property that places of one cause share.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark<'a> {
    /// The simple name of a field: subjects lead to it by different paths.
    Field(&'a str),
    Lines([u32; 2]),
}

fn marks(place: &Place) -> impl Iterator<Item = Mark<'_>> {
    let fields = place.locations.iter().map(|location| {
        let path = location.split(' ').next().unwrap_or(location).trim_end_matches("[]");
        Mark::Field(path.rsplit('.').next().unwrap_or(path))
    });
    fields.chain([Mark::Lines(place.lines)])
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
