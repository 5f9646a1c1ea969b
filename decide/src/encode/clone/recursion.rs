//! The bound on calls that grow the locks held in recursion.
//!
//! A procedure that acquires any of `n` locks and calls itself is entered with each of the `2^n` sets of locks. Almost
//! none of these contexts matter.
//!
//! *Cutting.* Take an interleaving that violates a query, and a thread in it. Let one of its activations of a procedure
//! lie within another one, and let the following be the same for both:
//!
//! - the calls have the same *alternatives* (below);
//! - the number of transitions that the thread has made when the activation begins;
//! - this number when the activation ends; of an activation that has not ended, the number at the end of all;
//! - whether a unit is open when the activation begins;
//! - the modes in which the *tracked* locks are held when it begins: those that some thread waits for, and those that
//!   the words mention as wanted or held.
//!
//! Then all steps can be left out that the outer activation makes before the inner one begins and after it ends, as if
//! the inner one were called in its place. The other steps of the thread stay in their order, those of other threads
//! stay where they are. This is an interleaving of the model that violates the query:
//!
//! - Procedures close the locks and units that they open, so the locks held around the inner activation were those held
//!   around the outer one, and some more. At each moment the thread holds no lock that it did not hold before, and none
//!   in a stronger mode. So no acquisition of any thread is blocked that was not blocked before; if a remaining
//!   acquisition becomes real, the thread held that lock already.
//! - None of the steps that are left out is a transition, by the numbers; leaving out steps violates no phase. As an
//!   open unit stays open within an activation, the unit of each remaining step is the same as before, or both are
//!   inside of the inner activation.
//! - Tracked locks are held at the same remaining steps as before, in the same modes. So waits find their locks as
//!   before, and so do the instants of wanting.
//!
//! Cutting makes the interleaving shorter. So if there is a violation, there is one without such a pair.
//!
//! *Counting.* Consider nested activations with the same alternatives and without such a pair. From each to the next
//! one inside, the first number does not fall, the second does not rise, an open unit stays open, and so do held locks;
//! and something changes. If a word has at most `m` transitions of the process, that is possible `m` times by the
//! numbers, once by a unit if the procedures open one, and once for each slot of a tracked lock. So at most `m + 1` of
//! them are nested, plus one for units and plus the number of slots.
//!
//! *Bound.* For each strongly connected component of the call graph some alternatives are *counted*, such that each
//! cycle of calls has a call with counted alternatives. The clones count, from the entry of the component on, the
//! activations with counted alternatives that are entered with more locks than the counted one around them. A call with
//! a count above the number of counted alternatives times the number above has no edge. The cut interleaving makes no
//! such call. All that is left out are calls, so that remaining paths are paths of the model.
//!
//! Where the bound would not restrict the count, since there are too few locks, nothing is counted. The call that
//! enters a component is counted as well if its alternatives are counted ones.
//!
//! *Alternatives* of a call are the procedures that are called by nodes with the same predecessors and the same
//! successors in the procedure, in place of this one. So functions that call each other as in `choose { call f; } or {
//! call g; }` count as one. A node that is the first of its procedure has itself as the only one.

use super::effects::ProcedureEffects;
use crate::encode::locks::LockSlots;
use eml::model::{Model, NodeId, Operation, ProcedureId};
use fixedbitset::FixedBitSet;
use limits::{Meter, StopReason};
use lockhist::LockSet;
use petgraph::algo::kosaraju_scc;
use petgraph::graph::{DiGraph, NodeIndex};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;

/// The counted calls of an activation's component, up to the activation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Rounds {
    /// The number of counted activations that were entered with more locks than the counted one around them, and the
    /// outermost.
    count: usize,
    /// Whether more locks are held than at the entry of the last counted activation.
    has_grown: bool,
}

/// The alternatives of a call, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct AlternativesId(usize);

/// The bound of each component of the call graph.
#[derive(Clone, Debug, Default)]
pub(super) struct RecursionBounds {
    /// For each procedure its component.
    components: Vec<usize>,
    /// By the number of the component, for those where the count is restricted.
    bounds: FxHashMap<usize, usize>,
    /// The nodes with counted calls.
    counted: FixedBitSet,
}

