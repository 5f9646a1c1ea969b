//! Certificates of the safe queries of `check`.

use super::Failure;
use super::ending::Ending;
use super::progress::Progress;
use anyhow::anyhow;
use asercheck::certify::{Certificates, Claim, Unproved};
use asercheck::claim::claim;
use asercheck::phases::UnitMode;
use asercheck::query::{Query, QuerySet};
use asercheck::records::{CertificateRecord, UncertifiedRecord};
use asercheck::syntax;
use asercheck::{Limits, Verdict};
use limits::Meter;
use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

/// Greatest number of queries up to which trivial ones, which are safe without being decided, get certificates, too.
const WITH_TRIVIAL: usize = 100_000;

/// The queries that were decided, by their numbers, and whether they are safe.
#[derive(Debug, Default)]
pub(crate) struct Decided(BTreeMap<usize, (Query, bool)>);

impl Decided {
    /// Enters the verdict of a query.
    pub(crate) fn enter(&mut self, number: usize, query: &Query, verdict: &Verdict) {
        self.0.insert(number, (query.clone(), *verdict == Verdict::Safe));
    }

    /// The safe queries that were decided, in order.
    pub(crate) fn safe_ones(&self) -> Vec<Query> {
        self.0.values().filter(|(_, is_safe)| *is_safe).map(|(query, _)| query.clone()).collect()
    }

    /// The safe queries in order, with the trivial ones of `asked` if there are not too many queries.
    fn safe(&self, asked: &QuerySet<'_>) -> Vec<Query> {
        let mut decided = self.0.values().peekable();
        let mut safe = Vec::new();
        if asked.count() <= WITH_TRIVIAL {
            for query in asked.all() {
                match decided.next_if(|(own, _)| *own == query) {
                    Some((_, false)) => {}
                    Some((_, true)) | None => safe.push(query),
                }
            }
        }
        safe.extend(decided.filter(|(_, is_safe)| *is_safe).map(|(query, _)| query.clone()));
        safe
    }
}

/// The model of the certificates.
pub(crate) struct Source<'a> {
    /// Its text.
    pub(crate) text: &'a str,
    pub(crate) units: UnitMode,
}

/// The text of the certificates of the safe queries, for a file of this name.
pub(crate) fn certify(
    file: &Path,
    source: &Source<'_>,
    asked: &QuerySet<'_>,
    decided: &Decided,
    limits: &Limits,
    deadline: Option<Instant>,
    wants_progress: bool,
) -> Result<(String, CertificateRecord), Failure> {
    let unreadable = |_| Failure::internal(anyhow!("a model that was accepted cannot be read again"));
    let program = syntax::parse(source.text).map_err(unreadable)?;
    let mut certificates = Certificates::new(&program, source.units);
    let safe = decided.safe(asked);
    let mut missing = Vec::new();
    let mut progress = Progress::new(Some(safe.len()), "queries", &["certificates", "without"], wants_progress);
    // Also after the run was cancelled: then each query says so.
    let ending = Ending::of(limits.cancellation.clone(), deadline)?;
    for query in &safe {
        let meter = Meter::start(&limits.clone().with_since(None));
        match certificates.add(&claim(asked.model(), query), &meter) {
            Ok(()) => progress.count("certificates"),
            Err(reason) => {
                missing.push(uncertified(asked, query, reason));
                progress.count("without");
            }
        }
    }
    drop((progress, ending));
    let certified = certificates.len();
    let text = certificates.finish();
    let bytes = text.len();
    Ok((text, CertificateRecord { file: file.display().to_string(), certified, bytes, missing }))
}

fn uncertified(asked: &QuerySet<'_>, query: &Query, reason: Unproved) -> UncertifiedRecord {
    let Claim { locations, locks, processes, .. } = claim(asked.model(), query);
    let automaton = query.property().label().to_string();
    UncertifiedRecord { automaton, locations, locks, processes, reason: reason.to_string() }
}
