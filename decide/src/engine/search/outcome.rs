//! The outcome of a search, whichever way it visits states.

use super::local_states::LocalId;
use super::witness::Trace;

/// How a search ended.
pub(super) enum SearchOutcome {
    /// There is nothing more to look at.
    Exhausted,
    /// The automaton accepts after these edges, each with the state before it.
    Accepted(Trace),
    /// An execution does not end, which the reduction needs.
    Cyclic,
    /// There are more states than may be stored.
    Full,
    /// The discipline that was assumed is violated: after this run by the thread that stands here.
    Undisciplined(Trace, LocalId),
}
