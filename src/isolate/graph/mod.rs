//! From the control-flow graphs of method contexts to a model.
//!
//! The interpreter makes a [`MethodContext`] for each method with values of its arguments. What stands here knows
//! nothing of the interpreter: graphs are made smaller, each reduction by itself, and become the functions and
//! processes of a model.

mod context;
mod effects;
mod emit;
mod equivalent;
mod exits;
mod flow;
mod held;
mod identity;
mod ids;
mod isolated;
pub(in crate::isolate) mod names;
mod quotient;
pub(in crate::isolate) mod reachability;
mod reduce;
mod rounds;
mod stuck;
#[cfg(test)]
mod test_support;
mod units;

pub(in crate::isolate) use context::{LockEffect, MethodContext};
pub(in crate::isolate) use emit::{EntryRun, Input, Naming, ProgramRun, RunsOnce, emit_client, emit_program};
pub(in crate::isolate) use flow::{Exit, Flow, InlinedCall, Step};
pub(in crate::isolate) use ids::{ContextId, EffectId};
pub use isolated::{Isolated, NotIsolated};
pub use names::{Meanings, MethodMeaning, printable};
pub(in crate::isolate) use reduce::reduce;
pub use stuck::Stuck;
pub(in crate::isolate) use units::{Role, Units, UnitsOf};
