//! The scenarios in which the same locks are contended: the words of their processes, solved together.
//!
//! Most processes have few different histories. Where they have many, most queries that are violated are found so by
//! the lightest histories alone, at a small part of the cost (see `diagram::lightest`). So the words are solved in
//! three steps: with whole weights, as long as they have few parts; once they have more, with the lightest weights; and
//! with whole weights of any number of parts when a query is asked that the lightest ones do not show to be violated.
//! What is found to be possible in any step is; that something is not is only ever concluded from whole weights.

use super::process_words::ProcessWords;
use super::solver::Solver;
use crate::encode::{Arrangement, ContendedLocks, Diagrams, Encoder, LocalWord, Scenario, Variant};
use crate::engine::Failure;
use crate::engine::nesting::Attempt;
use limits::{Meter, StopReason};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// How many parts whole weights may have before the lightest ones are tried: much less than where that pays
/// (`docs/performance.md` has a program with 530,000), so that trying in vain costs little.
pub(super) const MOST_WHOLE_PARTS: usize = 1 << 13;

/// Words by process, and what is known of them.
#[derive(Debug)]
pub(super) struct LockGroup {
    pub(super) locks: ContendedLocks,
    processes: FxHashMap<Variant, ProcessWords>,
    /// How many parts whole weights may have before the lightest ones are tried.
    most_whole_parts: usize,
    whole: Solver,
    /// Once whole weights had more.
    lightest: Option<Solver>,
    /// Whether there are words of queries other than the one for which the window was opened.
    pub(super) serves_others: bool,
}

impl LockGroup {
    /// A group without words, whose whole weights may have so many parts before the lightest ones are tried.
    pub(super) fn new(locks: ContendedLocks, most_whole_parts: usize) -> Self {
        Self {
            locks,
            processes: FxHashMap::default(),
            most_whole_parts,
            whole: Solver::new(Diagrams::default),
            lightest: None,
            serves_others: false,
        }
    }

    /// Whether the words of a scenario are there.
    pub(super) fn has(&self, scenario: &Scenario, arrangement: &Arrangement) -> bool {
        let mut parts = arrangement.variants.iter().zip(&scenario.words);
        parts.all(|(variant, word)| self.processes.get(variant).is_some_and(|own| own.paths.contains_key(word)))
    }

    /// Whether the words of a scenario that are missing are those of processes that have none yet, so that adding them
    /// leaves everything solved that is.
    pub(super) fn takes(&self, scenario: &Scenario, arrangement: &Arrangement) -> bool {
        let mut parts = arrangement.variants.iter().zip(&scenario.words);
        parts.all(|(variant, word)| self.processes.get(variant).is_none_or(|own| own.paths.contains_key(word)))
    }

    /// Whether there are no words but those of a scenario.
    pub(super) fn serves_only(&self, scenario: &Scenario, arrangement: &Arrangement) -> bool {
        let parts = || arrangement.variants.iter().zip(&scenario.words);
        let is_needed =
            |variant: &Variant, word: &LocalWord| parts().any(|(other, own)| other == variant && own == word);
        self.processes.iter().all(|(variant, own)| {
            own.paths.len() <= scenario.words.len() && own.paths.keys().all(|word| is_needed(variant, word))
        })
    }

    /// Adds the words of a scenario, unless they are there; gives how many positions that makes.
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

    /// Forgets what was solved.
    pub(super) fn forget(&mut self) {
        self.whole.forget();
        self.lightest.iter_mut().for_each(Solver::forget);
    }

    /// Whether queries were decided by the lightest weights alone.
    #[cfg(test)]
    pub(super) fn is_shown_by_lightest(&self) -> bool {
        self.lightest.is_some() && self.whole.is_unused()
    }

    /// About how many bytes the weights take.
    pub(super) fn size(&self) -> u64 {
        self.whole.weights.size() + self.lightest.as_ref().map_or(0, |solver| solver.weights.size())
    }

    /// Solves all words of the processes in a scenario, unless they are solved, then checks the scenario; the weights
    /// may take so many bytes.
    pub(super) fn solve_and_check(
        &mut self,
        encoder: &mut Encoder<'_>,
        scenario: &Scenario,
        arrangement: &Arrangement,
        room: u64,
        meter: &Meter,
    ) -> Result<Attempt, Failure> {
        let Self { locks, processes, most_whole_parts, whole, lightest, .. } = self;
        if lightest.is_none() {
            whole.weights.limit(room);
            whole.weights.limit_parts(*most_whole_parts);
            let attempt = whole.check(encoder, locks, processes, scenario, arrangement, meter);
            let is_out_of_room = matches!(attempt, Err(Failure::Stopped(StopReason::Memory)));
            if !(is_out_of_room && whole.weights.is_crowded()) {
                return attempt;
            }
            whole.forget();
        }
        let lightest = lightest.get_or_insert_with(|| Solver::new(Diagrams::lightest));
        lightest.weights.limit(room);
        let attempt = lightest.check(encoder, locks, processes, scenario, arrangement, meter)?;
        if let Attempt::Paths(_) = attempt {
            return Ok(attempt);
        }
        whole.weights.limit(room.saturating_sub(lightest.weights.size()));
        whole.weights.limit_parts(usize::MAX);
        whole.check(encoder, locks, processes, scenario, arrangement, meter)
    }
}
