//! Solves processes: builds their product with local words, saturates it, and turns its runs into paths through the
//! model.

mod expand;
mod product;
mod solved;
mod trace;

pub(crate) use expand::expand;
pub(crate) use solved::Solved;
pub(crate) use trace::{Executed, Trace, TracedRule, subruns_giving_up};
