//! Collects the outcomes of a run of `check`, and keeps only those that the report will show.
//!
//! Outcomes may be entered in any order, and are kept in the order of their queries. So a report does not depend on the
//! order in which the queries were decided. An outcome waits until those of all earlier queries have been entered. The
//! number of waiting outcomes is bounded by the number of queries that are decided together.

use super::cycles::CycleRecords;
use super::locations::{LocationRecord, RaceUnderLock, Races, location_records};
use super::query::{QueryRecord, VerdictKind};
use super::tally::Tally;
use crate::check::{Outcome, Reason, Verdict};
use crate::query::{Query, QuerySet};
use limits::Limits;
use std::collections::BTreeMap;
use std::time::Duration;

/// Maximum number of queries up to which all are listed in JSON. If there are more, only those that are not safe are.
const LISTED: usize = 100_000;

/// Collects the outcomes of a set of queries.
#[derive(Debug)]
pub struct Ledger<'a> {
    asked: &'a QuerySet<'a>,
    /// Whether there are at most [`LISTED`] queries, few enough to enumerate.
    is_small: bool,
    /// Whether safe queries are listed as well.
    lists_all: bool,
    tally: Tally,
    /// The number of the next query to enter, among those that are not trivial.
    next: usize,
    /// Number of entered queries that are not trivial and not about deadlocks.
    entered: usize,
    /// Outcomes that wait for the outcome of an earlier query, by the number of the query. The flag says whether the
    /// run had ended before the query was decided.
    early: BTreeMap<usize, (Query, Outcome, bool)>,
    /// The listed queries, by their numbers among those that are not trivial.
    records: BTreeMap<usize, QueryRecord>,
    races: Races,
    /// The listed queries about deadlocks; they come after all others.
    deadlocks: Vec<QueryRecord>,
    cycles: CycleRecords,
}

/// The contents of a ledger at the end of a run.
#[derive(Clone, Debug)]
pub struct Entries {
    /// The numbers of queries by verdict, including trivial queries.
    pub tally: Tally,
    /// The listed queries, in order.
    pub records: Vec<QueryRecord>,
    /// Number of queries that are counted but not listed: safe ones, and those after the end of the run.
    pub unlisted: usize,
    /// The reason why the run ended before all queries were decided, if it did.
    pub ended: Option<Reason>,
    /// The results for the locations, if there were queries about races between all processes.
    pub locations: Option<Vec<LocationRecord>>,
    /// The results for the cycles of the lock order, if there were queries about deadlocks.
    pub cycles: Option<CycleRecords>,
}

impl<'a> Ledger<'a> {
    /// Creates a ledger that lists violated and undecided queries. With `wants_all` it lists all queries, if there are
    /// at most `LISTED`.
    pub fn new(asked: &'a QuerySet<'a>, wants_all: bool) -> Self {
        let is_small = asked.count() <= LISTED;
        let lists_all = wants_all && is_small;
        Self {
            asked,
            is_small,
            lists_all,
            tally: Tally::default(),
            next: 0,
            entered: 0,
            early: BTreeMap::new(),
            records: BTreeMap::new(),
            races: Races::default(),
            deadlocks: Vec::new(),
            cycles: CycleRecords::default(),
        }
    }

    /// The number of outcomes to be entered, if it can be computed quickly.
    pub fn expected(&self) -> Option<usize> {
        self.is_small.then(|| self.asked.possible().count())
    }

    /// Enters the outcome of a query and returns its verdict. `number` counts the queries that are not trivial. `ended`
    /// is the reason why the run has ended, if it has.
    pub fn enter(&mut self, number: usize, query: &Query, outcome: Outcome, ended: Option<Reason>) -> VerdictKind {
        let after_the_end = ended.filter(|_| outcome.verdict == Verdict::Unknown(Reason::Cancelled));
        let outcome = Outcome { verdict: after_the_end.map_or(outcome.verdict, Verdict::Unknown), ..outcome };
        let verdict = VerdictKind::from(&outcome.verdict);
        if number > self.next {
            self.early.insert(number, (query.clone(), outcome, after_the_end.is_some()));
            return verdict;
        }
        self.enter_next(number, query, outcome, after_the_end.is_some());
        while let Some((query, outcome, is_after)) = self.early.remove(&self.next) {
            self.enter_next(self.next, &query, outcome, is_after);
        }
        verdict
    }

