//! Merging local paths into an interleaving.
//!
//! A state is how far each participant has come on its path, which also says who holds which lock and which phase it is. A
//! participant can go on unless another holds the lock that it needs, the phase forbids what it does, or it would end a
//! phase before its turn. The search looks for the state in which all phases have ended; steps that no other participant
//! can see are taken together.
//!
//! Two rules lead to that state. The flexible one lets steps happen in any phase that does not forbid them; visited in the
//! order of the number of context switches, it gives the fewest. The rigid one keeps every step in the phase in which it
//! was found, which is always possible for compatible paths, and leaves much fewer states; it is the fallback when the
//! first has taken too many.

use super::assemble::{Interleaving, Move};
use super::path::{Part, PhaseEnd};
use crate::model::{LocationId, LockId, Model, NodeId, Operation};
use fixedbitset::FixedBitSet;
use phases::{Access, ActionKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;

/// How many states a search visits in the order of context switches before it is given up.
const PATIENCE: usize = 100_000;

/// Whether a participant may take a step in a phase; the step is an action that automata can see, or none.
pub(crate) type Allows<'a> = &'a dyn Fn(usize, usize, Option<ActionKind<LocationId>>) -> bool;

/// Merges the paths; `None` if they have no interleaving, that is, if they were not compatible.
pub(crate) fn schedule(model: &Model, parts: &[Part], ends: &[PhaseEnd], allows: Allows<'_>) -> Option<Interleaving> {
    let contended = contended_locks(model, parts);
    let cutter = Cutter { model, ends, allows, contended: &contended };
    let tracks: Vec<_> = parts.iter().enumerate().map(|(thread, part)| cutter.cut(thread, part)).collect();
    let search = |is_rigid| Search { tracks: &tracks, phases: ends.len(), is_rigid };
    let order = search(false).fewest_switches().or_else(|| search(true).fewest_switches());
    let order = order.or_else(|| search(true).any())?;
    let mut places = vec![0; parts.len()];
    let mut moves = Vec::new();
    for thread in order {
        let chunk = &tracks[thread].chunks[places[thread]];
        let starts = chunk.ends_phase.and_then(|phase| ends[phase].starts);
        moves.extend(chunk.nodes.iter().map(|node| Move { thread, node: *node, starts }));
        places[thread] += 1;
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

/// Steps of a participant between which nobody else needs to act.
#[derive(Clone, Debug)]
struct Chunk {
    nodes: Vec<NodeId>,
    /// The contended lock that the first of the steps acquires anew.
    acquires: Option<usize>,
    /// The phase that the only step ends.
    ends_phase: Option<usize>,
    /// The phase in which the steps were found.
    phase: usize,
    /// The phases that do not forbid any of the steps.
    allowed: FixedBitSet,
}

/// A path, cut into chunks.
#[derive(Clone, Debug)]
struct Track {
    chunks: Vec<Chunk>,
    /// Before each chunk and at the end, which contended locks are held.
    held: Vec<FixedBitSet>,
}

struct Cutter<'a> {
    model: &'a Model,
    ends: &'a [PhaseEnd],
    allows: Allows<'a>,
    contended: &'a FxHashMap<LockId, usize>,
}

/// What a participant has open on its way.
struct Open {
    counts: Vec<usize>,
    units: usize,
}

impl Cutter<'_> {
    /// Cuts before every acquisition and after every release that others can see, around every step that ends a phase, and
    /// wherever the phases that allow the steps change.
    fn cut(&self, thread: usize, part: &Part) -> Track {
        let mut open = Open { counts: vec![0; self.contended.len()], units: 0 };
        let mut track = Track { chunks: Vec::new(), held: vec![open.held()] };
        for (phase, nodes) in part.path.0.iter().enumerate() {
            let mut must_cut = true;
            for (place, node) in nodes.iter().enumerate() {
                let ends = self.ends[phase].owner == thread && place + 1 == nodes.len();
                let allowed = self.allowed(thread, *node, &open);
                let (acquires, releases) = open.execute(self.model, *node, self.contended);
                let same = track.chunks.last().is_some_and(|last| last.allowed == allowed);
                if must_cut || ends || acquires.is_some() || !same {
                    let ends_phase = ends.then_some(phase);
                    track.chunks.push(Chunk { nodes: Vec::new(), acquires, ends_phase, phase, allowed });
                    track.held.push(open.held());
                }
                track.chunks.last_mut().expect("the first step is cut off").nodes.push(*node);
                *track.held.last_mut().expect("one more than chunks") = open.held();
                must_cut = releases;
            }
        }
        track
    }

    /// The phases in which the participant may execute the node.
    fn allowed(&self, thread: usize, node: NodeId, open: &Open) -> FixedBitSet {
        let access = |access, location| Some(ActionKind::Access { access, location, in_unit: open.units > 0 });
        let action = match self.model.node(node).operation {
            Operation::Read(at) => access(Access::Read, at),
            Operation::Write(at) => access(Access::Write, at),
            Operation::Begin if open.units == 0 => Some(ActionKind::Begin),
            Operation::End if open.units == 1 => Some(ActionKind::End),
            _ => None,
        };
        let mut allowed = FixedBitSet::with_capacity(self.ends.len());
        allowed.extend((0..self.ends.len()).filter(|phase| (self.allows)(thread, *phase, action)));
        allowed
    }
}

impl Open {
    fn held(&self) -> FixedBitSet {
        let mut held = FixedBitSet::with_capacity(self.counts.len());
        held.extend((0..self.counts.len()).filter(|lock| self.counts[*lock] > 0));
        held
    }

    /// Which contended lock the node acquires anew, and whether it gives one up.
    fn execute(&mut self, model: &Model, node: NodeId, contended: &FxHashMap<LockId, usize>) -> (Option<usize>, bool) {
        match model.node(node).operation {
            Operation::Acquire(lock) => {
                let Some(lock) = contended.get(&lock).copied() else { return (None, false) };
                self.counts[lock] += 1;
                ((self.counts[lock] == 1).then_some(lock), false)
            }
            Operation::Release(lock) => {
                let Some(lock) = contended.get(&lock).copied() else { return (None, false) };
                self.counts[lock] -= 1;
                (None, self.counts[lock] == 0)
            }
            Operation::Begin => {
                self.units += 1;
                (None, false)
            }
            Operation::End => {
                self.units -= 1;
                (None, false)
            }
            _ => (None, false),
        }
    }
}

/// How many chunks each participant has taken, and the phase.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    places: Vec<usize>,
    phase: usize,
}

