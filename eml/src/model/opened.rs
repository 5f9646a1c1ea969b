//! Interned sequences of open locks and units.
//!
//! A sequence is its innermost entry and the id of the sequence around it, so each additional entry takes constant
//! space. Equal sequences have equal ids; id 0 is the empty sequence.

use std::collections::HashMap;

use super::graph::{Opened, Operation};
use super::ids::OpenedId;

/// The innermost entry of a sequence and the sequence around it.
#[derive(Clone, Copy, Debug)]
struct Entry {
    opened: Opened,
    outer: OpenedId,
}

/// All sequences of a model.
#[derive(Clone, Debug, Default)]
pub(super) struct OpenedSequences {
    /// Entry `i` belongs to the id with index `i + 1`.
    entries: Vec<Entry>,
}

impl OpenedSequences {
    /// Returns the sequence with this id.
    pub(super) fn get(&self, id: OpenedId) -> OpenedSequence<'_> {
        OpenedSequence { sequences: self, id }
    }

    fn entry(&self, id: OpenedId) -> Option<Entry> {
        self.entries.get(id.index().checked_sub(1)?).copied()
    }
}

/// Builds the sequences of a model.
#[derive(Debug, Default)]
pub(super) struct OpenedInterner {
    sequences: OpenedSequences,
    ids: HashMap<(OpenedId, Opened), OpenedId>,
}

impl OpenedInterner {
    /// Returns the sequence without entries.
    pub(super) fn empty(&self) -> OpenedId {
        OpenedId::new(0)
    }

    /// Returns the sequence with one more entry.
    pub(super) fn push(&mut self, outer: OpenedId, opened: Opened) -> OpenedId {
        let entries = &mut self.sequences.entries;
        *self.ids.entry((outer, opened)).or_insert_with(|| {
            entries.push(Entry { opened, outer });
            OpenedId::new(entries.len())
        })
    }

    /// Returns the innermost entry and the sequence without it.
    pub(super) fn pop(&self, id: OpenedId) -> Option<(Opened, OpenedId)> {
        let entry = self.sequences.entry(id)?;
        Some((entry.opened, entry.outer))
    }

    /// Returns the entry that an operation closes: for a release the innermost entry of its lock, if there is one;
    /// otherwise the innermost entry.
    pub(super) fn closed_by(&self, id: OpenedId, operation: Operation) -> Option<Opened> {
        let innermost = self.pop(id).map(|(innermost, _)| innermost);
        let Operation::Release(lock, _) = operation else { return innermost };
        let mut entries = std::iter::successors(self.pop(id), |(_, outer)| self.pop(*outer)).map(|(opened, _)| opened);
        let last = entries.find(|opened| matches!(opened, Opened::Lock(own, _) if *own == lock));
        last.or(innermost)
    }

    /// Returns the finished sequences.
    pub(super) fn finish(self) -> OpenedSequences {
        self.sequences
    }
}

/// The locks and units that are open at a node, in the order in which they were opened.
#[derive(Clone, Copy)]
pub struct OpenedSequence<'m> {
    sequences: &'m OpenedSequences,
    id: OpenedId,
}

impl<'m> OpenedSequence<'m> {
    /// Returns the id; two sequences of a model have the same id if and only if they are equal.
    pub fn id(self) -> OpenedId {
        self.id
    }

    /// Whether no lock or unit is open.
    pub fn is_empty(self) -> bool {
        self.innermost().is_none()
    }

    /// Returns the entry that was opened last.
    pub fn innermost(self) -> Option<Opened> {
        Some(self.sequences.entry(self.id)?.opened)
    }

    /// Returns the sequence without its innermost entry; `None` if it is empty.
    pub fn outer(self) -> Option<Self> {
        let outer = self.sequences.entry(self.id)?.outer;
        Some(OpenedSequence { sequences: self.sequences, id: outer })
    }

    /// Iterates over the entries, innermost first.
    pub fn iter(self) -> impl Iterator<Item = Opened> + use<'m> {
        let first = self.sequences.entry(self.id);
        std::iter::successors(first, move |entry| self.sequences.entry(entry.outer)).map(|entry| entry.opened)
    }
}

impl std::fmt::Debug for OpenedSequence<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_list().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::super::ids::LockId;
    use super::*;

    #[test]
    fn equal_sequences_have_equal_ids() {
        let mut interner = OpenedInterner::default();
        let lock = Opened::Lock(LockId::new(0), phases::Mode::Write);
        let one = interner.push(interner.empty(), lock);
        let two = interner.push(one, Opened::Unit);
        assert_eq!(interner.push(interner.empty(), lock), one);
        assert_ne!(interner.push(interner.empty(), Opened::Unit), two);
        assert_eq!(interner.pop(two), Some((Opened::Unit, one)));
        assert_eq!(interner.pop(interner.empty()), None);
        let sequences = interner.finish();
        let sequence = sequences.get(two);
        assert!(!sequence.is_empty() && sequences.get(OpenedId::new(0)).is_empty());
        assert_eq!(sequence.iter().collect::<Vec<_>>(), [Opened::Unit, lock]);
    }
}
