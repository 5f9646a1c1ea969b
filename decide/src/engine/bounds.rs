//! The bounds of the searches over global states.

/// Bounds of the interleaving search and the systematic search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// Calls on a stack; 16 by default.
    pub stack: usize,
    /// Instances at once; 8 by default.
    pub instances: usize,
    /// Global states of one query; 4 million by default.
    pub states: usize,
    /// Whether processes run that can neither violate the query nor start one that can. They only hold locks, so this
    /// changes no verdict, but it lets the search execute the whole model; off by default.
    pub everyone: bool,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { stack: 16, instances: 8, states: 4_000_000, everyone: false }
    }
}
