//! Rounds of loops without effect: spinning, trying again, waiting.
//!
//! **Definition.** The interpreter marks edges back to states of a loop's head ([`Flow::rounds`]): if control comes
//! from one of them to such an edge without passing one in between, then no live variable has another value. So what
//! was read on the way is dead. A *round* is a path from a state of the head to itself that ends with a marked edge,
//! that gets to other states of the head by marked edges only, on which every step is effect-free (see [`Effects`]),
//! and on which no lock that is held at the head is released. A *waiting round* may also wait.
//!
//! **Theorem 1.** Let an execution E have a thread that passes a round. Then E without the steps of the round is an
//! execution, in which all other steps stand in the same order. *Proof.* The thread is at the same node before and
//! after the round, with the same locks, in the same calls, with the same values of live variables; so it can go on in
//! the same way. At all times it holds a subset of the locks that it holds in E, since the round releases none that is
//! held at the head; so the others can go on. The round writes nothing that they could read, and starts nothing.
//!
//! **Theorem 2.** Let the thread pass a waiting round in a unit of work in which it has only acquired locks before it
//! came to the head first. Then there is an execution without the round and without all rounds before, in which all
//! other steps, and the thread's steps before the unit and after the round, stand in the same order. *Proof.* Let the
//! thread begin the unit only when it gets back, for the last time in the round, a lock for which it has waited, say at
//! t. In E it holds at t all locks that it holds at the head. So nobody else holds one of them then, in a mode that
//! excludes it, and the thread can acquire them all; before, it holds less than in E. Nothing that it has read matters
//! at the head: in the rounds by the definition, before the head as it has read nothing. After t, Theorem 1.
//!
//! *What is lost.* The accesses of rounds. What the thread has read there has no influence on anything: on no write, no
//! choice, no result. So every violation whose accesses are outside of rounds is there in the execution without them,
//! and E has the same effect as an execution in which nobody reads there. The same is true of a thread
//! that has not come to the end of a round: if it goes on to the head, it is in a round; if it leaves the loop instead,
//! then that path stays in the graph; if it does neither for ever, then it uses nothing of what it has read, and might
//! as well have stayed at the head, in Theorem 2 before the unit.
//!
//! **What is done.** In a loop, each node is divided in two, unless it needs only one of them: what control gets to
//! from the head by effect-free steps (*clean*), and what it gets to in another way (*dirty*). So each path of the old
//! graph is one of the new graph, and the other way round. Then marked edges of clean nodes to the head are dropped,
//! and nodes from which control could get nowhere else. The head stays, even if control can go nowhere any more: the
//! thread stays there for ever. Where a round waits, Theorem 2 is asked for: the context has to be fresh, and on all
//! ways to the head, but for what is dropped, steps only acquire. A balanced acquisition and release there is refused,
//! too: when the unit begins later, somebody else may hold that lock.
//!
//! For deadlocks no edge may be marked: a thread that is stopped in a round may be a part of one.
//!
//! The idea that what a loop does in vain need not be looked at is from the *spin* reductions of model checkers for
//! weak memory (M. Kokologiannakis, X. Ren, V. Vafeiadis: Dynamic partial order reductions for spinloops, FMCAD 2021).

use super::context::MethodContext;
use super::effects::{Effect, Effects};
use super::flow::Flow;
use super::ids::ContextId;
use super::reachability::{Edges, predecessors, reachable};
use super::stuck::Stuck;
use super::units::UnitsOf;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};

/// Loops are divided as long as the graph has at most so many times the nodes that it had; in others, rounds stay.
const MAX_GROWTH: usize = 4;

/// So many nodes are visited in a context; then rounds stay.
const MAX_WORK: usize = 20_000_000;

/// Drops rounds without effect from all graphs.
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

/// What is known of a node besides its step.
#[derive(Clone, Copy, Debug)]
struct NodeFacts {
    effect: Effect,
    only_acquires: bool,
    /// How many locks of the context are held before it; none if that is not the same on all ways to it.
    held: Option<usize>,
    /// How many of them it releases, at least for a while.
    releases: usize,
}

