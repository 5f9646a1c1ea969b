//! Witnesses: interleavings that violate a query, made from local paths and checked on the model alone.
//!
//! Nothing in here knows how a violation was found. `schedule` merges one straight path of each participant into an
//! interleaving, in an `order` with few context switches, `assemble` writes it down with names and positions, and
//! [`replay()`] executes what is written down, step by step, on the model. A violation is only reported after its
//! witness has replayed.

mod assemble;
mod completion;
mod inside;
mod interleaving;
mod interpreter;
mod order;
mod ownership;
mod path;
mod replay;
mod schedule;
mod step;

pub(crate) use replay::replay_watched;
pub use replay::{ReplayError, ReplayErrorKind, Subject, replay};
pub use step::{Action, Step, Witness};

pub(crate) use assemble::assemble;
pub(crate) use interleaving::{InterleavedStep, Interleaving};
pub(crate) use path::{CallId, Calls, LocalPath, LocalStep, Part, PhaseEnd};
pub(crate) use schedule::schedule;
