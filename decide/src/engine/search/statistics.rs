//! Statistics of searches: states, transitions, and the savings of each reduction.

use super::reduction::{SearchReduction, SearchReductions};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The counts of one search.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    pub(super) states: u64,
    pub(super) transitions: u64,
    pub(super) locals: u64,
    pub(super) bytes: u64,
    pub(super) saved: Savings,
}

/// The savings of each reduction, in its [`unit`](SearchStatistics::unit).
#[derive(Clone, Debug, Default)]
pub(super) struct Savings([u64; SearchReduction::ALL.len()]);

impl Savings {
    /// Adds an amount saved by a reduction.
    pub(super) fn save(&mut self, reduction: SearchReduction, amount: u64) {
        self.0[reduction as usize] += amount;
    }

    /// Adds one for each of these reductions.
    pub(super) fn save_each(&mut self, reductions: SearchReductions) {
        for reduction in SearchReduction::ALL.into_iter().filter(|reduction| reductions.has(*reduction)) {
            self.save(reduction, 1);
        }
    }

    /// Adds other savings.
    pub(super) fn add(&mut self, others: &Self) {
        self.0.iter_mut().zip(others.0).for_each(|(own, other)| *own += other);
    }
}

/// The counts of all searches that have a clone of it.
#[derive(Clone, Debug, Default)]
pub struct SearchStatistics(Arc<Cells>);

#[derive(Debug, Default)]
struct Cells {
    searches: AtomicU64,
    states: AtomicU64,
    transitions: AtomicU64,
    locals: AtomicU64,
    bytes: AtomicU64,
    missed: AtomicU64,
    /// The queries that the choice `auto` had decided by saturation, and by search.
    decided: [AtomicU64; 2],
    saved: [AtomicU64; SearchReduction::ALL.len()],
    /// Violations of the assumed locking discipline, with schedules.
    undisciplined: Mutex<Vec<String>>,
}

impl SearchStatistics {
    /// Adds a violation of the assumed locking discipline.
    pub(super) fn record_violation(&self, violation: String) {
        self.0.undisciplined.lock().unwrap_or_else(PoisonError::into_inner).push(violation);
    }

    /// Returns the violations of the assumed locking discipline, each with a schedule that leads to it.
    pub fn undisciplined(&self) -> Vec<String> {
        self.0.undisciplined.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Counts a violation that only the confirming search found.
    pub(super) fn count_missed(&self) {
        self.0.missed.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the number of violations that completed dynamic searches missed and the confirming searches found.
    pub fn missed(&self) -> u64 {
        self.0.missed.load(Ordering::Relaxed)
    }

    /// Counts a query that the choice `auto` had decided, by search or by saturation.
    pub(in crate::engine) fn count_decided(&self, by_search: bool) {
        self.0.decided[usize::from(by_search)].fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the numbers of queries that the choice [`Auto`](crate::Engine::Auto) had decided: by
    /// [`Explicit`](crate::Engine::Explicit), and by [`Search`](crate::Engine::Search).
    pub fn decided(&self) -> [u64; 2] {
        [0, 1].map(|engine: usize| self.0.decided[engine].load(Ordering::Relaxed))
    }

    /// Adds the counts of a search.
    pub(super) fn add(&self, counts: &Counts) {
        let add = |cell: &AtomicU64, amount| cell.fetch_add(amount, Ordering::Relaxed);
        add(&self.0.searches, 1);
        add(&self.0.states, counts.states);
        add(&self.0.transitions, counts.transitions);
        add(&self.0.locals, counts.locals);
        self.0.bytes.fetch_max(counts.bytes, Ordering::Relaxed);
        for (cell, amount) in self.0.saved.iter().zip(counts.saved.0) {
            add(cell, amount);
        }
    }

    /// Returns the number of searches.
    pub fn searches(&self) -> u64 {
        self.0.searches.load(Ordering::Relaxed)
    }

    /// Returns the number of visited states: different ones if they were stored, otherwise all visits.
    pub fn states(&self) -> u64 {
        self.0.states.load(Ordering::Relaxed)
    }

    /// Returns the number of transitions.
    pub fn transitions(&self) -> u64 {
        self.0.transitions.load(Ordering::Relaxed)
    }

    /// Returns the number of local states of threads.
    pub fn locals(&self) -> u64 {
        self.0.locals.load(Ordering::Relaxed)
    }

    /// Returns the memory of the states of the biggest search, in bytes.
    pub fn bytes(&self) -> u64 {
        self.0.bytes.load(Ordering::Relaxed)
    }

    /// Returns the savings of a reduction, in its [`unit`](Self::unit).
    pub fn saved(&self, reduction: SearchReduction) -> u64 {
        self.0.saved[reduction as usize].load(Ordering::Relaxed)
    }

    /// Returns the unit in which the savings of a reduction are counted.
    ///
    /// A step that only several reductions together make invisible counts for each of them.
    pub fn unit(reduction: SearchReduction) -> &'static str {
        match reduction {
            SearchReduction::Symmetry => "threads left out or states put in order",
            SearchReduction::Idle => "threads put to rest",
            SearchReduction::DeadEnds => "states left out",
            SearchReduction::Persistent => "threads not asked",
            SearchReduction::Sleep => "steps not taken again",
            SearchReduction::InvisibleFirst => "threads deferred",
            SearchReduction::Composed => "steps composed",
            SearchReduction::SourceSets => "threads not explored",
            SearchReduction::WakeupTrees => "steps guided",
            SearchReduction::Choices
            | SearchReduction::Owned
            | SearchReduction::Protected
            | SearchReduction::Relock
            | SearchReduction::Unlock => "steps made invisible",
        }
    }
}