/// A graph of which rounds are dropped.
struct IterationRemoval {
    flow: Flow,
    /// By node.
    facts: Vec<NodeFacts>,
    /// For each node, from which reachable nodes edges lead to it.
    predecessors: Edges,
    /// All marked edges.
    marks: FxHashSet<(usize, usize)>,
    is_fresh: bool,
    max_nodes: usize,
    work: usize,
}

/// How control gets to a node of a loop.
#[derive(Clone, Copy, Debug, Default)]
struct Reach {
    is_clean: bool,
    is_dirty: bool,
}

/// A loop: the nodes on ways from the head to marked edges, without the head.
type Region = FxHashMap<usize, Reach>;

/// A loop that is divided.
struct SplitLoop {
    head: usize,
    region: Region,
    /// The nodes with marked edges back.
    sources: BTreeSet<usize>,
    /// Whether rounds may wait.
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
        // Inner loops first, so that what is divided has no rounds any more.
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

    /// Drops the rounds at a head.
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

    /// The nodes from which control gets to a marked edge back without passing the head, and the head.
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

    /// The loop of a head.
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

    /// Finds out how control gets to the nodes of a loop.
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

    /// Whether a step may be one of a round.
    fn is_effect_free(&self, split: &SplitLoop, node: usize) -> bool {
        let NodeFacts { effect, held, releases, .. } = self.facts[node];
        let most = if split.may_wait { Effect::Waits } else { Effect::Free };
        let is_own = || matches!((held, self.facts[split.head].held), (Some(held), Some(at)) if held >= at + releases);
        effect <= most && (releases == 0 || is_own())
    }

    /// Whether a node is clean to which control comes from a clean one.
    fn stays_clean(&self, split: &SplitLoop, from: usize, to: usize) -> bool {
        let of = |node: usize| self.flow.heads.get(&node);
        let is_same_head = of(to).is_some() && of(to) == of(split.head);
        self.is_effect_free(split, from) && (!is_same_head || self.marks.contains(&(from, to)))
    }

    /// Whether a marked edge ends rounds.
    fn ends_iterations(&self, split: &SplitLoop, source: usize) -> bool {
        let is_clean = source == split.head || split.region.get(&source).is_some_and(|reached| reached.is_clean);
        is_clean && split.sources.contains(&source) && self.is_effect_free(split, source)
    }

    fn has_iterations(&self, split: &SplitLoop) -> bool {
        self.predecessors[split.head].iter().any(|source| self.ends_iterations(split, *source))
    }

    /// Whether no round waits, or all of Theorem 2 is true.
    fn allows_waiting(&mut self, split: &SplitLoop) -> bool {
        let waits = |node: &usize| self.facts[*node].effect == Effect::Waits;
        let clean = split.region.iter().filter(|(_, reached)| reached.is_clean).map(|(node, _)| *node);
        let has_waiting = clean.chain([split.head]).any(|node| waits(&node));
        !has_waiting || (self.is_fresh && self.only_acquires_before(split))
    }

    /// Whether on all ways to a head but the rounds steps only acquire.
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

    /// Divides the nodes of a loop and drops the edges that end rounds. Gives the clean nodes, and those of them that
    /// had such edges.
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

    /// A copy of a node without edges.
    fn copied(&mut self, node: usize) -> usize {
        let copy = self.flow.add(self.flow.nodes[node].step, self.flow.nodes[node].line);
        if let Some(head) = self.flow.heads.get(&node).copied() {
            self.flow.heads.insert(copy, head);
        }
        self.facts.push(self.facts[node]);
        self.predecessors.push(Vec::new());
        copy
    }

    /// Lets an edge lead from a place to a node, or nowhere: the edge of the node that stands there, or of the one that
    /// it is a copy of.
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

    /// Drops clean nodes from which control could only get to the end of a round; first, of those at which rounds end.
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

/// How many locks of the context are held before each node; none where ways to it differ.
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
