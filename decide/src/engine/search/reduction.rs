//! The reductions of the systematic search, under their names in the papers.

use std::fmt;
use std::str::FromStr;

/// A reduction: it visits fewer states or takes fewer steps and changes no verdict. All are on unless switched off.
///
/// Numbers in parentheses are the papers: 000 and 002 Stoller, 001 Corbett, 003 Stoller and Cohen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SearchReduction {
    /// Interchangeable instances of one process are not distinguished.
    Symmetry,
    /// A thread stops if the automaton does not wait for it any more and it holds no lock.
    Idle,
    /// States are skipped if the automaton waits for an act that no thread can do any more.
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
    /// Acquiring a lock that is already held (001, section 4.4).
    Relock,
    /// Releasing a lock (001, section 4.6; 000, section 3.5).
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

    /// Returns the name on the command line.
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

/// The error for a name that no reduction of the search has.
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

/// The set of reductions that are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SearchReductions(u16);

impl Default for SearchReductions {
    fn default() -> Self {
        Self::all()
    }
}

impl SearchReductions {
    /// Returns all reductions.
    pub fn all() -> Self {
        SearchReduction::ALL.into_iter().fold(Self::none(), Self::with)
    }

    /// Returns the empty set.
    pub fn none() -> Self {
        Self(0)
    }

    /// Returns the set with one more reduction.
    #[must_use]
    pub fn with(self, reduction: SearchReduction) -> Self {
        Self(self.0 | 1 << reduction as u16)
    }

    /// Returns the union.
    #[must_use]
    pub(super) fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// Returns the set without one reduction.
    #[must_use]
    pub fn without(self, reduction: SearchReduction) -> Self {
        Self(self.0 & !(1 << reduction as u16))
    }

    /// Returns the reductions of the set that a dynamic search can use.
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