    /// Enters the outcome of a query, after the outcomes of all earlier queries.
    fn enter_next(&mut self, number: usize, query: &Query, outcome: Outcome, is_after_the_end: bool) {
        self.next = number + 1;
        let verdict = VerdictKind::from(&outcome.verdict);
        self.tally.add(query.property().label(), verdict, 1);
        if let (true, [location]) = (query.property().is_race(), query.locations()) {
            self.races.entry(*location).or_default()[verdict as usize] += 1;
        }
        let is_listed = self.lists_all || (verdict != VerdictKind::Safe && !is_after_the_end);
        if query.property().is_deadlock() {
            let record = QueryRecord::of(self.asked.model(), query, outcome);
            self.cycles.add(&record);
            if verdict != VerdictKind::Safe && !is_after_the_end || is_listed && self.deadlocks.len() < LISTED {
                self.deadlocks.push(record);
            }
        } else {
            self.entered += 1;
            if is_listed {
                self.records.insert(number, QueryRecord::of(self.asked.model(), query, outcome));
            }
        }
    }

    /// Closes the ledger at the end of the run. Queries without an outcome are trivial, or undecided if the run was
    /// ended early. `unmade` is the reason why not all queries about deadlocks were generated, if so; one undecided
    /// query is counted for them.
    ///
    /// # Errors
    /// If an engine has found a race on a location that a lock protects at every access.
    pub fn close(
        mut self,
        ended: Option<Reason>,
        unmade: Option<Reason>,
        limits: &Limits,
    ) -> Result<Entries, RaceUnderLock> {
        // Outcomes of earlier queries are missing if an internal error ended the run.
        for (number, (query, outcome, is_after)) in std::mem::take(&mut self.early) {
            self.enter_next(number, &query, outcome, is_after);
        }
        let races = self.asked.properties().iter().any(|property| property.is_race());
        let locations = (races && self.asked.has_all_processes())
            .then(|| location_records(self.asked, &self.races, ended.is_none(), limits));
        let locations = locations.transpose()?;
        if self.is_small {
            self.enter_rest(ended);
        } else {
            for property in self.asked.properties() {
                let rest = self.asked.count_of(property).saturating_sub(self.tally.all_of(property.label()));
                let verdict = if ended.is_some() { VerdictKind::Unknown } else { VerdictKind::Safe };
                self.tally.add(property.label(), verdict, rest);
            }
        }
        if unmade.is_some() {
            self.tally.add("deadlock", VerdictKind::Unknown, 1);
        }
        let Self { asked, tally, records, deadlocks, cycles, .. } = self;
        let records: Vec<_> = records.into_values().chain(deadlocks).collect();
        let unlisted = tally.summary(0.0).queries.saturating_sub(records.len());
        let cycles = asked.asks_deadlocks().then_some(cycles);
        // An end of the run after its last query leaves nothing undecided.
        let ended = ended.or(unmade).filter(|_| tally.summary(0.0).unknown > 0);
        Ok(Entries { tally, records, unlisted, ended, locations, cycles })
    }

    /// Enters the queries without an outcome one by one, and numbers the records among all queries.
    fn enter_rest(&mut self, ended: Option<Reason>) {
        let mut records = std::mem::take(&mut self.records);
        let mut possible = 0;
        for (place, query) in self.asked.all().enumerate() {
            let verdict = if self.asked.is_trivial(&query) {
                Verdict::Safe
            } else if possible < self.entered {
                self.records.extend(records.remove(&possible).map(|record| (place, record)));
                possible += 1;
                continue;
            } else {
                Verdict::Unknown(ended.unwrap_or(Reason::Cancelled))
            };
            self.tally.add(query.property().label(), VerdictKind::from(&verdict), 1);
            if self.lists_all {
                let outcome = Outcome { verdict, time: Duration::ZERO };
                self.records.insert(place, QueryRecord::of(self.asked.model(), &query, outcome));
            }
        }
    }
}
