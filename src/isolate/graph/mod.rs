//! From the control-flow graphs of method contexts to a model.
//!
//! The interpreter makes a [`MethodContext`] for each method with values of its arguments. What stands here knows nothing of the interpreter: graphs are made
//! smaller, each reduction by itself, and become the functions and processes of a model.

mod context;
mod flow;
mod ids;

pub(in crate::isolate) use context::{LockEffect, MethodContext};
pub(in crate::isolate) use flow::{Exit, Flow, FlowNode, InlinedCall, Step};
pub(in crate::isolate) use ids::{ContextId, EffectId};
