//! The question for which a model is made.

use super::flow::Step;
use super::reachability::accesses;

/// The question for which a model is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Purpose {
    /// Violations: contexts without accesses are omitted, and so are iterations without effect.
    #[default]
    Violations,
    /// Deadlocks: contexts and iterations that acquire locks are kept, too.
    Deadlocks,
}

impl Purpose {
    /// Whether a step keeps its context in the model.
    pub(super) fn keeps(self, step: Step) -> bool {
        accesses(step) || self == Self::Deadlocks && matches!(step, Step::Acquire(..))
    }
}
