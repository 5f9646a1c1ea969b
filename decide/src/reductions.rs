//! Reductions: ways to make a query smaller before it is solved.

use std::fmt;
use std::str::FromStr;

/// A way to make a query smaller without changing its verdict. By default all are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reduction {
    /// Leaves out locks that only one participant uses.
    Locks,
    /// Fuses a phase that waits for the beginning of a unit with the phase of the access in that unit that follows.
    Begins,
    /// Ignores the accesses and unit boundaries that no automaton mentions.
    Accesses,
    /// Replaces calls of functions without relevant effects by plain steps.
    Functions,
    /// Contracts steps without effects.
    Steps,
    /// Merges nodes with the same future.
    Nodes,
    /// Places transitions of other processes only where they can make a difference.
    Ticks,
    /// Stops a process that has no transitions left and holds no locks.
    Idling,
    /// Leaves out recursive calls with more locks held than a violation needs.
    Recursion,
    /// Leaves out the scenarios with starts of a query that its threads cannot violate even if nobody has to start
    /// them.
    Starts,
}

impl Reduction {
    /// All reductions.
    pub const ALL: [Self; 10] = [
        Self::Locks,
        Self::Begins,
        Self::Accesses,
        Self::Functions,
        Self::Steps,
        Self::Nodes,
        Self::Ticks,
        Self::Idling,
        Self::Recursion,
        Self::Starts,
    ];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Locks => "locks",
            Self::Begins => "begins",
            Self::Accesses => "accesses",
            Self::Functions => "functions",
            Self::Steps => "steps",
            Self::Nodes => "nodes",
            Self::Ticks => "ticks",
            Self::Idling => "idling",
            Self::Recursion => "recursion",
            Self::Starts => "starts",
        }
    }
}

impl fmt::Display for Reduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The error for a name that is no reduction's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownReduction(pub String);

impl fmt::Display for UnknownReduction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Reduction::ALL.map(Reduction::name).join(", ");
        write!(f, "there is no reduction `{}`; the reductions are {names}", self.0)
    }
}

impl std::error::Error for UnknownReduction {}

impl FromStr for Reduction {
    type Err = UnknownReduction;

    fn from_str(name: &str) -> Result<Self, UnknownReduction> {
        let found = Self::ALL.into_iter().find(|reduction| reduction.name() == name);
        found.ok_or_else(|| UnknownReduction(name.to_string()))
    }
}

/// The set of reductions that are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reductions(u16);

impl Default for Reductions {
    fn default() -> Self {
        Self::all()
    }
}

impl Reductions {
    /// The set of all reductions.
    pub fn all() -> Self {
        Reduction::ALL.into_iter().fold(Self::none(), Self::with)
    }

    /// The empty set.
    pub fn none() -> Self {
        Self(0)
    }

    /// The set with one more reduction.
    pub fn with(self, reduction: Reduction) -> Self {
        Self(self.0 | 1 << reduction as u16)
    }

    /// The set without a reduction.
    pub fn without(self, reduction: Reduction) -> Self {
        Self(self.0 & !(1 << reduction as u16))
    }

    /// Whether a reduction is in the set.
    pub fn has(self, reduction: Reduction) -> bool {
        self.0 >> reduction as u16 & 1 == 1
    }
}
