//! Systematic search: it visits the global states of a query, with the reductions of the papers.
//!
//! | file | content |
//! |---|---|
//! | [`local_states`], [`global_state`], [`state_store`] | threads, global states, and their storage |
//! | [`effects`] | the effects of steps on the automaton, and which effects commute |
//! | [`participants`] | the processes that take part in a query |
//! | [`future_operations`], [`must_locks`] | the operations that a thread may still execute, and its locks then |
//! | [`system`] | the transition system: edges of states |
//! | [`visibility`], [`composed_transitions`] | invisible steps: invisible-first search and composed transitions |
//! | [`locking_discipline`] | a locking discipline, assumed and checked on the reduced system |
//! | [`interference`], [`persistent_sets`], [`sleep_sets`] | persistent sets and sleep sets |
//! | [`stateful`], [`stateless`] | searches with and without stored states |
//! | [`dynamic`] | dynamic partial-order reduction: source sets and wakeup trees |
//! | [`witness`] | the interleaving of a run |
//!
//! `Safe` is the answer only if all states were visited and no bound was met, and never by the dynamic search alone. A
//! violation is a run of the transition system of [`semantics`](crate::semantics), which an independent interpreter
//! replays.
//!
//! Sources: S. Stoller, *Model-checking multi-threaded distributed Java programs* (000; the short version is 002); J.
//! Corbett, *Using shape analysis to reduce finite-state models of concurrent Java programs* (001); S. Stoller and E.
//! Cohen, *Optimistic synchronization-based state-space reduction* (003).

mod composed_transitions;
mod dynamic;
mod effects;
mod future_operations;
mod global_state;
mod interference;
mod local_states;
mod locking_discipline;
mod must_locks;
mod options;
mod outcome;
mod participants;
mod persistent_sets;
mod reduction;
mod sleep_sets;
mod state_store;
mod stateful;
mod stateless;
mod statistics;
mod system;
#[cfg(test)]
mod tests;
mod visibility;
mod witness;

pub use options::{SearchOptions, SearchOrder};
pub use reduction::{SearchReduction, SearchReductions, UnknownSearchReduction};
pub use statistics::SearchStatistics;

use super::interface::{Decide, EngineKind, Task};
use super::{Bounds, Decision, Failure, Sharing};
use crate::query::Query;
use dynamic::Dynamic;
use eml::model::Model;
use limits::{Meter, StopReason};
use locking_discipline::Discipline;
use outcome::SearchOutcome;
use rustc_hash::FxHashSet;
use stateful::Stateful;
use stateless::Stateless;
use std::borrow::Cow;
use system::System;

/// The engine; it keeps nothing between queries but its statistics.
#[derive(Debug)]
pub(super) struct Systematic<'m> {
    model: &'m Model,
    options: SearchOptions,
    bounds: Bounds,
}

impl<'m> EngineKind<'m> for Systematic<'m> {
    const NAME: &'static str = "search";
    const SHARING: Sharing = Sharing::Nothing;

    fn start(task: Task<'_, 'm>, _meter: &Meter) -> Result<Self, StopReason> {
        Ok(Self { model: task.model, options: task.search.clone(), bounds: task.bounds })
    }
}

impl Decide for Systematic<'_> {
    fn decide(&mut self, query: &Query, meter: &Meter) -> Result<Decision, Failure> {
        decide(self.model, query, &self.options, &self.bounds, meter)
    }
}

/// Searches for an interleaving that violates the query.
///
/// # Errors
/// If a limit is reached.
pub(super) fn decide(
    model: &Model,
    query: &Query,
    asked: &SearchOptions,
    bounds: &Bounds,
    meter: &Meter,
) -> Result<Decision, Failure> {
    let mut options = Cow::Borrowed(asked);
    if options.dynamic {
        options.to_mut().reductions = options.reductions.of_dynamic();
    }
    let mut violated = FxHashSet::default();
    let mut is_confirming = false;
    loop {
        let mut system = System::new(model, query, (&options, bounds), violated, meter)?;
        let ended = match (options.dynamic, options.stateless) {
            (true, _) => Dynamic::new(&mut system).run(),
            (false, true) => Stateless::new(&mut system).run(),
            (false, false) => Stateful::new(&mut system).run(),
        };
        options.statistics.add(&system.counts);
        system.locals.check()?;
        return Ok(match ended? {
            SearchOutcome::Accepted(trace) => {
                if is_confirming {
                    options.statistics.count_missed();
                }
                Decision::Violation(trace.interleaving(&mut system)?)
            }
            SearchOutcome::Full => Decision::Bound,
            SearchOutcome::Exhausted if system.met_bound => Decision::Bound,
            // A bounded dynamic search is no proof.
            SearchOutcome::Exhausted if options.dynamic && options.switches.is_some() => Decision::Bound,
            SearchOutcome::Exhausted if options.dynamic => {
                is_confirming = true;
                violated = FxHashSet::default();
                options = Cow::Owned(asked.clone().with_dynamic(false).with_stateless(true));
                continue;
            }
            SearchOutcome::Exhausted => Decision::Safe,
            SearchOutcome::Undisciplined(trace, from) => {
                options.statistics.record_violation(trace.describe(&mut system, from)?);
                violated = system.composer.visibility().discipline().map(Discipline::violated).unwrap_or_default();
                continue;
            }
            SearchOutcome::Cyclic => {
                violated = FxHashSet::default();
                options = Cow::Owned(asked.clone().with_dynamic(false).with_stateless(asked.switches.is_none()));
                continue;
            }
        });
    }
}
