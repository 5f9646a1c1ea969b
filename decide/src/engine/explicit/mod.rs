//! The explicit engine: weights are sets of segment sequences in hash-consed decision diagrams, in matrices
//! over the positions of word trees.
//!
//! The local words of all queries that are asked are solved together: one post* for each process and set of contended
//! locks, over the tree of the words. A query is then one walk over the diagrams of its participants. For very big
//! programs, the queries are taken in *windows*, one after the other, each with trees of its own, so that memory stays
//! bounded. A query that was not announced joins the present window if what it adds are words of processes that had
//! none there, and else opens one.
//!
//! The query that needs a tree first solves it for all others. That is an *attempt* with a share of the limits, so that
//! the query does not lose its verdict by it: where the attempt ends by time or memory, the next windows are smaller,
//! in the end with the words of one scenario each, which is solved within the full limits. Each attempt that fails
//! halves the share of the next, so that all of them together take no more than the time of one query. Where nobody
//! else is served, the attempt is at the query's own expense.
//!
//! What words are solved with is told in `group`.

mod lock_group;
mod process_words;
mod solver;
#[cfg(test)]
mod tests;

use super::interface::{Decide, EngineKind, Task};
use super::nesting::{Attempt, carry_out};
use super::{Decision, Failure, Sharing, any_of};
use crate::encode::{Arrangement, ContendedLocks, Diagrams, Encoder, Matrices, Scenario, Scenarios};
use crate::query::Query;
use crate::reductions::Reductions;
use eml::model::Model;
use limits::{Meter, StopReason};
use lock_group::{LockGroup, MOST_WHOLE_PARTS};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How big the trees of a window may be together, in nodes of the model times positions of the trees, as long as its
/// weights do not take more than [`ROOM`]. What they take depends on how much a program repeats itself: two processes
/// of 100,000 critical sections are one window of 330 MiB.
const WINDOW: usize = 40_000_000;

/// The next window is this much smaller than one that took too much time or memory.
const SHRINK: usize = 4;

/// Windows that would be smaller than this have the words of one scenario only.
const SMALLEST: usize = 400_000;

/// How many bytes the weights of a window may take, if it has the words of more than one scenario.
const ROOM: u64 = 384 << 20;

/// The engine with what it has solved so far.
#[derive(Debug)]
pub(crate) struct Explicit<'m> {
    encoder: Encoder<'m>,
    /// What will be asked.
    queries: Arc<[Query]>,
    /// The groups of the queries in the present window.
    groups: FxHashMap<ContendedLocks, LockGroup>,
    /// The part of its limits that a query gives to an attempt for all.
    joint_part: f64,
    /// How many parts whole weights may have before the lightest ones are tried.
    most_whole_parts: usize,
    /// How big windows may be, and how many bytes their weights may take.
    window: usize,
    room: u64,
    /// How big the present window is.
    size: usize,
}

impl<'m> EngineKind<'m> for Explicit<'m> {
    const NAME: &'static str = "explicit";
    const SHARING: Sharing = Sharing::Words;

    fn start(task: Task<'_, 'm>, meter: &Meter) -> Result<Self, StopReason> {
        Ok(Self::new(task.encoder(meter)?, std::mem::take(task.queries)))
    }
}

impl Decide for Explicit<'_> {
    fn forget(&mut self) {
        self.groups.values_mut().for_each(LockGroup::forget);
    }

    fn decide(&mut self, query: &Query, meter: &Meter) -> Result<Decision, Failure> {
        let scenarios = self.encoder.scenarios(query);
        any_of(
            &mut (self, scenarios),
            |(_, scenarios)| Ok(scenarios.next(meter)?),
            |(engine, rest), scenario| {
                let mut is_first = true;
                let attempt = |engine: &mut Self, arrangement: &Arrangement| {
                    if std::mem::take(&mut is_first) {
                        engine.attempt(query, &scenario, arrangement, rest, meter)
                    } else {
                        engine.attempt_apart(&scenario, arrangement, meter)
                    }
                };
                carry_out(*engine, |engine| &mut engine.encoder, &scenario, meter, attempt)
            },
        )
    }
}

impl<'m> Explicit<'m> {
    /// An engine that will be asked these queries, best in this order.
    fn new(encoder: Encoder<'m>, queries: Vec<Query>) -> Self {
        let (groups, joint_part) = (FxHashMap::default(), Sharing::Words.joint_part());
        Self {
            encoder,
            queries: queries.into(),
            groups,
            joint_part,
            most_whole_parts: MOST_WHOLE_PARTS,
            window: WINDOW,
            room: ROOM,
            size: 0,
        }
    }

    /// For each query the contended locks of its scenarios; queries that have none of these in common share no work.
    /// None from the query on at which a limit is reached.
    pub(crate) fn groups(
        model: &Model,
        queries: &[Query],
        reductions: Reductions,
        meter: &Meter,
    ) -> Vec<Vec<ContendedLocks>> {
        let mut groups = Vec::new();
        if let Ok(encoder) = Encoder::new(model, reductions, meter) {
            groups.extend(queries.iter().map_while(|query| contended(&encoder, query, meter).ok()));
        }
        groups.resize(queries.len(), Vec::new());
        groups
    }

