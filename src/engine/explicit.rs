//! The explicit engine: weights are sets of segment sequences in hash-consed decision diagrams, in matrices
//! over the positions of word trees.
//!
//! The local words of all queries that are asked are solved together: one post* for each process and set of contended locks,
//! over the tree of the words. A query is then one walk over the diagrams of its participants. For very big programs, the
//! queries are taken in *windows*, one after the other, each with trees of its own, so that memory stays bounded. A query that
//! was not announced joins the present window if what it adds are words of processes that had none there, and else opens one.
//!
//! The query that needs a tree first solves it for all others. That is an *attempt* with a share of the limits, so that
//! the query does not lose its verdict by it: where the attempt ends by time or memory, this query and all later ones of
//! the window solve the tree of their own words instead, each within its full limits. Each attempt that fails halves the
//! share of the next, so that all of them together take no more than the time of one query. Where nobody else is served, the
//! attempt is at the query's own expense.

use super::nesting::{Attempt, carry_out};
use super::{Failure, Finding, Sharing, any_of};
use crate::encode::{
    Arrangement, Chooser, ContendedLocks, DiagramId, Diagrams, Encoder, LocalWord, Matrices, Position, Scenario,
    Scenarios, Solved, Variant, WordTree, sequence,
};
use crate::limits::{Meter, StopReason};
use crate::model::Model;
use crate::query::Query;
use crate::reductions::Reductions;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

/// How big the trees of a window may be together, in nodes of the model times positions of the trees, as long as its weights do
/// not take more than [`ROOM`]. What they take depends on how much a program repeats itself: two processes of 100,000
/// critical sections are one window of 330 MiB, those of random statements are several windows.
const WINDOW: usize = 40_000_000;

/// The next window is this much smaller than one whose weights took too much.
const SHRINK: usize = 4;

/// Windows that would be smaller than this have the words of one scenario only.
const SMALLEST: usize = 400_000;

/// How many bytes the weights of a window may take, if it has the words of more than one scenario.
const ROOM: u64 = 384 << 20;

/// The local words of one process.
#[derive(Debug, Default)]
struct ProcessWords {
    tree: Arc<WordTree>,
    paths: FxHashMap<LocalWord, Vec<Position>>,
    solution: Option<Solution>,
}

#[derive(Debug)]
struct Solution {
    solved: Solved<Diagrams>,
    /// By the path of a word in the tree, for all words with this path.
    totals: FxHashMap<Vec<Position>, DiagramId>,
}

/// The scenarios in which the same locks are contended: the words of their processes, solved together.
#[derive(Debug)]
struct LockGroup {
    locks: ContendedLocks,
    weights: Matrices<Diagrams>,
    chooser: Chooser,
    processes: FxHashMap<Variant, ProcessWords>,
    /// Whether an attempt to solve all words together has failed.
    is_apart: bool,
    /// Whether there are words of queries other than the one for which the window was opened.
    serves_others: bool,
}

/// The engine with what it has solved so far.
#[derive(Debug)]
pub(crate) struct Explicit<'m> {
    encoder: Encoder<'m>,
    /// What will be asked.
    queries: Vec<Query>,
    /// The groups of the queries in the present window.
    groups: FxHashMap<ContendedLocks, LockGroup>,
    /// The part of its limits that a query gives to an attempt for all.
    joint_part: f64,
    /// How big windows may be, and how many bytes their weights may take.
    window: usize,
    room: u64,
    /// How big the present window is.
    size: usize,
}

impl<'m> Explicit<'m> {
    /// An engine that will be asked these queries, best in this order.
    pub(crate) fn new(encoder: Encoder<'m>, queries: Vec<Query>) -> Self {
        let (groups, joint_part) = (FxHashMap::default(), Sharing::Words.joint_part());
        Self { encoder, queries, groups, joint_part, window: WINDOW, room: ROOM, size: 0 }
    }

