//! Baselines: files of known findings, which a report then hides.
//!
//! An entry has the fingerprint of a place of a finding and its locations at the time of recording. A finding is hidden
//! if all its places are known and have no other locations: a finding that gets worse is shown again.

use asercheck::audit::{BaselineComparison, Finding, Place, Report};
use asercheck::findings::Group;
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
        Self { version: VERSION, findings: Vec::new() }.with(report, |_| true)
    }

    /// Returns the baseline with the findings of a report that a confirmation has observed.
    pub fn with_observed(self, report: &Report) -> Self {
        self.with(report, Self::is_observed)
    }

    /// Whether a confirmation has observed a finding that the audit does not have.
    pub fn is_observed(finding: &Finding) -> bool {
        finding.group == Group::Observed.name()
    }

    fn with(mut self, report: &Report, is_one: impl Fn(&Finding) -> bool) -> Self {
        for subject in &report.subjects {
            let of_place = |place: &Place| Known {
                fingerprint: place.fingerprint.clone(),
                class: subject.class.clone(),
                unit: place.unit.clone(),
                locations: place.locations.clone(),
            };
            let places = subject.findings.iter().filter(|one| is_one(one)).flat_map(|one| &one.cause.places);
            self.findings.extend(places.map(of_place));
        }
        // Sorted, so that the file changes only where the findings do.
        self.findings.sort_by(|a, b| (&a.class, &a.unit, &a.fingerprint).cmp(&(&b.class, &b.unit, &b.fingerprint)));
        self
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

    /// Whether a finding is known: all its places are, with all their locations.
    pub fn knows(&self, finding: &Finding) -> bool {
        let places = &finding.cause.places;
        let is_known = |place: &Place| {
            let known = self.findings.iter().find(|known| known.fingerprint == place.fingerprint);
            known.is_some_and(|known| place.locations.is_subset(&known.locations))
        };
        !places.is_empty() && places.iter().all(is_known)
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
                let known = finding
                    .cause
                    .places
                    .iter()
                    .map(|place| &place.fingerprint)
                    .filter(|it| known.contains_key(it.as_str()));
                found.extend(known.cloned());
                !self.knows(finding)
            });
            let hidden = all - subject.findings.len();
            subject.hidden += hidden;
            record.hidden += hidden;
        }
        // An observed difference, which has no locations, is found by a confirmation only.
        let is_gone =
            |one: &&Known| !one.locations.is_empty() && !found.contains(&one.fingerprint) && is_answered(&one.class);
        let gone = self.findings.iter().filter(is_gone);
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
