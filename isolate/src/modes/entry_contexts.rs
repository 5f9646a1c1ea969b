//! Separate contexts for entries: tasks of one thread, and entries that wait.
//!
//! The tasks of an executor or a timer with one thread run one after the other. So no two of them run at the same time,
//! as if each held a lock of the executor: the model has this lock. A task that other threads run, too, does not take
//! it. Executors are distinguished like locks: by the region that is certainly the executor.
//!
//! The lock is used only if no other entry accesses the locations that the tasks write, so that these are *confined* to
//! the executor's thread. Otherwise the tasks take no lock, which only adds interleavings: locations of several threads
//! need a guard that all of them take.
//!
//! *Correctness.* In every execution the tasks of one executor do not overlap, so it is an execution of tasks that
//! acquire a lock at their begin and release it at their end.

use super::client::Entry;
use crate::exec::interpreter::Interpreter;
use crate::graph::{ContextId, Exit, Flow, MethodContext, Step};
use crate::value::{Location, Lock};
use eml::model::Mode;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the entries; each task of a single thread gets a context of its own that runs it under the lock of its
/// executor.
pub(super) fn serialize_tasks(
    interpreter: &Interpreter<'_>,
    entries: BTreeMap<ContextId, Entry>,
    contexts: &mut Vec<MethodContext>,
) -> BTreeMap<ContextId, Entry> {
    let mut found = BTreeMap::new();
    let locks = locks(interpreter, &entries, contexts);
    for (context, entry) in entries {
        let run = match locks.get(&context).copied() {
            Some(lock) => run_under(lock, context, &format!("task {}", entry.name), contexts),
            None => context,
        };
        found.insert(run, entry);
    }
    found
}

/// Adds a context with this title that runs another one under a lock.
pub(super) fn run_under(lock: Lock, context: ContextId, title: &str, contexts: &mut Vec<MethodContext>) -> ContextId {
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
    let run = contexts[context.index()].clone();
    let id = ContextId(u32::try_from(contexts.len()).expect("the number of states is bounded"));
    let title = Some(title.to_string());
    contexts.push(MethodContext { flow, lock_effects: Vec::new(), own_lock: None, title, ..run });
    id
}

/// Returns the locks of tasks that are confined to one thread.
fn locks(
    interpreter: &Interpreter<'_>,
    entries: &BTreeMap<ContextId, Entry>,
    contexts: &[MethodContext],
) -> BTreeMap<ContextId, Lock> {
    let lock_of = |context: &ContextId, entry: &Entry| {
        let lock = interpreter.threads.serial.get(context).copied().flatten();
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
        // A task counts as a task even if clients could extract it from an object that they receive for it, and run it.
        let is_own = |context: &ContextId| interpreter.threads.serial.get(context) == Some(&Some(lock));
        let written: BTreeSet<Location> =
            accesses.iter().filter(|(id, _)| is_own(id)).flat_map(|(_, of)| of.written.iter().copied()).collect();
        let mut others = accesses.iter().filter(|(id, _)| !is_own(id));
        others.any(|(_, of)| of.all.iter().any(|location| written.contains(location)))
    };
    locks.iter().filter(|(_, lock)| !is_shared(**lock)).map(|(context, lock)| (*context, *lock)).collect()
}

/// The locations that a context accesses, directly or by calls.
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

/// Returns the entries; an entry that waits and is also called gets a context of its own, a copy. The accesses of
/// callers before the call do not matter for the copy, so more waiting iterations can be removed.
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
