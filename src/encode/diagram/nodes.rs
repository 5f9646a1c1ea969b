//! The nodes of diagrams, each of them once.

use super::item::SequenceItem;
use hashbrown::HashTable;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use std::hash::{Hash, Hasher};

/// A set of sequences; equal ids are equal sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct DiagramId(u32);

impl DiagramId {
    /// The set without a sequence, of any length.
    pub(crate) const EMPTY: Self = Self(0);
    /// The set of the sequence without segments: the end of every path through a diagram.
    pub(crate) const LEAF: Self = Self(1);

    pub(super) fn word(self) -> u32 {
        self.0
    }
}

/// An item and what may come before it.
pub(crate) type Edge = (SequenceItem, DiagramId);

/// All nodes, with the edges of each side by side. The empty set and the leaf are nodes without edges.
#[derive(Clone, Debug)]
pub(super) struct Nodes {
    edges: Vec<Edge>,
    /// Where the edges of a node end; they begin where those of the node before end.
    ends: Vec<u32>,
    index: HashTable<DiagramId>,
}

impl Default for Nodes {
    fn default() -> Self {
        Self { edges: Vec::new(), ends: vec![0, 0], index: HashTable::new() }
    }
}

impl Nodes {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// About how many bytes they take.
    pub(super) fn size(&self) -> usize {
        self.edges.len() * size_of::<Edge>() + self.ends.len() * 2 * size_of::<u32>()
    }

    /// The edges of a node, sorted by items.
    pub(super) fn edges(&self, id: DiagramId) -> &[Edge] {
        edges(&self.edges, &self.ends, id)
    }

    /// The node with these edges, sorted by items, none of them to the empty set.
    pub(super) fn intern(&mut self, node: &[Edge]) -> DiagramId {
        debug_assert!(node.windows(2).all(|pair| pair[0].0 < pair[1].0));
        if node.is_empty() {
            return DiagramId::EMPTY;
        }
        let Self { edges: all, ends, index } = self;
        let hash = hash_of(node);
        if let Some(id) = index.find(hash, |id| edges(all, ends, *id) == node) {
            return *id;
        }
        let id = DiagramId(u32::try_from(ends.len()).expect("fewer than 2^32 nodes"));
        all.extend_from_slice(node);
        ends.push(u32::try_from(all.len()).expect("fewer than 2^32 edges"));
        index.insert_unique(hash, id, |id| hash_of(edges(all, ends, *id)));
        id
    }

    /// Takes away all nodes that were made since there were so many, but what these consist of; gives their new ids.
    pub(super) fn forget_since(&mut self, mark: usize, kept: &[DiagramId]) -> Vec<DiagramId> {
        let (mut known, mut parts) = (FxHashSet::default(), Vec::new());
        for id in kept {
            self.parts_since(mark, *id, &mut known, &mut parts);
        }
        let Self { edges: all, ends, index } = self;
        for id in (mark..ends.len()).map(|id| DiagramId(id as u32)) {
            if let Ok(entry) = index.find_entry(hash_of(edges(all, ends, id)), |other| *other == id) {
                entry.remove();
            }
        }
        ends.truncate(mark);
        all.truncate(ends.last().map_or(0, |end| *end as usize));
        let mut renamed: FxHashMap<DiagramId, DiagramId> = FxHashMap::default();
        for (id, mut node) in parts {
            for (_, before) in &mut node {
                *before = renamed.get(before).copied().unwrap_or(*before);
            }
            renamed.insert(id, self.intern(&node));
        }
        kept.iter().map(|id| renamed.get(id).copied().unwrap_or(*id)).collect()
    }

    /// The nodes that a set consists of and that were made since there were so many, each after those that it leads to.
    fn parts_since(
        &self,
        mark: usize,
        id: DiagramId,
        known: &mut FxHashSet<DiagramId>,
        parts: &mut Vec<(DiagramId, Vec<Edge>)>,
    ) {
        if (id.0 as usize) < mark || !known.insert(id) {
            return;
        }
        for (_, before) in self.edges(id) {
            self.parts_since(mark, *before, known, parts);
        }
        parts.push((id, self.edges(id).to_vec()));
    }
}

fn edges<'a>(all: &'a [Edge], ends: &[u32], DiagramId(id): DiagramId) -> &'a [Edge] {
    let start = id.checked_sub(1).map_or(0, |before| ends[before as usize]);
    &all[start as usize..ends[id as usize] as usize]
}

fn hash_of(node: &[Edge]) -> u64 {
    let mut hasher = FxHasher::default();
    node.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::LocationId;

    #[test]
    fn what_is_kept_stays_the_same() {
        let mut nodes = Nodes::default();
        let item = |number| SequenceItem::location(LocationId::new(number));
        let old = nodes.intern(&[(item(0), DiagramId::LEAF)]);
        let mark = nodes.len();
        let lost = nodes.intern(&[(item(1), old)]);
        let inner = nodes.intern(&[(item(2), old)]);
        let kept = nodes.intern(&[(item(0), inner), (item(3), old)]);
        let after = nodes.forget_since(mark, &[old, kept]);
        let [still, after] = after[..] else { panic!("two sets") };
        assert_eq!(still, old);
        assert_eq!(nodes.len(), mark + 2);
        let [(first, part), (second, same)] = nodes.edges(after) else { panic!("two edges") };
        assert_eq!((*first, *second, *same), (item(0), item(3), old));
        assert_eq!(nodes.edges(*part), [(item(2), old)]);
        assert_eq!(nodes.intern(&[(item(0), *part), (item(3), old)]), after, "it is found again");
        assert_eq!(nodes.intern(&[(item(1), old)]).0 as usize, mark + 2, "what was lost is made anew, {lost:?}");
        assert_eq!(nodes.forget_since(mark, &[old]), [old]);
    }
}
