//! How the systematic search goes about.

use super::reduction::SearchReductions;
use super::statistics::SearchStatistics;

/// In which order states are looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SearchOrder {
    /// The last that was found first.
    #[default]
    Depth,
    /// The first that was found first: witnesses with the fewest transitions.
    Breadth,
    /// By the number of context switches: witnesses with the fewest.
    Switches,
}

impl SearchOrder {
    /// All orders.
    pub const ALL: [Self; 3] = [Self::Depth, Self::Breadth, Self::Switches];

    /// The name by which the command line calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Depth => "depth",
            Self::Breadth => "breadth",
            Self::Switches => "switches",
        }
    }
}

/// How the systematic search goes about; its bounds are [`Bounds`](crate::Bounds).
#[derive(Clone, Debug, Default)]
pub struct SearchOptions {
    /// In which order states are looked at; a search without stored states goes by depth.
    pub order: SearchOrder,
    /// Whether states are forgotten once they have been left; only those on the way to the current one are kept.
    pub stateless: bool,
    /// Whether the search is one without stored states with dynamic partial-order reduction.
    pub dynamic: bool,
    /// The most context switches of an interleaving; none for any number.
    pub switches: Option<usize>,
    /// What is left out.
    pub reductions: SearchReductions,
    /// Whether accesses are taken to be protected by locks at first, which is then checked on the reduced system.
    pub optimistic: bool,
    /// Where it is counted what was done.
    pub statistics: SearchStatistics,
}

impl SearchOptions {
    /// The same with this order.
    #[must_use]
    pub fn with_order(self, order: SearchOrder) -> Self {
        Self { order, ..self }
    }

    /// The same where states are stored or not.
    #[must_use]
    pub fn with_stateless(self, stateless: bool) -> Self {
        Self { stateless, ..self }
    }

    /// The same with dynamic partial-order reduction, or without.
    #[must_use]
    pub fn with_dynamic(self, dynamic: bool) -> Self {
        Self { dynamic, ..self }
    }

    /// The same with so many context switches at most.
    #[must_use]
    pub fn with_switches(self, switches: impl Into<Option<usize>>) -> Self {
        Self { switches: switches.into(), ..self }
    }

    /// The same with these reductions.
    #[must_use]
    pub fn with_reductions(self, reductions: SearchReductions) -> Self {
        Self { reductions, ..self }
    }

    /// The same where a locking discipline is assumed and checked.
    #[must_use]
    pub fn with_optimistic(self, optimistic: bool) -> Self {
        Self { optimistic, ..self }
    }

    /// Whether states tell who acted last.
    pub(super) fn counts_switches(&self) -> bool {
        !self.stateless && !self.dynamic && (self.order == SearchOrder::Switches || self.switches.is_some())
    }
}
