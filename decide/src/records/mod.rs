//! The JSON format of `check`, built from answers and findings.

mod check;
mod shard;

pub use check::{CheckReport, ProblemRecord, Unread, VERSION};
pub use shard::{Shard, ShardError};
