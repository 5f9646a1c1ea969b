//! A short search before all lock histories are computed, for the choice [`Auto`](super::Engine::Auto).
//!
//! Saturation computes the lock histories of all paths before it answers the first query. If a process calls its
//! procedures with very many sets of locks, as recursion under locks does, this can take seconds and hundreds of
//! mebibytes, even if a few steps lead to a violation. So queries about such processes are first asked of a
//! breadth-first search with a budget of steps.
//!
//! *Answers* are those of the engine [`search`](super::search): a violation is a run of the model, which is replayed as
//! all are, and `Safe` is the answer only if all states were visited and no bound was met. If the budget or a bound
//! ends the search, nothing is concluded, and saturation decides the query.
//!
//! *The same answers in any run*: whether a query is searched, and with which budget, depends on the model, the query
//! and the options alone, and the budget counts from zero for each query. So neither other queries nor their order, the
//! number of jobs or the time can change which engine decides a query and thus which witness is shown. Where the limits
//! count steps themselves, nothing is searched.
//!
//! *Cost*: the budget of a query is its share of a number of states for all bindings of its automaton to the locations,
//! locks and processes of the model. That number grows with the [number of contexts](contexts), like the work of
//! saturation. A share that is too small to find anything is not used. States with many steps count more.

mod contexts;
#[cfg(test)]
mod tests;

use super::options::Options;
use super::{Bounds, Decision, Failure, SearchOptions, SearchOrder, search};
use crate::query::Query;
use contexts::Contexts;
use eml::model::{Model, Multiplicity};
use limits::{Meter, StopReason};

/// The number of states for each context, for all bindings together.
const STATES_PER_CONTEXT: usize = 2;

/// The least and the greatest number of states for a query.
const LEAST: usize = 1 << 7;
const MOST: usize = 1 << 13;

/// The number of steps for each state: some choose among many next ones.
const STEPS_PER_STATE: u64 = 48;

/// The short search for queries about one model.
#[derive(Debug)]
pub(super) struct ShortSearch<'m> {
    model: &'m Model,
    options: SearchOptions,
    bounds: Bounds,
    /// `None` before the first query.
    contexts: Option<Contexts<'m>>,
}

impl<'m> ShortSearch<'m> {
    /// Creates it with the bounds and the reductions of the engine `search`; none if no query would be searched.
    pub(super) fn new(model: &'m Model, options: &Options) -> Option<Self> {
        let SearchOptions { reductions, ref statistics, .. } = options.search;
        let search = SearchOptions { reductions, statistics: statistics.clone(), ..SearchOptions::default() };
        let (options, bounds) = (search.with_order(SearchOrder::Breadth), options.bounds);
        Contexts::may_be_very_many(model).then_some(Self { model, options, bounds, contexts: None })
    }

    /// Decides a query if that is possible within its budget.
    ///
    /// # Errors
    /// If another limit of the meter is reached, except that of memory.
    pub(super) fn decide(&mut self, query: &Query, meter: &Meter) -> Result<Option<Decision>, Failure> {
        match self.states(query, meter)? {
            Some(states) => self.decide_within(query, (states, STEPS_PER_STATE * states as u64), meter),
            None => Ok(None),
        }
    }

    /// Decides a query if that is possible with these numbers of states and of steps.
    fn decide_within(
        &self,
        query: &Query,
        (states, steps): (usize, u64),
        meter: &Meter,
    ) -> Result<Option<Decision>, Failure> {
        let Some(meter) = meter.with_steps(steps) else { return Ok(None) };
        let bounds = Bounds { states: self.bounds.states.min(states), ..self.bounds };
        match search::decide(self.model, query, &self.options, &bounds, &meter) {
            Ok(decided @ (Decision::Safe | Decision::Violation(_))) => Ok(Some(decided)),
            Ok(Decision::Bound | Decision::Unsupported(_)) => Ok(None),
            Err(Failure::Stopped(StopReason::Steps | StopReason::Memory)) => Ok(None),
            Err(failure) => Err(failure),
        }
    }

    /// The number of states for a query; none if it is not searched.
    fn states(&mut self, query: &Query, meter: &Meter) -> Result<Option<usize>, StopReason> {
        let contexts = match &mut self.contexts {
            Some(contexts) => contexts,
            None => self.contexts.insert(Contexts::new(self.model, meter)?),
        };
        let Some(contexts) = contexts.very_many(&query.processes, meter)? else { return Ok(None) };
        let share = STATES_PER_CONTEXT * contexts / self.bindings(query).max(1);
        Ok((share >= LEAST).then_some(share.min(MOST)))
    }

    /// The number of bindings of the automaton of a query to locations, locks and instances of the model, about.
    fn bindings(&self, query: &Query) -> usize {
        let threads = query.processes.len();
        let instances = self.model.processes().iter().map(|process| match process.multiplicity() {
            Multiplicity::Single if !process.is_started() => 1,
            _ => threads,
        });
        let ways = |all: usize, chosen: usize| {
            (0..chosen).fold(1, |ways: usize, taken| ways.saturating_mul(all.saturating_sub(taken)))
        };
        ways(self.model.locations().len(), query.locations.len())
            .saturating_mul(ways(self.model.locks().len(), query.locks.len()))
            .saturating_mul(ways(instances.sum(), threads))
    }
}
