//! Names of new states that differ from all others.

use super::reader::Document;

/// The new names of a document: they end in more apostrophes than its own.
pub(crate) struct Fresh {
    /// The greatest number of apostrophes at the end of a name.
    most: usize,
    /// Whether states of the automata get new names.
    renames: bool,
}

impl Fresh {
    /// New names for inner states only if one of them is also the name of a control state, or reserved.
    pub(crate) fn new<W>(document: &Document<W>, reserved: &str) -> Self {
        let (controls, states) = (&document.controls, &document.states);
        let marks = |name: &str| name.len() - name.trim_end_matches('\'').len();
        let most = controls.iter().chain(states.iter()).map(marks).max().unwrap_or(0);
        Self { most, renames: states.iter().any(|name| name == reserved || controls.find(name).is_some()) }
    }

    /// The name of an inner state.
    pub(crate) fn inner(&self, name: &str) -> String {
        marked(name, if self.renames { self.most + 1 } else { 0 })
    }

    /// A name that no control state and no inner state has.
    #[cfg(feature = "json")]
    pub(crate) fn other(&self, name: &str) -> String {
        marked(name, 2 * self.most + 2)
    }
}

fn marked(name: &str, count: usize) -> String {
    format!("{name}{}", "'".repeat(count))
}