/// A call of a procedure of a component with recursion.
struct Call {
    node: NodeId,
    caller: ProcedureId,
    callee: ProcedureId,
    alternatives: AlternativesId,
}

impl RecursionBounds {
    /// Computes the bounds for words with at most this number of transitions of the process. Linear in the size of the
    /// model up to a logarithm, times the number of counted alternatives, which is smaller than that of slots.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn new(model: &Model, locks: &LockSlots, transitions: usize, meter: &Meter) -> Result<Self, StopReason> {
        let mut bounds = Self {
            components: vec![0; model.procedures().len()],
            bounds: FxHashMap::default(),
            counted: FixedBitSet::with_capacity(model.nodes().len()),
        };
        for (number, members) in model.call_graph().components().enumerate() {
            meter.work_of(members.len())?;
            members.iter().for_each(|member| bounds.components[member.index()] = number);
        }
        let mut components: Vec<Component> = vec![Component::default(); model.call_graph().components().count()];
        let mut tracked: LockSet = locks.mentions.locks().fold(LockSet::EMPTY, |all, lock| all | locks.slots(lock));
        for (id, node) in model.nodes() {
            meter.work_of(1)?;
            let number = bounds.components[node.procedure.index()];
            match node.operation {
                Operation::Acquire(lock, _) => components[number].slots |= locks.slots(lock),
                Operation::Begin => components[number].begins = true,
                Operation::Call(callee) => {
                    let target = bounds.components[callee.index()];
                    components[target].calls.push(id);
                    components[target].is_recursive |= target == number;
                }
                Operation::Wait(lock) => tracked |= locks.slots(lock),
                _ => {}
            }
        }
        components.iter_mut().filter(|component| !component.is_recursive).for_each(|one| one.calls.clear());
        let all: Vec<_> = components.iter().flat_map(|component| &component.calls).copied().collect();
        if all.is_empty() {
            return Ok(Self::default());
        }
        let mut calls = calls(model, &all, meter)?.into_iter();
        for (number, component) in components.into_iter().enumerate() {
            let calls: Vec<_> = calls.by_ref().take(component.calls.len()).collect();
            let chain = transitions + 1 + usize::from(component.begins) + (component.slots & tracked).len();
            let most = component.slots.len() / chain;
            let inner: Vec<_> = calls.iter().filter(|call| bounds.components[call.caller.index()] == number).collect();
            if inner.is_empty() || most == 0 {
                continue;
            }
            if let Some(counted) = counted(&inner, most, meter)? {
                bounds.bounds.insert(number, counted.len() * chain);
                let nodes = calls.iter().filter(|call| counted.contains(&call.alternatives)).map(|call| call.node);
                bounds.counted.extend(nodes.map(NodeId::index));
            }
        }
        Ok(bounds)
    }

    /// The rounds of the activation that a node of an activation calls; none if the call is beyond the bound. `entered`
    /// are the slots held at the entry of the caller, `held` those held at the call.
    pub(super) fn enter(
        &self,
        (caller, rounds, entered): (ProcedureId, Rounds, LockSet),
        (node, callee, held): (NodeId, ProcedureId, LockSet),
        effects: &ProcedureEffects,
    ) -> Option<Rounds> {
        let component = |procedure: ProcedureId| self.components.get(procedure.index());
        let Some(bound) = component(callee).and_then(|number| self.bounds.get(number)) else {
            return Some(Rounds::default());
        };
        let is_inner = component(caller) == component(callee);
        let before = if is_inner { rounds } else { Rounds::default() };
        let grows = is_inner && held & effects.slots(callee) != entered;
        let has_grown = before.count > 0 && (before.has_grown || grows);
        if !self.counted.contains(node.index()) {
            return Some(Rounds { has_grown, ..before });
        }
        let count = before.count + usize::from(before.count == 0 || has_grown);
        (count <= *bound).then_some(Rounds { count, has_grown: false })
    }
}

/// The parts of a component that matter.
#[derive(Clone, Debug, Default)]
struct Component {
    /// The slots of the locks that its procedures acquire themselves.
    slots: LockSet,
    /// Whether its procedures themselves begin units.
    begins: bool,
    /// The calls of its procedures.
    calls: Vec<NodeId>,
    /// Whether its own procedures make some of them.
    is_recursive: bool,
}

