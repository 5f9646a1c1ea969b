//! The order in which participants take the chunks of their paths.
//!
//! The search visits states, which consist of the progress of each participant, in the order of the number of context
//! switches. Two arguments keep the search small, and a third shortens its result.
//!
//! *Going on.* A participant that acts stops only where that may help the others. Let it stand before chunk `a`, and
//! let it be able to take all chunks up to `b` now, none of which ends a phase. Suppose that on the way it never holds
//! less than at `b`. Then in every order that continues otherwise, the chunks from `a` to `b` can be moved here. At
//! each time the participant then has come as far as before, or to `b`, where it holds nothing that it did not hold
//! before. So it blocks nobody, and the number of switches does not grow. With the rigid rule (see
//! [`schedule`](super::schedule())) all these chunks are of the present phase, and a participant that had completed a
//! phase still has. So the search only considers going on to `b`.
//!
//! *A lower bound.* Phases end one after the other, each by a chunk of its owner. Take the sequence of the participant
//! that acted last and the owners of the phases that have not ended. At least as many switches remain as there are
//! different neighbours in this sequence. A first search visits states in the order of the sum of their switches and
//! this bound, so it finds the least number of switches; in rings of threads that take one step each, it goes straight
//! there. The second search visits states in the order of switches and leaves out states whose sum is greater. No order
//! with the least number leads through them, as the sum never decreases along an order.
//!
//! *Stopping early.* In the order that is found, every participant goes on as far as possible, which is often further
//! than necessary. So each run is then cut back to the first place where the participant can stop as well: it holds
//! nothing that others take before it acts again, and the chunks that it postpones can be taken in its next run. If it
//! has no next run, they are left out.

use super::path::LocalStep;
use fixedbitset::FixedBitSet;
use indexmap::IndexMap;
use indexmap::map::Entry;
use limits::{Meter, StopReason};
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::collections::VecDeque;

/// The number of states after which a search in the order of context switches is given up.
const PATIENCE: usize = 100_000;

/// Steps of a participant that nobody needs to interrupt.
#[derive(Clone, Debug)]
pub(super) struct Chunk {
    pub(super) steps: Vec<LocalStep>,
    /// The locks that no other participant may hold when it begins (see `call_effects`).
    pub(super) needs: FixedBitSet,
    /// The phase that its only step ends.
    pub(super) ends_phase: Option<usize>,
    /// The phase of the steps in the local path.
    pub(super) phase: usize,
    /// The phases that allow all of the steps.
    pub(super) allowed: FixedBitSet,
}

/// A path, cut into chunks.
#[derive(Clone, Debug)]
pub(super) struct Track {
    pub(super) chunks: Vec<Chunk>,
    /// Before each chunk and at the end, the contended locks that are held, with their modes.
    pub(super) held: Vec<FixedBitSet>,
}

/// A participant takes its chunks up to this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Run {
    pub(super) thread: usize,
    pub(super) until: usize,
}

/// The number of chunks that each participant has taken, and the phase.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    places: Vec<usize>,
    phase: usize,
}

/// A state, and the participant that acted last.
type Key = (State, Option<usize>);

/// The parent of the first state.
const NONE: usize = usize::MAX;

/// Keys in the queue: those with the same sum of switches and bound as the present one, those with one more, and those
/// with two more. One step raises the sum by at most two.
#[derive(Default)]
struct Buckets([Vec<(Key, usize)>; 3]);

impl Buckets {
    /// Removes the last key of the first nonempty bucket. Also returns the number of buckets passed.
    fn pop(&mut self) -> Option<((Key, usize), usize)> {
        let passed = self.0.iter().position(|bucket| !bucket.is_empty())?;
        self.0.rotate_left(passed);
        self.0[0].pop().map(|key| (key, passed))
    }
}

/// Searches the state in which all phases have ended.
pub(super) struct Search<'a> {
    pub(super) tracks: &'a [Track],
    pub(super) phases: usize,
    /// Whether every step stays in its phase.
    pub(super) is_rigid: bool,
    /// Whether participants stop only where that may help the others.
    pub(super) goes_on: bool,
    pub(super) meter: &'a Meter,
}

