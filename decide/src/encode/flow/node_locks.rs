//! The contended locks that a process holds at each node of its flow graph, according to the graph alone.
//!
//! Each node has two sets: the locks that may be free there, and those that may be held. If a lock is in one set only,
//! its value at the node is known. The sets are the least ones that contain the values of all runs:
//!
//! - *Returns*: for each node and lock, the relation between the value at the node and the value at the return of its
//!   procedure. A call composes the relation of the callee with that of the node after it.
//! - *Values*: they are propagated from the beginning of the process, where no lock is held, along edges, into calls,
//!   and over calls by the relation of the callee.
//!
//! Both are computed for all locks at once, with one bit for each lock. Purpose: a step between phases must remember
//! which locks are held, and a decision diagram that remembers `n` locks with unknown values has at least `2^n` nodes.

use super::graph::{FlowGraph, FlowNode, Label};
use limits::{Meter, StopReason};
use lockhist::{Lock, LockSet, Operation};

/// The locks that may be free and those that may be held.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct NodeLocks {
    pub(crate) may_be_free: LockSet,
    pub(crate) may_be_held: LockSet,
}

/// For each lock, the values that each value can lead to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Change {
    of_free: NodeLocks,
    of_held: NodeLocks,
}

impl NodeLocks {
    fn with(self, other: Self) -> Self {
        Self { may_be_free: self.may_be_free | other.may_be_free, may_be_held: self.may_be_held | other.may_be_held }
    }

    /// The values after an edge that is not a call.
    fn after(self, label: Label) -> Self {
        let Self { may_be_free, may_be_held } = self;
        // If no value is possible for a lock before, none is possible after.
        match label {
            Label::Lock(Operation::Acquire(lock)) if self.has(lock) => {
                let own = LockSet::of(lock);
                Self { may_be_free: may_be_free - own, may_be_held: may_be_held | own }
            }
            Label::Lock(Operation::Release(lock)) if self.has(lock) => {
                let own = LockSet::of(lock);
                Self { may_be_free: may_be_free | own, may_be_held: may_be_held - own }
            }
            _ => self,
        }
    }

    fn has(self, lock: Lock) -> bool {
        (self.may_be_free | self.may_be_held).contains(lock)
    }

    /// The values after a change.
    fn then(self, change: &Change) -> Self {
        let (free, held) = (self.may_be_free, self.may_be_held);
        Self {
            may_be_free: (free & change.of_free.may_be_free) | (held & change.of_held.may_be_free),
            may_be_held: (free & change.of_free.may_be_held) | (held & change.of_held.may_be_held),
        }
    }
}

impl Change {
    fn with(self, other: Self) -> Self {
        Self { of_free: self.of_free.with(other.of_free), of_held: self.of_held.with(other.of_held) }
    }

    /// The composition: first this change, then the other one.
    fn then(self, other: &Self) -> Self {
        Self { of_free: self.of_free.then(other), of_held: self.of_held.then(other) }
    }
}

/// The values at each node; none are possible at an unreachable node.
///
/// # Errors
/// If a limit is reached.
pub(crate) fn node_locks(graph: &FlowGraph, meter: &Meter) -> Result<Vec<NodeLocks>, StopReason> {
    let locks = (0..LockSet::CAPACITY).map(Lock::new).collect();
    let all_free = NodeLocks { may_be_free: locks, may_be_held: LockSet::EMPTY };
    let all_held = NodeLocks { may_be_free: LockSet::EMPTY, may_be_held: locks };
    let same = Change { of_free: all_free, of_held: all_held };
    let returns = to_returns(graph, same, meter)?;
    let mut values = vec![NodeLocks::default(); graph.len()];
    values[graph.entry().index()] = all_free;
    let mut waiting = vec![graph.entry()];
    while let Some(node) = waiting.pop() {
        let value = values[node.index()];
        for edge in graph.edges(node) {
            meter.work_of(1)?;
            let mut reach = |target: FlowNode, value: NodeLocks| {
                let known = values[target.index()].with(value);
                if known != values[target.index()] {
                    values[target.index()] = known;
                    waiting.push(target);
                }
            };
            match edge.label.callee() {
                Some(entry) => {
                    reach(entry, value);
                    reach(edge.target, value.then(&returns[entry.index()]));
                }
                None => reach(edge.target, value.after(edge.label)),
            }
        }
    }
    Ok(values)
}

/// For each node, the change of locks up to the return of its procedure.
fn to_returns(graph: &FlowGraph, same: Change, meter: &Meter) -> Result<Vec<Change>, StopReason> {
    let mut returns = vec![Change::default(); graph.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for node in graph.nodes().rev() {
            meter.work_of(1 + graph.edges(node).len())?;
            let mut all = if graph.returns(node) { same } else { Change::default() };
            for edge in graph.edges(node) {
                let first = match edge.label.callee() {
                    Some(entry) => returns[entry.index()],
                    None => Change { of_free: same.of_free.after(edge.label), of_held: same.of_held.after(edge.label) },
                };
                all = all.with(first.then(&returns[edge.target.index()]));
            }
            changed |= all != returns[node.index()];
            returns[node.index()] = all;
        }
    }
    Ok(returns)
}

#[cfg(test)]
mod tests {
    use super::super::graph::{Edge, Exits};
    use super::*;
    use limits::Limits;

    fn graph(nodes: &[&[(Label, usize)]]) -> FlowGraph {
        let exits = nodes.iter().map(|edges| {
            let edges: Vec<_> =
                edges.iter().map(|(label, target)| Edge { label: *label, target: FlowNode::new(*target) }).collect();
            Exits { returns: edges.is_empty(), edges }
        });
        FlowGraph::new(exits, FlowNode::new(0), &Meter::start(&Limits::default())).expect("there is no limit")
    }

    #[test]
    fn locks_are_known_across_calls() {
        let [a, b] = [0, 1].map(Lock::new);
        let (acquire, release) =
            (|lock| Label::Lock(Operation::Acquire(lock)), |lock| Label::Lock(Operation::Release(lock)));
        let call = Label::Call(FlowNode::new(5));
        // The callee, from 5 on, acquires and releases b. It is called with a held and without.
        let nodes: [&[(Label, usize)]; 8] = [
            &[(call, 1)],
            &[(acquire(a), 2)],
            &[(call, 3)],
            &[(release(a), 4)],
            &[],
            &[(acquire(b), 6)],
            &[(release(b), 7)],
            &[],
        ];
        let both = LockSet::of(a) | LockSet::of(b);
        let found = node_locks(&graph(&nodes), &Meter::start(&Limits::default())).expect("there is no limit");
        let known = |node: usize| (found[node].may_be_free & both, found[node].may_be_held & both);
        let (only_a, only_b, none) = (LockSet::of(a), LockSet::of(b), LockSet::EMPTY);
        assert_eq!(known(1), (both, none));
        assert_eq!(known(3), (only_b, only_a));
        assert_eq!(known(4), (both, none));
        assert_eq!(known(6), (only_a, both));
        assert_eq!(known(7), (both, only_a));
    }
}
