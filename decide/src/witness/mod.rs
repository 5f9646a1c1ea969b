//! Witnesses: interleavings that violate a query, made from local paths and checked on the model alone.
//!
//! This module does not know how a violation was found. `schedule` merges one path of each participant into an
//! interleaving, in an `order` with few context switches. `assemble` writes it down with names and positions.
//! [`replay()`] executes the written steps on the model, one by one. A violation is only reported after its witness has
//! replayed.

mod assemble;
mod call_effects;
mod call_lengths;
mod interleaving;
mod interpreter;
mod order;
mod ownership;
mod path;
mod replay;
mod schedule;
mod statements;
mod step;
mod table;

pub(crate) use replay::replay_watched;
pub use replay::{ReplayError, ReplayErrorKind, Subject, replay};
pub use step::{Action, Statement, Step, Witness};

pub(crate) use assemble::assemble;
pub(crate) use interleaving::{InterleavedStep, Interleaving};
pub(crate) use path::{CallId, Calls, LocalPath, LocalStep, Part, PhaseEnd};
pub(crate) use schedule::schedule;
pub(crate) use statements::Statements;
