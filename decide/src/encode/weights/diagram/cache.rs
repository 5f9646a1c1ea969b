//! Memoized results of operations on diagrams, in bounded memory.
//!
//! Each result has one place and replaces the one before it, so the contents affect only the running time. The size is
//! kept close to the number of nodes, up to a limit.

use super::nodes::DiagramId;

/// The maximal number of entries.
const LIMIT: usize = 1 << 20;

/// An operation's operands and its result.
type Entry = (DiagramId, DiagramId, DiagramId);

/// Results of an operation on two diagrams, neither of them empty.
#[derive(Clone, Debug)]
pub(super) struct Cache {
    /// A power of two of entries; an entry with two empty operands is vacant.
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

    /// Inserts a result. `nodes` is the present number of nodes.
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

    /// Forgets the results about nodes from number `mark` on.
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
    fn memoized_results_are_those_inserted() {
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