    /// For each query the contended locks of its scenarios; queries that have none of these in common share no work. Once a
    /// limit is reached, none.
    pub(crate) fn groups(
        model: &Model,
        queries: &[Query],
        reductions: Reductions,
        meter: &Meter,
    ) -> Vec<Vec<ContendedLocks>> {
        let Ok(encoder) = Encoder::new(model, reductions, meter) else { return vec![Vec::new(); queries.len()] };
        let groups = queries.iter().map(|query| {
            let mut scenarios = encoder.scenarios(query);
            let mut groups = BTreeSet::new();
            while let Ok(Some(scenario)) = scenarios.next(meter) {
                let arrangement = encoder.arrangement(&scenario, &[], meter).ok().flatten();
                groups.extend(arrangement.map(|arrangement| arrangement.locks));
            }
            groups.into_iter().collect()
        });
        groups.collect()
    }

    /// Forgets what was solved, to give back memory.
    pub(crate) fn forget(&mut self) {
        self.groups.values_mut().for_each(LockGroup::forget);
    }

    /// Decides a query.
    ///
    /// # Errors
    /// If a limit is reached, or the engine contradicts itself.
    pub(crate) fn decide(&mut self, query: &Query, meter: &Meter) -> Result<Finding, Failure> {
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

    /// Looks whether a scenario can be carried out; `rest` are those of its query that come after it. Windows become smaller until
    /// the one with this scenario has room: in the end it has no other words, and then any room.
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
                group.weights.limit(Matrices::<Diagrams>::MOST);
                return group.solve_and_check(encoder, scenario, arrangement, meter);
            }
            if group.is_apart {
                return self.attempt_apart(scenario, arrangement, meter);
            }
            let begin = Instant::now();
            group.weights.limit(room);
            let attempt = group.solve_and_check(encoder, scenario, arrangement, &meter.share(*joint_part));
            if !matches!(attempt, Err(Failure::Stopped(StopReason::Timeout | StopReason::Memory))) {
                return attempt;
            }
            if group.serves_others {
                *joint_part /= 2.0;
                meter.excuse(begin.elapsed());
            }
            if group.weights.is_full() {
                self.shrink();
            } else {
                group.is_apart = true;
                group.forget();
            }
        }
    }

    /// How many bytes the weights of the other groups in the window take.
    fn size_of_others(&self, locks: &ContendedLocks) -> u64 {
        self.groups.values().filter(|group| group.locks != *locks).map(|group| group.weights.size()).sum()
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
        let mut own = LockGroup::new(arrangement.locks.clone());
        own.add(scenario, arrangement);
        own.solve_and_check(&mut self.encoder, scenario, arrangement, meter)
    }

    /// Begins a new window with this scenario of a query and as many of the rest and of the queries after it as there is room
    /// for.
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
        let Some(place) = self.queries.iter().position(|other| other == query).filter(|_| !is_full) else {
            return Ok(());
        };
        // The others are served by what this takes. Where it takes too much, the window stays as big as it is by then.
        let (begin, share) = (Instant::now(), meter.share(self.joint_part));
        let later: Vec<_> = self.queries[place + 1..].iter().map(|query| self.encoder.scenarios(query)).collect();
        for mut scenarios in later {
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
        meter.excuse(begin.elapsed());
        Ok(())
    }

    /// Adds the scenarios of a query to the window, another one than it is opened for or the same, until it is as big as it may
    /// be; says whether it is.
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
        let group = self.groups.entry(locks).or_insert_with_key(|locks| LockGroup::new(locks.clone()));
        let positions = group.add(scenario, &arrangement);
        group.serves_others |= of_another && positions > 0;
        self.size += positions * self.encoder.model().nodes().len();
        Ok(())
    }
}

impl LockGroup {
    fn new(locks: ContendedLocks) -> Self {
        Self {
            locks,
            weights: Matrices::default(),
            chooser: Chooser::default(),
            processes: FxHashMap::default(),
            is_apart: false,
            serves_others: false,
        }
    }

