//! The locks that matter in a scenario, the plain locks that stand for them, and the slots in which a process keeps
//! them.

mod arrangement;
mod contended;
mod slots;
mod uses;

pub(crate) use arrangement::Arrangement;
pub(crate) use contended::{ContendedLocks, Variant};
pub(crate) use slots::LockSlots;
pub(crate) use uses::ProcessLocks;
