//! Budgets of steps: units of work, which are counted. So the same work ends at the same place on any machine, however
//! busy it is.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// The number of steps that all analyses with a clone of it may take together. The clones of one budget are for one
/// thread: if several threads share a budget, their order decides which of them stops.
#[derive(Clone, Debug)]
pub struct Steps {
    all: u64,
    taken: Arc<AtomicU64>,
}

impl Steps {
    /// A budget of this many steps.
    pub fn new(all: u64) -> Self {
        Self { all, taken: Arc::default() }
    }

    /// The number of steps that are left.
    pub fn left(&self) -> u64 {
        self.all.saturating_sub(self.taken.load(Ordering::Relaxed))
    }

    /// Whether at most this part of the budget is left.
    pub fn has_at_most(&self, part: f64) -> bool {
        self.left() <= (self.all as f64 * part) as u64
    }

    /// Takes steps, which need not be left.
    pub(crate) fn take(&self, steps: u64) {
        self.taken.fetch_add(steps, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_a_budget() {
        let steps = Steps::new(80);
        steps.clone().take(70);
        assert_eq!(steps.left(), 10);
        assert!(steps.has_at_most(0.125) && !steps.has_at_most(0.1));
        steps.take(70);
        assert_eq!(steps.left(), 0);
    }
}
