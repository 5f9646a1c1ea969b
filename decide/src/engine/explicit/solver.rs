//! The solver of the words of processes, for one kind of weights.
//!
//! A process takes part in many queries with the same word and the same lock histories. Its path is the same in all of
//! them, since it is traced in a solution that does not change, so it is kept.

use super::process_words::ProcessWords;
use crate::encode::{
    Arrangement, CompatibilityCheck, ContendedLocks, DiagramId, Diagrams, Encoder, LocalWord, Matrices, Position,
    Scenario, SegmentId, Solved, Variant, sequence,
};
use crate::engine::Failure;
use crate::engine::nesting::Attempt;
use crate::witness::LocalPath;
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
    /// The number of steps of the kept paths.
    steps: usize,
}

/// The number of steps up to which paths are kept.
const MOST_STEPS: usize = 1 << 18;

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
    /// Paths by their words and their segments.
    paths: FxHashMap<LocalWord, FxHashMap<Vec<SegmentId>, LocalPath>>,
}

impl Solver {
    /// Creates a solver without solutions; `make` creates its diagrams.
    pub(super) fn new(make: fn() -> Diagrams) -> Self {
        let (weights, compatibility) = (Matrices::new(make()), CompatibilityCheck::default());
        Self { make, weights, compatibility, solutions: FxHashMap::default(), steps: 0 }
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
                let solution = Solution { solved, totals: FxHashMap::default(), paths: FxHashMap::default() };
                self.solutions.insert(variant.clone(), solution);
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
        for ((variant, word), segments) in arrangement.variants.iter().zip(&scenario.words).zip(chosen) {
            paths.push(self.path(variant, (word, &processes[variant].paths[word]), segments, meter)?);
        }
        Ok(Checked::of_paths(Attempt::Paths(paths)))
    }

    /// A path of a solved process with a word, whose path in the tree is given, and these segments.
    fn path(
        &mut self,
        variant: &Variant,
        (word, positions): (&LocalWord, &[Position]),
        segments: Vec<SegmentId>,
        meter: &Meter,
    ) -> Result<LocalPath, Failure> {
        let Solution { solved, paths, .. } = self.solutions.get_mut(variant).expect("it is solved");
        if let Some(known) = paths.get(word).and_then(|known| known.get(&segments)) {
            return Ok(known.clone());
        }
        let element = sequence(word, &segments);
        let path = solved.local_path(&mut self.weights, word, positions, &element, meter)?;
        let path = path.ok_or(Failure::Internal("an element of a weight has no path"))?;
        self.steps += path.size();
        if self.steps <= MOST_STEPS {
            paths.entry(word.clone()).or_default().insert(segments, path.clone());
        }
        Ok(path)
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
