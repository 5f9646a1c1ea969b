//! The explicit engine: weights are sets of segment sequences in hash-consed decision diagrams.
//!
//! The local words of all queries that are asked are solved together: one post* for each process and set of contended locks,
//! over the tree of the words. A query is then one walk over the diagrams of its participants. Where the whole tree takes
//! longer than a single query may, each query solves the tree of its own words instead. For very big programs, the
//! queries are taken in *windows*, one after the other, each with trees of its own, so that memory stays bounded.

use super::violation::interleaving;
use super::{Failure, Finding};
use crate::encode::{
    Chooser, ClonedProcess, Contention, DiagramId, Diagrams, LocalWord, LockNumbers, Position, ReducedProcess,
    Scenario, Scenarios, Solved, StartGraph, WordTree, sequence,
};
use crate::limits::{Meter, StopReason};
use crate::model::{LockId, Model, ProcessId};
use crate::query::Query;
use crate::reductions::Reductions;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::sync::Arc;

/// How big the problems of a window may be together, in nodes of the model times positions of the trees. Measured on generated
/// programs, this much takes about 700 MiB with eight locations.
const WINDOW: usize = 3_000_000;

/// The local words of one process.
#[derive(Debug, Default)]
struct Problem {
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

/// The processes of the scenarios in which the same locks are contended.
#[derive(Debug)]
struct Group {
    numbers: Option<LockNumbers>,
    reductions: Reductions,
    diagrams: Diagrams,
    chooser: Chooser,
    problems: FxHashMap<ProcessId, Problem>,
    /// Whether the trees of all words took too long.
    is_too_big: bool,
}

/// The engine with what it has solved so far.
#[derive(Debug)]
pub(crate) struct Explicit<'m> {
    model: &'m Model,
    reductions: Reductions,
    start_graph: Arc<StartGraph<'m>>,
    contention: Contention,
    /// What will be asked.
    queries: Vec<Query>,
    /// The groups of the queries in the present window.
    groups: FxHashMap<Vec<LockId>, Group>,
}

impl<'m> Explicit<'m> {
    /// An engine that will be asked these queries, best in this order.
    pub(crate) fn new(model: &'m Model, queries: &[Query], reductions: Reductions) -> Self {
        let (start_graph, contention) = (Arc::new(StartGraph::new(model)), Contention::new(model));
        Self { model, reductions, start_graph, contention, queries: queries.to_vec(), groups: FxHashMap::default() }
    }

    /// For each query the contended locks of its scenarios; queries that have none of these in common share no work. Once a
    /// limit is reached, none.
    pub(crate) fn groups(
        model: &Model,
        queries: &[Query],
        reductions: Reductions,
        meter: &Meter,
    ) -> Vec<Vec<Vec<LockId>>> {
        let (start_graph, contention) = (Arc::new(StartGraph::new(model)), Contention::new(model));
        let groups = queries.iter().map(|query| {
            let mut scenarios = Scenarios::new(&start_graph, query, reductions);
            let mut locks: BTreeSet<Vec<LockId>> = BTreeSet::new();
            while let Ok(Some(scenario)) = scenarios.next(meter) {
                locks.insert(contention.locks_of(&scenario, reductions));
            }
            locks.into_iter().collect()
        });
        groups.collect()
    }

    /// Forgets what was solved, to give back memory.
    pub(crate) fn forget(&mut self) {
        self.groups.values_mut().for_each(Group::forget);
    }

    /// Decides a query.
    ///
    /// # Errors
    /// If a limit is reached, or the engine contradicts itself.
    pub(crate) fn decide(&mut self, query: &Query, meter: &Meter) -> Result<Finding, Failure> {
        let model = self.model;
        let mut scenarios = Scenarios::new(&self.start_graph, query, self.reductions);
        let mut finding = Finding::Safe;
        loop {
            let from_here = scenarios.clone();
            let Some(scenario) = scenarios.next(meter)? else { return Ok(finding) };
            if !self.group(&scenario).has(&scenario) {
                self.open_window(query, from_here, meter)?;
            }
            match self.group(&scenario).carry_out(model, &scenario, meter)? {
                Finding::Safe => {}
                Finding::Unsupported => finding = Finding::Unsupported,
                other @ (Finding::Violation(_) | Finding::Bound) => return Ok(other),
            }
        }
    }

