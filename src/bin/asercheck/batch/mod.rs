//! Batches: all queries of many models on one or more engines, each recorded as soon as it has its answer.
//!
//! A batch is kept in a [`Folder`]: a header that describes the queries, and a file of results to which a line is
//! appended for each query. Worker processes ([`serve`]) decide the queries; the [`Runner`] starts them, sends them
//! queries, and kills them. Invariants:
//!
//! - A line in the file of results is never changed, and there is at most one for each query and engine.
//! - The header is complete before there is a result. A batch is continued only under an equal header.
//! - Only the last line can be incomplete, however the program ended; it is dropped when the batch is continued.
//! - No worker outlives its runner, and no query its limits.

mod agreement;
mod attempt;
mod error;
mod folder;
mod guard;
mod header;
mod log;
mod merge;
mod plan;
mod process;
mod protocol;
mod question;
mod queue;
mod record;
pub mod report;
mod runner;
mod shard;
mod table;
mod tasks;
mod worker;

pub use agreement::{Agreement, Disagreement};
pub use error::BatchError;
pub use folder::Folder;
pub use header::{Header, ModelEntry};
pub use merge::{merge, one_each};
pub use plan::{Plan, PlannedModel};
pub use question::{AutomatonText, Question};
pub use record::BatchRecord;
pub use runner::{Event, Runner};
pub use table::{vacuous_models, verdict_table};
pub use tasks::write_tasks;
pub use worker::serve;
