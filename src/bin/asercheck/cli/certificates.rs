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
use asercheck::syntax::ast::Program;
use asercheck::syntax::{self, Source};
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

    /// Whether the query with this number is safe; none if it was not decided.
    fn is_safe(&self, number: usize) -> bool {
        self.0.get(&number).is_some_and(|(_, is_safe)| *is_safe)
    }
}

/// The model and the queries about it.
pub(crate) struct Subject<'a> {
    /// The model as a syntax tree.
    pub(crate) program: Program,
    pub(crate) units: UnitMode,
    pub(crate) asked: &'a QuerySet<'a>,
    pub(crate) decided: Decided,
}

impl Subject<'_> {
    /// The safe queries in order: those that were decided, and the trivial ones if there are not too many queries.
    fn safe(&self) -> Vec<Query> {
        let Self { asked, decided, .. } = self;
        if asked.count() > WITH_TRIVIAL {
            return decided.safe_ones();
        }
        // A query is trivial if it is not the next one of those that are possible, which are in the same order.
        let mut possible = asked.possible().enumerate().peekable();
        let is_safe = |query: &Query| match possible.next_if(|(_, next)| next == query) {
            Some((number, _)) => decided.is_safe(number),
            None => true,
        };
        let mut safe: Vec<_> = asked.all().filter(is_safe).collect();
        // Queries about deadlocks come after all others, and none of them is trivial.
        safe.extend(decided.safe_ones().into_iter().filter(|query| query.property().is_deadlock()));
        safe
    }
}

/// The syntax tree of a model that was accepted; `overlap` lets all its locks overlap.
pub(crate) fn program(source: &Source, overlap: bool) -> Result<Program, Failure> {
    let unreadable = |_| Failure::internal(anyhow!("a model that was accepted cannot be read again"));
    let mut program = syntax::parse(source.text().unwrap_or_default()).map_err(unreadable)?;
    if overlap {
        program.let_locks_overlap();
    }
    Ok(program)
}

/// The text of the certificates of the safe queries, for a file of this name.
pub(crate) fn certify(
    file: &Path,
    subject: &Subject<'_>,
    limits: &Limits,
    deadline: Option<Instant>,
    wants_progress: bool,
) -> Result<(String, CertificateRecord), Failure> {
    let mut certificates = Certificates::new(&subject.program, subject.units);
    let safe = subject.safe();
    let mut missing = Vec::new();
    let mut progress = Progress::new(Some(safe.len()), "queries", &["certificates", "without"], wants_progress);
    // Also after the run was cancelled: then each query says so.
    let ending = Ending::of(limits.cancellation.clone(), deadline)?;
    for query in &safe {
        let meter = Meter::start(&limits.clone().with_since(None));
        match certificates.add(&claim(subject.asked.model(), query), &meter) {
            Ok(()) => progress.count("certificates"),
            Err(reason) => {
                missing.push(uncertified(subject.asked, query, reason));
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

#[cfg(test)]
mod tests {
    use super::*;
    use asercheck::model;
    use asercheck::query::{Property, Selection};

    /// Queries that were not decided, as the run was ended before, are not taken for trivial ones.
    #[test]
    fn undecided_queries_are_not_safe() {
        let text = "shared x, y; process P * 2 { atomic { read x; write x; } } process Q { write y; }";
        let loaded = model::from_text("m.eml", text).expect("a model");
        let asked = Selection::default().ask(&loaded.model, &Property::all_patterns(UnitMode::Both));
        let asked = asked.expect("nothing is named");
        let possible: Vec<_> = asked.possible().collect();
        assert!(possible.len() > 2 && possible.len() < asked.count());
        let program = program(&loaded.source, false).expect("it was read");
        let subject = |decided| Subject { program: program.clone(), units: UnitMode::Both, asked: &asked, decided };
        let trivial = subject(Decided::default()).safe();
        assert_eq!(trivial.len(), asked.count() - possible.len());
        assert!(trivial.iter().all(|query| !possible.contains(query)));
        let mut decided = Decided::default();
        decided.enter(1, &possible[1], &Verdict::Safe);
        let safe = subject(decided).safe();
        assert_eq!(safe.len(), trivial.len() + 1);
        assert!(safe.contains(&possible[1]));
    }
}
