//! Decides atomic-set serializability of concurrent programs with recursion and nested locks.
//!
//! The feature `cli`, which is on by default, adds the command, `batch`, what prints tables in [`report`], and source lines in
//! messages about texts. A front end does without: `default-features = false`.

#[cfg(feature = "cli")]
pub mod batch;
mod check;
mod check_all;
pub mod eml;
mod encode;
mod engine;
pub mod findings;
#[cfg(feature = "java")]
pub mod isolate;
mod limits;
mod locking;
pub mod model;
mod options;
pub mod query;
mod reductions;
pub mod report;
mod semantics;
#[cfg(feature = "java")]
pub mod verdict;
pub mod witness;

pub use check::{Checker, Error, Outcome, Reason, Verdict, check};
pub use check_all::{check_all, check_each};
pub use engine::{
    Bounds, Engine, SearchOptions, SearchOrder, SearchReduction, SearchReductions, SearchStatistics, UnknownEngine,
    UnknownSearchReduction,
};
#[cfg(feature = "java")]
pub use java;
pub use limits::{Cancellation, Clock, Deadline, Limits, StopReason, peak_memory};
pub use locking::lock_warnings;
pub use options::Options;
pub use phases;
pub use reductions::{Reduction, Reductions, UnknownReduction};
