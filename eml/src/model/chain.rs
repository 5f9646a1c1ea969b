//! Lists that share their tails: a step along a path adds one entry in constant time and space.

/// A list, by its last entry. The empty list is `None`.
pub(super) type Link = Option<u32>;

/// All lists of one kind.
#[derive(Debug)]
pub(super) struct Chains<T> {
    entries: Vec<(T, Link)>,
}

impl<T> Chains<T> {
    /// Creates the arena, with the empty list only.
    pub(super) fn new() -> Self {
        Self { entries: Vec::new() }
    }

    /// Returns the list with one more entry.
    pub(super) fn push(&mut self, list: Link, entry: T) -> Link {
        let link = u32::try_from(self.entries.len()).ok();
        self.entries.push((entry, list));
        link
    }

    /// Returns the list without its last entry.
    pub(super) fn without_last(&self, list: Link) -> Link {
        list.and_then(|link| self.entries[link as usize].1)
    }

    /// Iterates over the entries, last one first.
    pub(super) fn iter(&self, list: Link) -> impl Iterator<Item = &T> {
        std::iter::successors(list, |&link| self.entries[link as usize].1).map(|link| &self.entries[link as usize].0)
    }
}
