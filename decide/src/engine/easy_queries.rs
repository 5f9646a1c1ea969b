//! The queries that a short search decides, for the choice [`Auto`](super::Engine::Auto).
//!
//! Saturation computes all lock histories before it answers the first query. There can be very many, even if a few steps
//! lead to a violation. So an attempt of the decision procedure with some hundred thousand steps comes first. If it does
//! not suffice for a query, a breadth-first search gets as many steps for all queries from this one on, and the queries
//! that are left are decided by saturation without such a bound.
//!
//! The verdicts are those of the [`search`](super::search) engine: a violation is replayed, and `Safe` is the answer only
//! if no bound was met. A query that meets a bound of the search is left. Steps are counted, so the same queries are
//! decided on any machine. Where the limits of a query count steps themselves, nothing is searched.

use super::{Bounds, Decision, Failure, Options, SearchOptions, SearchOrder, search};
use crate::query::Query;
use eml::model::Model;
use limits::{Meter, StopReason};
use std::collections::VecDeque;

/// The number of steps of the attempt, and of the search for all queries: some ten milliseconds.
pub(super) const STEPS: u64 = 1 << 18;

/// The maximal number of global states for one query.
const STATES: usize = 4_000;

/// The decided queries that were not asked for yet, in order.
#[derive(Debug, Default)]
pub(super) struct EasyQueries(VecDeque<(Query, Decision)>);

impl EasyQueries {
    /// Searches for violations of queries until the steps are used up. Also returns the queries that are left.
    ///
    /// # Errors
    /// If another limit of the meter is reached.
    pub(super) fn find(
        model: &Model,
        queries: Vec<Query>,
        options: &Options,
        meter: &Meter,
    ) -> Result<(Self, Vec<Query>), Failure> {
        let Some(budget) = meter.with_steps(STEPS) else { return Ok((Self::default(), queries)) };
        let SearchOptions { reductions, ref statistics, .. } = options.search;
        let search = SearchOptions { reductions, statistics: statistics.clone(), ..SearchOptions::default() };
        let search = search.with_order(SearchOrder::Breadth);
        let bounds = Bounds { states: options.bounds.states.min(STATES), ..options.bounds };
        let (mut found, mut left, mut is_over) = (VecDeque::new(), Vec::new(), false);
        for query in queries {
            let decision = match is_over {
                true => Ok(Decision::Bound),
                false => search::decide(model, &query, &search, &bounds, &budget),
            };
            match decision {
                Ok(decision @ (Decision::Safe | Decision::Violation(_))) => found.push_back((query, decision)),
                Ok(Decision::Bound | Decision::Unsupported(_)) => left.push(query),
                Err(Failure::Stopped(StopReason::Steps)) => {
                    is_over = true;
                    left.push(query);
                }
                Err(failure) => return Err(failure),
            }
        }
        statistics.count_easy(found.len());
        Ok((Self(found), left))
    }

    /// Takes the decision about a query, if it was decided. Fast if the queries are asked for in their order.
    pub(super) fn take(&mut self, query: &Query) -> Option<Decision> {
        let place = self.0.iter().position(|(own, _)| own == query)?;
        self.0.remove(place).map(|(_, decision)| decision)
    }
}
