//! What a run finds out, as it is written in JSON and read again: records of `check` and of `java`.

mod check;
pub mod java;
mod shard;

pub use check::{CheckReport, ProblemRecord, Unread, VERSION};
pub use shard::{Shard, ShardError};
