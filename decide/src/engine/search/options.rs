//! The options of the systematic search.

use super::reduction::SearchReductions;
use super::statistics::SearchStatistics;

/// The order in which states are visited.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SearchOrder {
    /// The state found last first.
    #[default]
    Depth,
    /// The state found first first: witnesses have the fewest transitions.
    Breadth,
    /// By the number of context switches: witnesses have the fewest.
    Switches,
}

impl SearchOrder {
    /// All orders.
    pub const ALL: [Self; 3] = [Self::Depth, Self::Breadth, Self::Switches];

    /// Returns the name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Depth => "depth",
            Self::Breadth => "breadth",
            Self::Switches => "switches",
        }
    }
}

/// The options of the systematic search; its bounds are [`Bounds`](crate::Bounds).
#[derive(Clone, Debug, Default)]
pub struct SearchOptions {
    /// The order in which states are visited; a search without stored states is depth-first.
    pub order: SearchOrder,
    /// Whether states are dropped once they are left, so that only those on the path to the current one are kept.
    pub stateless: bool,
    /// Whether the search uses dynamic partial-order reduction, which stores no states.
    pub dynamic: bool,
    /// The maximal number of context switches of an interleaving; `None` for any number.
    pub switches: Option<usize>,
    /// The reductions.
    pub reductions: SearchReductions,
    /// Whether accesses are first assumed to be protected by locks. The assumption is then checked on the reduced
    /// system.
    pub optimistic: bool,
    /// The statistics of all searches with these options.
    pub statistics: SearchStatistics,
}

impl SearchOptions {
    /// Returns the options with this order.
    #[must_use]
    pub fn with_order(self, order: SearchOrder) -> Self {
        Self { order, ..self }
    }

    /// Returns the options with or without stored states.
    #[must_use]
    pub fn with_stateless(self, stateless: bool) -> Self {
        Self { stateless, ..self }
    }

    /// Returns the options with or without dynamic partial-order reduction.
    #[must_use]
    pub fn with_dynamic(self, dynamic: bool) -> Self {
        Self { dynamic, ..self }
    }

    /// Returns the options with this maximal number of context switches.
    #[must_use]
    pub fn with_switches(self, switches: impl Into<Option<usize>>) -> Self {
        Self { switches: switches.into(), ..self }
    }

    /// Returns the options with these reductions.
    #[must_use]
    pub fn with_reductions(self, reductions: SearchReductions) -> Self {
        Self { reductions, ..self }
    }

    /// Returns the options with or without an assumed locking discipline.
    #[must_use]
    pub fn with_optimistic(self, optimistic: bool) -> Self {
        Self { optimistic, ..self }
    }

    /// Whether states contain the thread that acted last.
    pub(super) fn counts_switches(&self) -> bool {
        !self.stateless && !self.dynamic && (self.order == SearchOrder::Switches || self.switches.is_some())
    }
}
