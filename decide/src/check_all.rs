//! Decides many queries of one model. Shared work is done once, independent work in parallel.

use crate::check::{Checker, Error, Outcome};
use crate::engine::Options;
use crate::engine::partition;
use crate::query::Query;
use eml::model::Model;
use rayon::ThreadPoolBuilder;
use rayon::prelude::{IntoParallelIterator, ParallelIterator};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// Decides queries of a model. Calls `done` with the index and the outcome of each query as soon as it is decided: in
/// order if [`Options::jobs`] is 1, otherwise in any order. A [cancellation](limits::Cancellation) leaves the remaining
/// queries undecided; `done` is called for them with `Unknown(Cancelled)`. So there is one call for each query.
///
/// Without queries the result is empty, and says nothing about the model.
///
/// Queries that share work are decided one after the other in one session, so outcomes do not depend on the number of
/// jobs, except for their times.
///
/// ```
/// use decide::query::{Property, Selection};
/// use decide::{Options, Reason, Verdict, check_all};
/// use eml::model;
/// use phases::UnitMode;
///
/// let text = "lock l; shared x; process P * many { atomic { sync l { read x; } sync l { write x; } } }";
/// let model = model::from_text("update.eml", text)?.model;
/// let queries = Selection::default().queries(&model, &Property::all_patterns(UnitMode::Both))?;
/// let options = Options::default();
/// let cancellation = options.limits.cancellation.clone();
/// let outcomes = check_all(&model, &queries, &options, |number, outcome| {
///     if matches!(outcome.verdict, Verdict::Violation(_)) {
///         println!("query {number} is violated, and that is enough");
///         cancellation.cancel();
///     }
/// })?;
/// assert!(matches!(outcomes[0].verdict, Verdict::Violation(_)));
/// assert_eq!(outcomes.last().unwrap().verdict, Verdict::Unknown(Reason::Cancelled));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// After an internal error of this library; then there is no verdict.
pub fn check_all(
    model: &Model,
    queries: &[Query],
    options: &Options,
    mut done: impl FnMut(usize, &Outcome) + Send,
) -> Result<Vec<Outcome>, Error> {
    let mut outcomes: Vec<Option<Outcome>> = vec![None; queries.len()];
    decide_together(model, queries, options, |number, outcome| {
        done(number, &outcome);
        outcomes[number] = Some(outcome);
    })?;
    Ok(outcomes.into_iter().map(|outcome| outcome.expect("every query has an outcome")).collect())
}

/// Partitions the queries into parts that share no work, and decides the parts in parallel.
fn decide_together(
    model: &Model,
    queries: &[Query],
    options: &Options,
    done: impl FnMut(usize, Outcome) + Send,
) -> Result<(), Error> {
    let run = Run { model, queries, options, done: Mutex::new(done), has_failed: AtomicBool::new(false) };
    let all = || (0..queries.len()).collect();
    let is_one = options.jobs == Some(1) || queries.len() == 1;
    let parts = if is_one { vec![all()] } else { partition(model, queries, options) };
    let pool = (parts.len() > 1).then(|| ThreadPoolBuilder::new().num_threads(options.jobs.unwrap_or(0)).build());
    match pool {
        Some(Ok(pool)) => pool.install(|| parts.into_par_iter().try_for_each(|part| run.decide(part))),
        // There is only one part, or threads cannot be created: the parts are decided one by one.
        Some(Err(_)) | None => parts.into_iter().try_for_each(|part| run.decide(part)),
    }
}

/// Number of queries that [`check_each`] decides together.
const TOGETHER: usize = 1 << 15;

/// Decides queries from an iterator, so they need not all be in memory. Calls `done` with the index, the query and the
/// outcome of each.
///
/// Queries that share work are decided together as by [`check_all`], some thousands at a time. After a
/// [cancellation](limits::Cancellation) no more queries are taken from the iterator. For queries that were taken and
/// are undecided, `done` is called with `Unknown(Cancelled)`. So the number of calls is not the number of decided
/// queries.
///
/// ```
/// use decide::query::{Property, Selection};
/// use decide::{Options, Verdict, check_each};
/// use eml::model;
/// use phases::UnitMode;
///
/// let unused: Vec<String> = (0..1000).map(|number| format!("x{number}")).collect();
/// let text = format!("shared x, {}; process P * 2 {{ atomic {{ read x; write x; }} }}", unused.join(", "));
/// let model = model::from_text("wide.eml", &text)?.model;
/// let asked = Selection::default().ask(&model, &Property::all_patterns(UnitMode::Both))?;
/// let mut decided = Vec::new();
/// check_each(&model, asked.possible(), &Options::default(), |_, _, outcome| decided.push(outcome.verdict))?;
/// // All others are safe, since nobody accesses the locations.
/// assert_eq!((asked.count(), decided.len()), (9_014_005, 5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// After an internal error of this library; then there is no verdict.
pub fn check_each(
    model: &Model,
    queries: impl IntoIterator<Item = Query>,
    options: &Options,
    mut done: impl FnMut(usize, &Query, Outcome) + Send,
) -> Result<(), Error> {
    let mut queries = queries.into_iter();
    let mut first = 0;
    let mut options = options.clone();
    while !options.limits.cancellation.is_cancelled() {
        let window: Vec<_> = queries.by_ref().take(TOGETHER).collect();
        if window.is_empty() {
            break;
        }
        decide_together(model, &window, &options, |number, outcome| done(first + number, &window[number], outcome))?;
        first += window.len();
        options.limits.since = None;
    }
    Ok(())
}

struct Run<'a, F> {
    model: &'a Model,
    queries: &'a [Query],
    options: &'a Options,
    done: Mutex<F>,
    /// Whether an internal error has occurred; then all sessions stop.
    has_failed: AtomicBool,
}

impl<F: FnMut(usize, Outcome) + Send> Run<'_, F> {
    /// Decides the queries with these indices in one session.
    fn decide(&self, part: Vec<usize>) -> Result<(), Error> {
        let queries: Vec<_> = part.iter().map(|number| self.queries[*number].clone()).collect();
        let mut options = self.options.clone();
        if part.first() != Some(&0) {
            options.limits.since = None;
        }
        let mut checker = Checker::new(self.model, &queries, options);
        for (number, query) in part.into_iter().zip(&queries) {
            if self.has_failed.load(Ordering::Relaxed) {
                break;
            }
            let outcome = checker.check(query);
            self.has_failed.fetch_or(outcome.is_err(), Ordering::Relaxed);
            let outcome = outcome?;
            // A panic of the callback also ends the other sessions.
            (self.done.lock().expect("the callback has not panicked"))(number, outcome);
        }
        Ok(())
    }
}
