//! Removal of effect-free loop iterations: spinning, retrying, waiting.
//!
//! **Definition.** The interpreter marks back edges to states of a loop's head ([`Flow::marked_edges`]): on a path from
//! one of these states to a marked edge, without another one in between, no live variable changes. So the values read
//! on the path are dead. An *(effect-free) iteration* is a path from a state of the head to itself that ends with a
//! marked edge and reaches other states of the head by marked edges only; every step on it is effect-free (see
//! [`Effects`]), and it releases no lock that is held at the head. A *waiting iteration* may also wait.
//!
//! **Theorem 1.** Let a thread complete an iteration in an execution E. Then E without the steps of the iteration is an
//! execution, with all other steps in the same order. *Proof.* Before and after the iteration the thread is at the same
//! node, with the same locks, in the same calls, with the same values of live variables; so it can continue in the same
//! way. At all times it holds a subset of the locks that it holds in E, since the iteration releases no lock held at
//! the head; so the other threads can continue. The iteration writes nothing that they could read, and starts nothing.
//!
//! **Theorem 2.** Let the thread complete a waiting iteration in a unit of work in which it has only acquired locks
//! before it first reached the head. Then there is an execution without this iteration and all earlier ones, in which
//! all other steps, and the thread's steps before the unit and after the iteration, are in the same order. *Proof.* Let
//! t be the time at which the thread reacquires a lock for the last time in the iteration. Delay the begin of the unit
//! to t. In E the thread holds at t all locks that it holds at the head. So no other thread holds one of them at t in a
//! conflicting mode, and the thread can acquire them all; before t, it holds fewer locks than in E. No value that it
//! has read matters at the head: those of the iterations by definition, and before the head it has read nothing. After
//! t, apply Theorem 1.
//!
//! **Theorem 3.** Let the thread complete a waiting iteration that waits on one lock only, in a context that no other
//! context calls and that acquires this lock at one place, not in a call, and let it only acquire locks between this
//! place and the head. Then there is an execution without this iteration and all earlier ones, in which all other steps
//! are in the same order. *Proof.* As for Theorem 2, with the acquisition of the lock and the acquisitions after it
//! delayed to t instead of the begin of the unit. The thread reads nothing in between, and its steps before the
//! acquisition stay where they are. It does not hold the lock before the acquisition, so before t it holds fewer locks
//! than in E.
//!
//! *Loss.* The accesses of iterations. The values read there influence no write, no choice and no result. So every
//! violation with accesses outside of iterations remains in the execution without them, and E has the same effect as an
//! execution without those reads. The same holds for a thread that has not completed an iteration: if it continues to
//! the head, it completes one; if it leaves the loop, that path stays in the graph; if it does neither, it never uses
//! the values that it has read, and might as well have stayed at the head, or, in Theorem 2, before the unit.
//!
//! **Algorithm.** In a loop, each node is split in two, if it needs both copies: one for paths from the head with
//! effect-free steps only (*clean*), and one for all other paths (*dirty*). So the old and the new graph have the same
//! paths. Then the marked edges from clean nodes to the head are removed, and the nodes that then have no successors.
//! The head stays, even without successors: the thread stays there for ever. For waiting iterations the conditions of
//! Theorem 2 are checked: the context has to be fresh, and all steps on paths to the head, apart from removed edges,
//! only acquire locks. Even a balanced acquisition and release is refused there: when the unit begins later, another
//! thread may hold that lock.
//!
//! For deadlocks no edge may be marked: a thread that is blocked in an iteration may be a part of one.
//!
//! The idea comes from the *spin* reductions of model checkers for weak memory (M. Kokologiannakis, X. Ren, V.
//! Vafeiadis: Dynamic partial order reductions for spinloops, FMCAD 2021).

use super::context::MethodContext;
use super::effects::{Effect, Effects};
use super::flow::{Flow, InlinedCall, Step};
use super::ids::ContextId;
use super::reachability::{Edges, numbered, predecessors, reachable, steps};
use super::stuck::Stuck;
use super::units::UnitsOf;
use crate::value::Lock;
use eml::model::Mode;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};

/// Maximal growth factor of the number of nodes by splitting; the iterations of further loops stay.
const MAX_GROWTH: usize = 4;

