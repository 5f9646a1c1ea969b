//! The end of a confirmation before all findings have run.

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

    /// Returns the time until the deadline.
    pub(crate) fn remaining(&self) -> Duration {
        self.deadline.saturating_duration_since(Instant::now())
    }
}
