//! The findings of a Java program in the form of a report of `check`, for SARIF, annotations and pages.

use super::torn_section::place_of;
use crate::report::outline::capitalized;
use asercheck::answers::{QueryRecord, Summary, VerdictKind};
use asercheck::audit::{Finding, Report, SubjectReport, Undecided};
use asercheck::findings::{self, Group};
use asercheck::records::{CheckReport, VERSION};
use std::collections::BTreeMap;

/// Returns one report with all findings. It has a query for each finding and property; the query that is shown has the
/// witness. Names begin with their class.
pub fn combined(report: &Report) -> CheckReport {
    let (mut queries, mut findings) = (Vec::new(), Vec::new());
    // The sort keys of findings by their shown queries: confirmed ones first, then by likelihood.
    let mut keys = BTreeMap::new();
    for subject in &report.subjects {
        let simple = subject.class.rsplit('.').next().unwrap_or(&subject.class);
        for finding in subject.findings.iter().filter(|finding| finding.stands_alone()) {
            keys.insert(queries.len(), finding.order());
            findings.push(add(&mut queries, simple, finding));
        }
    }
    let key = |finding: &findings::Finding| keys.get(&finding.shown()).copied();
    findings.sort_by(|a, b| key(a).cmp(&key(b)).then(b.rank.total_cmp(&a.rank)));
    let mut unlisted = report.summary.queries.saturating_sub(report.summary.violation);
    for subject in &report.subjects {
        let open = undecided(subject);
        unlisted = unlisted.saturating_sub(open.len());
        queries.extend(open);
    }
    let summary = report.summary;
    let safe = summary.queries.saturating_sub(summary.violation).saturating_sub(summary.unknown);
    CheckReport {
        version: VERSION,
        model: report.paths.join(" "),
        engine: report.engine.clone(),
        units: report.units.clone(),
        summary: Summary {
            queries: summary.queries,
            safe,
            violation: summary.violation,
            unknown: summary.unknown,
            seconds: summary.seconds,
        },
        vacuous: None,
        ended: report.ended,
        unlisted,
        findings,
        queries,
        locations: None,
        cycles: None,
        certificates: None,
    }
}

/// Adds the queries of a finding.
fn add(queries: &mut Vec<QueryRecord>, class: &str, finding: &Finding) -> findings::Finding {
    let labels = &finding.labels;
    let mut witness = finding.witness.clone();
    let unit = format!("{class}: {}", labels.unit);
    if let Some(first) = witness.threads.first_mut() {
        first.clone_from(&unit);
    }
    let others = if finding.is_deadlock() { labels.other_by.clone() } else { Vec::new() };
    let names: Vec<String> = labels.locations.iter().map(|name| format!("{class}.{name}")).collect();
    let base = QueryRecord {
        automaton: labels.shown.clone(),
        locations: if finding.is_deadlock() { Vec::new() } else { names.clone() },
        locks: if finding.is_deadlock() { names } else { Vec::new() },
        processes: [vec![unit, labels.by.clone()], others].concat(),
        verdict: VerdictKind::Violation,
        reason: None,
        detail: None,
        seconds: 0.0,
        witness: None,
    };
    let shown = queries.len();
    let confirmed = finding.confirmation.as_ref().map(|one| capitalized(&one.line()));
    let detail: Vec<String> = [about(finding)].into_iter().chain(confirmed).collect();
    queries.push(QueryRecord { witness: Some(witness), detail: Some(detail.join(". ")), ..base.clone() });
    let mut numbers = vec![shown];
    for (label, count) in &labels.violations {
        if *label == labels.shown {
            numbers.extend(std::iter::repeat_n(shown, count.saturating_sub(1)));
        } else {
            numbers.extend(std::iter::repeat_n(queries.len(), *count));
            queries.push(QueryRecord { automaton: label.clone(), ..base.clone() });
        }
    }
    let (fingerprint, rank) = (finding.fingerprint.clone(), finding.rank);
    findings::Finding { fingerprint, rank, group: Group::of(&labels.shown), queries: numbers }
}

/// Describes a finding: the fault, its likelihood, the units that reach it and the calls that interfere.
fn about(finding: &Finding) -> String {
    let Finding { likelihood, benign_reason, also_in, labels, .. } = finding;
    let certainty = if finding.is_confirmed() { "confirmed" } else { likelihood.name() };
    let mut about = format!("{} ({certainty})", finding.headline());
    let mut add = |what: &str, names: &[String]| {
        if !names.is_empty() {
            about += &format!("; {what} {}", names.join(", "));
        }
    };
    add("possibly benign:", benign_reason.as_slice());
    add("also reached by", &labels.other_units);
    add("also interfering:", &labels.other_by);
    add("also concerned:", &labels.other_locations);
    add("also in", also_in);
    about + &format!("; {}", place_of(finding))
}

/// Returns a query for each undecided unit.
fn undecided(subject: &SubjectReport) -> Vec<QueryRecord> {
    let one = |open: &Undecided| QueryRecord {
        automaton: "all".into(),
        locations: Vec::new(),
        locks: Vec::new(),
        processes: vec![open.unit.clone().unwrap_or_else(|| subject.class.clone())],
        verdict: VerdictKind::Unknown,
        reason: None,
        detail: Some(open.detail.clone().unwrap_or_else(|| open.reason.to_string())),
        seconds: 0.0,
        witness: None,
    };
    subject.unknown.iter().map(one).collect()
}