/// Maximal number of visited nodes in a context; the iterations of further loops stay.
const MAX_WORK: usize = 20_000_000;

/// Removes effect-free iterations from all graphs.
///
/// # Errors
/// If it is cancelled.
pub(super) fn drop_effect_free_iterations(
    contexts: &mut [MethodContext],
    units: UnitsOf<'_>,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<(), Stuck> {
    if contexts.iter().all(|context| context.flow.marked_edges.is_empty()) {
        return Ok(());
    }
    let effects = Effects::new(contexts, units);
    for index in 0..contexts.len() {
        if contexts[index].flow.marked_edges.is_empty() {
            continue;
        }
        let id = ContextId(u32::try_from(index).expect("contexts have numbers"));
        contexts[index].flow = IterationRemoval::new(contexts, id, &effects).run(is_cancelled)?;
    }
    Ok(())
}

/// Facts about a node besides its step.
#[derive(Clone, Copy, Debug)]
struct NodeFacts {
    effect: Effect,
    only_acquires: bool,
    /// The number of locks of the context held before it; `None` if it differs between paths.
    held: Option<usize>,
    /// The number of these locks that it releases, at least for a while.
    releases: usize,
}

/// The removal of iterations from one graph.
struct IterationRemoval {
    flow: Flow,
    /// Facts by node.
    facts: Vec<NodeFacts>,
    /// For each node its reachable predecessors.
    predecessors: Edges,
    /// All marked edges.
    marks: FxHashSet<(usize, usize)>,
    is_fresh: bool,
    /// Whether a context calls it.
    is_called: bool,
    /// The locks that its calls leave held.
    left_held: FxHashSet<Lock>,
    max_nodes: usize,
    work: usize,
}

/// The kinds of paths by which control reaches a node of a loop.
#[derive(Clone, Copy, Debug, Default)]
struct Reach {
    is_clean: bool,
    is_dirty: bool,
}

/// A loop: the nodes on paths from the head to marked edges, without the head.
type Region = FxHashMap<usize, Reach>;

/// A loop to be split.
struct SplitLoop {
    head: usize,
    region: Region,
    /// The nodes with marked edges back.
    sources: BTreeSet<usize>,
    /// Whether iterations may wait.
    may_wait: bool,
}

impl IterationRemoval {
    fn new(contexts: &[MethodContext], id: ContextId, effects: &Effects) -> Self {
        let context = &contexts[id.index()];
        let flow = context.flow.clone();
        let held = held(contexts, &flow);
        let facts = flow.nodes.iter().zip(held).map(|(node, held)| NodeFacts {
            effect: effects.of(id, node.step),
            only_acquires: effects.only_acquires(contexts, node.step),
            held,
            releases: Effects::locks(contexts, node.step).0,
        });
        Self {
            facts: facts.collect(),
            predecessors: predecessors(&flow, &reachable(&flow)),
            marks: flow.marked_edges.iter().flat_map(|(head, from)| from.iter().map(|from| (*from, *head))).collect(),
            is_fresh: effects.is_fresh(id),
            is_called: numbered(contexts).any(|(_, of)| steps(of).any(|step| step.called() == Some(id))),
            left_held: steps(context).flat_map(|step| left_held(contexts, step)).map(|(lock, _)| *lock).collect(),
            max_nodes: MAX_GROWTH * flow.nodes.len(),
            work: 0,
            flow,
        }
    }

    fn run(mut self, is_cancelled: &dyn Fn() -> bool) -> Result<Flow, Stuck> {
        let mut heads: Vec<(usize, usize)> = Vec::new();
        for head in self.flow.marked_edges.keys().copied().collect::<Vec<_>>() {
            Self::check_cancelled(is_cancelled)?;
            let size = if self.work > MAX_WORK { usize::MAX } else { self.nodes_to_marks(head).len() };
            heads.push((size, head));
        }
        // Inner loops first, so that a split loop has no inner iterations left.
        heads.sort_unstable();
        let mut heads: VecDeque<usize> = heads.into_iter().map(|(_, head)| head).collect();
        while let Some(head) = heads.pop_front() {
            Self::check_cancelled(is_cancelled)?;
            if self.work > MAX_WORK {
                break;
            }
            let before = self.flow.nodes.len();
            self.remove_at(head);
            heads.extend(self.flow.marked_edges.range(before..).map(|(copied, _)| *copied));
        }
        self.flow.marked_edges.clear();
        self.flow.heads.clear();
        Ok(self.flow)
    }

