//! Data of findings of a Java program that a page shows besides the interleavings, and by which it filters them.

use asercheck::audit::{Finding, Report};
use std::collections::BTreeMap;

/// The data of a finding.
#[derive(Clone, Debug, Default)]
pub struct FindingData {
    /// The fault, in a sentence.
    pub says: String,
    /// The class, with its package.
    pub class: String,
    /// The package; empty for none.
    pub package: String,
    /// `likely`, `possible` or `benign`.
    pub likelihood: &'static str,
    /// `confirmed`, or another result of running it; empty if it was not run.
    pub confirmation: &'static str,
    /// The evidence for and against it, with weights.
    pub evidence: Vec<String>,
    /// The assumptions about the class.
    pub assumed: Vec<String>,
}

/// Returns the evidence for and against a finding: `locked-elsewhere +0.5`.
pub(super) fn evidence(finding: &Finding) -> Vec<String> {
    finding.evidence.iter().map(|it| format!("{} {:+.1}", it.name, it.weight)).collect()
}

/// Returns the data of all findings, by their fingerprints.
pub fn finding_data(report: &Report) -> BTreeMap<&str, FindingData> {
    let of_subjects = report.subjects.iter().flat_map(|subject| {
        subject.findings.iter().map(move |finding| {
            let data = FindingData {
                says: finding.says.clone(),
                class: subject.class.clone(),
                package: subject.class.rsplit_once('.').map_or("", |(package, _)| package).to_string(),
                likelihood: finding.likelihood.name(),
                confirmation: finding.confirmation.as_ref().map_or("", |record| record.verdict.name()),
                evidence: evidence(finding),
                assumed: subject.assumptions.iter().cloned().collect(),
            };
            (finding.fingerprint.as_str(), data)
        })
    });
    of_subjects.collect()
}
