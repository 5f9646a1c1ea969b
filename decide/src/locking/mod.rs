//! The locks that a process holds at each node, if it runs alone.
//!
//! The locks held by a thread are a function of its stack. So for a single process, the locks that it can hold at a
//! node are a question of reachability. The answer has three uses:
//!
//! - the *lock order*: it has an edge from `a` to `b` if some process, taken alone, can want `b` while it holds `a`
//!   ([`LockOrder`]); only its cycles can be deadlocks;
//! - *protection*: the locks that are held at every access to a location ([`Protection`]);
//! - warnings: an acquisition in write mode of a lock held in read mode, and a wait for a lock that is not held; both
//!   block for ever.
//!
//! Taken alone, a process never waits for another one. Other processes and the order of starts are ignored. The result
//! over-approximates: each process does alone what it does in any run of the model, since others never enable a step of
//! it. The engines decide what really happens.

#[cfg(test)]
mod brute_force;
mod cycles;
mod held_locks;
mod mode_pairs;
mod order;
mod protection;
mod walk;
mod warnings;

pub(crate) use cycles::{Cycles, can_be_given};
pub(crate) use mode_pairs::ModePairs;
pub(crate) use order::LockOrder;
pub(crate) use protection::{Protected, Protection};
pub use warnings::lock_warnings;
