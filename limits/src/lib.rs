//! Limits of an analysis: time, memory, steps, cancellation.

mod clock;
mod memory;
mod meter;
mod steps;

pub use clock::{Clock, Deadline};
pub use memory::{peak_memory, peak_memory_of, resident_memory};
pub use meter::Meter;
pub use steps::Steps;

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};
use std::time::{Duration, Instant};

/// The reason why an analysis ended without an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum StopReason {
    /// The time limit was reached.
    Timeout,
    /// The memory limit was reached.
    Memory,
    /// The budget of steps was used up.
    Steps,
    /// The analysis was cancelled.
    Cancelled,
}

/// The limits of one query.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Limits {
    /// The time limit on the clock; none for no limit.
    pub timeout: Option<Duration>,
    /// The clock of the time limit. The clock of the calling thread is for analyses on one thread.
    pub clock: Clock,
    /// The limit for the resident memory of the whole process, in bytes; none for no limit.
    pub memory: Option<u64>,
    /// The budget of steps, which several queries may share; none for no limit. A query takes at most half of the steps
    /// that are left when it begins.
    pub steps: Option<Steps>,
    /// A switch that ends the analysis from outside.
    pub cancellation: Cancellation,
    /// The beginning of the time of the first query by the wall clock, if it was before the call; for example, when
    /// reading the model began.
    pub since: Option<Instant>,
}

impl Limits {
    /// The same limits with this much time for each query; `None` for no limit.
    #[must_use]
    pub fn with_timeout(self, timeout: impl Into<Option<Duration>>) -> Self {
        Self { timeout: timeout.into(), ..self }
    }

    /// The same limits with time counted by this clock.
    #[must_use]
    pub fn with_clock(self, clock: Clock) -> Self {
        Self { clock, ..self }
    }

    /// The same limits with this much resident memory of the whole process, in bytes; `None` for no limit.
    #[must_use]
    pub fn with_memory(self, memory: impl Into<Option<u64>>) -> Self {
        Self { memory: memory.into(), ..self }
    }

    /// The same limits with this budget of steps; `None` for no limit.
    #[must_use]
    pub fn with_steps(self, steps: impl Into<Option<Steps>>) -> Self {
        Self { steps: steps.into(), ..self }
    }

    /// The same limits with a switch that ends the analysis from outside.
    #[must_use]
    pub fn with_cancellation(self, cancellation: Cancellation) -> Self {
        Self { cancellation, ..self }
    }

    /// The same limits, where the time of the first query began at this instant.
    #[must_use]
    pub fn with_since(self, since: impl Into<Option<Instant>>) -> Self {
        Self { since: since.into(), ..self }
    }
}

/// A switch that ends every analysis that was given a clone of it, with the reason for ending.
#[derive(Clone, Debug, Default)]
pub struct Cancellation(Arc<AtomicU8>);

/// The values of a switch: not cancelled, and one for each reason.
const REASONS: [Option<StopReason>; 5] =
    [None, Some(StopReason::Cancelled), Some(StopReason::Timeout), Some(StopReason::Memory), Some(StopReason::Steps)];

impl Cancellation {
    /// Ends the analyses, each within a fraction of a second. There is no way back.
    pub fn cancel(&self) {
        self.cancel_for(StopReason::Cancelled);
    }

    /// Ends the analyses for a reason of the caller, for example because the time of a whole run is up. The first
    /// reason counts.
    pub fn cancel_for(&self, reason: StopReason) {
        let value = REASONS.iter().position(|known| *known == Some(reason)).unwrap_or(1) as u8;
        // Another reason came first: nothing to do.
        let _ = self.0.compare_exchange(0, value, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Whether the switch was used.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed) != 0
    }

    /// The reason for ending; none before the switch is used.
    pub fn reason(&self) -> Option<StopReason> {
        REASONS[usize::from(self.0.load(Ordering::Relaxed))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_reason_counts() {
        for reason in [StopReason::Timeout, StopReason::Memory, StopReason::Cancelled] {
            let switch = Cancellation::default();
            assert_eq!((switch.is_cancelled(), switch.reason()), (false, None));
            switch.clone().cancel_for(reason);
            switch.cancel();
            assert_eq!((switch.is_cancelled(), switch.reason()), (true, Some(reason)));
        }
    }
}
