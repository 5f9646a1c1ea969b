//! The options with which queries are decided.

use super::{Bounds, Engine, SearchOptions};
use crate::reductions::Reductions;
use limits::Limits;

/// The options with which queries are decided.
///
/// ```
/// use decide::{Engine, Options};
/// use limits::Limits;
/// use std::time::Duration;
///
/// let limits = Limits::default().with_timeout(Duration::from_secs(10)).with_memory(1 << 30);
/// let options = Options::default().with_engine(Engine::Symbolic).with_limits(limits).with_jobs(1);
/// assert_eq!(options.jobs, Some(1));
/// ```
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Options {
    /// The engine that decides.
    pub engine: Engine,
    /// The limits of each query.
    pub limits: Limits,
    /// The reductions applied before solving; the interleaving search applies none.
    pub reductions: Reductions,
    /// The number of queries without shared work that are decided in parallel; `None` for the number of processors.
    pub jobs: Option<usize>,
    /// The maximal number of steps of a call without transitions of the automaton that a witness lists one by one; a
    /// longer call is shown as one step. `None` for 1,000.
    pub longest_call: Option<u64>,
    /// The bounds of the interleaving search and the systematic search.
    pub bounds: Bounds,
    /// The options of the systematic search.
    pub search: SearchOptions,
    /// Whether only violations are wanted, and no proof. Then `Safe` means that none was shown, and the engine
    /// `explicit` leaves out its last step, which makes the proofs for processes with very many lock histories.
    pub violations_only: bool,
}

impl Options {
    /// Returns the options with this engine.
    #[must_use]
    pub fn with_engine(self, engine: Engine) -> Self {
        Self { engine, ..self }
    }

    /// Returns the options with these limits for each query.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// Returns the options with these reductions.
    #[must_use]
    pub fn with_reductions(self, reductions: Reductions) -> Self {
        Self { reductions, ..self }
    }

    /// Returns the options with this number of queries decided in parallel; `None` for the number of processors.
    #[must_use]
    pub fn with_jobs(self, jobs: impl Into<Option<usize>>) -> Self {
        Self { jobs: jobs.into(), ..self }
    }

    /// Returns the options with this maximal number of steps of a call that a witness lists one by one; `None` for
    /// 1,000.
    #[must_use]
    pub fn with_longest_call(self, steps: impl Into<Option<u64>>) -> Self {
        Self { longest_call: steps.into(), ..self }
    }

    /// Returns the options for queries of which only violations are wanted, or not.
    #[must_use]
    pub fn with_violations_only(self, violations_only: bool) -> Self {
        Self { violations_only, ..self }
    }

    /// Returns the options with these bounds of the searches.
    #[must_use]
    pub fn with_bounds(self, bounds: Bounds) -> Self {
        Self { bounds, ..self }
    }

    /// Returns the options with these options of the systematic search.
    #[must_use]
    pub fn with_search(self, search: SearchOptions) -> Self {
        Self { search, ..self }
    }
}
