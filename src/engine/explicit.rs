//! The explicit engine: weights are sets of segment sequences in hash-consed decision diagrams.
//!
//! The local words of all queries that are asked are solved together: one post* for each process and set of contended locks,
//! over the tree of the words. A query is then one walk over the diagrams of its participants. Where the whole tree takes
//! longer than a single query may, each query solves the tree of its own words instead. For very big programs, the
//! queries are taken in *windows*, one after the other, each with trees of its own, so that memory stays bounded.

use super::violation::interleaving;
use super::{Failure, Finding, any_of};
use crate::encode::{
    Chooser, ClonedProcess, Contention, DiagramId, Diagrams, LocalWord, LockNumbers, Plan, Position, ReducedProcess,
    Solved, WordTree, plans, sequence,
};
use crate::limits::{Meter, StopReason};
use crate::model::{LockId, Model, ProcessId};
use crate::query::Query;
use crate::reductions::Reductions;
use rustc_hash::FxHashMap;
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

/// The processes of the plans in which the same locks are contended.
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
    contention: Contention,
    /// What will be asked.
    queries: Vec<Query>,
    /// The groups of the queries in the present window.
    groups: FxHashMap<Vec<LockId>, Group>,
}

impl<'m> Explicit<'m> {
    /// An engine that will be asked these queries, best in this order.
    pub(crate) fn new(model: &'m Model, queries: &[Query], reductions: Reductions) -> Self {
        let contention = Contention::new(model);
        Self { model, reductions, contention, queries: queries.to_vec(), groups: FxHashMap::default() }
    }

    /// For each query the contended locks of its plans; queries that have none of these in common share no work.
    pub(crate) fn groups(model: &Model, queries: &[Query], reductions: Reductions) -> Vec<Vec<Vec<LockId>>> {
        let contention = Contention::new(model);
        let groups = queries.iter().map(|query| {
            let plans = plans(model, query, reductions);
            let mut locks: Vec<_> = plans.iter().map(|plan| contention.locks_of(plan, reductions)).collect();
            locks.sort_unstable();
            locks.dedup();
            locks
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
        let (model, plans) = (self.model, plans(self.model, query, self.reductions));
        if !plans.iter().all(|plan| self.group(plan).has(plan)) {
            self.open_window(query);
        }
        any_of(plans, |plan| self.group(&plan).carry_out(model, &plan, meter))
    }

    /// Begins a new window with a query and as many of those after it as there is room for.
    fn open_window(&mut self, query: &Query) {
        self.groups.clear();
        let first = self.queries.iter().position(|other| other == query);
        let next = first.map_or_else(Vec::new, |first| self.queries[first + 1..].to_vec());
        let mut size = 0;
        for query in std::iter::once(query).chain(&next) {
            for plan in plans(self.model, query, self.reductions) {
                size += self.group(&plan).add(&plan) * self.model.nodes().len();
            }
            if size > WINDOW {
                break;
            }
        }
    }

    /// The group of a plan, by its contended locks.
    fn group(&mut self, plan: &Plan) -> &mut Group {
        let locks = self.contention.locks_of(plan, self.reductions);
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

    /// Whether the words of a plan are there.
    fn has(&self, plan: &Plan) -> bool {
        let mut parts = plan.cast.iter().zip(&plan.words);
        parts.all(|(participant, word)| {
            self.problems.get(&participant.process).is_some_and(|problem| problem.paths.contains_key(word))
        })
    }

    /// Adds the words of a plan, unless they are there; gives how many positions that makes.
    fn add(&mut self, plan: &Plan) -> usize {
        let mut positions = 0;
        for (participant, word) in plan.cast.iter().zip(&plan.words) {
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

    fn carry_out(&mut self, model: &Model, plan: &Plan, meter: &Meter) -> Result<Finding, Failure> {
        if self.is_too_big {
            // Solves the words of this plan only, apart from all others.
            let mut own = Self::new(self.numbers.clone(), self.reductions);
            own.add(plan);
            return own.together(model, plan, meter);
        }
        let result = self.together(model, plan, meter);
        if result.as_ref().is_err_and(|failure| *failure == Failure::Stopped(StopReason::Timeout)) {
            self.is_too_big = true;
            self.forget();
        }
        result
    }

    /// Solves all words of the group, then checks the plan.
    fn together(&mut self, model: &Model, plan: &Plan, meter: &Meter) -> Result<Finding, Failure> {
        let Some(numbers) = &self.numbers else { return Ok(Finding::Unsupported) };
        self.diagrams.set_meter(meter.clone());
        let mut totals = Vec::new();
        for (participant, word) in plan.cast.iter().zip(&plan.words) {
            let problem = self.problems.get_mut(&participant.process).expect("the plan was added");
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
        let Some(chosen) = self.chooser.choose(&self.diagrams, &totals, &plan.words)? else { return Ok(Finding::Safe) };
        let mut paths = Vec::new();
        for ((participant, word), segments) in plan.cast.iter().zip(&plan.words).zip(&chosen) {
            let problem = &self.problems[&participant.process];
            let solved = &problem.solution.as_ref().expect("every word of the plan is solved").solved;
            let element = sequence(word, segments);
            let path = solved.local_path(&mut self.diagrams, word, &problem.paths[word], &element);
            paths.push(path.ok_or(Failure::Internal("an element of a weight has no path"))?);
        }
        interleaving(model, plan, paths).map(Finding::Violation)
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
