//! Measures what one query uses against its limits.

use super::{Cancellation, Limits, StopReason};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// Units of work between two looks at the clock; an engine counts work so that this takes well below a millisecond.
const INTERVAL: u32 = 2048;

/// Reading the memory use asks the operating system, so it is done less often than reading the clock.
const MEMORY_INTERVAL: Duration = Duration::from_millis(20);

/// Counts down the limits of one query from its beginning.
#[derive(Clone, Debug)]
pub(crate) struct Meter {
    deadline: Option<Instant>,
    memory: Option<u64>,
    cancellation: Cancellation,
    countdown: Cell<u32>,
    next_memory_check: Cell<Instant>,
}

impl Meter {
    /// Starts to measure now.
    pub(crate) fn start(limits: &Limits) -> Self {
        let now = Instant::now();
        Self {
            deadline: limits.timeout.and_then(|timeout| now.checked_add(timeout)),
            memory: limits.memory,
            cancellation: limits.cancellation.clone(),
            countdown: Cell::new(INTERVAL),
            next_memory_check: Cell::new(now),
        }
    }

    /// Reports units of work: weight operations, states, edges.
    pub(crate) fn work_of(&self, units: usize) -> Result<(), StopReason> {
        let left = self.countdown.get();
        if (units as u64) < u64::from(left) {
            self.countdown.set(left - units as u32);
            return Ok(());
        }
        self.countdown.set(INTERVAL);
        self.check()
    }

    /// Looks at the limits now.
    pub(crate) fn check(&self) -> Result<(), StopReason> {
        if self.cancellation.is_cancelled() {
            return Err(StopReason::Cancelled);
        }
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now >= deadline) {
            return Err(StopReason::Timeout);
        }
        if let Some(limit) = self.memory.filter(|_| now >= self.next_memory_check.get()) {
            self.next_memory_check.set(now + MEMORY_INTERVAL);
            let used = memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem as u64);
            if used > limit {
                return Err(StopReason::Memory);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_limit_stops() {
        let spent = |limits: Limits| {
            (0..2 * INTERVAL).try_for_each({
                let meter = Meter::start(&limits);
                move |_| meter.work_of(1)
            })
        };
        assert_eq!(spent(Limits::default()), Ok(()));
        assert_eq!(spent(Limits { timeout: Some(Duration::ZERO), ..Limits::default() }), Err(StopReason::Timeout));
        assert_eq!(spent(Limits { memory: Some(1), ..Limits::default() }), Err(StopReason::Memory));
        let limits = Limits::default();
        limits.cancellation.clone().cancel();
        assert_eq!(spent(limits), Err(StopReason::Cancelled));
    }

    #[test]
    fn much_work_at_once_is_noticed() {
        let meter = Meter::start(&Limits { timeout: Some(Duration::ZERO), ..Limits::default() });
        assert_eq!(meter.work_of(usize::MAX), Err(StopReason::Timeout));
    }
}
