//! Decides queries on models of concurrent programs with recursion and nested locks.
//!
//! A query asks whether some interleaving of a [model](eml::model) contains an access pattern: a phase automaton for
//! chosen processes and locations. The answer is a [`Verdict`]: `Safe`, a proof for all interleavings; `Violation`,
//! one interleaving that was replayed on the model alone; or `Unknown` with the reason.
//!
//! | module | what it holds |
//! |---|---|
//! | [`query`] | queries: properties, processes, locations |
//! | `semantics` | one step of a thread, for the searches |
//! | `locking` | locks held at each node, lock order, protection of locations |
//! | [`witness`] | interleavings from local paths, and their replay |
//! | `encode` | from a model and a query to weighted pushdown systems, and back to paths |
//! | `engine` | the engines, all with the same answers |
//! | [`answers`], [`findings`] | answers as data; violations with one cause |
//! | [`records`] | JSON of the command `check` |
//!
//! Invariant: no engine's violation is reported before `witness` has replayed it on the model, and no engine answers
//! `Safe` after a limit has stopped it. Source: N. Kidd, P. Lammich, T. Touili, T. Reps, *A decision procedure for
//! detecting atomicity violations for communicating processes with locks* (SPIN 2009).

pub mod answers;
mod check;
mod check_all;
mod encode;
mod engine;
pub mod findings;
mod locking;
pub mod query;
pub mod records;
mod reductions;
mod semantics;
pub mod witness;

pub use check::{Checker, Error, Outcome, Reason, Verdict, check};
pub use check_all::{check_all, check_each};
pub use engine::{
    Bounds, Engine, Options, SearchOptions, SearchOrder, SearchReduction, SearchReductions, SearchStatistics, Sharing,
    UnknownEngine, UnknownSearchReduction,
};
pub use locking::lock_warnings;
pub use reductions::{Reduction, Reductions, UnknownReduction};
