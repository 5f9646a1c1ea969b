//! Which locks matter in a query: those that at least two of the participants can acquire.
//!
//! A lock that only one participant ever acquires is always free for it, so it restricts nothing; leaving it out keeps
//! every interleaving of the participants and makes lock histories smaller.

use super::scenario::Scenario;
use crate::model::{LockId, Model, Operation, ProcessId};
use crate::reductions::{Reduction, Reductions};
use fixedbitset::FixedBitSet;
use petgraph::graph::{DiGraph, NodeIndex};
use petgraph::visit::Dfs;

/// The locks that each process of a model can acquire.
#[derive(Clone, Debug)]
pub(crate) struct Contention(Vec<FixedBitSet>);

impl Contention {
    /// Linear in the size of the model times the number of processes.
    pub(crate) fn new(model: &Model) -> Self {
        let mut own = vec![FixedBitSet::with_capacity(model.locks().len()); model.procedures().len()];
        let mut calls = DiGraph::<(), ()>::new();
        for _ in &own {
            calls.add_node(());
        }
        for (_, node) in model.nodes() {
            match node.operation {
                Operation::Acquire(lock) => own[node.procedure.index()].insert(lock.index()),
                Operation::Call(callee) => {
                    let [caller, callee] = [node.procedure, callee].map(|id| NodeIndex::new(id.index()));
                    calls.update_edge(caller, callee, ());
                }
                _ => {}
            }
        }
        let of_process = |body: usize| {
            let mut locks = FixedBitSet::with_capacity(model.locks().len());
            let mut dfs = Dfs::new(&calls, NodeIndex::new(body));
            while let Some(procedure) = dfs.next(&calls) {
                locks.union_with(&own[procedure.index()]);
            }
            locks
        };
        Self(model.processes().iter().map(|process| of_process(process.body().index())).collect())
    }

    /// The locks that matter in a scenario.
    pub(crate) fn locks_of(&self, scenario: &Scenario, reductions: Reductions) -> Vec<LockId> {
        let instances: Vec<_> = scenario.participants.iter().map(|participant| participant.process).collect();
        self.locks(&instances, if reductions.has(Reduction::Locks) { 2 } else { 1 })
    }

    /// The locks that at least so many of these instances can acquire, in order.
    fn locks(&self, instances: &[ProcessId], least: usize) -> Vec<LockId> {
        let count = self.0.first().map_or(0, FixedBitSet::len);
        let users = |lock: usize| instances.iter().filter(|process| self.0[process.index()].contains(lock)).count();
        (0..count).filter(|lock| users(*lock) >= least).map(LockId::new).collect()
    }
}