impl Search<'_> {
    fn start(&self) -> State {
        State { places: vec![0; self.tracks.len()], phase: 0 }
    }

    /// Whether a participant can take this chunk in a state in which it has taken no later one.
    fn can_take(&self, state: &State, thread: usize, chunk: &Chunk) -> bool {
        let others = || (0..self.tracks.len()).filter(|other| *other != thread);
        let held = |other: usize| &self.tracks[other].held[state.places[other]];
        if !chunk.needs.is_clear() && others().any(|other| !held(other).is_disjoint(&chunk.needs)) {
            return false;
        }
        match chunk.ends_phase {
            Some(phase) => phase == state.phase && (!self.is_rigid || others().all(|other| self.is_done(state, other))),
            None if self.is_rigid => chunk.phase == state.phase,
            None => chunk.allowed.contains(state.phase),
        }
    }

    /// The state after a participant has taken its next chunk, if it can take it now, and those that follow by going
    /// on.
    fn step(&self, state: &State, thread: usize) -> Result<Option<State>, StopReason> {
        self.meter.work_of(1)?;
        let next = self.tracks[thread].chunks.get(state.places[thread]);
        let Some(chunk) = next.filter(|chunk| self.can_take(state, thread, chunk)) else { return Ok(None) };
        let mut next = state.clone();
        next.places[thread] += 1;
        next.phase += usize::from(chunk.ends_phase.is_some());
        if self.goes_on {
            while let Some(place) = self.no_worse_place(&next, thread)? {
                next.places[thread] = place;
            }
        }
        Ok(Some(next))
    }

    /// The next place to which a participant can go on now and where stopping is no worse than here.
    fn no_worse_place(&self, state: &State, thread: usize) -> Result<Option<usize>, StopReason> {
        let Track { chunks, held } = &self.tracks[thread];
        let first = state.places[thread];
        let mut least = held[first].clone();
        for (place, chunk) in chunks.iter().enumerate().skip(first) {
            self.meter.work_of(1)?;
            if chunk.ends_phase.is_some() || !self.can_take(state, thread, chunk) {
                return Ok(None);
            }
            if held[place + 1].is_subset(&least) {
                return Ok(Some(place + 1));
            }
            least.intersect_with(&held[place + 1]);
        }
        Ok(None)
    }

    /// Whether a participant has taken all its steps of the phase; the last phase requires none.
    fn is_done(&self, state: &State, thread: usize) -> bool {
        let next = self.tracks[thread].chunks.get(state.places[thread]);
        state.phase + 1 == self.phases || next.is_none_or(|next| next.phase > state.phase)
    }

    /// The owner of the chunk that ends each phase.
    fn owners(&self) -> Vec<usize> {
        let mut owners = vec![NONE; self.phases];
        for (thread, track) in self.tracks.iter().enumerate() {
            track.chunks.iter().filter_map(|chunk| chunk.ends_phase).for_each(|phase| owners[phase] = thread);
        }
        owners
    }

    /// An order with the fewest context switches; none if there is no order or the search is given up.
    pub(super) fn fewest_switches(&self) -> Result<Option<Vec<Run>>, StopReason> {
        let bound = Bound::new(&self.owners());
        match self.least(&bound)? {
            Some(least) => self.within(least, &bound),
            None => Ok(None),
        }
    }

    /// The least number of context switches; none if there is no order or the search is given up.
    fn least(&self, bound: &Bound) -> Result<Option<usize>, StopReason> {
        let mut seen: FxHashSet<Key> = FxHashSet::default();
        let start: Key = (self.start(), None);
        let mut sum = bound.of(&start);
        let mut waiting = Buckets([vec![(start, 0)], Vec::new(), Vec::new()]);
        while let Some(((key, switches), passed)) = waiting.pop() {
            sum += passed;
            self.meter.work_of(1)?;
            if !seen.insert(key.clone()) {
                continue;
            }
            if key.0.phase == self.phases {
                return Ok(Some(switches));
            }
            if seen.len() >= PATIENCE {
                return Ok(None);
            }
            for thread in 0..self.tracks.len() {
                let Some(next) = self.step(&key.0, thread)? else { continue };
                let (next, switches) = ((next, Some(thread)), switches + switched(&key, thread));
                if !seen.contains(&next) {
                    let raised = switches + bound.of(&next) - sum;
                    waiting.0[raised].push((next, switches));
                }
            }
        }
        Ok(None)
    }

    /// The first order with this number of context switches, which is the least; none if the search is given up.
    fn within(&self, least: usize, bound: &Bound) -> Result<Option<Vec<Run>>, StopReason> {
        let mut parents: IndexMap<Key, usize, FxBuildHasher> = IndexMap::default();
        let mut waiting: VecDeque<(Key, usize, usize)> = VecDeque::from([((self.start(), None), NONE, 0)]);
        while let Some((key, parent, switches)) = waiting.pop_front() {
            self.meter.work_of(1)?;
            let Entry::Vacant(place) = parents.entry(key) else { continue };
            let number = place.index();
            let key = place.key().clone();
            place.insert(parent);
            if key.0.phase == self.phases {
                let before = std::iter::successors(Some(number), |number| {
                    Some(parents[*number]).filter(|parent| *parent != NONE)
                });
                let mut keys: Vec<_> = before.filter_map(|number| Some(parents.get_index(number)?.0.clone())).collect();
                keys.reverse();
                return self.stopped_early(runs(&keys)).map(Some);
            }
            if parents.len() > PATIENCE {
                return Ok(None);
            }
            for thread in 0..self.tracks.len() {
                let Some(next) = self.step(&key.0, thread)? else { continue };
                let (next, switches) = ((next, Some(thread)), switches + switched(&key, thread));
                if switches + bound.of(&next) > least || parents.contains_key(&next) {
                    continue;
                }
                if key.1.is_none_or(|last| last == thread) {
                    waiting.push_front((next, number, switches));
                } else {
                    waiting.push_back((next, number, switches));
                }
            }
        }
        Ok(None)
    }

    /// Any order, depth first, in which the participant that acted last goes on as long as it can.
    pub(super) fn any(&self) -> Result<Option<Vec<Run>>, StopReason> {
        let mut seen: FxHashSet<State> = FxHashSet::default();
        let mut path: Vec<(Key, usize)> = vec![((self.start(), None), 0)];
        while let Some(((state, last), tried)) = path.last_mut() {
            self.meter.work_of(1)?;
            if state.phase == self.phases {
                let keys: Vec<_> = path.into_iter().map(|(key, _)| key).collect();
                return self.stopped_early(runs(&keys)).map(Some);
            }
            if *tried == self.tracks.len() {
                path.pop();
                continue;
            }
            let thread = (last.unwrap_or(0) + *tried) % self.tracks.len();
            *tried += 1;
            if let Some(next) = self.step(state, thread)?.filter(|next| !seen.contains(next)) {
                seen.insert(next.clone());
                path.push(((next, Some(thread)), 0));
            }
        }
        Ok(None)
    }

    /// The same order, with each participant stopping as early as the others and its own next run allow. It is
    /// unchanged with the rigid rule, which requires all steps of a phase.
    fn stopped_early(&self, mut runs: Vec<Run>) -> Result<Vec<Run>, StopReason> {
        if self.is_rigid || !self.goes_on {
            return Ok(runs);
        }
        // The state before each run, and at the end.
        let mut states = vec![self.start()];
        for Run { thread, until } in &runs {
            let mut state = states.last().expect("there is a first one").clone();
            let taken = &self.tracks[*thread].chunks[state.places[*thread]..*until];
            self.meter.work_of(1 + taken.len())?;
            state.phase += taken.iter().filter(|chunk| chunk.ends_phase.is_some()).count();
            state.places[*thread] = *until;
            states.push(state);
        }
        for number in 0..runs.len() {
            let Run { thread, until } = runs[number];
            let next = (number + 1..runs.len()).find(|later| runs[*later].thread == thread);
            let place = self.first_stop(&runs, &states, number, next)?;
            runs[number].until = place;
            for state in &mut states[number + 1..=next.unwrap_or(runs.len())] {
                debug_assert_eq!(state.places[thread], until);
                state.places[thread] = place;
            }
        }
        Ok(runs)
    }

    /// The first place where the participant of a run can stop, given its next run.
    fn first_stop(
        &self,
        runs: &[Run],
        states: &[State],
        number: usize,
        next: Option<usize>,
    ) -> Result<usize, StopReason> {
        let Run { thread, until } = runs[number];
        let Track { chunks, held } = &self.tracks[thread];
        let mut first = until;
        while first > states[number].places[thread] + 1 && chunks[first - 1].ends_phase.is_none() {
            let can_wait = next.is_none_or(|next| self.can_take(&states[next], thread, &chunks[first - 1]));
            if !can_wait {
                break;
            }
            first -= 1;
        }
        let mut taken = FixedBitSet::with_capacity(held[until].len());
        for between in number + 1..next.unwrap_or(runs.len()) {
            let Run { thread, until } = runs[between];
            let theirs = &self.tracks[thread].chunks[states[between].places[thread]..until];
            self.meter.work_of(1 + theirs.len())?;
            theirs.iter().for_each(|chunk| taken.union_with(&chunk.needs));
        }
        self.meter.work_of(1 + until - first)?;
        Ok((first..until).find(|place| held[*place].is_disjoint(&taken)).unwrap_or(until))
    }
}

