//! Which locks a process holds where, if it runs alone.
//!
//! The locks that a thread holds are a function of its stack. So for a single process it is a question of reachability
//! which locks it can hold at which node, and three things follow from the answer:
//!
//! - the *lock order*: there is an edge from `a` to `b` if some process, taken alone, can want `b` while it holds `a`
//!   ([`LockOrder`]); deadlocks can only be at its cycles;
//! - *protection*: the locks that are held at every access to a location ([`Protection`]);
//! - warnings: a lock that is held in read mode and acquired in write mode, and a wait for a lock that is not held,
//!   both of which take for ever.
//!
//! Taken alone, a process never waits for another one. What others do, and which starts come first, is not looked at:
//! what a process does in some run of the model it does alone, too, since nothing that others do opens a way to it. So
//! all that can happen is found; that it happens is for the engines to decide.

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
