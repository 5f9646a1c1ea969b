//! Queries of a model: a request of `check`.

use super::deciding::{Patterns, automata, engine, pattern_numbers, reductions, seconds, units};
use super::error::{Error, ErrorKind};
use super::progress::{Progress, Step};
use super::question::{Question, nothing_asked, nothing_named};
use super::selection_errors::described;
use super::watch::Watch;
use crate::answers::{Entries, Ledger, units_name};
use crate::findings::{Ordinals, findings};
use crate::model::Loaded;
use crate::query::{Property, Query, QuerySet, Selection};
use crate::records::{CheckReport, VERSION};
use crate::{Cancellation, Limits, Options, Outcome, Reason, SearchOptions, check_each};
use serde::{Deserialize, Serialize};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// A request of `check`. All members are optional.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CheckRequest {
    /// Patterns; by default all of them, if nothing else is asked.
    pub patterns: Option<Patterns>,
    /// Whether data races are asked for.
    pub races: bool,
    /// Whether deadlocks are asked for.
    pub deadlocks: bool,
    /// Files of phase automata.
    pub automata: Vec<PathBuf>,
    /// Texts of phase automata.
    pub automaton_texts: Vec<String>,
    /// The locations to which the location parameters are bound; by default all of one atomic set.
    pub locations: Option<Vec<String>>,
    /// The locks to which the lock parameters are bound; by default all.
    pub locks: Option<Vec<String>>,
    /// The processes to whose instances the thread parameters are bound; by default all.
    pub processes: Option<Vec<String>>,
    /// The threads of a pattern that must act in one unit of work: `both`, the default, or `first`.
    pub units: Option<String>,
    /// The engine; by default the one that the command chooses.
    pub engine: Option<String>,
    /// Names of reductions that are switched off; `all` for all of them.
    pub no_reduce: Vec<String>,
    /// Wall-clock time for each query, in seconds.
    pub timeout: Option<f64>,
    /// Wall-clock time for all queries together, in seconds.
    pub total_timeout: Option<f64>,
    /// The limit for the resident memory of the process, in bytes.
    pub memory: Option<u64>,
    /// Number of queries that are decided at the same time; by default the number of processors.
    pub jobs: Option<NonZeroUsize>,
}

impl CheckRequest {
    fn question(&self) -> Result<Question, Error> {
        let automata = automata(&self.automata, &self.automaton_texts)?;
        let asks_others = self.races || self.deadlocks || !automata.is_empty();
        let patterns = pattern_numbers(self.patterns.as_ref(), asks_others)?;
        let Self { races, deadlocks, .. } = *self;
        Ok(Question { patterns, races, deadlocks, automata, units: units(self.units.as_deref())? })
    }

    fn options(&self, cancellation: &Cancellation) -> Result<Options, Error> {
        let limits = Limits::default().with_timeout(seconds("timeout", self.timeout)?).with_memory(self.memory);
        let (reductions, of_search) = reductions(&self.no_reduce)?;
        Ok(Options::default()
            .with_engine(engine(self.engine.as_deref())?)
            .with_jobs(self.jobs.map(NonZeroUsize::get))
            .with_reductions(reductions)
            .with_search(SearchOptions { reductions: of_search, ..SearchOptions::default() })
            .with_limits(limits.with_cancellation(cancellation.clone())))
    }

    fn names_parts(&self) -> bool {
        self.locations.is_some() || self.locks.is_some() || self.processes.is_some()
    }

    fn ask<'m>(&self, loaded: &'m Loaded, properties: &[Arc<Property>]) -> Result<QuerySet<'m>, Error> {
        let Self { locations, locks, processes, .. } = self;
        let selection = Selection { locations: locations.clone(), locks: locks.clone(), processes: processes.clone() };
        let asked = match self.deadlocks {
            true => selection.ask_with_deadlocks(&loaded.model, properties),
            false => selection.ask(&loaded.model, properties),
        };
        asked.map_err(|error| Error::usage(described(&error, &loaded.model, properties)))
    }
}