    /// Whether the words of a scenario are there.
    fn has(&self, scenario: &Scenario, arrangement: &Arrangement) -> bool {
        let mut parts = arrangement.variants.iter().zip(&scenario.words);
        parts.all(|(variant, word)| self.processes.get(variant).is_some_and(|own| own.paths.contains_key(word)))
    }

    /// Whether the words of a scenario that are missing are those of processes that have none yet, so that adding them leaves everything
    /// solved that is.
    fn takes(&self, scenario: &Scenario, arrangement: &Arrangement) -> bool {
        let mut parts = arrangement.variants.iter().zip(&scenario.words);
        parts.all(|(variant, word)| self.processes.get(variant).is_none_or(|own| own.paths.contains_key(word)))
    }

    /// Whether there are no words but those of a scenario.
    fn serves_only(&self, scenario: &Scenario, arrangement: &Arrangement) -> bool {
        let parts = || arrangement.variants.iter().zip(&scenario.words);
        let is_needed =
            |variant: &Variant, word: &LocalWord| parts().any(|(other, own)| other == variant && own == word);
        self.processes.iter().all(|(variant, own)| {
            own.paths.len() <= scenario.words.len() && own.paths.keys().all(|word| is_needed(variant, word))
        })
    }

    /// Adds the words of a scenario, unless they are there; gives how many positions that makes.
    fn add(&mut self, scenario: &Scenario, arrangement: &Arrangement) -> usize {
        let mut positions = 0;
        for (variant, word) in arrangement.variants.iter().zip(&scenario.words) {
            let own = self.processes.entry(variant.clone()).or_default();
            if !own.paths.contains_key(word) {
                let before = own.tree.positions().count();
                let path = Arc::make_mut(&mut own.tree).insert(word);
                own.paths.insert(word.clone(), path);
                own.solution = None;
                positions += own.tree.positions().count() - before;
            }
        }
        positions
    }

    fn forget(&mut self) {
        self.weights = Matrices::default();
        self.chooser = Chooser::default();
        self.processes.values_mut().for_each(|own| own.solution = None);
    }

    /// Solves all words of the processes in a scenario, unless they are solved, then checks the scenario.
    fn solve_and_check(
        &mut self,
        encoder: &mut Encoder<'_>,
        scenario: &Scenario,
        arrangement: &Arrangement,
        meter: &Meter,
    ) -> Result<Attempt, Failure> {
        self.weights.entries.set_meter(meter.clone());
        let (mut totals, mut buried) = (Vec::new(), Vec::new());
        for (variant, word) in arrangement.variants.iter().zip(&scenario.words) {
            let own = self.processes.get_mut(variant).expect("the scenario was added");
            let solution = match own.solution.take() {
                Some(known) => known,
                None => {
                    let solved = encoder.solve(&mut self.weights, variant, &self.locks, &own.tree, meter)?;
                    Solution { solved, totals: FxHashMap::default() }
                }
            };
            let of_process = solution.solved.process().original().buried().to_vec();
            own.solution = Some(solution);
            let total = own.total(word, &mut self.weights)?;
            if total == DiagramId::EMPTY && of_process.is_empty() {
                return Ok(Attempt::IMPOSSIBLE);
            }
            totals.push(total);
            buried.extend(of_process);
        }
        if totals.contains(&DiagramId::EMPTY) {
            return Ok(Attempt::Nothing(buried));
        }
        let Some(chosen) = self.chooser.choose(&self.weights.entries, &totals, &scenario.words)? else {
            return Ok(Attempt::Nothing(buried));
        };
        let mut paths = Vec::new();
        for ((variant, word), segments) in arrangement.variants.iter().zip(&scenario.words).zip(&chosen) {
            let own = &self.processes[variant];
            let solved = &own.solution.as_ref().expect("every word of the scenario is solved").solved;
            let element = sequence(word, segments);
            let path = solved.local_path(&mut self.weights, word, &own.paths[word], &element, meter)?;
            paths.push(path.ok_or(Failure::Internal("an element of a weight has no path"))?);
        }
        Ok(Attempt::Paths(paths))
    }
}