    fn check_cancelled(is_cancelled: &dyn Fn() -> bool) -> Result<(), Stuck> {
        if is_cancelled() { Err(Stuck::Cancelled) } else { Ok(()) }
    }

    /// Removes the iterations at a head.
    fn remove_at(&mut self, head: usize) {
        let waiting = self.split_loop(head, true);
        let split = match self.allows_waiting(&waiting) {
            true => waiting,
            false => self.split_loop(head, false),
        };
        self.flow.marked_edges.remove(&head);
        let copies = split.region.values().filter(|reached| reached.is_clean && reached.is_dirty).count();
        if self.flow.nodes.len() + copies <= self.max_nodes && self.has_iterations(&split) {
            let (clean, ends) = self.split_nodes(&split);
            self.prune(head, &clean, ends);
        }
    }

    /// Returns the nodes from which control reaches a marked back edge without passing the head, and the head.
    fn nodes_to_marks(&mut self, head: usize) -> FxHashSet<usize> {
        let sources = self.flow.marked_edges.get(&head).into_iter().flatten().copied();
        let is_edge = |source: &usize| self.predecessors[head].contains(source);
        let mut open: Vec<usize> = sources.filter(is_edge).collect();
        let mut found = FxHashSet::from_iter([head]);
        while let Some(node) = open.pop() {
            if found.insert(node) {
                self.work += 1 + self.predecessors[node].len();
                open.extend(self.predecessors[node].iter().copied().filter(|before| !found.contains(before)));
            }
        }
        found
    }

    /// Returns the loop of a head.
    fn split_loop(&mut self, head: usize, may_wait: bool) -> SplitLoop {
        let before_marks = self.nodes_to_marks(head);
        let mut region = Region::default();
        let mut open = vec![head];
        while let Some(node) = open.pop() {
            for next in self.flow.nodes[node].next.iter().copied() {
                if next != head && before_marks.contains(&next) && !region.contains_key(&next) {
                    region.insert(next, Reach::default());
                    open.push(next);
                }
            }
        }
        let sources = self.flow.marked_edges.get(&head).cloned().unwrap_or_default();
        let mut split = SplitLoop { head, region, sources, may_wait };
        self.reach(&mut split);
        split
    }

    /// Computes the kinds of paths to the nodes of a loop.
    fn reach(&mut self, split: &mut SplitLoop) {
        let head = split.head;
        let is_outside = |node: usize| node != head && !split.region.contains_key(&node);
        let is_entered = |node: &usize| *node == 0 || self.predecessors[*node].iter().any(|before| is_outside(*before));
        let entered = split.region.keys().copied().filter(is_entered);
        let mut open: Vec<(usize, bool)> = entered.map(|node| (node, false)).collect();
        let next = self.flow.nodes[head].next.iter();
        open.extend(next.map(|next| (*next, self.stays_clean(split, head, *next))));
        while let Some((node, is_clean)) = open.pop() {
            let Some(reached) = split.region.get_mut(&node) else { continue };
            let known = if is_clean { &mut reached.is_clean } else { &mut reached.is_dirty };
            if !std::mem::replace(known, true) {
                let next = self.flow.nodes[node].next.iter();
                open.extend(next.map(|next| (*next, is_clean && self.stays_clean(split, node, *next))));
                self.work += 1 + self.flow.nodes[node].next.len();
            }
        }
    }

    /// Whether a step may be part of an iteration.
    fn is_effect_free(&self, split: &SplitLoop, node: usize) -> bool {
        let NodeFacts { effect, held, releases, .. } = self.facts[node];
        let most = if split.may_wait { Effect::Waits } else { Effect::Free };
        let is_own = || matches!((held, self.facts[split.head].held), (Some(held), Some(at)) if held >= at + releases);
        effect <= most && (releases == 0 || is_own())
    }

