//! What can be reached in the control-flow graphs of clones, and from one clone to another.

use super::flow::{CloneId, FlowNode, Step};
use super::follow::MethodClone;
use fixedbitset::FixedBitSet;
use std::collections::BTreeSet;

/// The nodes that control can reach, in order.
pub(super) fn reachable(clone: &MethodClone) -> BTreeSet<usize> {
    spread([0], |node| &clone.flow.nodes[node].next)
}

/// These nodes, and those that are reached from them by edges.
pub(super) fn spread<'n>(
    from: impl IntoIterator<Item = usize>,
    next: impl Fn(usize) -> &'n Vec<usize>,
) -> BTreeSet<usize> {
    let mut found: BTreeSet<usize> = from.into_iter().collect();
    let mut open: Vec<usize> = found.iter().copied().collect();
    while let Some(node) = open.pop() {
        open.extend(next(node).iter().copied().filter(|next| found.insert(*next)));
    }
    found
}

/// These nodes of so many, and those that are reached from them by edges; nothing as soon as a node is reached that `next` has nothing for.
/// Linear in the edges.
pub(super) fn spread_over<'n>(
    nodes: usize,
    from: &[usize],
    next: impl Fn(usize) -> Option<&'n Vec<usize>>,
) -> Option<FixedBitSet> {
    let mut found = FixedBitSet::with_capacity(nodes);
    let mut open = from.to_vec();
    while let Some(node) = open.pop() {
        if !found.put(node) {
            open.extend(next(node)?.iter().copied().filter(|next| !found.contains(*next)));
        }
    }
    Some(found)
}

/// For each node, from which of the reached ones an edge leads to it.
pub(super) fn predecessors(nodes: &[FlowNode], reached: &BTreeSet<usize>) -> Vec<Vec<usize>> {
    let mut predecessors = vec![Vec::new(); nodes.len()];
    for node in reached {
        nodes[*node].next.iter().for_each(|next| predecessors[*next].push(*node));
    }
    predecessors
}

/// What a clone starts.
pub(super) fn starts(clone: &MethodClone) -> Vec<CloneId> {
    let started = reachable(clone).into_iter().filter_map(|node| match clone.flow.nodes[node].step {
        Step::Start(callee) => Some(callee),
        _ => None,
    });
    started.collect()
}

/// The clones that do something, themselves or through those to which their steps lead. Linear in the edges.
pub(super) fn doing(
    clones: &[MethodClone],
    does: impl Fn(Step) -> bool,
    leads_to: impl Fn(Step) -> Option<CloneId>,
) -> Vec<bool> {
    let mut found = vec![false; clones.len()];
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); clones.len()];
    let mut open = Vec::new();
    for (index, clone) in clones.iter().enumerate() {
        for step in reachable(clone).into_iter().map(|node| clone.flow.nodes[node].step) {
            found[index] |= does(step);
            if let Some(callee) = leads_to(step) {
                callers[callee.index()].push(index);
            }
        }
        open.extend(found[index].then_some(index));
    }
    while let Some(index) = open.pop() {
        for caller in std::mem::take(&mut callers[index]) {
            if !std::mem::replace(&mut found[caller], true) {
                open.push(caller);
            }
        }
    }
    found
}