impl ProcessWords {
    /// The segment sequences of the paths that do their part of a word, for all words with its path in the tree; the words
    /// are solved.
    fn total(&mut self, word: &LocalWord, weights: &mut Matrices<Diagrams>) -> Result<DiagramId, StopReason> {
        let path = &self.paths[word];
        let Solution { solved, totals } = self.solution.as_mut().expect("the words are solved");
        if let Some(total) = totals.get(path) {
            return Ok(*total);
        }
        let total = solved.total(weights, word, path)?;
        totals.insert(path.clone(), total);
        Ok(total)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Limits;
    use crate::query::{Property, Selection};
    use std::time::Duration;

    fn queries_of(text: &str) -> (Model, Vec<Query>) {
        let model = crate::model::from_text("test.eml", text).expect("a model").model;
        let properties = Property::all_patterns(phases::UnitMode::Both);
        let queries = Selection::default().queries(&model, &properties).expect("nothing is named");
        (model, queries)
    }

    fn engine<'m>(model: &'m Model, queries: &[Query]) -> Explicit<'m> {
        let encoder = Encoder::new(model, Reductions::all(), &Meter::start(&Limits::default()));
        Explicit::new(encoder.expect("there is no limit"), queries.to_vec())
    }

    /// An attempt without any time, or without any memory, fails at once; then each query is decided on its own, with the same
    /// result.
    #[test]
    fn an_attempt_for_all_costs_no_query_its_verdict() {
        let (model, queries) = queries_of(include_str!("../../models/stack.eml"));
        let none = Limits::default;
        for limits in [none().with_timeout(Duration::from_secs(600)), none().with_memory(1 << 50)] {
            let mut together = engine(&model, &queries);
            let mut apart = engine(&model, &queries);
            apart.joint_part = 0.0;
            for query in &queries {
                let is_safe = |engine: &mut Explicit<'_>| {
                    let found = engine.decide(query, &Meter::start(&limits)).expect("there is enough");
                    matches!(found, Finding::Safe)
                };
                assert_eq!(is_safe(&mut together), is_safe(&mut apart), "{query:?}");
            }
            let failed = |engine: &Explicit<'_>| engine.groups.values().filter(|group| group.is_apart).count();
            assert_eq!(failed(&together), 0);
            assert!(failed(&apart) > 0);
        }
    }

    /// With less and less room windows become smaller, until each has one scenario, and all results stay the same.
    #[test]
    fn windows_without_room_become_smaller() {
        let (model, queries) = queries_of(include_str!("../../models/stack.eml"));
        let meter = Meter::start(&Limits::default());
        let outcome = |room| {
            let mut engine = Explicit { room, ..engine(&model, &queries) };
            let safe = queries.iter().map(|query| {
                let found = engine.decide(query, &meter).expect("there is no limit");
                matches!(found, Finding::Safe)
            });
            let safe: Vec<_> = safe.collect();
            let size: u64 = engine.groups.values().map(|group| group.weights.size()).sum();
            (safe, engine.window, size)
        };
        let (safe, window, size) = outcome(ROOM);
        assert!(window == WINDOW && safe.contains(&true) && safe.contains(&false));
        assert_eq!(outcome(0).1, 0);
        for room in [0, size / 4, size / 2] {
            assert_eq!(outcome(room).0, safe, "{room} of {size}");
        }
    }

    /// What several scenarios of one query share is at its own expense; what other queries share is not.
    #[test]
    fn an_attempt_for_others_only_is_excused() {
        let (model, queries) = queries_of(include_str!("../../models/start-unlocked.eml"));
        let meter = Meter::start(&Limits::default());
        let serves_others = |queries: &[Query]| {
            let mut engine = engine(&model, queries);
            engine.decide(&queries[0], &meter).expect("there is no limit");
            engine.groups.values().any(|group| group.serves_others)
        };
        assert!(serves_others(&queries));
        assert!(!serves_others(&queries[..1]));
    }
}
