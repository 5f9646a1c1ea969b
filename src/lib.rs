//! Decides atomic-set serializability of concurrent programs with recursion and nested locks.

mod check;
pub mod eml;
mod encode;
mod engine;
mod limits;
pub mod model;
pub mod query;
pub mod report;
pub mod witness;

pub use check::{Error, Options, Outcome, Reason, Verdict, check, check_all};
pub use engine::{Bounds, Engine, UnknownEngine};
pub use limits::{Cancellation, Limits, StopReason};
pub use phases;
