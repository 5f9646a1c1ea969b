//! Entries that begin after a wait.
//!
//! A unit that has only read, holds only the lock on which it waits, and forgets what it has read (`exec::waits`), ends
//! before the wait; an entry of its own begins after it, with the lock ([`Waits`](crate::Rule::Waits)). The first part
//! is left out: it changes nothing, and nothing depends on it.

use super::client::Entry;
use crate::graph::{ContextId, Flow, MethodContext, Step};
use crate::value::Lock;
use eml::model::Mode;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the entries with those that begin after a wait. `is_left` says which entries stay as they are.
pub(super) fn separate_waits(
    entries: BTreeMap<ContextId, Entry>,
    contexts: &mut Vec<MethodContext>,
    is_left: impl Fn(ContextId) -> bool,
) -> BTreeMap<ContextId, Entry> {
    let called: BTreeSet<ContextId> =
        contexts.iter().flat_map(|context| &context.flow.nodes).filter_map(|node| node.step.called()).collect();
    let mut found = entries.clone();
    for (context, entry) in entries {
        if is_left(context) || called.contains(&context) || contexts[context.index()].lock_effects.len() > 1 {
            continue;
        }
        let waits = restarting(contexts, context);
        for node in &waits {
            contexts[context.index()].flow.nodes[*node].step = Step::Skip;
        }
        let held = held(&contexts[context.index()].flow);
        let mut begins: BTreeSet<(Lock, Vec<usize>)> = BTreeSet::new();
        for node in &waits {
            let next = std::mem::take(&mut contexts[context.index()].flow.nodes[*node].next);
            let lock = held[*node].as_ref().and_then(|held| held.last().copied());
            begins.extend(lock.map(|lock| (lock, next)));
        }
        for (lock, next) in begins {
            let mut restarted = contexts[context.index()].clone();
            restarted.flow.nodes[0].step = Step::Acquire(lock, Mode::Write);
            restarted.flow.nodes[0].next = next;
            let id = ContextId(u32::try_from(contexts.len()).expect("the number of states is bounded"));
            contexts.push(restarted);
            found.insert(id, entry.clone());
        }
    }
    found
}

/// Removes the marks of waits.
pub(super) fn forget_marks(contexts: &mut [MethodContext]) {
    for node in contexts.iter_mut().flat_map(|context| &mut context.flow.nodes) {
        if matches!(node.step, Step::Acquire(Lock::Restart, _) | Step::Release(Lock::Restart, _)) {
            node.step = Step::Skip;
        }
    }
}

/// The waits of a context after which it begins anew.
fn restarting(contexts: &[MethodContext], context: ContextId) -> Vec<usize> {
    let flow = &contexts[context.index()].flow;
    let held = held(flow);
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); flow.nodes.len()];
    for (number, node) in flow.nodes.iter().enumerate().filter(|(number, _)| held[*number].is_some()) {
        node.next.iter().for_each(|next| before[*next].push(number));
    }
    let is_marked = |number: usize| {
        before[number].iter().all(|before| matches!(flow.nodes[*before].step, Step::Release(Lock::Restart, _)))
    };
    let restarts = |number: usize| match flow.nodes[number].step {
        Step::Wait(lock) => {
            held[number].as_deref() == Some(&[lock])
                && is_marked(number)
                && only_reads_before(contexts, flow, &before, number)
        }
        _ => false,
    };
    (0..flow.nodes.len()).filter(|number| restarts(*number)).collect()
}

/// Whether all steps on paths to a node read, wait or change locks.
fn only_reads_before(contexts: &[MethodContext], flow: &Flow, before: &[Vec<usize>], node: usize) -> bool {
    let mut known = BTreeSet::new();
    let mut open = before[node].clone();
    while let Some(node) = open.pop() {
        if known.insert(node) {
            if !only_reads(contexts, flow.nodes[node].step, &mut BTreeSet::new()) {
                return false;
            }
            open.extend(&before[node]);
        }
    }
    true
}

fn only_reads(contexts: &[MethodContext], step: Step, known: &mut BTreeSet<ContextId>) -> bool {
    match step {
        Step::Skip | Step::Local | Step::Read(_) | Step::Acquire(..) | Step::Release(..) | Step::Wait(_) => true,
        Step::Call(callee, _) => {
            let mut nodes = contexts[callee.index()].flow.nodes.iter();
            !known.insert(callee)
                || nodes.all(|node| match node.step {
                    Step::Return(_) => true,
                    Step::Wait(_) => false,
                    step => only_reads(contexts, step, known),
                })
        }
        _ => false,
    }
}

/// The locks held before each node that control reaches, the innermost last.
fn held(flow: &Flow) -> Vec<Option<Vec<Lock>>> {
    let mut found: Vec<Option<Vec<Lock>>> = vec![None; flow.nodes.len()];
    if flow.nodes.is_empty() {
        return found;
    }
    found[0] = Some(Vec::new());
    let mut open = vec![0];
    while let Some(node) = open.pop() {
        let mut after = found[node].clone().unwrap_or_default();
        match flow.nodes[node].step {
            Step::Acquire(lock, _) => after.push(lock),
            Step::Release(lock, _) => {
                if let Some(place) = after.iter().rposition(|held| *held == lock) {
                    after.remove(place);
                }
            }
            _ => {}
        }
        for next in &flow.nodes[node].next {
            if found[*next].is_none() {
                found[*next] = Some(after.clone());
                open.push(*next);
            }
        }
    }
    found
}
