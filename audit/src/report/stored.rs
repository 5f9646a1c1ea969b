//! The subjects of a run as a store keeps them, so that a later run with the same identity need not decide them.
//!
//! **Invariant.** A stored run has all that [`Report`](super::Report) has and that no option of the output decides.
//! JSON leaves some of it out, for reports; here these parts stand beside the report of a subject.
//!
//! **What it depends on.** The answer about a class depends on its code and on points-to sets, and each points-to set
//! may depend on any class of the input: a class that no call of the subject reaches can store an object into a field
//! that it reads. So the key is the whole input: every class file in the order of loading, the library model, the
//! options, and this program. A changed class makes all answers anew; nothing less is sound without a dependency of
//! each points-to set on classes, which the analysis does not compute.

use super::finding::{Finding, Labels};
use super::subject::SubjectReport;
use super::undecided::Undecided;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// A decided run, before known findings are hidden and equal findings of several classes are united.
#[derive(Clone, Debug, PartialEq)]
pub struct Run {
    /// Number of classes, without those of libraries.
    pub classes: usize,
    /// Number of classes that are no subjects, by the reason.
    pub skipped: BTreeMap<Cow<'static, str>, usize>,
    /// Classes that do not claim to be thread-safe.
    pub unclaimed: Vec<String>,
    /// Number of subjects of all parts of the run.
    pub of: usize,
    /// The place of each subject of this part among all.
    pub places: Vec<usize>,
    /// The subjects of this part.
    pub subjects: Vec<SubjectReport>,
}

/// A run as a store keeps it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredRun {
    classes: usize,
    skipped: BTreeMap<Cow<'static, str>, usize>,
    unclaimed: Vec<String>,
    of: usize,
    places: Vec<usize>,
    subjects: Vec<StoredSubject>,
}

/// A subject with the parts that its JSON leaves out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StoredSubject {
    report: SubjectReport,
    violations: usize,
    undecided: usize,
    coarse: BTreeMap<Cow<'static, str>, usize>,
    /// The labels of each finding, and the identity of the method of its cause.
    labels: Vec<(Labels, String)>,
}

impl From<&Run> for StoredRun {
    fn from(run: &Run) -> Self {
        let Run { classes, skipped, unclaimed, of, places, subjects } = run.clone();
        Self { classes, skipped, unclaimed, of, places, subjects: subjects.iter().map(StoredSubject::from).collect() }
    }
}

impl From<StoredRun> for Run {
    fn from(run: StoredRun) -> Self {
        let StoredRun { classes, skipped, unclaimed, of, places, subjects } = run;
        let subjects = subjects.into_iter().map(SubjectReport::from).collect();
        Self { classes, skipped, unclaimed, of, places, subjects }
    }
}

impl From<&SubjectReport> for StoredSubject {
    fn from(report: &SubjectReport) -> Self {
        let labels = |finding: &Finding| (finding.labels.clone(), finding.cause.identity.clone());
        Self {
            violations: report.violations,
            undecided: report.undecided,
            coarse: report.coarse.clone(),
            labels: report.findings.iter().map(labels).collect(),
            report: report.clone(),
        }
    }
}

impl From<StoredSubject> for SubjectReport {
    fn from(stored: StoredSubject) -> Self {
        let StoredSubject { mut report, violations, undecided, coarse, labels } = stored;
        for (finding, (labels, identity)) in report.findings.iter_mut().zip(labels) {
            finding.labels = labels;
            finding.cause.identity = identity;
        }
        Self { violations, undecided, coarse, ..report }
    }
}

/// Whether neither a limit of the machine, nor the user, nor a fault has cut the analysis of a subject short. Then its
/// report is a function of the identity of the run.
pub fn is_whole(report: &SubjectReport) -> bool {
    let is_cut_short =
        |open: &Undecided| open.is_of_time() || open.is_of_memory() || open.is_ended() || open.is_fault();
    !report.unknown.iter().any(is_cut_short)
}

#[cfg(test)]
mod tests {
    use super::super::subject::SubjectKind;
    use super::*;
    use decide::Reason;

    #[test]
    fn a_stored_subject_comes_back_whole() {
        let mut report = SubjectReport::new("Pool".into(), SubjectKind::Object, "named".into());
        (report.violations, report.undecided, report.queries) = (3, 2, 7);
        report.coarse.insert("calls".into(), 4);
        let run = Run {
            classes: 5,
            skipped: BTreeMap::from([("no state".into(), 3)]),
            unclaimed: vec!["Other".into()],
            of: 9,
            places: vec![4],
            subjects: vec![report],
        };
        assert_eq!(Run::from(StoredRun::from(&run)), run);
    }

    #[test]
    fn reports_that_a_limit_cuts_short_are_not_whole() {
        let report = |reason| {
            let mut report = SubjectReport::new("Pool".into(), SubjectKind::Object, "named".into());
            report.unknown.push(Undecided::new(None, reason));
            report
        };
        assert!([Reason::Timeout, Reason::Memory, Reason::Cancelled].iter().all(|reason| !is_whole(&report(*reason))));
        assert!(is_whole(&report(Reason::Bound)) && is_whole(&report(Reason::Nesting)));
    }
}
