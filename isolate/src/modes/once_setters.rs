//! Entries that set values that are set once.
//!
//! Two units that overlap do not both set such a value, and a unit that has found it set does not overlap with a later
//! step that sets it ([`SettersOnce`](crate::Rule::SettersOnce)). So an entry has copies: for each value one that
//! neither sets it nor finds it set, one that finds it set and does not set it, and one that sets it. A copy holds a
//! lock of each value that it sets from its begin to its end ([`Lock::Once`]); a copy that finds the value set holds
//! the lock of the step that sets it ([`Lock::Found`]).
//!
//! *Why it suffices.* Each execution of an entry is an execution of one of the copies. Two copies that set a value
//! exclude each other, as the two units do. A unit that finds a value set could only begin before the step that sets
//! it; without these interleavings a finding may be lost, and no proof.
//!
//! Maps are set once for each key. So the copies for a map are made only for entries that write nothing but contents of
//! maps and what lies below: other locations are not divided by keys.

use super::client::Entry;
use crate::graph::{ContextId, Exit, Flow, InlinedCall, MethodContext, Step};
use crate::value::{Location, Lock};
use eml::model::Mode;
use std::collections::{BTreeMap, BTreeSet};

/// Maximal number of values of an entry that are distinguished; the others are as any other values.
const MOST: usize = 2;

/// The part of a copy with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part {
    /// Neither sets it nor finds it set.
    None,
    /// Finds it set.
    Finds,
    /// Sets it.
    Sets,
    /// Waits for a latch that follows it.
    Awaits,
}

/// The part of a copy with each value.
type Parts = BTreeMap<Location, Part>;

/// Returns the entries with a copy for each combination of parts. `is_left` says which entries have no copies, or none
/// for a value, by the locations that they write.
pub(super) fn separate_setters(
    entries: BTreeMap<ContextId, Entry>,
    contexts: &mut Vec<MethodContext>,
    is_left: impl Fn(ContextId) -> bool,
    is_value_left: impl Fn(Location, &BTreeSet<Location>) -> bool,
    latches: &BTreeMap<Location, BTreeSet<Location>>,
) -> BTreeMap<ContextId, Entry> {
    resolve_latches(contexts, latches);
    let mut found = BTreeMap::new();
    for (context, entry) in entries {
        let reached = reached(contexts, context);
        let written = written_in(contexts, &reached);
        let values = marked_in(contexts, &reached).into_iter().filter(|value| !is_value_left(*value, &written));
        let values: Vec<(Location, bool)> =
            values.take(MOST).map(|value| (value, awaits(contexts, &reached, value))).collect();
        let can = contexts[context.index()].lock_effects.len() <= 1 && !is_left(context);
        if values.is_empty() || !can {
            found.insert(context, entry);
            continue;
        }
        for parts in combinations(&values) {
            let copy = copy(contexts, &reached, context, &parts);
            found.insert(within(contexts, copy, &parts), entry.clone());
        }
    }
    found
}

/// Replaces each mark of a latch by one of the atomic that it follows; a latch that follows none has no mark.
fn resolve_latches(contexts: &mut [MethodContext], latches: &BTreeMap<Location, BTreeSet<Location>>) {
    let atomic = |lock: Lock| match lock {
        Lock::Awaited(latch) => latches.get(&latch).and_then(|atomics| atomics.first().copied()),
        _ => None,
    };
    for node in contexts.iter_mut().flat_map(|context| &mut context.flow.nodes) {
        match &mut node.step {
            Step::Acquire(lock @ Lock::Awaited(_), _) | Step::Release(lock @ Lock::Awaited(_), _) => {
                match atomic(*lock) {
                    Some(atomic) => *lock = Lock::Awaited(atomic),
                    None => node.step = Step::Skip,
                }
            }
            _ => {}
        }
    }
}

/// Whether a context waits for a latch that follows a value.
fn awaits(contexts: &[MethodContext], reached: &BTreeSet<ContextId>, value: Location) -> bool {
    let mut nodes = reached.iter().flat_map(|context| &contexts[context.index()].flow.nodes);
    nodes.any(|node| marked(node.step) == Some((value, Part::Awaits)))
}

/// Removes the locks of values that are set once.
pub(super) fn forget_setters(contexts: &mut [MethodContext]) {
    for node in contexts.iter_mut().flat_map(|context| &mut context.flow.nodes) {
        if marked(node.step).is_some() {
            node.step = Step::Skip;
        }
    }
}

/// The value that a step marks, with the part of a unit that makes the step.
fn marked(step: Step) -> Option<(Location, Part)> {
    match step {
        Step::Acquire(Lock::Once(value), _) | Step::Release(Lock::Once(value), _) => Some((value, Part::Sets)),
        Step::Acquire(Lock::Found(value), Mode::Read) | Step::Release(Lock::Found(value), Mode::Read) => {
            Some((value, Part::Finds))
        }
        Step::Acquire(Lock::Found(value), _) | Step::Release(Lock::Found(value), _) => Some((value, Part::Sets)),
        Step::Acquire(Lock::Awaited(value), _) | Step::Release(Lock::Awaited(value), _) => Some((value, Part::Awaits)),
        _ => None,
    }
}

