//! Merging local paths into an interleaving.
//!
//! In each phase every participant goes along its part of the path, until at last the owner of the phase takes the step that
//! ends it; in the last phase only the owner has to arrive. A state is how far each has come, which also says who
//! holds which lock, so a search over these states finds an interleaving if there is one. Steps between lock operations
//! that concern others are taken together, and states are visited in the order of the number of context switches, so the
//! result has the fewest per phase. If that takes too long, the first interleaving will do: then the search goes ahead with
//! one participant as long as it can.

use super::assemble::{Interleaving, Move};
use super::path::{Part, PhaseEnd};
use crate::model::{LockId, Model, NodeId, Operation};
use fixedbitset::FixedBitSet;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// How many states are visited in the order of context switches before any interleaving will do.
const PATIENCE: usize = 200_000;

/// Merges the paths; `None` if they have no interleaving, that is, if they were not compatible.
pub(crate) fn schedule(model: &Model, parts: &[Part], ends: &[PhaseEnd]) -> Option<Interleaving> {
    let contended = contended_locks(model, parts);
    let mut walkers: Vec<_> = parts.iter().map(|_| Walker::new(contended.len())).collect();
    let mut moves = Vec::new();
    let mut last = None;
    for (phase, end) in ends.iter().enumerate() {
        let tracks: Vec<_> = parts
            .iter()
            .zip(&mut walkers)
            .enumerate()
            .map(|(thread, (part, walker))| {
                let nodes = &part.path.0[phase];
                let (nodes, event) =
                    if thread == end.owner { nodes.split_at(nodes.len() - 1) } else { (&nodes[..], &[][..]) };
                let track = walker.track(model, nodes, &contended);
                walker.track(model, event, &contended);
                track
            })
            .collect();
        let is_last = phase + 1 == ends.len();
        let order = Search { tracks: &tracks, required: is_last.then_some(end.owner) }.order(last)?;
        let mut places = vec![0; parts.len()];
        for thread in order {
            let chunk = &tracks[thread].chunks[places[thread]];
            moves.extend(chunk.iter().map(|node| Move { thread, node: *node, starts: None }));
            places[thread] += 1;
        }
        let node = *parts[end.owner].path.0[phase].last()?;
        moves.push(Move { thread: end.owner, node, starts: end.starts });
        last = Some(end.owner);
    }
    let processes = parts.iter().map(|part| part.process).collect();
    Some(Interleaving { processes, moves })
}

/// The locks that more than one participant acquires, with their numbers.
fn contended_locks(model: &Model, parts: &[Part]) -> FxHashMap<LockId, usize> {
    let mut users: FxHashMap<LockId, FxHashSet<usize>> = FxHashMap::default();
    for (thread, part) in parts.iter().enumerate() {
        for node in part.path.0.iter().flatten() {
            if let Operation::Acquire(lock) = model.node(*node).operation {
                users.entry(lock).or_default().insert(thread);
            }
        }
    }
    let mut contended: Vec<_> = users.into_iter().filter(|(_, users)| users.len() > 1).map(|(lock, _)| lock).collect();
    contended.sort_unstable();
    contended.into_iter().enumerate().map(|(number, lock)| (lock, number)).collect()
}

/// A phase of a path, cut where it matters to others.
struct Track {
    chunks: Vec<Vec<NodeId>>,
    /// Before each chunk and at the end, which contended locks are held.
    held: Vec<FixedBitSet>,
    /// Per chunk, the contended locks that it acquires anew: at most the one with which it begins.
    acquires: Vec<Option<usize>>,
}

/// Follows a path with the locks that are held.
struct Walker {
    counts: Vec<usize>,
}

impl Walker {
    fn new(locks: usize) -> Self {
        Self { counts: vec![0; locks] }
    }

    fn held(&self) -> FixedBitSet {
        let mut held = FixedBitSet::with_capacity(self.counts.len());
        held.extend(self.counts.iter().enumerate().filter(|(_, count)| **count > 0).map(|(lock, _)| lock));
        held
    }

