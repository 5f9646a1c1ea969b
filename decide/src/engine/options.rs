//! How queries are decided.

use super::{Bounds, Engine, SearchOptions};
use crate::reductions::Reductions;
use limits::Limits;

/// How queries are decided.
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
    /// Which engine decides.
    pub engine: Engine,
    /// What each query may use.
    pub limits: Limits,
    /// What is left out before solving; the interleaving search leaves nothing out.
    pub reductions: Reductions,
    /// How many queries that share no work are decided at the same time; none for as many as the machine has
    /// processors.
    pub jobs: Option<usize>,
    /// How many steps a call without transitions of the automaton may have to be written out in a witness; longer ones
    /// are one step. None for 1,000.
    pub longest_call: Option<u64>,
    /// How far the interleaving search and the systematic search go.
    pub bounds: Bounds,
    /// How the systematic search goes about.
    pub search: SearchOptions,
}

impl Options {
    /// The same with this engine.
    #[must_use]
    pub fn with_engine(self, engine: Engine) -> Self {
        Self { engine, ..self }
    }

    /// The same with these limits of each query.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Self {
        Self { limits, ..self }
    }

    /// The same where this is left out before solving.
    #[must_use]
    pub fn with_reductions(self, reductions: Reductions) -> Self {
        Self { reductions, ..self }
    }

    /// The same where so many queries that share no work are decided at the same time; `None` for as many as the
    /// machine has processors.
    #[must_use]
    pub fn with_jobs(self, jobs: impl Into<Option<usize>>) -> Self {
        Self { jobs: jobs.into(), ..self }
    }

    /// The same where a call without transitions of the automaton is written out in a witness if it has no more steps
    /// than this; `None` for 1,000.
    #[must_use]
    pub fn with_longest_call(self, steps: impl Into<Option<u64>>) -> Self {
        Self { longest_call: steps.into(), ..self }
    }

    /// The same where the interleaving search goes so far.
    #[must_use]
    pub fn with_bounds(self, bounds: Bounds) -> Self {
        Self { bounds, ..self }
    }

    /// The same where the systematic search goes about like this.
    #[must_use]
    pub fn with_search(self, search: SearchOptions) -> Self {
        Self { search, ..self }
    }
}
