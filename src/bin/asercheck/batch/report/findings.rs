//! The findings of a batch: the page of `check --report`, made of the records.
//!
//! Among the answers of several engines to a query, that of the first engine that decides it counts. Source lines and
//! fingerprints need the model: they exist if its file still has the text that the header names.

use super::super::header::{Header, ModelEntry};
use super::super::merge::Merged;
use super::super::record::BatchRecord;
use crate::report::{Checked, Counts, Sources, html_report};
use crate::stable_hash::content_hash;
use asercheck::answers::{QueryRecord, Summary, VerdictKind, units_named};
use asercheck::findings::{Ordinals, findings};
use asercheck::query::Property;
use asercheck::records::{CheckReport, Unread, VERSION};
use asercheck::{Reason, model};
use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::sync::Arc;

/// The file with the page.
pub(super) const PAGE: &str = "findings.html";

/// A model in one unit mode.
pub(super) struct Part {
    /// The verdicts, with the queries that are not safe.
    pub(super) report: CheckReport,
    properties: Vec<Arc<Property>>,
    sources: Sources,
}

/// Returns all models in all unit modes, in the order of the header.
pub(super) fn parts(batch: &Merged) -> Vec<Part> {
    let mut records: HashMap<&str, Vec<&BatchRecord>> = HashMap::new();
    for record in &batch.records {
        records.entry(&record.model).or_default().push(record);
    }
    let of_model = |entry: &ModelEntry| {
        let records = records.get(entry.path.as_str()).map_or(&[][..], Vec::as_slice);
        // A missing result may be a violation.
        let is_complete = queries(records).count() >= entry.queries;
        let units = batch.header.units.iter();
        units.map(|units| part(&batch.header, entry, units, records, is_complete)).collect::<Vec<_>>()
    };
    batch.header.models.iter().flat_map(of_model).collect()
}

/// Groups the records by query. They are sorted by query, so that those of one are neighbours.
fn queries<'a, 'r>(records: &'a [&'r BatchRecord]) -> impl Iterator<Item = &'a [&'r BatchRecord]> {
    records.chunk_by(|one, other| one.key() == other.key())
}

/// Returns the page, if there are findings.
pub(super) fn page(parts: &[Part]) -> Option<String> {
    let found = parts.iter().any(|part| !part.report.findings.is_empty());
    let parts: Vec<_> = parts.iter().map(Part::checked).collect();
    found.then(|| html_report(&parts, Unread::default(), &BTreeMap::new(), &[]))
}

impl Part {
    fn checked(&self) -> Checked<'_> {
        let Self { report, properties, sources } = self;
        let counts = Counts::of_model(report);
        Checked { report, counts, properties, sources, artifacts: std::slice::from_ref(&report.model) }
    }
}

/// Returns a model in one unit mode; `records` has those of all modes.
fn part(header: &Header, entry: &ModelEntry, units: &str, records: &[&BatchRecord], is_complete: bool) -> Part {
    let own: Vec<_> = records.iter().copied().filter(|record| record.units == units).collect();
    let counted: Vec<_> = queries(&own).map(|same| counted(same, &header.engines)).collect();
    let summary = Summary::of(counted.iter().copied(), own.iter().map(|record| record.query.seconds).sum());
    let queries: Vec<_> = counted.into_iter().filter(|query| query.verdict != VerdictKind::Safe).cloned().collect();
    let (sources, ordinals) = text(entry).unwrap_or_default();
    let mode = units_named(units).unwrap_or_default();
    let report = CheckReport {
        version: VERSION,
        model: entry.path.clone(),
        engine: header.engines.join(", "),
        units: units.to_string(),
        summary,
        vacuous: entry.vacuous.clone(),
        ended: (!is_complete).then_some(Reason::Cancelled),
        unlisted: 0,
        findings: findings(&queries, &ordinals),
        queries,
        locations: None,
        cycles: None,
        certificates: None,
    };
    let mut properties = Property::all_patterns(mode);
    properties.push(Arc::new(Property::race()));
    Part { report, properties, sources }
}

/// Returns the record that counts among those of one query, of which there is at least one: the first that decides it,
/// in the order of the engines.
fn counted<'r>(same: &[&'r BatchRecord], engines: &[String]) -> &'r QueryRecord {
    let place = |record: &&&BatchRecord| {
        let engine = engines.iter().position(|engine| *engine == record.engine);
        (record.query.verdict == VerdictKind::Unknown, engine)
    };
    &same.iter().min_by_key(place).expect("a query has a record").query
}

/// Returns the text of a model that has not changed.
fn text(entry: &ModelEntry) -> Option<(Sources, Ordinals)> {
    let text = fs::read_to_string(&entry.path).ok().filter(|text| content_hash(text) == entry.sha256)?;
    let loaded = model::from_text(&entry.path, &text).ok()?;
    Some((Sources::of_text(&text), Ordinals::of(&loaded.model)))
}