/// The calls at some nodes, with their alternatives.
fn calls(model: &Model, nodes: &[NodeId], meter: &Meter) -> Result<Vec<Call>, StopReason> {
    let mut before: FxHashMap<NodeId, Vec<NodeId>> = nodes.iter().map(|node| (*node, Vec::new())).collect();
    let callers: FxHashSet<ProcedureId> = nodes.iter().map(|node| model.node(*node).procedure).collect();
    for (id, node) in model.nodes() {
        meter.work_of(1)?;
        if callers.contains(&node.procedure) {
            for next in model.successors(id) {
                before.entry(*next).and_modify(|before| before.push(id));
            }
        }
    }
    let is_first = |node: NodeId| model.procedure(model.node(node).procedure).entry() == node;
    let mut alike: FxHashMap<_, Vec<NodeId>> = FxHashMap::default();
    for node in nodes {
        let sorted = |nodes: &[NodeId]| {
            let mut nodes = nodes.to_vec();
            nodes.sort_unstable();
            nodes.dedup();
            nodes
        };
        let around = (sorted(&before[node]), sorted(model.successors(*node)), is_first(*node).then_some(*node));
        alike.entry(around).or_default().push(*node);
    }
    let callee = |node: NodeId| match model.node(node).operation {
        Operation::Call(callee) => callee,
        _ => unreachable!("it is a call"),
    };
    let mut numbers: FxHashMap<Vec<ProcedureId>, AlternativesId> = FxHashMap::default();
    let mut of_node: FxHashMap<NodeId, AlternativesId> = FxHashMap::default();
    for group in alike.into_values() {
        meter.work_of(group.len())?;
        let mut callees: Vec<_> = group.iter().map(|node| callee(*node)).collect();
        callees.sort_unstable();
        callees.dedup();
        let next = AlternativesId(numbers.len());
        let number = *numbers.entry(callees).or_insert(next);
        of_node.extend(group.into_iter().map(|node| (node, number)));
    }
    let call = |node: &NodeId| Call {
        node: *node,
        caller: model.node(*node).procedure,
        callee: callee(*node),
        alternatives: of_node[node],
    };
    Ok(nodes.iter().map(call).collect())
}

/// Some alternatives, at most `most`, such that each cycle of these calls has one of them; none if they were not found.
///
/// Takes the most frequent ones among the calls on cycles until there is no cycle.
fn counted(calls: &[&Call], most: usize, meter: &Meter) -> Result<Option<FxHashSet<AlternativesId>>, StopReason> {
    let mut counted = FxHashSet::default();
    loop {
        meter.work_of(calls.len())?;
        let rest: Vec<_> = calls.iter().filter(|call| !counted.contains(&call.alternatives)).copied().collect();
        let mut frequencies: BTreeMap<AlternativesId, usize> = BTreeMap::new();
        let cycles = on_cycles(&rest);
        rest.iter().zip(cycles).filter(|(_, is_on_cycle)| *is_on_cycle).for_each(|(call, _)| {
            *frequencies.entry(call.alternatives).or_default() += 1;
        });
        let Some((most_frequent, _)) = frequencies.into_iter().max_by_key(|(_, count)| *count) else {
            return Ok(Some(counted));
        };
        if counted.len() == most {
            return Ok(None);
        }
        counted.insert(most_frequent);
    }
}

/// For each call, whether it is on a cycle of these calls.
fn on_cycles(calls: &[&Call]) -> Vec<bool> {
    let mut graph = DiGraph::<(), ()>::new();
    let mut nodes: FxHashMap<ProcedureId, NodeIndex> = FxHashMap::default();
    let ends: Vec<_> = calls
        .iter()
        .map(|call| [call.caller, call.callee].map(|end| *nodes.entry(end).or_insert_with(|| graph.add_node(()))))
        .collect();
    ends.iter().for_each(|[caller, callee]| {
        graph.add_edge(*caller, *callee, ());
    });
    let mut component_of = vec![0; graph.node_count()];
    for (number, component) in kosaraju_scc(&graph).into_iter().enumerate() {
        component.into_iter().for_each(|node| component_of[node.index()] = number);
    }
    ends.into_iter().map(|[caller, callee]| component_of[caller.index()] == component_of[callee.index()]).collect()
}
