//! The locks that a context holds at the nodes from which no exit is reachable.
//!
//! *Definition.* The effect of a path through a context's graph on locks is a [`LockEffect`]: the locks of callers that
//! it has released, and the own locks that it holds. Graphs are nested: all paths to a node have the same effect.
//!
//! *Why only these nodes.* Two bisimilar nodes from which an exit is reachable hold the same locks: their paths to an
//! exit have the same steps and the same lock effect at the exit. From other nodes no lock has to be released, so
//! bisimilar ones may hold different locks.

use super::context::{LockEffect, MethodContext};
use super::flow::{Flow, Step};
use super::reachability::{predecessors, reachable, reachable_from};
use crate::value::Lock;
use eml::model::Mode;
use rustc_hash::FxHashMap;

/// Returns for each node without a reachable exit a number of its lock effect; equal numbers mean equal locks. All
/// other nodes have number 0. Linear in the size of the graph times the number of locks held at once.
pub(super) fn locks_without_exit(contexts: &[MethodContext], flow: &Flow) -> Vec<usize> {
    let mut numbers = vec![0; flow.nodes.len()];
    let reached = reachable(flow);
    let into = predecessors(flow, &reached);
    let exits = reached.ones().filter(|node| flow.nodes[*node].step.exit().is_some());
    let leaving = reachable_from(flow.nodes.len(), exits, |node| &into[node]);
    if reached.is_subset(&leaving) {
        return numbers;
    }
    let mut known: FxHashMap<LockEffect, usize> = FxHashMap::default();
    for (node, effect) in effects(contexts, flow) {
        if !leaving.contains(node) {
            let new = known.len() + 1;
            numbers[node] = *known.entry(effect).or_insert(new);
        }
    }
    numbers
}

/// Returns the lock effect before each reachable node.
fn effects(contexts: &[MethodContext], flow: &Flow) -> FxHashMap<usize, LockEffect> {
    let mut found: FxHashMap<usize, LockEffect> = FxHashMap::default();
    let mut open: Vec<usize> = Vec::new();
    if !flow.nodes.is_empty() {
        found.insert(0, LockEffect::default());
        open.push(0);
    }
    while let Some(node) = open.pop() {
        let mut after = found[&node].clone();
        apply(contexts, flow.nodes[node].step, &mut after);
        for next in &flow.nodes[node].next {
            if !found.contains_key(next) {
                found.insert(*next, after.clone());
                open.push(*next);
            }
        }
    }
    found
}

/// Adds the effect of a step.
fn apply(contexts: &[MethodContext], step: Step, effect: &mut LockEffect) {
    match step {
        Step::Acquire(lock, mode) => effect.open.push((lock, mode)),
        Step::Release(lock, mode) => release(effect, (lock, mode)),
        Step::ReleaseForCaller(lock, mode, _) => effect.closed.push((lock, mode)),
        Step::Inline(call) => {
            if let Some(done) = contexts[call.callee.index()].lock_effects.get(call.effect.index()) {
                done.closed.iter().for_each(|lock| release(effect, *lock));
                effect.open.extend(&done.open);
            }
        }
        Step::Skip | Step::Local | Step::Read(_) | Step::Write(_) | Step::Wait(_) | Step::Call(..) => {}
        Step::Start(_) | Step::Join | Step::Cut | Step::Return(_) | Step::ReturnWith(..) => {}
    }
}

/// Releases a lock: its last own acquisition, or a caller's.
fn release(effect: &mut LockEffect, lock: (Lock, Mode)) {
    match effect.open.iter().rposition(|open| *open == lock) {
        Some(place) => {
            effect.open.remove(place);
        }
        None => effect.closed.push(lock),
    }
}
