//! The bounds of the searches over global states.

/// Bounds of the interleaving search and the systematic search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// The maximal number of calls on a stack; 16 by default.
    pub stack: usize,
    /// The maximal number of instances at the same time; 8 by default.
    pub instances: usize,
    /// The maximal number of global states of one query; 4 million by default.
    pub states: usize,
    /// Whether processes run that can neither violate the query nor start one that can. Such processes only hold locks,
    /// so they change no verdict; with them the search executes the whole model. Off by default.
    pub everyone: bool,
}

impl Default for Bounds {
    fn default() -> Self {
        Self { stack: 16, instances: 8, states: 4_000_000, everyone: false }
    }
}
