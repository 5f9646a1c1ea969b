//! The end of a confirmation before all findings have run.

use crate::search_end::SearchEnd;
use limits::Cancellation;
use std::time::{Duration, Instant};

/// Stops a confirmation at its deadline, or when it is cancelled from outside.
#[derive(Clone, Debug)]
pub(crate) struct Stop {
    cancellation: Cancellation,
    deadline: Instant,
}

impl Stop {
    pub(crate) fn new(cancellation: Cancellation, deadline: Instant) -> Self {
        Self { cancellation, deadline }
    }

    /// Whether the confirmation has to end now.
    pub(crate) fn is_reached(&self) -> bool {
        self.cancellation.is_cancelled() || self.remaining().is_zero()
    }

    /// Ends the confirmation.
    pub(crate) fn cancel(&self) {
        self.cancellation.cancel();
    }

    /// Returns the reason if the confirmation has to end now.
    pub(crate) fn end(&self) -> Option<SearchEnd> {
        match self.cancellation.is_cancelled() {
            true => Some(SearchEnd::Interrupted),
            false => self.remaining().is_zero().then_some(SearchEnd::Time),
        }
    }

    /// Returns one that ends after a part of the remaining time.
    pub(crate) fn part(&self, divisor: u32) -> Self {
        Self { cancellation: self.cancellation.clone(), deadline: Instant::now() + self.remaining() / divisor }
    }

    /// Returns the time until the deadline.
    pub(crate) fn remaining(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
}
