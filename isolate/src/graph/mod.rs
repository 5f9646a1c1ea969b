//! From the control-flow graphs of method contexts to a model.
//!
//! The interpreter makes a [`MethodContext`] for each method with values of its arguments. This module does not depend
//! on the interpreter: it reduces the graphs, each reduction by itself, and turns them into the functions and processes
//! of a model.

mod context;
mod covered;
mod effect_free_iterations;
mod effects;
mod emit;
mod equivalence;
mod exits;
mod flow;
mod identity;
mod ids;
mod isolated;
mod locks_without_exit;
pub(crate) mod names;
mod purpose;
mod quotient;
pub(crate) mod reachability;
mod reduce;
mod stuck;
#[cfg(test)]
mod test_support;
mod units;

pub(crate) use context::{LockEffect, MethodContext};
pub use covered::Covered;
pub(crate) use emit::{EntryRun, Input, MOST_COPIED, Naming, ProgramRun, RunsOnce, emit_client, emit_program};
pub(crate) use flow::{Exit, Flow, InlinedCall, Step};
pub(crate) use ids::{ContextId, EffectId};
pub use isolated::{Isolated, NotIsolated};
pub use names::{LockMeaning, Meanings, MethodMeaning, printable};
pub(crate) use purpose::Purpose;
pub(crate) use reduce::reduce;
pub use stuck::Stuck;
pub(crate) use units::{Role, Units, UnitsOf};