    /// Begins a new window with these scenarios of a query and as many of those and of the queries after it as there is
    /// room for.
    fn open_window(&mut self, query: &Query, scenarios: Scenarios<'m>, meter: &Meter) -> Result<(), StopReason> {
        self.groups.clear();
        let first = self.queries.iter().position(|other| other == query);
        let next = first.map_or_else(Vec::new, |first| self.queries[first + 1..].to_vec());
        let (graph, reductions) = (self.start_graph.clone(), self.reductions);
        let others = next.iter().map(|query| Scenarios::new(&graph, query, reductions));
        let mut size = 0;
        for mut scenarios in std::iter::once(scenarios).chain(others) {
            while let Some(scenario) = scenarios.next(meter)? {
                size += self.group(&scenario).add(&scenario) * self.model.nodes().len();
                if size > WINDOW {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The group of a scenario, by its contended locks.
    fn group(&mut self, scenario: &Scenario) -> &mut Group {
        let locks = self.contention.locks_of(scenario, self.reductions);
        let (model, reductions) = (self.model, self.reductions);
        self.groups.entry(locks).or_insert_with_key(|locks| Group::new(LockNumbers::new(model, locks), reductions))
    }
}

impl Group {
    fn new(numbers: Option<LockNumbers>, reductions: Reductions) -> Self {
        Self {
            numbers,
            reductions,
            diagrams: Diagrams::default(),
            chooser: Chooser::default(),
            problems: FxHashMap::default(),
            is_too_big: false,
        }
    }

    /// Whether the words of a scenario are there.
    fn has(&self, scenario: &Scenario) -> bool {
        let mut parts = scenario.participants.iter().zip(&scenario.words);
        parts.all(|(participant, word)| {
            self.problems.get(&participant.process).is_some_and(|problem| problem.paths.contains_key(word))
        })
    }

    /// Adds the words of a scenario, unless they are there; gives how many positions that makes.
    fn add(&mut self, scenario: &Scenario) -> usize {
        let mut positions = 0;
        for (participant, word) in scenario.participants.iter().zip(&scenario.words) {
            let problem = self.problems.entry(participant.process).or_default();
            if !problem.paths.contains_key(word) {
                let before = problem.tree.positions().count();
                let path = Arc::make_mut(&mut problem.tree).insert(word);
                problem.paths.insert(word.clone(), path);
                problem.solution = None;
                positions += problem.tree.positions().count() - before;
            }
        }
        positions
    }

    fn forget(&mut self) {
        self.diagrams = Diagrams::default();
        self.chooser = Chooser::default();
        self.problems.values_mut().for_each(|problem| problem.solution = None);
    }

    fn carry_out(&mut self, model: &Model, scenario: &Scenario, meter: &Meter) -> Result<Finding, Failure> {
        if self.is_too_big {
            // Solves the words of this scenario only, apart from all others.
            let mut own = Self::new(self.numbers.clone(), self.reductions);
            own.add(scenario);
            return own.together(model, scenario, meter);
        }
        let result = self.together(model, scenario, meter);
        if result.as_ref().is_err_and(|failure| *failure == Failure::Stopped(StopReason::Timeout)) {
            self.is_too_big = true;
            self.forget();
        }
        result
    }

    /// Solves all words of the group, then checks the scenario.
    fn together(&mut self, model: &Model, scenario: &Scenario, meter: &Meter) -> Result<Finding, Failure> {
        let Some(numbers) = &self.numbers else { return Ok(Finding::Unsupported) };
        self.diagrams.set_meter(meter.clone());
        let mut totals = Vec::new();
        for (participant, word) in scenario.participants.iter().zip(&scenario.words) {
            let problem = self.problems.get_mut(&participant.process).expect("the scenario was added");
            if problem.solution.is_none() {
                let process = Arc::new(ClonedProcess::new(model, participant.process, numbers));
                let process = ReducedProcess::new(process, &problem.tree, self.reductions);
                let (tree, locks) = (problem.tree.clone(), numbers.len());
                let solved = Solved::new(&mut self.diagrams, process, tree, locks, self.reductions, meter)?;
                problem.solution = Some(Solution { solved, totals: FxHashMap::default() });
            }
            let total = problem.total(word, &mut self.diagrams)?;
            if total == DiagramId::EMPTY {
                return Ok(Finding::Safe);
            }
            totals.push(total);
        }
        let Some(chosen) = self.chooser.choose(&self.diagrams, &totals, &scenario.words)? else {
            return Ok(Finding::Safe);
        };
        let mut paths = Vec::new();
        for ((participant, word), segments) in scenario.participants.iter().zip(&scenario.words).zip(&chosen) {
            let problem = &self.problems[&participant.process];
            let solved = &problem.solution.as_ref().expect("every word of the scenario is solved").solved;
            let element = sequence(word, segments);
            let path = solved.local_path(&mut self.diagrams, word, &problem.paths[word], &element, meter)?;
            paths.push(path.ok_or(Failure::Internal("an element of a weight has no path"))?);
        }
        interleaving(model, scenario, paths, meter).map(Finding::Violation)
    }
}

impl Problem {
    /// The segment sequences of the paths that do their part of a word, for all words with its path in the tree; the problem is
    /// solved.
    fn total(&mut self, word: &LocalWord, diagrams: &mut Diagrams) -> Result<DiagramId, StopReason> {
        let path = &self.paths[word];
        let Solution { solved, totals } = self.solution.as_mut().expect("the problem is solved");
        if let Some(total) = totals.get(path) {
            return Ok(*total);
        }
        let total = solved.total(diagrams, word, path)?;
        totals.insert(path.clone(), total);
        Ok(total)
    }
}
