//! Baselines: files of known findings, which a report then hides.
//!
//! An entry has the fingerprint of a finding and its locations at the time of recording. It hides the finding as long
//! as that has no other location: a finding that gets worse is shown again.

use asercheck::audit::{BaselineComparison, Finding, Report};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The version of the file. It is raised when an older program would misunderstand the file.
const VERSION: u32 = 1;

/// The known findings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    version: u32,
    findings: Vec<Known>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    fingerprint: String,
    class: String,
    unit: String,
    locations: BTreeSet<String>,
}

impl Baseline {
    /// Returns the baseline of all findings of a report.
    pub fn of(report: &Report) -> Self {
        let all = report.subjects.iter().flat_map(|subject| subject.findings.iter().map(move |one| (subject, one)));
        let known = |(subject, finding): (&asercheck::audit::SubjectReport, &Finding)| Known {
            fingerprint: finding.fingerprint.clone(),
            class: subject.class.clone(),
            unit: finding.unit.clone(),
            locations: finding.all_locations().map(str::to_string).collect(),
        };
        let mut findings: Vec<_> = all.map(known).collect();
        // Sorted, so that the file changes only where the findings do.
        findings.sort_by(|a, b| (&a.class, &a.unit).cmp(&(&b.class, &b.unit)));
        Self { version: VERSION, findings }
    }

    /// Reads a baseline.
    ///
    /// # Errors
    /// A description of the mistake in the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        #[derive(Deserialize)]
        struct Head {
            version: Option<u32>,
        }
        let head: Head = serde_json::from_str(text).map_err(|error| format!("it is no baseline: {error}"))?;
        match head.version {
            Some(VERSION) => serde_json::from_str(text).map_err(|error| format!("it is damaged: {error}")),
            Some(other) => Err(format!("it has version {other}, and this program knows {VERSION} only")),
            None => Err("it is no baseline: it has no member `version`".to_string()),
        }
    }

    /// Returns the text of the file.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("texts and numbers can be written") + "\n"
    }

    /// Removes the known findings from a report. `is_answered` says whether everything about a class is decided, so
    /// that a finding of the baseline that was not found again is gone.
    pub fn hide(&self, report: &mut Report, is_answered: impl Fn(&str) -> bool) {
        let known: BTreeMap<&str, &Known> = self.findings.iter().map(|one| (one.fingerprint.as_str(), one)).collect();
        let mut found = BTreeSet::new();
        let mut record = BaselineComparison::default();
        for subject in &mut report.subjects {
            let all = subject.findings.len();
            subject.findings.retain(|finding| {
                let Some(known) = known.get(finding.fingerprint.as_str()) else { return true };
                found.insert(finding.fingerprint.clone());
                let is_known = finding.all_locations().all(|location| known.locations.contains(location));
                !is_known
            });
            let hidden = all - subject.findings.len();
            subject.hidden += hidden;
            record.hidden += hidden;
        }
        let gone = self.findings.iter().filter(|one| !found.contains(&one.fingerprint) && is_answered(&one.class));
        record.gone = gone.map(|one| format!("{}: {}", one.class, one.unit)).collect();
        // Sorted, since the order of the entries of several shards differs.
        record.gone.sort_unstable();
        report.summary.findings -= record.hidden;
        report.baseline = Some(record);
    }
}

#[cfg(test)]
mod tests {
    use super::Baseline;

    #[test]
    fn damage_is_told() {
        for (text, words) in [
            ("", "no baseline"),
            ("[]", "no baseline"),
            ("{}", "no member `version`"),
            (r#"{"version": 2, "findings": []}"#, "version 2"),
            (r#"{"version": 1}"#, "damaged"),
            (r#"{"version": 1, "findings": [{"fingerprint": "a"}]}"#, "damaged"),
            (r#"{"version": 1, "findings": [], "more": 1}"#, "damaged"),
        ] {
            let error = Baseline::parse(text).unwrap_err();
            assert!(error.contains(words), "{text}: {error}");
        }
        let empty = Baseline::parse(r#"{"version": 1, "findings": []}"#).expect("a baseline");
        assert_eq!(Baseline::parse(&empty.text()), Ok(empty));
    }
}
