//! What a search did: states, transitions, and what each reduction saved.

use super::reduction::{SearchReduction, SearchReductions};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// What one search counts.
#[derive(Clone, Debug, Default)]
pub(super) struct Counts {
    pub(super) states: u64,
    pub(super) transitions: u64,
    pub(super) locals: u64,
    pub(super) bytes: u64,
    pub(super) saved: Savings,
}

/// What each reduction saved.
#[derive(Clone, Debug, Default)]
pub(super) struct Savings([u64; SearchReduction::ALL.len()]);

impl Savings {
    /// A reduction saved so much.
    pub(super) fn save(&mut self, reduction: SearchReduction, amount: u64) {
        self.0[reduction as usize] += amount;
    }

    /// Each of these reductions saved one.
    pub(super) fn save_each(&mut self, reductions: SearchReductions) {
        for reduction in SearchReduction::ALL.into_iter().filter(|reduction| reductions.has(*reduction)) {
            self.save(reduction, 1);
        }
    }

    /// What was saved besides.
    pub(super) fn add(&mut self, others: &Self) {
        self.0.iter_mut().zip(others.0).for_each(|(own, other)| *own += other);
    }
}

/// Counts of all searches that were given a clone of it.
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
    saved: [AtomicU64; SearchReduction::ALL.len()],
    /// Violations of the discipline that was assumed, with schedules.
    undisciplined: Mutex<Vec<String>>,
}

impl SearchStatistics {
    /// Adds a violation of the discipline that was assumed.
    pub(super) fn tell(&self, violation: String) {
        self.0.undisciplined.lock().unwrap_or_else(PoisonError::into_inner).push(violation);
    }

    /// The violations of the discipline that was assumed, each with a schedule that leads to it.
    pub fn undisciplined(&self) -> Vec<String> {
        self.0.undisciplined.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// A violation was found only where it was confirmed that there is none.
    pub(super) fn miss(&self) {
        self.0.missed.fetch_add(1, Ordering::Relaxed);
    }

    /// How many violations dynamic searches did not find that had come to their ends; the searches that confirm
    /// their answers found them.
    pub fn missed(&self) -> u64 {
        self.0.missed.load(Ordering::Relaxed)
    }

    /// Adds what a search counted.
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

    /// How many searches there were.
    pub fn searches(&self) -> u64 {
        self.0.searches.load(Ordering::Relaxed)
    }

    /// How many states they visited: different ones where they were stored, otherwise all visits.
    pub fn states(&self) -> u64 {
        self.0.states.load(Ordering::Relaxed)
    }

    /// How many transitions they took.
    pub fn transitions(&self) -> u64 {
        self.0.transitions.load(Ordering::Relaxed)
    }

    /// How many local states of threads they met.
    pub fn locals(&self) -> u64 {
        self.0.locals.load(Ordering::Relaxed)
    }

    /// The memory of the states of the biggest search, in bytes.
    pub fn bytes(&self) -> u64 {
        self.0.bytes.load(Ordering::Relaxed)
    }

    /// What a reduction saved; see [`unit`](Self::unit).
    pub fn saved(&self, reduction: SearchReduction) -> u64 {
        self.0.saved[reduction as usize].load(Ordering::Relaxed)
    }

    /// What is counted of a reduction.
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
