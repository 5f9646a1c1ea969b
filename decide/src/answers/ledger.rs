//! Keeps what a run of `check` finds out, no more of it than will be shown.
//!
//! Outcomes are entered as they come and kept in the order of their queries, so that a report does not depend on which
//! query was decided first. Those that have come too early wait; they are no more than are decided together.

use super::cycles::CycleRecords;
use super::locations::{LocationRecord, RaceUnderLock, Races, location_records};
use super::query::{QueryRecord, VerdictKind};
use super::tally::Tally;
use crate::check::{Outcome, Reason, Verdict};
use crate::query::{Query, QuerySet};
use limits::Limits;
use std::collections::BTreeMap;
use std::time::Duration;

/// Up to so many queries are listed one by one in JSON; of more, those that are not safe.
const LISTED: usize = 100_000;

/// Takes the outcomes of what is asked.
#[derive(Debug)]
pub struct Ledger<'a> {
    asked: &'a QuerySet<'a>,
    /// Whether all queries are few enough to be looked at one by one.
    is_small: bool,
    /// Whether safe queries are listed, too.
    lists_all: bool,
    tally: Tally,
    /// How many queries that are not trivial were entered, those about deadlocks among them, and how many others.
    next: usize,
    entered: usize,
    /// Outcomes that have come before one of an earlier query.
    early: BTreeMap<usize, (Query, Outcome, bool)>,
    /// By the number of the query among those that are not trivial.
    records: BTreeMap<usize, QueryRecord>,
    races: Races,
    /// Queries about deadlocks, which come after all others, and are listed as those are.
    deadlocks: Vec<QueryRecord>,
    cycles: CycleRecords,
}

/// What a ledger says at the end.
#[derive(Clone, Debug)]
pub struct Entries {
    /// The counts, the trivial queries among them.
    pub tally: Tally,
    /// The queries that are listed, in order.
    pub records: Vec<QueryRecord>,
    /// How many queries are counted but not listed: safe ones, and those after the end of the run.
    pub unlisted: usize,
    /// Why there was no time for the rest, if there was none.
    pub ended: Option<Reason>,
    /// What is known of the locations, if races were asked for by all processes.
    pub locations: Option<Vec<LocationRecord>>,
    /// What is known of the cycles of the lock order, if deadlocks were asked for.
    pub cycles: Option<CycleRecords>,
}

impl<'a> Ledger<'a> {
    /// A ledger that lists violations and what was not decided; or all queries, if that is wanted and they are not too
    /// many.
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

    /// How many outcomes there will be, if that can be said soon.
    pub fn expected(&self) -> Option<usize> {
        self.is_small.then(|| self.asked.possible().count())
    }

    /// Enters the outcome of a query that is not trivial; gives the verdict. `ended` says why the run was ended, if it
    /// was by now.
    pub fn enter(&mut self, number: usize, query: &Query, outcome: Outcome, ended: Option<Reason>) -> VerdictKind {
        let after_the_end = ended.filter(|_| outcome.verdict == Verdict::Unknown(Reason::Cancelled));
        let outcome = Outcome { verdict: after_the_end.map_or(outcome.verdict, Verdict::Unknown), ..outcome };
        let verdict = VerdictKind::from(&outcome.verdict);
        if number > self.next {
            self.early.insert(number, (query.clone(), outcome, after_the_end.is_some()));
            return verdict;
        }
        self.enter_next(number, query, &outcome, after_the_end.is_some());
        while let Some((query, outcome, is_after)) = self.early.remove(&self.next) {
            self.enter_next(self.next, &query, &outcome, is_after);
        }
        verdict
    }

    /// Enters the outcome of a query after those of all queries before it.
    fn enter_next(&mut self, number: usize, query: &Query, outcome: &Outcome, is_after_the_end: bool) {
        self.next = number + 1;
        let verdict = VerdictKind::from(&outcome.verdict);
        self.tally.add(query.property().label(), verdict, 1);
        if let (true, [location]) = (query.property().is_race(), query.locations()) {
            self.races.entry(*location).or_default()[verdict as usize] += 1;
        }
        let is_listed = self.lists_all || (verdict != VerdictKind::Safe && !is_after_the_end);
        if query.property().is_deadlock() {
            let record = QueryRecord::new(self.asked.model(), query, outcome);
            self.cycles.add(&record);
            if verdict != VerdictKind::Safe && !is_after_the_end || is_listed && self.deadlocks.len() < LISTED {
                self.deadlocks.push(record);
            }
        } else {
            self.entered += 1;
            if is_listed {
                self.records.insert(number, QueryRecord::new(self.asked.model(), query, outcome));
            }
        }
    }

    /// The end of the run: what was not entered is trivial, or was not decided if the run was ended for a reason.
    /// `unmade` says why not all deadlocks were made, if that is so; then one more query is counted, which was not
    /// decided.
    ///
    /// # Errors
    /// If an engine finds a race where a lock is held at every access.
    pub fn close(
        mut self,
        ended: Option<Reason>,
        unmade: Option<Reason>,
        limits: &Limits,
    ) -> Result<Entries, RaceUnderLock> {
        // After a fault of the program some are missing.
        for (number, (query, outcome, is_after)) in std::mem::take(&mut self.early) {
            self.enter_next(number, &query, &outcome, is_after);
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
        // What ends a run behind its last query ends nothing.
        let ended = ended.or(unmade).filter(|_| tally.summary(0.0).unknown > 0);
        Ok(Entries { tally, records, unlisted, ended, locations, cycles })
    }

    /// Enters one by one what was not entered, and orders the records with all others.
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
                self.records.insert(place, QueryRecord::new(self.asked.model(), &query, &outcome));
            }
        }
    }
}
