//! How queries are decided.

use crate::engine::{Bounds, Engine};
use crate::limits::Limits;
use crate::reductions::Reductions;

/// How queries are decided.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Which engine decides.
    pub engine: Engine,
    /// What each query may use.
    pub limits: Limits,
    /// What is left out before solving; the interleaving search leaves nothing out.
    pub reductions: Reductions,
    /// How many queries that share no work are decided at the same time; none for as many as the machine has processors.
    pub jobs: Option<usize>,
    /// How many steps a call without transitions of the automaton may have to be written out in a witness; longer ones are one
    /// step. None for 1,000.
    pub longest_call: Option<u64>,
    /// How far the interleaving search goes.
    pub bounds: Bounds,
}
