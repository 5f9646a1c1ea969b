//! The lock order graph.

use super::mode_pairs::ModePairs;
use super::walk::{Facts, Topic, walk_all};
use eml::model::{LockId, Model, ProcessId};
use limits::{Meter, StopReason};
use std::collections::BTreeMap;

/// An edge: the processes that can want its second lock while they hold the first one, with the modes.
pub(crate) type Edge = Vec<(ProcessId, ModePairs)>;

/// For each lock, the locks that some process can want while it holds it.
#[derive(Clone, Debug, Default)]
pub(crate) struct LockOrder {
    edges: BTreeMap<LockId, BTreeMap<LockId, Edge>>,
    /// For each lock, the locks with an edge to it.
    predecessors: BTreeMap<LockId, Vec<LockId>>,
    size: usize,
}

impl LockOrder {
    /// The lock order of all processes that can run.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(crate) fn new(model: &Model, meter: &Meter) -> Result<Self, StopReason> {
        let mut order = Self::default();
        for facts in walk_all(model, Topic::Order, meter) {
            let (process, facts) = facts?;
            order.add(process, &facts);
        }
        Ok(order)
    }

    /// Adds the facts of a process; processes come in order.
    pub(super) fn add(&mut self, process: ProcessId, facts: &Facts) {
        for ((held, wanted), pairs) in &facts.wants {
            let edge = self.edges.entry(*held).or_default().entry(*wanted).or_default();
            if edge.is_empty() {
                self.predecessors.entry(*wanted).or_default().push(*held);
                self.size += 1;
            }
            edge.push((process, *pairs));
        }
    }

    /// The locks that have an edge to another one, in order.
    pub(super) fn locks(&self) -> impl Iterator<Item = LockId> {
        self.edges.keys().copied()
    }

    /// The locks that some process can hold while it wants this one.
    pub(super) fn predecessors(&self, lock: LockId) -> &[LockId] {
        self.predecessors.get(&lock).map_or(&[], Vec::as_slice)
    }

    /// The locks that are wanted while this one is held, in order.
    pub(super) fn successors(&self, lock: LockId) -> impl Iterator<Item = LockId> {
        self.edges.get(&lock).into_iter().flat_map(|next| next.keys().copied())
    }

    /// The processes that can want the second lock while they hold the first one, with the modes; empty if there is no
    /// edge.
    pub(crate) fn edge(&self, held: LockId, wanted: LockId) -> &[(ProcessId, ModePairs)] {
        self.edges.get(&held).and_then(|next| next.get(&wanted)).map_or(&[], Vec::as_slice)
    }

    /// The number of edges.
    pub(super) fn size(&self) -> usize {
        self.size
    }
}