/// 1 if it is a context switch when this participant acts next, otherwise 0.
fn switched(key: &Key, thread: usize) -> usize {
    usize::from(key.1.is_some_and(|last| last != thread))
}

/// A lower bound for the number of context switches.
struct Bound {
    owners: Vec<usize>,
    /// For each phase, the number of phases from it on whose owner differs from that of the phase before; the first
    /// phase has none before it.
    changes: Vec<usize>,
}

impl Bound {
    /// The bound for phases with these owners.
    fn new(owners: &[usize]) -> Self {
        let mut changes = vec![0; owners.len() + 1];
        for phase in (1..owners.len()).rev() {
            changes[phase] = changes[phase + 1] + usize::from(owners[phase - 1] != owners[phase]);
        }
        Self { owners: owners.to_vec(), changes }
    }

    /// The lower bound for the switches that remain.
    fn of(&self, (State { phase, .. }, last): &Key) -> usize {
        let Some(next) = self.owners.get(*phase) else { return 0 };
        let later = self.changes[phase + 1];
        later + usize::from(last.is_some_and(|last| last != *next))
    }
}

/// The runs between states, each with the participant that acted last; consecutive runs of one participant are joined.
fn runs(keys: &[Key]) -> Vec<Run> {
    let mut runs: Vec<Run> = Vec::new();
    for (state, last) in keys {
        let Some(thread) = *last else { continue };
        let run = Run { thread, until: state.places[thread] };
        match runs.last_mut() {
            Some(before) if before.thread == thread => *before = run,
            _ => runs.push(run),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::witness::call_effects::{BITS, needed, taken};
    use eml::model::Mode;
    use fastrand::Rng;
    use limits::Limits;

    const LOCKS: usize = 3;

    fn bits(all: impl IntoIterator<Item = usize>) -> FixedBitSet {
        let mut set = FixedBitSet::with_capacity(BITS * LOCKS);
        set.extend(all);
        set
    }

    /// A path of critical sections, nested or not, with calls, which may end some of the phases.
    fn track(rng: &mut Rng, thread: usize, owners: &[usize]) -> Track {
        let mut track = Track { chunks: Vec::new(), held: vec![bits([])] };
        let (mut open, mut phase): (Vec<(usize, Mode)>, usize) = (Vec::new(), 0);
        for _ in 0..rng.usize(4..14) {
            let (mut needs, mut ends_phase) = (bits([]), None);
            let mode = if rng.bool() { Mode::Read } else { Mode::Write };
            let lock = rng.usize(..LOCKS);
            match rng.u8(..8) {
                0..=2 if open.iter().all(|(own, _)| *own != lock) => {
                    needs.insert(needed(lock, mode));
                    open.push((lock, mode));
                }
                3..=4 if !open.is_empty() => drop(open.swap_remove(rng.usize(..open.len()))),
                5 if open.iter().all(|(own, _)| *own != lock) => needs.insert(needed(lock, mode)),
                6 | 7 if phase < owners.len() => {
                    ends_phase = (owners[phase] == thread).then_some(phase);
                    phase += 1;
                }
                _ => {}
            }
            let mut allowed = FixedBitSet::with_capacity(owners.len());
            allowed.extend((0..owners.len()).filter(|_| rng.u8(..10) > 0));
            let at = ends_phase.unwrap_or(phase);
            track.chunks.push(Chunk { steps: Vec::new(), needs, ends_phase, phase: at, allowed });
            track.held.push(bits(open.iter().flat_map(|(lock, mode)| taken(*lock, *mode))));
        }
        track
    }

    /// Takes all chunks of an order; returns whether that is possible and leads to the end.
    fn is_possible(search: &Search<'_>, runs: &[Run]) -> bool {
        let chunk_by_chunk = Search { goes_on: false, ..*search };
        let mut state = search.start();
        for Run { thread, until } in runs {
            while state.places[*thread] < *until {
                match chunk_by_chunk.step(&state, *thread) {
                    Ok(Some(next)) => state = next,
                    _ => return false,
                }
            }
        }
        state.phase == search.phases
    }

    /// With the two reductions, orders are possible, have as few switches as without, and take no more steps.
    #[test]
    fn going_on_and_stopping_early_cost_no_switches() {
        let meter = Meter::start(&Limits::default());
        let (mut found, mut longer, mut states) = ([0; 2], 0, 0);
        for seed in 0..12_000 {
            let mut rng = Rng::with_seed(seed);
            let threads = rng.usize(2..4);
            let owners: Vec<_> = (0..rng.usize(1..4)).map(|_| rng.usize(..threads)).collect();
            let tracks: Vec<_> = (0..threads).map(|thread| track(&mut rng, thread, &owners)).collect();
            let is_rigid = seed % 3 == 0;
            let search = Search { tracks: &tracks, phases: owners.len(), is_rigid, goes_on: true, meter: &meter };
            let plain = Search { goes_on: false, ..search };
            let expected = plain.fewest_switches().expect("there is no limit");
            let runs = search.fewest_switches().expect("there is no limit");
            assert_eq!(runs.as_ref().map(Vec::len), expected.as_ref().map(Vec::len), "seed {seed}");
            assert_eq!(search.any().expect("there is no limit").is_some(), runs.is_some(), "seed {seed}");
            let unbounded = Bound::new(&[]);
            let least = search.least(&unbounded).expect("there is no limit");
            let unpruned = least.and_then(|least| search.within(least, &unbounded).expect("there is no limit"));
            assert_eq!(unpruned, runs, "seed {seed}: the bound does not change what is found");
            let (Some(runs), Some(expected)) = (runs, expected) else { continue };
            assert!(is_possible(&search, &runs), "seed {seed}: {runs:?}");
            let any = search.any().expect("there is no limit").expect("there is one");
            assert!(is_possible(&search, &any), "seed {seed}: {any:?}");
            found[usize::from(is_rigid)] += 1;
            states += runs.len();
            longer += usize::from(runs != expected);
        }
        assert!(found.iter().all(|count| *count > 500) && states > 2000, "{found:?}, {states} runs, {longer} others");
    }
}
