//! Findings that are known: a file that hides them.
//!
//! An entry has the fingerprint of a unit that can be broken and the locations on which it was when it was recorded. It
//! hides the unit as long as it is broken on no others: what gets worse is shown again.

use asercheck::audit::{BaselineComparison, Finding, Report};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The version of the file. It is raised when an older program would misunderstand it.
const VERSION: u32 = 1;

/// Findings that are known.
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
    /// The findings of a report.
    pub fn of(report: &Report) -> Self {
        let all = report.subjects.iter().flat_map(|subject| subject.findings.iter().map(move |one| (subject, one)));
        let known = |(subject, finding): (&asercheck::audit::SubjectReport, &Finding)| Known {
            fingerprint: finding.fingerprint.clone(),
            class: subject.class.clone(),
            unit: finding.unit.clone(),
            locations: finding.all_locations().map(str::to_string).collect(),
        };
        let mut findings: Vec<_> = all.map(known).collect();
        // So that the file changes only where the findings do.
        findings.sort_by(|a, b| (&a.class, &a.unit).cmp(&(&b.class, &b.unit)));
        Self { version: VERSION, findings }
    }

    /// Reads what was recorded.
    ///
    /// # Errors
    /// What is wrong with the text.
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

    /// The file's text.
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("texts and numbers can be written") + "\n"
    }

    /// Takes what is known out of a report. `is_answered` says of a class whether everything about it is decided, so
    /// that what was not found again is gone.
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
        // The order of what shards say together is theirs.
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
