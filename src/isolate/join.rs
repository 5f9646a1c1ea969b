//! Where the main thread is alone again: program mode.
//!
//! After a call that waits for threads (`Thread.join`, `awaitTermination`, ...) from which on nothing is started and no more such call
//! comes, all other threads are taken to have ended. That is an assumption: a program may wait for some threads only.

use super::emit::reachable;
use super::flow::{CloneId, Step};
use super::follow::MethodClone;
use std::collections::BTreeSet;

/// The text of the assumption.
pub(super) const ASSUMPTION: &str = "behind its last call that waits for threads, the main thread is alone";

/// The nodes of the main thread's first method at which it is alone.
pub(super) fn alone(clones: &[MethodClone], main: CloneId) -> BTreeSet<(CloneId, usize)> {
    let starts = containing(clones, |step| matches!(step, Step::Start(_)));
    let joins = containing(clones, |step| step == Step::Join);
    let nodes = &clones[main.index()].flow.nodes;
    let is_in = |step: Step, set: &[bool]| matches!(step, Step::Call(callee) if set[callee.index()]);
    let is_join = |node: usize| nodes[node].step == Step::Join || is_in(nodes[node].step, &joins);
    let is_start = |node: usize| matches!(nodes[node].step, Step::Start(_)) || is_in(nodes[node].step, &starts);
    let reached = reachable(&clones[main.index()]);
    // From which nodes a join or a start can be reached, themselves included.
    let mut before: BTreeSet<usize> =
        reached.iter().copied().filter(|node| is_join(*node) || is_start(*node)).collect();
    spread(&mut before, |node| predecessors(nodes, &reached, node));
    let joined = reached.iter().copied().filter(|node| is_join(*node));
    let mut behind: BTreeSet<usize> = joined.flat_map(|node| nodes[node].next.iter().copied()).collect();
    spread(&mut behind, |node| nodes[node].next.clone());
    behind.difference(&before).map(|node| (main, *node)).collect()
}

fn predecessors(nodes: &[super::flow::FlowNode], reached: &BTreeSet<usize>, node: usize) -> Vec<usize> {
    reached.iter().copied().filter(|before| nodes[*before].next.contains(&node)).collect()
}

fn spread(set: &mut BTreeSet<usize>, next: impl Fn(usize) -> Vec<usize>) {
    let mut open: Vec<usize> = set.iter().copied().collect();
    while let Some(node) = open.pop() {
        open.extend(next(node).into_iter().filter(|next| set.insert(*next)));
    }
}

/// The clones that do something, themselves or through those that they call.
pub(super) fn containing(clones: &[MethodClone], does: impl Fn(Step) -> bool) -> Vec<bool> {
    let mut found = vec![false; clones.len()];
    let mut callers: Vec<Vec<usize>> = vec![Vec::new(); clones.len()];
    let mut open = Vec::new();
    for (index, clone) in clones.iter().enumerate() {
        for node in reachable(clone) {
            match clone.flow.nodes[node].step {
                Step::Call(callee) => callers[callee.index()].push(index),
                step => found[index] |= does(step),
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