/// Decides queries of a model. After its time is over or it is cancelled, the queries that are left are unknown.
///
/// # Errors
/// If the request does not fit the model, or after an internal error.
pub fn check(
    loaded: &Loaded,
    request: &CheckRequest,
    cancellation: &Cancellation,
    progress: &Progress<'_>,
) -> Result<CheckReport, Error> {
    let begin = Instant::now();
    let question = request.question()?;
    let properties = question.properties().map_err(|taken| Error::usage(taken.to_string()))?;
    let options = request.options(cancellation)?;
    let asked = request.ask(loaded, &properties)?;
    let vacuous = question.kinds().vacuous(loaded);
    let is_selected = matches!(request.patterns, Some(Patterns::Numbers(_)))
        || !question.automata.is_empty()
        || request.names_parts();
    if asked.count() == 0 && is_selected && !request.deadlocks && vacuous.is_none() {
        return Err(Error::usage(nothing_asked(&properties)));
    }
    let deadline = seconds("total_timeout", request.total_timeout)?.and_then(|total| begin.checked_add(total));
    let watch = Watch::begin(cancellation, deadline, None).map_err(internal)?;
    let ledger = Ledger::new(&asked, true);
    let (total, done) = (ledger.expected(), AtomicUsize::new(0));
    progress(Step { done: 0, total, name: "" });
    let ended = || options.limits.cancellation.reason().map(Reason::from);
    let decided = decide(&asked, &options, ledger, ended, |_, query, _| {
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        progress(Step { done, total, name: query.property().label() });
    });
    let Entries { tally, records, unlisted, ended, locations, cycles } = decided?;
    drop(watch);
    let has_cycles = || tally.summary(0.0).queries > asked.count();
    let is_known = request.names_parts() && question.automata.is_empty();
    let nothing_named = is_known.then(|| nothing_named(&asked, request.deadlocks, has_cycles)).flatten();
    Ok(CheckReport {
        version: VERSION,
        model: loaded.source.name().to_string(),
        engine: options.engine.resolve().name().to_string(),
        units: units_name(question.units).to_string(),
        summary: tally.summary(begin.elapsed().as_secs_f64()),
        vacuous: vacuous.or_else(|| nothing_named.clone()),
        ended,
        unlisted,
        findings: findings(&records, &Ordinals::of(&loaded.model)),
        queries: records,
        locations,
        cycles: cycles.filter(|_| nothing_named.is_none()),
        certificates: None,
    })
}

/// Decides the queries and enters their outcomes into a ledger, until the run is cancelled. `ended` is the reason why the
/// run has ended, if it has; `answered` is called with the number and the outcome of each query, by several threads, one
/// at a time.
///
/// # Errors
/// After an internal error.
pub fn decide(
    asked: &QuerySet<'_>,
    options: &Options,
    mut ledger: Ledger<'_>,
    ended: impl Fn() -> Option<Reason> + Sync,
    mut answered: impl FnMut(usize, &Query, &Outcome) + Send,
) -> Result<Entries, Error> {
    let mut deadlocks = asked.deadlocks(&options.limits);
    let queries = asked.possible_until(&options.limits.cancellation).chain(deadlocks.as_mut().into_iter().flatten());
    check_each(asked.model(), queries, options, |number, query, outcome| {
        answered(number, query, &outcome);
        ledger.enter(number, query, outcome, ended());
    })
    .map_err(internal)?;
    let unmade = deadlocks.filter(|deadlocks| !deadlocks.is_done()).map(|deadlocks| {
        let limit = deadlocks.ended().map(Reason::from);
        ended().or(limit).unwrap_or(Reason::Cancelled)
    });
    ledger.close(ended(), unmade, &options.limits.clone().with_since(None)).map_err(internal)
}

fn internal(error: impl std::fmt::Display) -> Error {
    Error::new(ErrorKind::Internal, error.to_string())
}
