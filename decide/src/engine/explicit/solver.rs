//! The solver of the words of processes, for one kind of weights.

use super::process_words::ProcessWords;
use crate::encode::{
    Arrangement, CompatibilityCheck, ContendedLocks, DiagramId, Diagrams, Encoder, LocalWord, Matrices, Position,
    Scenario, Solved, Variant, sequence,
};
use crate::engine::Failure;
use crate::engine::nesting::Attempt;
use limits::{Meter, StopReason};
use rustc_hash::FxHashMap;

/// The solutions of processes, with their common weights.
#[derive(Debug)]
pub(super) struct Solver {
    /// Creates the empty diagrams.
    make: fn() -> Diagrams,
    pub(super) weights: Matrices<Diagrams>,
    compatibility: CompatibilityCheck,
    solutions: FxHashMap<Variant, Solution>,
}

/// The result of a check.
pub(super) struct Checked {
    pub(super) attempt: Attempt,
    /// Whether some participant has no path with its word at all, whatever its locks and locations.
    pub(super) lacks_path: bool,
}

impl Checked {
    fn without_path(attempt: Attempt) -> Self {
        Self { attempt, lacks_path: true }
    }

    fn of_paths(attempt: Attempt) -> Self {
        Self { attempt, lacks_path: false }
    }
}

/// The solution for all words of a process.
#[derive(Debug)]
struct Solution {
    solved: Solved<Diagrams>,
    /// The total weight by the path of a word in the tree; words with the same path have the same total.
    totals: FxHashMap<Vec<Position>, DiagramId>,
}

impl Solver {
    /// Creates a solver without solutions; `make` creates its diagrams.
    pub(super) fn new(make: fn() -> Diagrams) -> Self {
        let weights = Matrices::new(make());
        Self { make, weights, compatibility: CompatibilityCheck::default(), solutions: FxHashMap::default() }
    }

    /// Drops all solutions and weights.
    pub(super) fn forget(&mut self) {
        *self = Self::new(self.make);
    }

    /// Drops the solution of a process whose words have changed.
    pub(super) fn forget_process(&mut self, variant: &Variant) {
        self.solutions.remove(variant);
    }

    /// Whether nothing is solved.
    #[cfg(test)]
    pub(super) fn is_unused(&self) -> bool {
        self.solutions.is_empty()
    }

    /// Solves the words of all processes of a scenario that are not solved yet, then checks the scenario.
    pub(super) fn check(
        &mut self,
        encoder: &mut Encoder<'_>,
        locks: &ContendedLocks,
        processes: &FxHashMap<Variant, ProcessWords>,
        scenario: &Scenario,
        arrangement: &Arrangement,
        meter: &Meter,
    ) -> Result<Checked, Failure> {
        self.weights.entries.set_meter(meter.clone());
        let (mut totals, mut buried) = (Vec::new(), Vec::new());
        for (variant, word) in arrangement.variants.iter().zip(&scenario.words) {
            let own = &processes[variant];
            if !self.solutions.contains_key(variant) {
                let solved = encoder.solve(&mut self.weights, variant, locks, &own.tree, meter)?;
                self.solutions.insert(variant.clone(), Solution { solved, totals: FxHashMap::default() });
            }
            let solution = self.solutions.get_mut(variant).expect("it is solved");
            let total = solution.total(word, &own.paths[word], &mut self.weights)?;
            let of_process = solution.solved.process().original().buried();
            if total == DiagramId::EMPTY && of_process.is_empty() {
                return Ok(Checked::without_path(Attempt::IMPOSSIBLE));
            }
            totals.push(total);
            buried.extend_from_slice(of_process);
        }
        if totals.contains(&DiagramId::EMPTY) {
            return Ok(Checked::without_path(Attempt::Infeasible(buried)));
        }
        let Some(chosen) = self.compatibility.choose(&self.weights.entries, &totals, &scenario.words)? else {
            return Ok(Checked::of_paths(Attempt::Infeasible(buried)));
        };
        let mut paths = Vec::new();
        for ((variant, word), segments) in arrangement.variants.iter().zip(&scenario.words).zip(&chosen) {
            let solved = &self.solutions[variant].solved;
            let element = sequence(word, segments);
            let path = solved.local_path(&mut self.weights, word, &processes[variant].paths[word], &element, meter)?;
            paths.push(path.ok_or(Failure::Internal("an element of a weight has no path"))?);
        }
        Ok(Checked::of_paths(Attempt::Paths(paths)))
    }
}

impl Solution {
    /// Returns the segment sequences of all paths with a local word, for all words with this path in the tree.
    fn total(
        &mut self,
        word: &LocalWord,
        path: &[Position],
        weights: &mut Matrices<Diagrams>,
    ) -> Result<DiagramId, StopReason> {
        if let Some(total) = self.totals.get(path) {
            return Ok(*total);
        }
        let total = self.solved.total(weights, word, path)?;
        self.totals.insert(path.to_vec(), total);
        Ok(total)
    }
}