    /// Whether the successor `to` of a clean node is reached by a clean path.
    fn stays_clean(&self, split: &SplitLoop, from: usize, to: usize) -> bool {
        let of = |node: usize| self.flow.heads.get(&node);
        let is_same_head = of(to).is_some() && of(to) == of(split.head);
        self.is_effect_free(split, from) && (!is_same_head || self.marks.contains(&(from, to)))
    }

    /// Whether a marked edge ends iterations.
    fn ends_iterations(&self, split: &SplitLoop, source: usize) -> bool {
        let is_clean = source == split.head || split.region.get(&source).is_some_and(|reached| reached.is_clean);
        is_clean && split.sources.contains(&source) && self.is_effect_free(split, source)
    }

    fn has_iterations(&self, split: &SplitLoop) -> bool {
        self.predecessors[split.head].iter().any(|source| self.ends_iterations(split, *source))
    }

    /// Whether no iteration waits, or the conditions of Theorem 2 hold.
    fn allows_waiting(&mut self, split: &SplitLoop) -> bool {
        let waits = |node: &usize| self.facts[*node].effect == Effect::Waits;
        let clean = split.region.iter().filter(|(_, reached)| reached.is_clean).map(|(node, _)| *node);
        let has_waiting = clean.chain([split.head]).any(|node| waits(&node));
        !has_waiting || (self.is_fresh && self.only_acquires_before(split)) || self.acquires_just_before(split)
    }

    /// Whether the conditions of Theorem 3 hold: all iterations wait on one lock that the context acquires once, and
    /// since then it has only acquired locks before it first reaches the head.
    fn acquires_just_before(&mut self, split: &SplitLoop) -> bool {
        let clean = split.region.iter().filter(|(_, reached)| reached.is_clean).map(|(node, _)| *node);
        let waits: Vec<Step> = clean
            .chain([split.head])
            .filter(|node| self.facts[*node].effect == Effect::Waits)
            .map(|node| self.flow.nodes[node].step)
            .collect();
        let Some(Step::Wait(lock)) = waits.first().copied() else { return false };
        let is_it = |step: &Step| *step == Step::Wait(lock);
        let acquires = |node: usize| matches!(self.flow.nodes[node].step, Step::Acquire(of, _) if of == lock);
        let count = (0..self.flow.nodes.len()).filter(|node| acquires(*node)).count();
        if self.is_called || self.left_held.contains(&lock) || count != 1 || !waits.iter().all(is_it) {
            return false;
        }
        let stays = |source: &usize| {
            let is_dirty = split.region.get(source).is_some_and(|reached| reached.is_dirty);
            is_dirty || !self.ends_iterations(split, *source)
        };
        let mut open: Vec<usize> = self.predecessors[split.head].iter().copied().filter(stays).collect();
        let mut found = FxHashSet::default();
        while let Some(node) = open.pop() {
            if acquires(node) || !found.insert(node) {
                continue;
            }
            if !self.facts[node].only_acquires || self.predecessors[node].is_empty() {
                return false;
            }
            self.work += 1 + self.predecessors[node].len();
            open.extend(self.predecessors[node].iter().copied());
        }
        true
    }

    /// Whether all steps on paths to a head, apart from iterations, only acquire locks.
    fn only_acquires_before(&mut self, split: &SplitLoop) -> bool {
        let stays = |source: &usize| {
            let is_dirty = split.region.get(source).is_some_and(|reached| reached.is_dirty);
            is_dirty || !self.ends_iterations(split, *source)
        };
        let mut open: Vec<usize> = self.predecessors[split.head].iter().copied().filter(stays).collect();
        let mut found = FxHashSet::default();
        while let Some(node) = open.pop() {
            if !self.facts[node].only_acquires {
                return false;
            }
            if found.insert(node) {
                self.work += 1 + self.predecessors[node].len();
                open.extend(self.predecessors[node].iter().copied());
            }
        }
        true
    }

