//! Warnings about locks for which a thread blocks for ever.

use super::walk::{Topic, walk_all};
use eml::model::{LockKind, Model, NodeId, Operation, Warning};
use eml::syntax::Span;
use limits::{Limits, Meter};
use std::collections::{BTreeMap, BTreeSet};

/// The places at which a process that can run blocks for ever on a lock that nobody else needs to hold: it acquires in
/// write mode a lock that it holds in read mode, or it waits for a lock that it never holds there. Models without
/// read-write locks and waits are not explored. There are no warnings if a limit is reached, since a process that was
/// not explored may hold the lock at a wait that seems to be in vain.
pub fn lock_warnings(model: &Model, limits: &Limits) -> Vec<Warning> {
    let has_wait = || model.nodes().any(|(_, node)| matches!(node.operation, Operation::Wait(_)));
    if model.locks().iter().all(|lock| lock.kind() == LockKind::Plain) && !has_wait() {
        return Vec::new();
    }
    let (mut upgrades, mut waits): (BTreeSet<NodeId>, BTreeMap<NodeId, bool>) = Default::default();
    let meter = Meter::start(limits);
    for facts in walk_all(model, Topic::Forever, &meter) {
        let Ok((_, facts)) = facts else { return Vec::new() };
        // In a rough walk, a possible upgrade may not occur at all.
        if facts.is_exact {
            upgrades.extend(facts.upgrades);
        }
        facts.waits.into_iter().for_each(|(node, is_held)| *waits.entry(node).or_default() |= is_held);
    }
    let idle = waits.into_iter().filter(|(_, is_held)| !is_held).map(|(node, _)| node);
    let mut nodes: Vec<_> = upgrades.into_iter().chain(idle).collect();
    nodes.sort_unstable_by_key(|node| model.node(*node).position);
    nodes.into_iter().filter_map(|node| warning(model, node)).collect()
}

fn warning(model: &Model, node: NodeId) -> Option<Warning> {
    let place = Span::at(model.node(node).position);
    let name = |lock| model.lock(lock).name().to_string();
    match model.node(node).operation {
        Operation::Acquire(lock, _) => Some(Warning::Upgrade { lock: name(lock), place }),
        Operation::Wait(lock) => Some(Warning::WaitNotHeld { lock: name(lock), place }),
        Operation::Skip
        | Operation::Read(_)
        | Operation::Write(_)
        | Operation::Release(..)
        | Operation::Resume(_)
        | Operation::Begin
        | Operation::End
        | Operation::Call(_)
        | Operation::Start(_)
        | Operation::Return => None,
    }
}
