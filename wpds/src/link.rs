//! Linked lists of transitions, which share one table of successors.

use crate::index::TransitionId;

/// An optional transition in one word: a link of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link(u32);

impl Default for Link {
    fn default() -> Self {
        Self(u32::MAX)
    }
}

impl Link {
    pub(crate) fn get(self) -> Option<TransitionId> {
        (self != Self::default()).then(|| TransitionId::new(self.0))
    }

    /// Sets the link, and returns its former value.
    pub(crate) fn replace(&mut self, id: TransitionId) -> Self {
        std::mem::replace(self, Self(id.index() as u32))
    }
}
