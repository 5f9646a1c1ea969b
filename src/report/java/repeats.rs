//! The same finding in several classes: of methods that subclasses inherit, or that several classes call.
//!
//! Two findings are the same if their shown accesses are, on the same lines of the same files: whoever repairs one of them there repairs all. One of the classes
//! tells it, the others repeat it. Without line numbers it is not known. It is told where its first line is; if that class has no such finding, by the first one in the order of
//! the report.

use super::record::{FindingRecord, SubjectRecord, accesses};
use std::collections::{BTreeMap, BTreeSet};

/// Which findings repeat which. The subjects are in their order. `O(n log n)` for `n` findings.
pub(super) fn mark(subjects: &mut [SubjectRecord]) {
    let mut same: BTreeMap<_, Vec<(usize, usize)>> = BTreeMap::new();
    for (subject, record) in subjects.iter_mut().enumerate() {
        for (place, finding) in record.findings.iter_mut().enumerate() {
            finding.repeats = None;
            finding.also_in.clear();
            let key = accesses(&finding.witness);
            let has_lines = key.iter().any(|(_, _, line, ..)| *line > 1);
            if !finding.follows && has_lines {
                same.entry(key).or_default().push((subject, place));
            }
        }
    }
    for places in same.into_values().filter(|places| places.len() > 1) {
        let declares = |(subject, place): &&(usize, usize)| {
            let subject = &subjects[*subject];
            is_of(&subject.class, &subject.findings[*place])
        };
        let (teller, told) = *places.iter().find(declares).unwrap_or(&places[0]);
        let class = subjects[teller].class.clone();
        let mut also_in = BTreeSet::new();
        for (subject, place) in places {
            if subjects[subject].class == class {
                continue;
            }
            also_in.insert(subjects[subject].class.clone());
            subjects[subject].findings[place].repeats = Some(class.clone());
        }
        subjects[teller].findings[told].also_in.extend(also_in);
    }
}

/// Whether the first access that is shown stands in the file of a class, as files are called that hold it.
fn is_of(class: &str, finding: &FindingRecord) -> bool {
    let first = finding.witness.steps.iter().find(|step| step.event.is_some());
    let file = first.and_then(|step| step.file.as_deref()).and_then(|file| file.rsplit_once('.'));
    let outermost = class.split('$').next().unwrap_or(class).replace('.', "/");
    // Where sources were found, their folder stands before.
    let folder = file.and_then(|(stem, _)| stem.strip_suffix(&outermost));
    folder.is_some_and(|folder| folder.is_empty() || folder.ends_with(['/', '\\']))
}
