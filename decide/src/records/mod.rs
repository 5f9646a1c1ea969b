//! The JSON format of `check`, built from answers and findings.

mod check;
mod shard;

pub use check::{CertificateRecord, CheckReport, ProblemRecord, UncertifiedRecord, Unread, VERSION};
pub use shard::{Shard, ShardError};
