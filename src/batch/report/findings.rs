//! What is wrong in the models of a batch: the page that `check --report` writes, made of the records.
//!
//! Of several engines that answer a query the first one that decides it is heard. Source lines and fingerprints need the model: they are there
//! if its file still has the text that the header names.

use super::super::hash::content_hash;
use super::super::header::ModelEntry;
use super::super::merge::Merged;
use super::super::record::BatchRecord;
use crate::check::Reason;
use crate::findings::{Ordinals, findings};
use crate::model;
use crate::query::Property;
use crate::report::{CheckReport, Checked, QueryRecord, Sources, Summary, VERSION, VerdictKind, html_report};
use phases::UnitMode;
use std::fs;
use std::sync::Arc;

/// The file with the page.
pub(super) const PAGE: &str = "findings.html";

/// A model in one unit mode.
pub(super) struct Part {
    /// The verdicts; of the queries, those that are not safe.
    pub(super) report: CheckReport,
    properties: Vec<Arc<Property>>,
    sources: Sources,
}

/// All models in all unit modes, in the order of the header.
pub(super) fn parts(batch: &Merged) -> Vec<Part> {
    let units = |entry| batch.header.units.iter().map(move |units| (entry, units));
    batch.header.models.iter().flat_map(units).map(|(entry, units)| part(batch, entry, units)).collect()
}

/// The page, if there is something to show.
pub(super) fn page(parts: &[Part]) -> Option<String> {
    let found = parts.iter().any(|part| !part.report.findings.is_empty());
    found.then(|| html_report(&parts.iter().map(Part::checked).collect::<Vec<_>>()))
}

impl Part {
    fn checked(&self) -> Checked<'_> {
        let Self { report, properties, sources } = self;
        Checked { report, properties, sources }
    }
}

fn part(batch: &Merged, entry: &ModelEntry, units: &str) -> Part {
    let is_own = |record: &&BatchRecord| record.model == entry.path && record.units == units;
    let own: Vec<_> = batch.records.iter().filter(is_own).collect();
    let mut summary = Summary { queries: 0, safe: 0, violation: 0, unknown: 0, seconds: 0.0 };
    summary.seconds = own.iter().map(|record| record.query.seconds).sum();
    let mut queries = Vec::new();
    // Sorted by query, so that the records of one stand together.
    for same in own.chunk_by(|one, other| one.key() == other.key()) {
        let heard = heard(same, &batch.header.engines);
        summary.queries += 1;
        match heard.verdict {
            VerdictKind::Safe => summary.safe += 1,
            VerdictKind::Violation => summary.violation += 1,
            VerdictKind::Unknown => summary.unknown += 1,
        }
        if heard.verdict != VerdictKind::Safe {
            queries.push(heard.clone());
        }
    }
    // What is missing may be a violation.
    let all = batch.records.iter().filter(|record| record.model == entry.path).collect::<Vec<_>>();
    let is_complete = all.chunk_by(|one, other| one.key() == other.key()).count() >= entry.queries;
    let (sources, ordinals) = text(entry).unwrap_or_default();
    let mode = if units == "first" { UnitMode::First } else { UnitMode::Both };
    let report = CheckReport {
        version: VERSION,
        model: entry.path.clone(),
        engine: batch.header.engines.join(", "),
        units: units.to_string(),
        summary,
        vacuous: None,
        ended: (!is_complete).then_some(Reason::Cancelled),
        unlisted: 0,
        findings: findings(&queries, &ordinals),
        queries,
        locations: None,
        cycles: None,
    };
    let mut properties = Property::all_patterns(mode);
    properties.push(Arc::new(Property::race()));
    Part { report, properties, sources }
}

/// Of the records of one query, which are at least one, the first that decides it, in the order of the engines.
fn heard<'r>(same: &[&'r BatchRecord], engines: &[String]) -> &'r QueryRecord {
    let place = |record: &&&BatchRecord| {
        let engine = engines.iter().position(|engine| *engine == record.engine);
        (record.query.verdict == VerdictKind::Unknown, engine)
    };
    &same.iter().min_by_key(place).expect("a query has a record").query
}

/// The text of a model that has not changed.
fn text(entry: &ModelEntry) -> Option<(Sources, Ordinals)> {
    let text = fs::read_to_string(&entry.path).ok().filter(|text| content_hash(text) == entry.sha256)?;
    let loaded = model::from_text(&entry.path, &text).ok()?;
    Some((Sources::of_text(&text), Ordinals::of(&loaded.model)))
}
