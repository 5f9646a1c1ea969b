//! What a procedure can do, it or the procedures that it calls: bottom-up over the call graph.

use super::clone::LockNumbers;
use crate::model::{Model, Operation, ProcedureId};
use lockhist::LockSet;
use petgraph::algo::tarjan_scc;
use petgraph::graph::{DiGraph, NodeIndex};

/// What the procedures of a model touch.
#[derive(Clone, Debug)]
pub(crate) struct Touched(Vec<Touch>);

#[derive(Clone, Copy, Debug, Default)]
struct Touch {
    locks: LockSet,
    /// Whether there is an access or a boundary of a unit.
    acts: bool,
}

impl Touched {
    /// Linear in the size of the model.
    pub(crate) fn new(model: &Model, locks: &LockNumbers) -> Self {
        let mut own = vec![Touch::default(); model.procedures().len()];
        let mut calls = DiGraph::<(), ()>::with_capacity(own.len(), own.len());
        for _ in &own {
            calls.add_node(());
        }
        for (_, node) in model.nodes() {
            let touch = &mut own[node.procedure.index()];
            match node.operation {
                Operation::Acquire(lock) => touch.locks |= locks.number(lock).into_iter().collect(),
                Operation::Read(_) | Operation::Write(_) | Operation::Begin | Operation::End => touch.acts = true,
                Operation::Call(callee) => {
                    calls.add_edge(NodeIndex::new(node.procedure.index()), NodeIndex::new(callee.index()), ());
                }
                _ => {}
            }
        }
        // Components come in reverse topological order, so the callees outside a component are finished before it.
        for component in tarjan_scc(&calls) {
            let reached = component.iter().flat_map(|caller| calls.neighbors(*caller).chain([*caller]));
            let all = reached.fold(Touch::default(), |all, callee| {
                let touch = own[callee.index()];
                Touch { locks: all.locks | touch.locks, acts: all.acts || touch.acts }
            });
            component.iter().for_each(|member| own[member.index()] = all);
        }
        Self(own)
    }

    /// The locks that can be acquired.
    pub(crate) fn locks(&self, procedure: ProcedureId) -> LockSet {
        self.0[procedure.index()].locks
    }

    /// Whether an access or a boundary of a unit can be reached.
    pub(crate) fn acts(&self, procedure: ProcedureId) -> bool {
        self.0[procedure.index()].acts
    }
}