    /// Cuts these steps before every acquisition and after every release that is seen by others.
    fn track(&mut self, model: &Model, nodes: &[NodeId], contended: &FxHashMap<LockId, usize>) -> Track {
        let mut track = Track { chunks: Vec::new(), held: vec![self.held()], acquires: Vec::new() };
        let mut cut = true;
        for node in nodes {
            let (mut acquired, mut released) = (None, false);
            match model.node(*node).operation {
                Operation::Acquire(lock) => {
                    if let Some(lock) = contended.get(&lock) {
                        acquired = (self.counts[*lock] == 0).then_some(*lock);
                        self.counts[*lock] += 1;
                    }
                }
                Operation::Release(lock) => {
                    if let Some(lock) = contended.get(&lock) {
                        self.counts[*lock] -= 1;
                        released = self.counts[*lock] == 0;
                    }
                }
                _ => {}
            }
            if cut || acquired.is_some() {
                track.chunks.push(Vec::new());
                track.acquires.push(acquired);
                track.held.push(FixedBitSet::new());
            }
            track.chunks.last_mut().expect("a chunk was begun").push(*node);
            *track.held.last_mut().expect("one more than chunks") = self.held();
            cut = released;
        }
        track
    }
}

type State = Vec<usize>;

/// The search through one phase.
struct Search<'a> {
    tracks: &'a [Track],
    /// The only participant that has to arrive, if not all.
    required: Option<usize>,
}

impl Search<'_> {
    /// The order in which the participants take their chunks, beginning best with the one that acted last.
    fn order(&self, last: Option<usize>) -> Option<Vec<usize>> {
        self.fewest_switches(last).unwrap_or_else(|| self.any())
    }

    fn is_goal(&self, state: &State) -> bool {
        let arrived = |thread: usize| state[thread] == self.tracks[thread].chunks.len();
        match self.required {
            Some(owner) => arrived(owner),
            None => (0..self.tracks.len()).all(arrived),
        }
    }

    /// The state after the next chunk of a participant, unless another holds the lock that it needs.
    fn step(&self, state: &State, thread: usize) -> Option<State> {
        let track = &self.tracks[thread];
        let acquires = track.acquires.get(state[thread])?;
        let taken = |lock: usize| {
            let others = (0..self.tracks.len()).filter(|other| *other != thread);
            others.into_iter().any(|other| self.tracks[other].held[state[other]].contains(lock))
        };
        if acquires.is_some_and(taken) {
            return None;
        }
        let mut next = state.clone();
        next[thread] += 1;
        Some(next)
    }

    /// Breadth first by context switches; `None` if that takes too long, otherwise the result.
    fn fewest_switches(&self, last: Option<usize>) -> Option<Option<Vec<usize>>> {
        type Key = (State, Option<usize>);
        let start: Key = (vec![0; self.tracks.len()], last);
        let mut before: FxHashMap<Key, Option<Key>> = FxHashMap::default();
        let mut waiting = VecDeque::from([(start, None)]);
        while let Some((key, from)) = waiting.pop_front() {
            if before.contains_key(&key) {
                continue;
            }
            if before.len() >= PATIENCE {
                return None;
            }
            let found = self.is_goal(&key.0);
            before.insert(key.clone(), from);
            if found {
                let keys = std::iter::successors(Some(key), |key| before[key].clone());
                let threads: Vec<_> = keys.map(|(_, thread)| thread).collect();
                let (_, threads) = threads.split_last().expect("the start is among them");
                return Some(Some(threads.iter().rev().map(|thread| thread.expect("somebody acted")).collect()));
            }
            for thread in 0..self.tracks.len() {
                let Some(next) = self.step(&key.0, thread) else { continue };
                let next = (next, Some(thread));
                if key.1.is_none_or(|last| last == thread) {
                    waiting.push_front((next, Some(key.clone())));
                } else {
                    waiting.push_back((next, Some(key.clone())));
                }
            }
        }
        Some(None)
    }

    /// Depth first, with the participant that acted last as long as it can.
    fn any(&self) -> Option<Vec<usize>> {
        let mut seen: FxHashSet<State> = FxHashSet::default();
        let mut path: Vec<(State, usize)> = vec![(vec![0; self.tracks.len()], 0)];
        let mut order: Vec<usize> = Vec::new();
        while let Some((state, tried)) = path.last_mut() {
            if self.is_goal(state) {
                return Some(order);
            }
            if *tried == self.tracks.len() {
                path.pop();
                order.pop();
                continue;
            }
            let thread = (order.last().copied().unwrap_or(0) + *tried) % self.tracks.len();
            *tried += 1;
            if let Some(next) = self.step(state, thread).filter(|next| !seen.contains(next)) {
                seen.insert(next.clone());
                order.push(thread);
                path.push((next, 0));
            }
        }
        None
    }
}
