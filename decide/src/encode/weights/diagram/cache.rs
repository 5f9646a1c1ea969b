//! Results that are known already, as far as there is room for them.
//!
//! A cache that forgets takes a bounded part of the memory and makes nothing but time depend on it: each result has one
//! place, where it replaces what stood there. It is kept about as big as the number of nodes, up to a limit.

use super::nodes::DiagramId;

/// The most entries of a cache.
const LIMIT: usize = 1 << 20;

/// An operation's operands and its result.
type Entry = (DiagramId, DiagramId, DiagramId);

/// Results of an operation on two diagrams, neither of them empty.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    /// A power of two of entries; where both operands are empty there is none.
    entries: Vec<Entry>,
}

impl Default for Cache {
    fn default() -> Self {
        Self { entries: vec![VACANT; 1 << 10] }
    }
}

const VACANT: Entry = (DiagramId::EMPTY, DiagramId::EMPTY, DiagramId::EMPTY);

impl Cache {
    pub(super) fn get(&self, a: DiagramId, b: DiagramId) -> Option<DiagramId> {
        let (first, second, result) = self.entries[self.place(a, b)];
        (first == a && second == b).then_some(result)
    }

    /// Remembers a result while there are so many nodes.
    pub(super) fn insert(&mut self, a: DiagramId, b: DiagramId, result: DiagramId, nodes: usize) {
        if self.entries.len() < nodes.min(LIMIT) {
            let known = std::mem::take(&mut self.entries);
            self.entries = vec![VACANT; 4 * known.len()];
            for entry in known {
                let place = self.place(entry.0, entry.1);
                self.entries[place] = entry;
            }
        }
        let place = self.place(a, b);
        self.entries[place] = (a, b, result);
    }

    /// Forgets what is known about nodes that were made since there were so many.
    pub(super) fn forget_since(&mut self, mark: usize) {
        let is_new = |id: DiagramId| id.word() as usize >= mark;
        for entry in self.entries.iter_mut().filter(|(a, b, result)| is_new(*a) || is_new(*b) || is_new(*result)) {
            *entry = VACANT;
        }
    }

    fn place(&self, a: DiagramId, b: DiagramId) -> usize {
        let word = (u64::from(a.word()) << 32 | u64::from(b.word())).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (word >> 32) as usize & (self.entries.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_remembered_is_what_was_told() {
        let mut nodes = super::super::nodes::Nodes::default();
        let mut ids = vec![DiagramId::LEAF];
        for number in 0..5000 {
            let item = super::super::SequenceItem::location(eml::model::LocationId::new(number));
            ids.push(nodes.intern(&[(item, DiagramId::LEAF)]));
        }
        let mut cache = Cache::default();
        for (number, id) in ids.iter().enumerate() {
            cache.insert(*id, DiagramId::LEAF, ids[number / 2], nodes.len());
            assert_eq!(cache.get(*id, DiagramId::LEAF), Some(ids[number / 2]));
        }
        let known = ids.iter().enumerate().filter_map(|(number, id)| Some((number, cache.get(*id, DiagramId::LEAF)?)));
        let known: Vec<_> = known.collect();
        assert!(known.len() > 1000, "{}", known.len());
        assert!(known.iter().all(|(number, result)| *result == ids[number / 2]));
        assert_eq!(cache.get(DiagramId::LEAF, ids[1]), None);
    }
}
