//! Repairs of models: small changes after which every query is safe and no deadlock is new.
//!
//! Each change holds a lock over some statements ([`Edit`]). The search ([`repairs`]) takes changes from the witnesses
//! of violated queries and decides each changed model; [`Repair`] has the changes and the text. `search` says which
//! changes are tried, and `weight` how they are ordered. [`java`] has the same for models of Java classes.

mod deadlocks;
mod edit;
pub mod java;
mod place;
mod savings;
mod search;
mod sections;
mod weight;

pub use deadlocks::Deadlocks;
pub use edit::Edit;
pub use savings::{EarlyEnd, Savings, savings, without_locks};
pub use search::{Ask, Bounds, Error, Repair, Repairs, repairs};