    /// Splits the nodes of a loop and removes the edges that end iterations. Returns the clean nodes, and those of them
    /// that had such edges.
    fn split_nodes(&mut self, split: &SplitLoop) -> (FxHashSet<usize>, Vec<usize>) {
        let mut clean: Vec<usize> =
            split.region.iter().filter(|(_, reached)| reached.is_clean).map(|(node, _)| *node).collect();
        clean.sort_unstable();
        let mut places: FxHashMap<usize, usize> = FxHashMap::default();
        for node in &clean {
            let place = if split.region[node].is_dirty { self.copied(*node) } else { *node };
            places.insert(*node, place);
        }
        let mut ends = Vec::new();
        for node in clean.iter().copied().chain([split.head]) {
            let place = places.get(&node).copied().unwrap_or(node);
            for next in self.flow.nodes[node].next.clone() {
                if next == split.head && self.ends_iterations(split, node) {
                    self.redirect((node, next), place, None);
                    ends.push(place);
                } else {
                    let to = places.get(&next).copied().filter(|_| self.stays_clean(split, node, next)).unwrap_or(next);
                    self.redirect((node, next), place, Some(to));
                }
            }
        }
        (places.into_values().collect(), ends)
    }

    /// Adds a copy of a node without edges.
    fn copied(&mut self, node: usize) -> usize {
        let copy = self.flow.add(self.flow.nodes[node].step, self.flow.nodes[node].line);
        if let Some(head) = self.flow.heads.get(&node).copied() {
            self.flow.heads.insert(copy, head);
        }
        self.facts.push(self.facts[node]);
        self.predecessors.push(Vec::new());
        copy
    }

    /// Redirects an edge: it leads from `place`, which is its source or a copy of it, to another node, or is removed.
    fn redirect(&mut self, (from, old): (usize, usize), place: usize, to: Option<usize>) {
        let is_marked = self.marks.contains(&(from, old));
        let is_open = self.flow.marked_edges.get(&old).is_some_and(|sources| sources.contains(&from));
        if place == from && to == Some(old) {
            return;
        }
        if place == from {
            self.disconnect(from, old);
        }
        let Some(to) = to else { return };
        self.flow.connect(place, to);
        if !self.predecessors[to].contains(&place) {
            self.predecessors[to].push(place);
        }
        self.marks.extend(is_marked.then_some((place, to)));
        if is_open {
            self.flow.marked_edges.entry(to).or_default().insert(place);
        }
    }

    fn disconnect(&mut self, from: usize, to: usize) {
        self.flow.nodes[from].next.retain(|next| *next != to);
        self.predecessors[to].retain(|before| *before != from);
        if let Some(sources) = self.flow.marked_edges.get_mut(&to) {
            sources.remove(&from);
        }
    }

    /// Removes clean nodes without successors, beginning with the nodes at which iterations ended.
    fn prune(&mut self, head: usize, clean: &FxHashSet<usize>, ends: Vec<usize>) {
        let is_dead =
            |flow: &Flow, node: usize| node != head && clean.contains(&node) && flow.nodes[node].next.is_empty();
        let mut open: Vec<usize> = ends.into_iter().filter(|node| is_dead(&self.flow, *node)).collect();
        while let Some(dead) = open.pop() {
            for before in self.predecessors[dead].clone() {
                self.disconnect(before, dead);
                open.extend(is_dead(&self.flow, before).then_some(before));
            }
        }
    }
}

/// The locks that a step leaves held that are acquired in a call.
fn left_held(contexts: &[MethodContext], step: Step) -> &[(Lock, Mode)] {
    match step {
        Step::Inline(InlinedCall { callee, effect, .. }) => contexts[callee.index()].held_after(effect),
        _ => &[],
    }
}

/// Returns the number of locks of the context held before each node; `None` if it differs between paths.
fn held(contexts: &[MethodContext], flow: &Flow) -> Vec<Option<usize>> {
    let mut held: Vec<Option<Option<usize>>> = vec![None; flow.nodes.len()];
    let mut open = vec![(0, Some(0))];
    while let Some((node, before)) = open.pop() {
        let new = match held.get(node) {
            None => continue,
            Some(None) => before,
            Some(Some(known)) if *known == before => continue,
            Some(Some(_)) => None,
        };
        if held[node] == Some(new) {
            continue;
        }
        held[node] = Some(new);
        let (releases, acquires) = Effects::locks(contexts, flow.nodes[node].step);
        let after = new.and_then(|held| Some(held.checked_sub(releases)? + acquires));
        open.extend(flow.nodes[node].next.iter().map(|next| (*next, after)));
    }
    held.into_iter().map(Option::flatten).collect()
}

#[cfg(test)]
mod interleavings;
#[cfg(test)]
mod tests;
