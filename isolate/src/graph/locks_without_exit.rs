//! Which locks a context holds at the nodes from which control never leaves it.
//!
//! *Definition.* What a path through a context's graph has done to locks is a [`LockEffect`]: the locks of callers that
//! it has released, and its own that it holds. Graphs are nested: all paths to one node have done the same.
//!
//! *Why only these nodes.* Two nodes from which all the same can be done hold the same locks if control can leave the
//! context from them: what is done on the way out is the same, and so is the effect with which it leaves. From a node
//! of which that is not so, nothing has to be released any more, and equal futures say nothing of what is held.

use super::context::{LockEffect, MethodContext};
use super::flow::{Flow, Step};
use super::reachability::{predecessors, reachable, reachable_from};
use crate::value::Lock;
use eml::model::Mode;
use rustc_hash::FxHashMap;

/// A number for what is held at each node from which control does not leave the context; equal numbers, equal locks.
/// All others have number 0. Linear in the graph, times the locks that are held at once.
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

/// What has been done to locks before each node that control reaches.
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

/// What has been done after a step, too.
fn apply(contexts: &[MethodContext], step: Step, effect: &mut LockEffect) {
    match step {
        Step::Acquire(lock, mode) => effect.open.push((lock, mode)),
        Step::Release(lock, mode) => closes(effect, (lock, mode)),
        Step::ReleaseForCaller(lock, mode, _) => effect.closed.push((lock, mode)),
        Step::Inline(call) => {
            if let Some(done) = contexts[call.callee.index()].lock_effects.get(call.effect.index()) {
                done.closed.iter().for_each(|lock| closes(effect, *lock));
                effect.open.extend(&done.open);
            }
        }
        Step::Skip | Step::Local | Step::Read(_) | Step::Write(_) | Step::Wait(_) | Step::Call(..) => {}
        Step::Start(_) | Step::Join | Step::Cut | Step::Return(_) | Step::ReturnWith(..) => {}
    }
}

/// A lock is released: the one that was acquired last, or a caller's.
fn closes(effect: &mut LockEffect, lock: (Lock, Mode)) {
    match effect.open.iter().rposition(|open| *open == lock) {
        Some(place) => {
            effect.open.remove(place);
        }
        None => effect.closed.push(lock),
    }
}
