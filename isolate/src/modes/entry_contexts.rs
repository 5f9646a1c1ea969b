//! Entries that are contexts of their own.
//!
//! Tasks of an executor or a timer that has one thread run one after the other. So no two of them run at the same time,
//! as if each held a lock that belongs to the executor: the model has this lock. A task that others run, too, has none
//! of it, and executors are told apart as locks are: by the region that certainly is the executor.
//!
//! This is done if what the tasks of an executor write is accessed by no other entry, so that it is *confined* to the
//! executor's thread. Else they take no lock, which adds interleavings only: what several threads access needs a guard
//! that all of them know.
//!
//! *Why it is enough.* In every execution the tasks of one executor do not overlap, so it is an execution of tasks that
//! take a lock before they begin and release it when they end.

use super::client::Entry;
use crate::graph::{ContextId, Exit, Flow, MethodContext, Step};
use crate::interpret::Interpreter;
use crate::value::{Location, Lock};
use eml::model::Mode;
use std::collections::{BTreeMap, BTreeSet};

/// The entries, of which tasks of one thread are run under the lock of their executor, each in a context of its own.
pub(super) fn serialize_tasks(
    interpreter: &Interpreter<'_>,
    entries: BTreeMap<ContextId, Entry>,
    contexts: &mut Vec<MethodContext>,
) -> BTreeMap<ContextId, Entry> {
    let mut found = BTreeMap::new();
    let locks = locks(interpreter, &entries, contexts);
    for (context, entry) in entries {
        let run = match locks.get(&context).copied() {
            Some(lock) => {
                let steps = [
                    Step::Acquire(lock, Mode::Write),
                    Step::Call(context, Exit::Any),
                    Step::Release(lock, Mode::Write),
                    Step::Return(Exit::Any),
                ];
                let mut flow = Flow::default();
                let line = contexts[context.index()].flow.nodes.first().map_or(0, |node| node.line);
                let first = flow.add(Step::Skip, line);
                let mut last = first;
                for step in steps {
                    let node = flow.add(step, line);
                    flow.connect(last, node);
                    last = node;
                }
                let task = contexts[context.index()].clone();
                let id = ContextId(u32::try_from(contexts.len()).expect("the number of states is bounded"));
                let title = Some(format!("task {}", entry.name));
                contexts.push(MethodContext { flow, lock_effects: Vec::new(), own_lock: None, title, ..task });
                id
            }
            None => context,
        };
        found.insert(run, entry);
    }
    found
}

/// The locks of tasks that are confined to one thread.
fn locks(
    interpreter: &Interpreter<'_>,
    entries: &BTreeMap<ContextId, Entry>,
    contexts: &[MethodContext],
) -> BTreeMap<ContextId, Lock> {
    let lock_of = |context: &ContextId, entry: &Entry| {
        let lock = interpreter.serial.get(context).copied().flatten();
        lock.filter(|_| entry.is_task && contexts[context.index()].lock_effects.len() <= 1)
    };
    let locks: BTreeMap<ContextId, Lock> =
        entries.iter().filter_map(|(context, entry)| Some((*context, lock_of(context, entry)?))).collect();
    let accesses: BTreeMap<ContextId, Accesses> = entries
        .keys()
        .filter(|_| !locks.is_empty())
        .map(|context| (*context, Accesses::of(contexts, *context)))
        .collect();
    let is_shared = |lock: Lock| {
        // A task that clients could run, too, if they could get at it in what they are given for it, is a task all the
        // same.
        let is_own = |context: &ContextId| interpreter.serial.get(context) == Some(&Some(lock));
        let written: BTreeSet<Location> =
            accesses.iter().filter(|(id, _)| is_own(id)).flat_map(|(_, of)| of.written.iter().copied()).collect();
        let mut others = accesses.iter().filter(|(id, _)| !is_own(id));
        others.any(|(_, of)| of.all.iter().any(|location| written.contains(location)))
    };
    locks.iter().filter(|(_, lock)| !is_shared(**lock)).map(|(context, lock)| (*context, *lock)).collect()
}

/// The locations that a context accesses, itself or by what it calls.
#[derive(Default)]
struct Accesses {
    all: BTreeSet<Location>,
    written: BTreeSet<Location>,
}

impl Accesses {
    fn of(contexts: &[MethodContext], root: ContextId) -> Self {
        let mut found = Self::default();
        let mut known = BTreeSet::from([root]);
        let mut open = vec![root];
        while let Some(context) = open.pop() {
            for node in &contexts[context.index()].flow.nodes {
                match node.step {
                    Step::Read(location) => drop(found.all.insert(location)),
                    Step::Write(location) => {
                        found.all.insert(location);
                        found.written.insert(location);
                    }
                    step => open.extend(step.called().filter(|callee| known.insert(*callee))),
                }
            }
        }
        found
    }
}

/// The entries, of which those that wait and are called by others, too, get contexts of their own. What a caller has
/// done before does not matter there, so more rounds of waiting can be dropped. A copy of a context does the same.
pub(super) fn separate_waiting_entries(
    entries: BTreeMap<ContextId, Entry>,
    contexts: &mut Vec<MethodContext>,
) -> BTreeMap<ContextId, Entry> {
    let steps = contexts.iter().flat_map(|context| &context.flow.nodes);
    let called: BTreeSet<ContextId> = steps.filter_map(|node| node.step.called()).collect();
    let mut found = BTreeMap::new();
    for (context, entry) in entries {
        let waits = contexts[context.index()].flow.nodes.iter().any(|node| matches!(node.step, Step::Wait(_)));
        let run = match waits && called.contains(&context) {
            true => {
                let id = ContextId(u32::try_from(contexts.len()).expect("the number of states is bounded"));
                contexts.push(contexts[context.index()].clone());
                id
            }
            false => context,
        };
        found.insert(run, entry);
    }
    found
}
