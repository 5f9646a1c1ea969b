//! The messages between a runner and its workers: JSON, one message a line.

use super::question::Question;
use asercheck::answers::QueryRecord;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// A request to a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Request {
    /// Take up a model and an engine; answered by `Ready`.
    Job(Box<Job>),
    /// Decide a query of the job; answered by `Answer` or `Fault`.
    Ask {
        /// Its place among all queries of the job.
        number: usize,
        /// Whether it shares nothing with other queries.
        alone: bool,
    },
}

/// A model and how its queries are decided.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Job {
    pub(super) model: String,
    /// The model itself, so that a file that changes meanwhile does not matter.
    pub(super) text: String,
    pub(super) engine: String,
    pub(super) question: Question,
    pub(super) no_reduce: Vec<String>,
    /// The queries that this worker may be asked, for engines that solve several together.
    pub(super) numbers: Vec<usize>,
    pub(super) timeout: Option<Duration>,
    pub(super) memory: Option<u64>,
}

/// A reply of a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) enum Reply {
    /// The job can be asked about.
    Ready {
        /// The most resident memory until now, in bytes.
        memory: Option<u64>,
    },
    /// A query has its answer.
    Answer {
        /// The answer.
        record: QueryRecord,
        /// The most resident memory meanwhile, in bytes.
        memory: Option<u64>,
    },
    /// The program is at fault; there is no answer.
    Fault(String),
}
