//! The interned nodes of diagrams.

use super::super::slices::Slices;
use super::item::SequenceItem;
use rustc_hash::{FxHashMap, FxHashSet};

/// A set of sequences; equal ids are equal sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct DiagramId(u32);

impl DiagramId {
    /// The empty set, of sequences of any length.
    pub(crate) const EMPTY: Self = Self(0);
    /// The set that contains only the sequence without segments: the end of every path through a diagram.
    pub(crate) const LEAF: Self = Self(1);

    pub(super) fn word(self) -> u32 {
        self.0
    }
}

/// An item and the set of the sequences before it.
pub(crate) type Edge = (SequenceItem, DiagramId);

/// The edges of all nodes. The empty set and the leaf are nodes without edges.
///
/// Invariant: edges lead to nodes with lower numbers, since a node is made after those that it leads to.
#[derive(Clone, Debug)]
pub(super) struct Nodes(Slices<Edge>);

impl Default for Nodes {
    fn default() -> Self {
        Self(Slices::with_reserved(2))
    }
}

impl Nodes {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// An estimate of the bytes that they take.
    pub(super) fn size(&self) -> usize {
        self.0.size()
    }

    /// The edges of a node, sorted by items.
    pub(super) fn edges(&self, id: DiagramId) -> &[Edge] {
        self.0.get(id.0)
    }

    /// The node with these edges, sorted by items. None of the edges leads to the empty set.
    pub(super) fn intern(&mut self, node: &[Edge]) -> DiagramId {
        debug_assert!(node.windows(2).all(|pair| pair[0].0 < pair[1].0));
        DiagramId(self.0.intern(node))
    }

    /// Removes all nodes from number `mark` on, except the parts of these sets. Returns the new ids of the sets.
    pub(super) fn forget_since(&mut self, mark: usize, kept: &[DiagramId]) -> Vec<DiagramId> {
        let parts = self.parts_since(mark, kept);
        self.0.truncate(mark);
        let mut renamed: FxHashMap<DiagramId, DiagramId> = FxHashMap::default();
        for (id, mut node) in parts {
            for (_, before) in &mut node {
                *before = renamed.get(before).copied().unwrap_or(*before);
            }
            renamed.insert(id, self.intern(&node));
        }
        kept.iter().map(|id| renamed.get(id).copied().unwrap_or(*id)).collect()
    }

    /// The nodes of some sets from number `mark` on, each after those that it leads to.
    fn parts_since(&self, mark: usize, sets: &[DiagramId]) -> Vec<(DiagramId, Vec<Edge>)> {
        let (mut known, mut waiting) = (FxHashSet::default(), sets.to_vec());
        while let Some(id) = waiting.pop() {
            if id.0 as usize >= mark && known.insert(id) {
                waiting.extend(self.edges(id).iter().map(|(_, before)| *before));
            }
        }
        let mut parts: Vec<_> = known.into_iter().collect();
        parts.sort_unstable();
        parts.into_iter().map(|id| (id, self.edges(id).to_vec())).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use eml::model::LocationId;

    #[test]
    fn kept_sets_stay_the_same() {
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
