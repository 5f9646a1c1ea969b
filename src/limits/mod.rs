//! Limits of an analysis: time, memory, cancellation.

mod meter;
mod peak;

pub(crate) use meter::Meter;
pub use peak::peak_memory;
#[cfg(feature = "cli")]
pub(crate) use peak::peak_memory_of;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Why an analysis ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// The time for the query is up.
    Timeout,
    /// The process uses more memory than a query may.
    Memory,
    /// Somebody cancelled the analysis.
    Cancelled,
}

/// What one query may use.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Wall-clock time; none for any.
    pub timeout: Option<Duration>,
    /// Resident memory of the whole process, in bytes; none for any.
    pub memory: Option<u64>,
    /// Ends the analysis from outside.
    pub cancellation: Cancellation,
}

/// A switch that ends every analysis that was given a clone of it.
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<AtomicBool>);

impl Cancellation {
    /// Ends the analyses, each within a fraction of a second. There is no way back.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`cancel`](Self::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