struct Search<'a> {
    tracks: &'a [Track],
    phases: usize,
    is_rigid: bool,
}

impl Search<'_> {
    fn start(&self) -> State {
        State { places: vec![0; self.tracks.len()], phase: 0 }
    }

    /// The state after the next chunk of a participant, if it can take it now.
    fn step(&self, state: &State, thread: usize) -> Option<State> {
        let chunk = self.tracks[thread].chunks.get(state.places[thread])?;
        let others = || (0..self.tracks.len()).filter(|other| *other != thread);
        let holds = |other: usize, lock| self.tracks[other].held[state.places[other]].contains(lock);
        if chunk.acquires.is_some_and(|lock| others().any(|other| holds(other, lock))) {
            return None;
        }
        let may_act = match chunk.ends_phase {
            Some(phase) => phase == state.phase && (!self.is_rigid || others().all(|other| self.is_done(state, other))),
            None if self.is_rigid => chunk.phase == state.phase,
            None => chunk.allowed.contains(state.phase),
        };
        may_act.then(|| {
            let mut next = state.clone();
            next.places[thread] += 1;
            next.phase += usize::from(chunk.ends_phase.is_some());
            next
        })
    }

    /// Whether a participant has taken all its steps of the phase; in the last phase nobody has to.
    fn is_done(&self, state: &State, thread: usize) -> bool {
        let next = self.tracks[thread].chunks.get(state.places[thread]);
        state.phase + 1 == self.phases || next.is_none_or(|next| next.phase > state.phase)
    }

    /// The order in which the participants take their chunks, with the fewest context switches, unless the search is given
    /// up.
    fn fewest_switches(&self) -> Option<Vec<usize>> {
        type Key = (State, Option<usize>);
        let mut before: FxHashMap<Key, Option<Key>> = FxHashMap::default();
        let mut waiting: VecDeque<(Key, Option<Key>)> = VecDeque::from([((self.start(), None), None)]);
        while let Some((key, from)) = waiting.pop_front() {
            if before.contains_key(&key) {
                continue;
            }
            if before.len() >= PATIENCE {
                return None;
            }
            before.insert(key.clone(), from);
            if key.0.phase == self.phases {
                let keys = std::iter::successors(Some(key), |key| before[key].clone());
                let mut threads: Vec<_> = keys.filter_map(|(_, thread)| thread).collect();
                threads.reverse();
                return Some(threads);
            }
            for thread in 0..self.tracks.len() {
                let Some(next) = self.step(&key.0, thread) else { continue };
                let next = ((next, Some(thread)), Some(key.clone()));
                if key.1.is_none_or(|last| last == thread) {
                    waiting.push_front(next);
                } else {
                    waiting.push_back(next);
                }
            }
        }
        None
    }

    /// Any order, depth first, with the participant that acted last as long as it can.
    fn any(&self) -> Option<Vec<usize>> {
        let mut seen: FxHashSet<State> = FxHashSet::default();
        let mut path: Vec<(State, usize)> = vec![(self.start(), 0)];
        let mut order: Vec<usize> = Vec::new();
        while let Some((state, tried)) = path.last_mut() {
            if state.phase == self.phases {
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
