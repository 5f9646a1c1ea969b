//! The outcome of a search, whatever the order of its states.

use super::local_states::LocalId;
use super::witness::Trace;

/// The outcome of a search.
pub(super) enum SearchOutcome {
    /// All states were visited.
    Exhausted,
    /// The automaton accepts at the end of this run.
    Accepted(Trace),
    /// An execution is cyclic, and the reduction needs finite ones.
    Cyclic,
    /// There are more states than the bound allows.
    Full,
    /// The assumed locking discipline is violated after this run, by the thread in this local state.
    Undisciplined(Trace, LocalId),
}
