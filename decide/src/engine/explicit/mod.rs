//! The explicit engine: weights are sets of segment sequences in hash-consed decision diagrams, in matrices over the
//! positions of word trees.
//!
//! The local words of all announced queries are solved together: one post* for each process and set of contended locks,
//! over the tree of the words. A query is then one walk over the diagrams of its participants. For very big programs,
//! the queries are taken in *windows*, one after the other, each with trees of its own, so that memory stays bounded. A
//! query that was not announced joins the current window if all its missing words belong to processes without words
//! there; otherwise it opens a new window.
//!
//! The first query that needs a tree solves it for all others. This is an *attempt* with a share of the limits, so that
//! the query does not lose its own verdict. If the attempt ends by time, memory or steps, the next windows are smaller;
//! the smallest have the words of one scenario, which is solved within the full limits. Each failed attempt halves the
//! share of the next, so all of them together take no more than the time of one query. If an attempt serves no other
//! query, the query itself pays for it.
//!
//! A query with starts can have very many scenarios, and most of them are not needed: its threads alone may show that
//! it is safe, and if they do not, its first scenario often shows that it is violated. So there is a window for each
//! [`Stage`], and scenarios of a later stage are solved together only for queries that the window of the threads alone
//! leaves open.
//!
//! The module `lock_group` describes the weights.

mod lock_group;
mod process_words;
mod solver;
#[cfg(test)]
mod tests;

use super::interface::{Decide, EngineKind, Task};
use super::nesting::{Attempt, carry_out, is_impossible};
use super::{Decision, Failure, Sharing, any_of};
use crate::encode::{Arrangement, ContendedLocks, Diagrams, Encoder, Matrices, Scenario, Scenarios};
use crate::query::Query;
use crate::reductions::Reductions;
use eml::model::Model;
use limits::{Meter, StopReason};
use lock_group::{LockGroup, MOST_WHOLE_PARTS, Proves};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::sync::Arc;

/// The maximal size of the trees of a window together, in nodes of the model times positions of the trees, as long as
/// its weights take no more than [`ROOM`]. The memory depends on how much a program repeats itself: two processes of
/// 100,000 critical sections are one window of 330 MiB.
const WINDOW: usize = 40_000_000;

/// The factor by which the next window is smaller than one that took too much time or memory.
const SHRINK: usize = 4;

/// The size below which a window has the words of one scenario only.
const SMALLEST: usize = 400_000;

/// The maximal size in bytes of the weights of a window, if it has the words of more than one scenario.
const ROOM: u64 = 384 << 20;

/// The engine with the solutions of the current window.
#[derive(Debug)]
pub(crate) struct Explicit<'m> {
    encoder: Encoder<'m>,
    /// The announced queries.
    queries: Arc<[Query]>,
    /// The current window of each stage.
    windows: [Window; 3],
    /// The fraction of its limits that a query gives to an attempt for all queries.
    joint_part: f64,
    /// The number of parts of whole weights above which the lightest weights are tried.
    most_whole_parts: usize,
    proves: Proves,
    /// The maximal size of windows, and of their weights in bytes.
    window: usize,
    room: u64,
}

/// The words that are solved together.
#[derive(Debug, Default)]
struct Window {
    /// The groups of the queries in it.
    groups: FxHashMap<ContendedLocks, LockGroup>,
    /// The size of the trees.
    size: usize,
}

/// The scenarios that share windows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// No participant starts another one.
    Alone,
    /// The first scenario of a query, with starts.
    First,
    /// Its other scenarios.
    Rest,
}

impl Window {
    /// Returns the size in bytes of the weights of all groups but one.
    fn size_of_others(&self, locks: &ContendedLocks) -> u64 {
        self.groups.values().filter(|group| group.locks != *locks).map(|group| group.size()).sum()
    }
}

impl Stage {
    fn of(scenario: &Scenario) -> Self {
        match scenario {
            Scenario { forest, .. } if forest.starts.is_empty() => Self::Alone,
            Scenario { is_first: true, .. } => Self::First,
            _ => Self::Rest,
        }
    }
}

impl<'m> EngineKind<'m> for Explicit<'m> {
    const NAME: &'static str = "explicit";
    const SHARING: Sharing = Sharing::Words;

    fn start(task: Task<'_, 'm>, meter: &Meter) -> Result<Self, StopReason> {
        let (encoder, violations_only) = (task.encoder(meter)?, task.violations_only);
        let proves = if violations_only { Proves::No } else { Proves::Yes };
        Ok(Self { proves, ..Self::new(encoder, std::mem::take(task.queries)) })
    }
}

