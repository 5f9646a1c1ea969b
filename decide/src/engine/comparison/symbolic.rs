//! The symbolic engine: the paper's Algorithm 2.
//!
//! For each participant it makes one weighted post* over relations between lock histories (lines 1 to 3), then one
//! compatibility check (line 4). A local word is solved once for each process, set of contended locks and place in the
//! check, and kept for other queries.

use crate::encode::{
    Arrangement, ContendedLocks, Encoder, LocalWord, Matrices, Position, PowerSeries, Scenario, Solved, Variant,
    WordTree, metered,
};
use crate::engine::interface::{Decide, EngineKind, Task};
use crate::engine::nesting::{self, Attempt};
use crate::engine::{Decision, Failure, Sharing, Unsupported};
use crate::query::Query;
use limits::{Meter, StopReason};
use lockhist::LockHistory;
use lockhist::symbolic::{Compatibility, Layout, Orientation, Relation};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The quantities on which the variables of a check depend.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct CheckSize {
    locks: ContendedLocks,
    phases: usize,
    threads: usize,
}

/// The input of one saturation: a process and its local word, at one place in a check.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct LocalProblem {
    size: CheckSize,
    variant: Variant,
    transposed: bool,
    word: LocalWord,
}

/// A solved local problem.
#[derive(Debug)]
struct Solution {
    series: Matrices<PowerSeries>,
    solved: Solved<PowerSeries>,
    path: Vec<Position>,
    /// The relation of all paths with the local word; `None` if there is no such path.
    total: Option<Relation>,
}

/// The engine with its memoized solutions.
#[derive(Debug)]
pub(crate) struct Symbolic<'m> {
    encoder: Encoder<'m>,
    solutions: FxHashMap<LocalProblem, Solution>,
    checks: FxHashMap<CheckSize, Compatibility>,
}

impl<'m> EngineKind<'m> for Symbolic<'m> {
    const NAME: &'static str = "symbolic";
    const SHARING: Sharing = Sharing::Processes;

    fn start(task: Task<'_, 'm>, meter: &Meter) -> Result<Self, StopReason> {
        Ok(Self { encoder: task.encoder(meter)?, solutions: FxHashMap::default(), checks: FxHashMap::default() })
    }
}

impl Decide for Symbolic<'_> {
    fn decide(&mut self, query: &Query, meter: &Meter) -> Result<Decision, Failure> {
        let attempt = |engine: &mut Self, scenario: &_, arrangement: &_| engine.attempt(scenario, arrangement, meter);
        nesting::decide(self, |engine| &mut engine.encoder, query, meter, attempt)
    }

    fn forget(&mut self) {
        self.solutions.clear();
        self.checks.clear();
    }
}

impl Symbolic<'_> {
    /// Algorithm 2 for one scenario.
    fn attempt(&mut self, scenario: &Scenario, arrangement: &Arrangement, meter: &Meter) -> Result<Attempt, Failure> {
        let (phases, threads) = (scenario.words[0].len(), scenario.participants.len());
        let size = CheckSize { locks: arrangement.locks.clone(), phases, threads };
        let Some(layout) = Layout::new(size.locks.parts(), size.phases, size.threads).map(Arc::new) else {
            return Ok(Attempt::Unsupported(Unsupported::ManyVariables));
        };
        let problems = local_problems(scenario, arrangement, &size);
        let mut buried = Vec::new();
        let mut is_possible = true;
        for problem in &problems {
            let has_paths = self.saturate(problem, &layout, meter)?;
            let own = self.solutions[problem].solved.process().original().buried();
            if !has_paths && own.is_empty() {
                return Ok(Attempt::IMPOSSIBLE);
            }
            is_possible &= has_paths;
            buried.extend_from_slice(own);
        }
        if !is_possible {
            return Ok(Attempt::Infeasible(buried));
        }
        let totals: Vec<_> = problems.iter().filter_map(|problem| self.solutions[problem].total.as_ref()).collect();
        let check = self.checks.entry(size).or_insert_with(|| Compatibility::new(layout));
        match metered(meter, |budget| check.choose(&totals, budget))? {
            None => Ok(Attempt::Infeasible(buried)),
            Some(tuples) => self.paths(&problems, &tuples, meter),
        }
    }

    /// Lines 1 to 3: computes the relation of all paths with the local word, unless it is known. Returns whether there
    /// is such a path.
    fn saturate(&mut self, problem: &LocalProblem, layout: &Arc<Layout>, meter: &Meter) -> Result<bool, StopReason> {
        if !self.solutions.contains_key(problem) {
            let mut tree = WordTree::default();
            let path = tree.insert(&problem.word);
            let orientation = if problem.transposed { Orientation::Transposed } else { Orientation::Straight };
            let mut series = Matrices::new(PowerSeries::new(layout.clone(), orientation, meter.clone()));
            let (variant, locks) = (&problem.variant, &problem.size.locks);
            let mut solved = self.encoder.solve(&mut series, variant, locks, &Arc::new(tree), meter)?;
            let total = solved.total(&mut series, &problem.word, &path)?;
            let total = series.entries.relation(total, 0);
            self.solutions.insert(problem.clone(), Solution { series, solved, path, total });
        }
        Ok(self.solutions[problem].total.is_some())
    }

    /// Returns paths with these tuples of histories.
    fn paths(
        &mut self,
        problems: &[LocalProblem],
        tuples: &[Vec<LockHistory>],
        meter: &Meter,
    ) -> Result<Attempt, Failure> {
        let mut paths = Vec::new();
        for (problem, tuple) in problems.iter().zip(tuples) {
            let Solution { series, solved, path, .. } =
                self.solutions.get_mut(problem).expect("every problem of the scenario is solved");
            series.entries.set_meter(meter.clone());
            let path = solved.local_path(series, &problem.word, path, tuple, meter)?;
            paths.push(path.ok_or(Failure::Internal("an element of a weight has no path"))?);
        }
        Ok(Attempt::Paths(paths))
    }
}

/// Returns the local problems of a scenario, in the order of its participants.
fn local_problems(scenario: &Scenario, arrangement: &Arrangement, size: &CheckSize) -> Vec<LocalProblem> {
    let parts = arrangement.variants.iter().zip(&scenario.words).enumerate();
    let problems = parts.map(|(place, (variant, word))| LocalProblem {
        size: size.clone(),
        variant: variant.clone(),
        transposed: Orientation::of_thread(place) == Orientation::Transposed,
        word: word.clone(),
    });
    problems.collect()
}
