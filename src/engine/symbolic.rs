//! The symbolic engine: the paper's Algorithm 2.
//!
//! For each participant one weighted post* over relations between lock histories (lines 1 to 3), then one compatibility
//! check (line 4). A local word is solved once for each process, set of contended locks and place in the check, and kept
//! for other queries.

use super::violation::interleaving;
use super::{Failure, Finding, any_of};
use crate::encode::{
    ClonedProcess, Contention, LocalWord, LockNumbers, Position, PowerSeries, ReducedProcess, Scenario, Scenarios,
    Solved, StartGraph, WordTree, metered,
};
use crate::limits::Meter;
use crate::model::{LockId, Model, ProcessId};
use crate::query::Query;
use crate::reductions::Reductions;
use lockhist::LockHistory;
use lockhist::symbolic::{Compatibility, Layout, Orientation, Relation};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What the variables of a check depend on.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Frame {
    locks: Vec<LockId>,
    phases: usize,
    threads: usize,
}

/// One local problem.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Problem {
    frame: Frame,
    process: ProcessId,
    transposed: bool,
    word: LocalWord,
}

/// A solved local problem.
#[derive(Debug)]
struct Solution {
    series: PowerSeries,
    solved: Solved<PowerSeries>,
    path: Vec<Position>,
    /// The paths that do their part; none if there is no such path.
    total: Option<Relation>,
}

/// The engine with what it has solved so far.
#[derive(Debug)]
pub(crate) struct Symbolic<'m> {
    model: &'m Model,
    reductions: Reductions,
    start_graph: Arc<StartGraph<'m>>,
    contention: Contention,
    processes: FxHashMap<(ProcessId, Vec<LockId>), Arc<ClonedProcess>>,
    solutions: FxHashMap<Problem, Solution>,
    checks: FxHashMap<Frame, Compatibility>,
}

impl<'m> Symbolic<'m> {
    pub(crate) fn new(model: &'m Model, reductions: Reductions) -> Self {
        Self {
            model,
            reductions,
            start_graph: Arc::new(StartGraph::new(model)),
            contention: Contention::new(model),
            processes: FxHashMap::default(),
            solutions: FxHashMap::default(),
            checks: FxHashMap::default(),
        }
    }

    /// Forgets what was solved, to give back memory.
    pub(crate) fn forget(&mut self) {
        self.solutions.clear();
        self.checks.clear();
    }

    /// Decides a query.
    ///
    /// # Errors
    /// If a limit is reached, or the engine contradicts itself.
    pub(crate) fn decide(&mut self, query: &Query, meter: &Meter) -> Result<Finding, Failure> {
        let scenarios = Scenarios::new(&self.start_graph, query, self.reductions);
        any_of(scenarios, meter, |scenario| self.carry_out(scenario, meter))
    }

    /// Whether a scenario can be carried out.
    fn carry_out(&mut self, scenario: &Scenario, meter: &Meter) -> Result<Finding, Failure> {
        let locks = self.contention.locks_of(scenario, self.reductions);
        let frame = Frame { locks, phases: scenario.words[0].len(), threads: scenario.participants.len() };
        let numbers = LockNumbers::new(self.model, &frame.locks);
        let layout = Layout::new(frame.locks.len(), frame.phases, frame.threads);
        let (Some(numbers), Some(layout)) = (numbers, layout) else { return Ok(Finding::Unsupported) };
        let layout = Arc::new(layout);
        let problems = problems(scenario, &frame);
        for (place, problem) in problems.iter().enumerate() {
            if !self.solutions.contains_key(problem) {
                let solution = self.solve(problem, Orientation::of_thread(place), &layout, &numbers, meter)?;
                self.solutions.insert(problem.clone(), solution);
            }
            if self.solutions[problem].total.is_none() {
                return Ok(Finding::Safe);
            }
        }
        let totals: Vec<_> = problems.iter().filter_map(|problem| self.solutions[problem].total.as_ref()).collect();
        let check = self.checks.entry(frame).or_insert_with(|| Compatibility::new(layout));
        match metered(meter, |budget| check.choose(&totals, budget))? {
            None => Ok(Finding::Safe),
            Some(tuples) => self.violation(scenario, &problems, &tuples, meter),
        }
    }

    fn solve(
        &mut self,
        problem: &Problem,
        orientation: Orientation,
        layout: &Arc<Layout>,
        numbers: &LockNumbers,
        meter: &Meter,
    ) -> Result<Solution, Failure> {
        let model = self.model;
        let key = (problem.process, problem.frame.locks.clone());
        let cloned = || Arc::new(ClonedProcess::new(model, problem.process, numbers));
        let process = self.processes.entry(key).or_insert_with(cloned).clone();
        let mut tree = WordTree::default();
        let path = tree.insert(&problem.word);
        let mut series = PowerSeries::new(layout.clone(), orientation, meter.clone());
        let process = ReducedProcess::new(process, &tree, self.reductions);
        let tree = Arc::new(tree);
        let mut solved = Solved::new(&mut series, process, tree, numbers.len(), self.reductions, meter)?;
        let total = solved.total(&mut series, &problem.word, &path)?;
        let total = series.relation(total, 0);
        Ok(Solution { series, solved, path, total })
    }

    /// The interleaving of paths with these tuples of histories.
    fn violation(
        &mut self,
        scenario: &Scenario,
        problems: &[Problem],
        tuples: &[Vec<LockHistory>],
        meter: &Meter,
    ) -> Result<Finding, Failure> {
        let mut paths = Vec::new();
        for (problem, tuple) in problems.iter().zip(tuples) {
            let Solution { series, solved, path, .. } =
                self.solutions.get_mut(problem).expect("every problem of the scenario is solved");
            series.set_meter(meter.clone());
            let path = solved.local_path(series, &problem.word, path, tuple, meter)?;
            paths.push(path.ok_or(Failure::Internal("an element of a weight has no path"))?);
        }
        interleaving(self.model, scenario, paths, meter).map(Finding::Violation)
    }
}

/// The local problems of a scenario, in the order of its participants.
fn problems(scenario: &Scenario, frame: &Frame) -> Vec<Problem> {
    let parts = scenario.participants.iter().zip(&scenario.words).enumerate();
    let problems = parts.map(|(place, (participant, word))| Problem {
        frame: frame.clone(),
        process: participant.process,
        transposed: Orientation::of_thread(place) == Orientation::Transposed,
        word: word.clone(),
    });
    problems.collect()
}
