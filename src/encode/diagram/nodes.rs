//! The nodes of diagrams, each of them once.

use super::letter::Letter;
use hashbrown::HashTable;
use rustc_hash::FxHasher;
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

/// A letter and what may come before it.
pub(crate) type Edge = (Letter, DiagramId);

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

    /// The edges of a node, sorted by letters.
    pub(super) fn edges(&self, id: DiagramId) -> &[Edge] {
        edges(&self.edges, &self.ends, id)
    }

    /// The node with these edges, sorted by letters, none of them to the empty set.
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
