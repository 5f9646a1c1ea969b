//! Solving processes: their product with local words, its saturation, and runs of it as paths through the model.

mod expand;
mod product;
mod solved;
mod trace;

pub(crate) use expand::expand;
pub(crate) use solved::Solved;
pub(crate) use trace::{Executed, Trace, TracedRule, subruns_giving_up};
