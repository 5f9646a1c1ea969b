//! The reductions of the systematic search, under their names in the papers.

use std::fmt;
use std::str::FromStr;

/// A way to visit fewer states or take fewer steps that changes no verdict. All are on unless switched off.
///
/// Numbers in parentheses are the papers: 000 and 002 Stoller, 001 Corbett, 003 Stoller and Cohen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SearchReduction {
    /// Instances of one process are not told apart.
    Symmetry,
    /// A thread for which the automaton does not wait any more, and which holds no lock, stops.
    Idle,
    /// States in which some thread cannot do any more what the automaton waits for are left out.
    DeadEnds,
    /// Persistent sets (000, sections 4 and 6).
    Persistent,
    /// Sleep sets (000, section 4; 002, section 7).
    Sleep,
    /// Invisible-first search (000, section 5.1; 002, section 4).
    InvisibleFirst,
    /// Composed transitions (000, section 5.2; 002, section 5).
    Composed,
    /// Invisible steps may be choices (003, section 3).
    Choices,
    /// Owned variables and locks (001, section 4.2).
    Owned,
    /// Variables and locks that a lock protects (001, section 4.3; LD of 000).
    Protected,
    /// To acquire a lock again that is held already (001, section 4.4).
    Relock,
    /// To release a lock (001, section 4.6; 000, section 3.5).
    Unlock,
    /// Source sets of a dynamic search (Flanagan and Godefroid, POPL 2005; Abdulla et al., POPL 2014, Algorithm 1).
    SourceSets,
    /// Wakeup trees of a dynamic search (Abdulla et al., POPL 2014, Algorithm 2).
    WakeupTrees,
}

impl SearchReduction {
    /// All reductions.
    pub const ALL: [Self; 14] = [
        Self::Symmetry,
        Self::Idle,
        Self::DeadEnds,
        Self::Persistent,
        Self::Sleep,
        Self::InvisibleFirst,
        Self::Composed,
        Self::Choices,
        Self::Owned,
        Self::Protected,
        Self::Relock,
        Self::Unlock,
        Self::SourceSets,
        Self::WakeupTrees,
    ];

    /// The name by which the command line calls it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Symmetry => "symmetry",
            Self::Idle => "idle",
            Self::DeadEnds => "dead-ends",
            Self::Persistent => "persistent",
            Self::Sleep => "sleep",
            Self::InvisibleFirst => "invisible-first",
            Self::Composed => "composed",
            Self::Choices => "choices",
            Self::Owned => "owned",
            Self::Protected => "protected",
            Self::Relock => "relock",
            Self::Unlock => "unlock",
            Self::SourceSets => "source-sets",
            Self::WakeupTrees => "wakeup-trees",
        }
    }
}

impl fmt::Display for SearchReduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that no reduction of the search has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownSearchReduction(pub String);

impl fmt::Display for UnknownSearchReduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = SearchReduction::ALL.map(SearchReduction::name).join(", ");
        write!(f, "the search has no reduction `{}`; its reductions are {names}", self.0)
    }
}

impl std::error::Error for UnknownSearchReduction {}

impl FromStr for SearchReduction {
    type Err = UnknownSearchReduction;

    fn from_str(name: &str) -> Result<Self, UnknownSearchReduction> {
        let found = Self::ALL.into_iter().find(|reduction| reduction.name() == name);
        found.ok_or_else(|| UnknownSearchReduction(name.to_string()))
    }
}

/// Which reductions of the search are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SearchReductions(u16);

impl Default for SearchReductions {
    fn default() -> Self {
        Self::all()
    }
}

impl SearchReductions {
    /// All of them.
    pub fn all() -> Self {
        SearchReduction::ALL.into_iter().fold(Self::none(), Self::with)
    }

    /// None of them.
    pub fn none() -> Self {
        Self(0)
    }

    /// These and one more.
    #[must_use]
    pub fn with(self, reduction: SearchReduction) -> Self {
        Self(self.0 | 1 << reduction as u16)
    }

    /// These and those.
    #[must_use]
    pub(super) fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// These without one.
    #[must_use]
    pub fn without(self, reduction: SearchReduction) -> Self {
        Self(self.0 & !(1 << reduction as u16))
    }

    /// Those of them that a dynamic search can use.
    pub(super) fn of_dynamic(self) -> Self {
        use SearchReduction::{Choices, InvisibleFirst, Sleep, SourceSets, WakeupTrees};
        let usable = [Choices, InvisibleFirst, Sleep, SourceSets, WakeupTrees].into_iter();
        usable.filter(|reduction| self.has(*reduction)).fold(Self::none(), Self::with)
    }

    /// Whether a reduction is on.
    pub fn has(self, reduction: SearchReduction) -> bool {
        self.0 >> reduction as u16 & 1 == 1
    }
}