impl Decide for Explicit<'_> {
    fn forget(&mut self) {
        self.windows.iter_mut().flat_map(|window| window.groups.values_mut()).for_each(LockGroup::forget);
    }

    fn decide(&mut self, query: &Query, meter: &Meter) -> Result<Decision, Failure> {
        let scenarios = self.encoder.scenarios(query);
        if let Some(alone) = self.threads_alone(&scenarios, meter)? {
            let attempt =
                |engine: &mut Self, arrangement: &_| engine.attempt(query, &alone, arrangement, &scenarios, meter);
            if is_impossible(self, |engine| &mut engine.encoder, &alone, meter, attempt)? {
                return Ok(Decision::Safe);
            }
        }
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
    /// Creates an engine for the announced queries, best asked in this order.
    fn new(encoder: Encoder<'m>, queries: Vec<Query>) -> Self {
        let (windows, joint_part) = (Default::default(), Sharing::Words.joint_part());
        Self {
            encoder,
            queries: queries.into(),
            windows,
            joint_part,
            most_whole_parts: MOST_WHOLE_PARTS,
            proves: Proves::Yes,
            window: WINDOW,
            room: ROOM,
        }
    }

    /// Returns for each query the contended locks of its scenarios; queries with no common set share no work. The sets
    /// are empty from the query on at which a limit is reached.
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

    /// The threads of a query alone, if infeasibility is proved.
    fn threads_alone(&self, scenarios: &Scenarios<'m>, meter: &Meter) -> Result<Option<Scenario>, StopReason> {
        if self.proves == Proves::Yes { scenarios.threads_alone(meter) } else { Ok(None) }
    }

    /// Decides whether a scenario can be carried out; `rest` are the later scenarios of its query. Windows become
    /// smaller until the one with this scenario has enough time and room. The last one has no other words, and then all
    /// limits of the query.
    fn attempt(
        &mut self,
        query: &Query,
        scenario: &Scenario,
        arrangement: &Arrangement,
        rest: &Scenarios<'m>,
        meter: &Meter,
    ) -> Result<Attempt, Failure> {
        let (locks, stage) = (&arrangement.locks, Stage::of(scenario));
        loop {
            let Window { groups, size } = &self.windows[stage as usize];
            if !groups.get(locks).is_some_and(|group| group.has(scenario, arrangement)) {
                if *size <= self.window && groups.get(locks).is_some_and(|group| group.takes(scenario, arrangement)) {
                    self.add(scenario, false, meter)?;
                } else {
                    self.open_window(query, scenario, rest, meter)?;
                }
            }
            let room = self.room.saturating_sub(self.windows[stage as usize].size_of_others(locks));
            let Self { encoder, windows, joint_part, .. } = self;
            let group = windows[stage as usize].groups.get_mut(locks).expect("the window has the scenario");
            if group.serves_only(scenario, arrangement) {
                return group.solve_and_check(encoder, scenario, arrangement, Matrices::<Diagrams>::MOST, meter);
            }
            let begin = meter.now();
            let attempt = group.solve_and_check(encoder, scenario, arrangement, room, &meter.share(*joint_part));
            let is_stopped =
                |stop: &StopReason| matches!(stop, StopReason::Timeout | StopReason::Memory | StopReason::Steps);
            if !matches!(&attempt, Err(Failure::Stopped(stop)) if is_stopped(stop)) {
                return attempt;
            }
            if group.serves_others {
                *joint_part /= 2.0;
                meter.excuse(meter.now().saturating_sub(begin));
            }
            self.shrink(stage);
        }
    }

    /// Closes a window; the next ones are smaller.
    fn shrink(&mut self, stage: Stage) {
        let closed = std::mem::take(&mut self.windows[stage as usize]);
        let smaller = closed.size.min(self.window) / SHRINK;
        self.window = if smaller < SMALLEST { 0 } else { smaller };
    }

    /// Decides a scenario in a group of its own.
    fn attempt_apart(
        &mut self,
        scenario: &Scenario,
        arrangement: &Arrangement,
        meter: &Meter,
    ) -> Result<Attempt, Failure> {
        let mut own = LockGroup::new(arrangement.locks.clone(), (self.most_whole_parts, self.proves));
        own.add(scenario, arrangement);
        own.solve_and_check(&mut self.encoder, scenario, arrangement, Matrices::<Diagrams>::MOST, meter)
    }

    /// Opens a new window with this scenario of a query and as many scenarios of the same stage of the rest and of the
    /// later queries as it has room for.
    fn open_window(
        &mut self,
        query: &Query,
        scenario: &Scenario,
        rest: &Scenarios<'m>,
        meter: &Meter,
    ) -> Result<(), Failure> {
        let stage = Stage::of(scenario);
        self.windows[stage as usize] = Window::default();
        self.add(scenario, false, meter)?;
        let is_full = stage == Stage::Rest && self.add_all(&mut rest.clone(), stage, false, meter)?;
        let queries = self.queries.clone();
        let Some(later) = (!is_full).then(|| query.cases_after(&queries)).flatten() else { return Ok(()) };
        // This work serves the later queries. If it takes too much, the window keeps the size that it has by then.
        let (begin, share) = (meter.now(), meter.share(self.joint_part));
        for query in later {
            match self.add_later(&query, stage, &share) {
                Ok(false) => {}
                Ok(true) => break,
                Err(failure @ (Failure::Internal(_) | Failure::Stopped(StopReason::Cancelled))) => return Err(failure),
                Err(Failure::Stopped(StopReason::Timeout | StopReason::Memory | StopReason::Steps)) => {
                    self.joint_part /= 2.0;
                    break;
                }
            }
        }
        meter.excuse(meter.now().saturating_sub(begin));
        Ok(())
    }

    /// Adds the scenarios of a later query that belong to a stage until the window is full; returns whether it is full.
    fn add_later(&mut self, query: &Query, stage: Stage, meter: &Meter) -> Result<bool, Failure> {
        let mut scenarios = self.encoder.scenarios(query);
        if let Some(alone) = self.threads_alone(&scenarios, meter)? {
            if stage == Stage::Alone {
                self.add(&alone, true, meter)?;
                return Ok(self.is_full(stage));
            }
            if self.is_known_impossible(&alone, meter)? {
                return Ok(false);
            }
        }
        Ok(self.add_all(&mut scenarios, stage, true, meter)?)
    }

    /// Whether the words of a scenario without starts are in the window, and show that it cannot be carried out.
    fn is_known_impossible(&mut self, alone: &Scenario, meter: &Meter) -> Result<bool, Failure> {
        let Some(arrangement) = self.encoder.arrangement(alone, &[], meter)? else { return Ok(false) };
        let window = &mut self.windows[Stage::Alone as usize];
        let room = self.room.saturating_sub(window.size_of_others(&arrangement.locks));
        let group = window.groups.get_mut(&arrangement.locks).filter(|group| group.has(alone, &arrangement));
        let Some(group) = group else { return Ok(false) };
        let attempt = group.solve_and_check(&mut self.encoder, alone, &arrangement, room, meter)?;
        Ok(attempt.is_certainly_infeasible())
    }

    fn is_full(&self, stage: Stage) -> bool {
        self.windows[stage as usize].size > self.window
    }

    /// Adds the scenarios of a query that belong to a stage until the window is full; returns whether it is full.
    /// `of_another` says that this is not the query for which the window was opened.
    fn add_all(
        &mut self,
        scenarios: &mut Scenarios<'m>,
        stage: Stage,
        of_another: bool,
        meter: &Meter,
    ) -> Result<bool, StopReason> {
        while !self.is_full(stage) {
            let Some(scenario) = scenarios.next(meter)? else { return Ok(false) };
            match Stage::of(&scenario).cmp(&stage) {
                Ordering::Less => {}
                Ordering::Equal => self.add(&scenario, of_another, meter)?,
                Ordering::Greater => return Ok(false),
            }
        }
        Ok(true)
    }

    /// Adds a scenario to the window of its stage.
    fn add(&mut self, scenario: &Scenario, of_another: bool, meter: &Meter) -> Result<(), StopReason> {
        if scenario.is_too_long() {
            return Ok(());
        }
        let Some(arrangement) = self.encoder.arrangement(scenario, &[], meter)? else { return Ok(()) };
        let (locks, precision) = (arrangement.locks.clone(), (self.most_whole_parts, self.proves));
        let Window { groups, size } = &mut self.windows[Stage::of(scenario) as usize];
        let group = groups.entry(locks).or_insert_with_key(|locks| LockGroup::new(locks.clone(), precision));
        let positions = group.add(scenario, &arrangement);
        group.serves_others |= of_another && positions > 0;
        *size += positions * self.encoder.model().nodes().len();
        Ok(())
    }
}

/// Returns the contended locks of the scenarios of all cases of a query, each set once.
fn contended(encoder: &Encoder<'_>, query: &Query, meter: &Meter) -> Result<Vec<ContendedLocks>, StopReason> {
    let mut groups = BTreeSet::new();
    for case in query.cases() {
        let mut scenarios = encoder.scenarios(&case);
        let mut next = scenarios.threads_alone(meter)?;
        if next.is_none() {
            next = scenarios.next(meter)?;
        }
        while let Some(scenario) = next {
            let arrangement = encoder.arrangement(&scenario, &[], meter)?;
            groups.extend(arrangement.map(|arrangement| arrangement.locks));
            next = scenarios.next(meter)?;
            scenarios.skip_forest();
        }
    }
    Ok(groups.into_iter().collect())
}
