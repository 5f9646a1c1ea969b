//! Lock groups: the scenarios with the same contended locks, whose processes' words are solved together.
//!
//! Most processes have few different histories. If a process has many, the lightest histories alone show most
//! violations, at a fraction of the cost (see `diagram::lightest`). So the words are solved in up to three steps: with
//! whole weights, as long as these have few parts; then with the lightest weights; and with whole weights of any size
//! for a query that the lightest weights do not show to be violated. A scenario that is feasible in any step is
//! feasible; infeasibility is concluded from whole weights, with one exception. If only violations are wanted, the third
//! step is left out, and infeasible means that no violation was shown.
//!
//! *The exception*: if some participant has no path with its word by the lightest weights, then it has none, and the
//! third step is left out, too. For a sum is empty if and only if all summands are, and a product if and only if a
//! factor is, with both kinds of weights. So the empty weights are the same in both saturations: those that the least
//! fixed point over truth values makes false. This holds for totals as they are. It does not hold for the part of a
//! total with certain locations, since a lighter sequence replaces one with other locations before it.

use super::process_words::ProcessWords;
use super::solver::Solver;
use crate::encode::{Arrangement, ContendedLocks, Diagrams, Encoder, LocalWord, Scenario, Variant};
use crate::engine::Failure;
use crate::engine::nesting::Attempt;
use limits::{Meter, StopReason};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// The number of parts of whole weights above which the lightest weights are tried. It is far below the sizes at which
/// the lightest weights pay off (`bench/performance` has a program with 530,000 parts), so a useless attempt costs
/// little.
pub(super) const MOST_WHOLE_PARTS: usize = 1 << 13;

/// Whether infeasibility has to be proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Proves {
    /// By whole weights of any size.
    Yes,
    /// Only violations are wanted.
    No,
}

/// The words of each process, with the solvers and their results.
#[derive(Debug)]
pub(super) struct LockGroup {
    pub(super) locks: ContendedLocks,
    processes: FxHashMap<Variant, ProcessWords>,
    /// The number of parts of whole weights above which the lightest weights are tried.
    most_whole_parts: usize,
    whole: Solver,
    proves: Proves,
    /// Present once whole weights had more parts.
    lightest: Option<Solver>,
    /// Whether it contains words of queries other than the one for which the window was opened.
    pub(super) serves_others: bool,
}

impl LockGroup {
    /// Creates a group without words, with the number of parts of whole weights above which the lightest ones are
    /// tried, and whether infeasibility has to be proved.
    pub(super) fn new(locks: ContendedLocks, (most_whole_parts, proves): (usize, Proves)) -> Self {
        Self {
            proves,
            locks,
            processes: FxHashMap::default(),
            most_whole_parts,
            whole: Solver::new(Diagrams::default),
            lightest: None,
            serves_others: false,
        }
    }

    /// Whether the group contains the words of a scenario.
    pub(super) fn has(&self, scenario: &Scenario, arrangement: &Arrangement) -> bool {
        let mut parts = arrangement.variants.iter().zip(&scenario.words);
        parts.all(|(variant, word)| self.processes.get(variant).is_some_and(|own| own.paths.contains_key(word)))
    }

    /// Whether all missing words of a scenario belong to processes without words, so that adding them invalidates no
    /// solution.
    pub(super) fn takes(&self, scenario: &Scenario, arrangement: &Arrangement) -> bool {
        let mut parts = arrangement.variants.iter().zip(&scenario.words);
        parts.all(|(variant, word)| self.processes.get(variant).is_none_or(|own| own.paths.contains_key(word)))
    }

    /// Whether the group contains only words of this scenario.
    pub(super) fn serves_only(&self, scenario: &Scenario, arrangement: &Arrangement) -> bool {
        let parts = || arrangement.variants.iter().zip(&scenario.words);
        let is_needed =
            |variant: &Variant, word: &LocalWord| parts().any(|(other, own)| other == variant && own == word);
        self.processes.iter().all(|(variant, own)| {
            own.paths.len() <= scenario.words.len() && own.paths.keys().all(|word| is_needed(variant, word))
        })
    }

    /// Adds the missing words of a scenario; returns the number of new positions.
    pub(super) fn add(&mut self, scenario: &Scenario, arrangement: &Arrangement) -> usize {
        let mut positions = 0;
        for (variant, word) in arrangement.variants.iter().zip(&scenario.words) {
            let own = self.processes.entry(variant.clone()).or_default();
            if !own.paths.contains_key(word) {
                let before = own.tree.positions().count();
                let path = Arc::make_mut(&mut own.tree).insert(word);
                own.paths.insert(word.clone(), path);
                positions += own.tree.positions().count() - before;
                self.whole.forget_process(variant);
                self.lightest.iter_mut().for_each(|solver| solver.forget_process(variant));
            }
        }
        positions
    }

    /// Drops all solutions.
    pub(super) fn forget(&mut self) {
        self.whole.forget();
        self.lightest.iter_mut().for_each(Solver::forget);
    }

    /// Whether the lightest weights alone decided the queries so far.
    #[cfg(test)]
    pub(super) fn is_shown_by_lightest(&self) -> bool {
        self.lightest.is_some() && self.whole.is_unused()
    }

    /// Returns the approximate size of the weights in bytes.
    pub(super) fn size(&self) -> u64 {
        self.whole.weights.size() + self.lightest.as_ref().map_or(0, |solver| solver.weights.size())
    }

    /// Solves the words of all processes of a scenario that are not solved yet, then checks the scenario. The weights
    /// may take `room` bytes.
    pub(super) fn solve_and_check(
        &mut self,
        encoder: &mut Encoder<'_>,
        scenario: &Scenario,
        arrangement: &Arrangement,
        room: u64,
        meter: &Meter,
    ) -> Result<Attempt, Failure> {
        let Self { locks, processes, most_whole_parts, whole, lightest, proves, .. } = self;
        if lightest.is_none() {
            whole.weights.limit(room);
            whole.weights.limit_parts(*most_whole_parts);
            let checked = whole.check(encoder, locks, processes, scenario, arrangement, meter);
            let is_out_of_room = matches!(checked, Err(Failure::Stopped(StopReason::Memory)));
            if !(is_out_of_room && whole.weights.is_crowded()) {
                return checked.map(|checked| checked.attempt);
            }
            whole.forget();
        }
        let lightest = lightest.get_or_insert_with(|| Solver::new(Diagrams::lightest));
        lightest.weights.limit(room);
        let checked = lightest.check(encoder, locks, processes, scenario, arrangement, meter)?;
        if checked.lacks_path || matches!(checked.attempt, Attempt::Paths(_)) || *proves == Proves::No {
            return Ok(checked.attempt);
        }
        whole.weights.limit(room.saturating_sub(lightest.weights.size()));
        whole.weights.limit_parts(usize::MAX);
        whole.check(encoder, locks, processes, scenario, arrangement, meter).map(|checked| checked.attempt)
    }
}