/// A step with a mark as a copy has it; none if the copy does not make the step.
fn as_in(parts: &Parts, step: Step) -> Option<Step> {
    let Some((value, part)) = marked(step) else { return Some(step) };
    match (parts.get(&value), part, step) {
        (
            Some(Part::Sets),
            _,
            Step::Acquire(Lock::Found(_), Mode::Write) | Step::Release(Lock::Found(_), Mode::Write),
        ) => Some(step),
        (None | Some(Part::Sets), ..) | (Some(Part::Finds), Part::Finds, _) => Some(Step::Skip),
        (Some(Part::Awaits), Part::Finds | Part::Awaits, _) => Some(Step::Skip),
        _ => None,
    }
}

/// The contexts that a context runs, itself included.
fn reached(contexts: &[MethodContext], root: ContextId) -> BTreeSet<ContextId> {
    let mut found = BTreeSet::from([root]);
    let mut open = vec![root];
    while let Some(context) = open.pop() {
        let called = contexts[context.index()].flow.nodes.iter().filter_map(|node| node.step.called());
        open.extend(called.filter(|callee| found.insert(*callee)));
    }
    found
}

fn marked_in(contexts: &[MethodContext], reached: &BTreeSet<ContextId>) -> BTreeSet<Location> {
    let nodes = reached.iter().flat_map(|context| &contexts[context.index()].flow.nodes);
    nodes.filter_map(|node| Some(marked(node.step)?.0)).collect()
}

fn written_in(contexts: &[MethodContext], reached: &BTreeSet<ContextId>) -> BTreeSet<Location> {
    let nodes = reached.iter().flat_map(|context| &contexts[context.index()].flow.nodes);
    let written = |step: Step| match step {
        Step::Write(location) => Some(location),
        _ => None,
    };
    nodes.filter_map(|node| written(node.step)).collect()
}

fn combinations(values: &[(Location, bool)]) -> Vec<Parts> {
    let mut found = vec![Parts::new()];
    for (value, awaits) in values {
        let with = |part: Part| {
            found.iter().map(move |parts| {
                let mut parts = parts.clone();
                parts.insert(*value, part);
                parts
            })
        };
        let awaits = awaits.then_some(Part::Awaits);
        found = [Part::None, Part::Finds, Part::Sets].into_iter().chain(awaits).flat_map(with).collect();
    }
    found
}

/// Copies contexts that a root runs, with these parts.
fn copy(contexts: &mut Vec<MethodContext>, reached: &BTreeSet<ContextId>, root: ContextId, parts: &Parts) -> ContextId {
    let sets: BTreeSet<ContextId> = setters(contexts, reached);
    let first = contexts.len();
    let place = |number: usize| ContextId(u32::try_from(first + number).expect("the number of states is bounded"));
    let copies: BTreeMap<ContextId, ContextId> =
        sets.iter().enumerate().map(|(number, context)| (*context, place(number))).collect();
    for context in &sets {
        let mut copied = contexts[context.index()].clone();
        for node in &mut copied.flow.nodes {
            match &mut node.step {
                Step::Call(callee, _) | Step::Inline(InlinedCall { callee, .. }) => {
                    *callee = copies.get(callee).copied().unwrap_or(*callee);
                }
                step => match as_in(parts, *step) {
                    Some(made) => *step = made,
                    None => {
                        *step = Step::Skip;
                        node.next.clear();
                    }
                },
            }
        }
        contexts.push(copied);
    }
    copies[&root]
}

/// The contexts among these that set a value, or run one that does.
fn setters(contexts: &[MethodContext], reached: &BTreeSet<ContextId>) -> BTreeSet<ContextId> {
    let mut found: BTreeSet<ContextId> = BTreeSet::new();
    loop {
        let sets = |context: &&ContextId| {
            let mut nodes = contexts[context.index()].flow.nodes.iter();
            nodes.any(|node| {
                marked(node.step).is_some() || node.step.called().is_some_and(|callee| found.contains(&callee))
            })
        };
        let next: BTreeSet<ContextId> = reached.iter().filter(sets).copied().collect();
        if next.len() == found.len() {
            return found;
        }
        found = next;
    }
}

/// Adds a context that runs another one while it holds the locks of its parts.
fn within(contexts: &mut Vec<MethodContext>, run: ContextId, parts: &Parts) -> ContextId {
    let lock = |(value, part): (&Location, &Part)| match part {
        Part::None => None,
        Part::Finds => Some((Lock::Found(*value), Mode::Read)),
        Part::Sets => Some((Lock::Once(*value), Mode::Write)),
        Part::Awaits => Some((Lock::Once(*value), Mode::Read)),
    };
    let held: Vec<(Lock, Mode)> = parts.iter().filter_map(lock).collect();
    if held.is_empty() {
        return run;
    }
    let begins = held.iter().map(|(lock, mode)| Step::Acquire(*lock, *mode));
    let ends = held.iter().rev().map(|(lock, mode)| Step::Release(*lock, *mode));
    let steps = begins.chain([Step::Call(run, Exit::Any)]).chain(ends).chain([Step::Return(Exit::Any)]);
    let context = contexts[run.index()].clone();
    let line = context.flow.nodes.first().map_or(0, |node| node.line);
    let mut flow = Flow::default();
    let mut last = flow.add(Step::Skip, line);
    for step in steps {
        let node = flow.add(step, line);
        flow.connect(last, node);
        last = node;
    }
    contexts.push(MethodContext { flow, lock_effects: Vec::new(), own_lock: None, ..context });
    ContextId(u32::try_from(contexts.len() - 1).expect("the number of states is bounded"))
}