    /// Looks whether a scenario can be carried out; `rest` are those of its query that come after it. Windows become
    /// smaller until the one with this scenario has time and room: in the end it has no other words, and then all that
    /// the query has.
    fn attempt(
        &mut self,
        query: &Query,
        scenario: &Scenario,
        arrangement: &Arrangement,
        rest: &Scenarios<'m>,
        meter: &Meter,
    ) -> Result<Attempt, Failure> {
        let locks = &arrangement.locks;
        loop {
            if !self.groups.get(locks).is_some_and(|group| group.has(scenario, arrangement)) {
                if self.size <= self.window
                    && self.groups.get(locks).is_some_and(|group| group.takes(scenario, arrangement))
                {
                    self.add(scenario, false, meter)?;
                } else {
                    self.open_window(query, scenario, rest, meter)?;
                }
            }
            let room = self.room.saturating_sub(self.size_of_others(locks));
            let Self { encoder, groups, joint_part, .. } = self;
            let group = groups.get_mut(locks).expect("the window has the scenario");
            if group.serves_only(scenario, arrangement) {
                return group.solve_and_check(encoder, scenario, arrangement, Matrices::<Diagrams>::MOST, meter);
            }
            let begin = meter.now();
            let attempt = group.solve_and_check(encoder, scenario, arrangement, room, &meter.share(*joint_part));
            if !matches!(attempt, Err(Failure::Stopped(StopReason::Timeout | StopReason::Memory))) {
                return attempt;
            }
            if group.serves_others {
                *joint_part /= 2.0;
                meter.excuse(meter.now().saturating_sub(begin));
            }
            self.shrink();
        }
    }

    /// How many bytes the weights of the other groups in the window take.
    fn size_of_others(&self, locks: &ContendedLocks) -> u64 {
        self.groups.values().filter(|group| group.locks != *locks).map(|group| group.size()).sum()
    }

    /// Gives the window up; the next ones are smaller.
    fn shrink(&mut self) {
        self.groups.clear();
        let smaller = self.size.min(self.window) / SHRINK;
        self.window = if smaller < SMALLEST { 0 } else { smaller };
    }

    /// The same with the words of this scenario alone.
    fn attempt_apart(
        &mut self,
        scenario: &Scenario,
        arrangement: &Arrangement,
        meter: &Meter,
    ) -> Result<Attempt, Failure> {
        let mut own = LockGroup::new(arrangement.locks.clone(), self.most_whole_parts);
        own.add(scenario, arrangement);
        own.solve_and_check(&mut self.encoder, scenario, arrangement, Matrices::<Diagrams>::MOST, meter)
    }

    /// Begins a new window with this scenario of a query and as many of the rest and of the queries after it as there
    /// is room for.
    fn open_window(
        &mut self,
        query: &Query,
        scenario: &Scenario,
        rest: &Scenarios<'m>,
        meter: &Meter,
    ) -> Result<(), StopReason> {
        self.groups.clear();
        self.size = 0;
        self.add(scenario, false, meter)?;
        let is_full = self.add_all(&mut rest.clone(), false, meter)?;
        let queries = self.queries.clone();
        let Some(later) = (!is_full).then(|| query.cases_after(&queries)).flatten() else { return Ok(()) };
        // The others are served by what this takes. Where it takes too much, the window stays as big as it is by then.
        let (begin, share) = (meter.now(), meter.share(self.joint_part));
        for query in later {
            let mut scenarios = self.encoder.scenarios(&query);
            match self.add_all(&mut scenarios, true, &share) {
                Ok(false) => {}
                Ok(true) => break,
                Err(StopReason::Cancelled) => return Err(StopReason::Cancelled),
                Err(StopReason::Timeout | StopReason::Memory) => {
                    self.joint_part /= 2.0;
                    break;
                }
            }
        }
        meter.excuse(meter.now().saturating_sub(begin));
        Ok(())
    }

    /// Adds the scenarios of a query to the window, another one than it is opened for or the same, until it is as big
    /// as it may be; says whether it is.
    fn add_all(&mut self, scenarios: &mut Scenarios<'m>, of_another: bool, meter: &Meter) -> Result<bool, StopReason> {
        while self.size <= self.window {
            let Some(scenario) = scenarios.next(meter)? else { return Ok(false) };
            self.add(&scenario, of_another, meter)?;
        }
        Ok(true)
    }

    /// Adds a scenario to the window.
    fn add(&mut self, scenario: &Scenario, of_another: bool, meter: &Meter) -> Result<(), StopReason> {
        if scenario.is_too_long() {
            return Ok(());
        }
        let Some(arrangement) = self.encoder.arrangement(scenario, &[], meter)? else { return Ok(()) };
        let locks = arrangement.locks.clone();
        let group =
            self.groups.entry(locks).or_insert_with_key(|locks| LockGroup::new(locks.clone(), self.most_whole_parts));
        let positions = group.add(scenario, &arrangement);
        group.serves_others |= of_another && positions > 0;
        self.size += positions * self.encoder.model().nodes().len();
        Ok(())
    }
}

/// The contended locks of the scenarios of all cases of a query, each set of locks once.
fn contended(encoder: &Encoder<'_>, query: &Query, meter: &Meter) -> Result<Vec<ContendedLocks>, StopReason> {
    let mut groups = BTreeSet::new();
    for case in query.cases() {
        let mut scenarios = encoder.scenarios(&case);
        while let Some(scenario) = scenarios.next(meter)? {
            let arrangement = encoder.arrangement(&scenario, &[], meter)?;
            groups.extend(arrangement.map(|arrangement| arrangement.locks));
        }
    }
    Ok(groups.into_iter().collect())
}
