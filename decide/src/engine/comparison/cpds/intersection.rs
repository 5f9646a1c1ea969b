//! The intersection of all components: the languages of the participants, the locks and the automaton.
//!
//! A state has the node of each participant in the tree of its words, the owner of each lock, and the phase. Locks and
//! the automaton are regular and kept exact. After a cut word a participant may do any letter of its alphabet; whether
//! it really can is not known.

use super::language::{Alphabet, Language};
use super::words::Letter;
use crate::encode::{Instants, Label, Scenario};
use indexmap::IndexMap;
use limits::{Meter, StopReason};
use lockhist::{Lock, LockSet, Operation};
use phases::Turn;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// The words of a language as a tree whose nodes are prefixes.
#[derive(Debug)]
pub(super) struct Tree {
    children: Vec<FxHashMap<Letter, u32>>,
    /// Whether a cut word ends at the node.
    is_cut: Vec<bool>,
}

/// The place after a cut.
const ANYWHERE: u32 = u32::MAX;

impl Tree {
    /// Builds the tree. Linear in the total length of the words.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn new(language: &Language, meter: &Meter) -> Result<Self, StopReason> {
        let mut tree = Self { children: vec![FxHashMap::default()], is_cut: vec![false] };
        for word in language.words() {
            meter.work_of(1 + word.letters.len())?;
            let mut node = 0;
            for letter in &word.letters {
                let fresh = tree.children.len() as u32;
                let child = *tree.children[node as usize].entry(*letter).or_insert(fresh);
                if child == fresh {
                    tree.children.push(FxHashMap::default());
                    tree.is_cut.push(false);
                }
                node = child;
            }
            tree.is_cut[node as usize] |= word.is_cut;
        }
        Ok(tree)
    }

    /// Returns the letters that can follow a place, with the places after them.
    fn next(&self, place: u32, alphabet: &Alphabet) -> Vec<(Letter, u32)> {
        let known = self.children.get(place as usize).into_iter().flatten().map(|(letter, child)| (*letter, *child));
        let mut next: Vec<_> = known.collect();
        if place == ANYWHERE || self.is_cut[place as usize] {
            next.extend((0..alphabet.len()).map(|letter| (Letter::new(letter), ANYWHERE)));
        }
        next.sort_unstable();
        next
    }
}

/// A state of the product.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    /// The place of each participant in its tree.
    places: Vec<u32>,
    /// The locks of each participant.
    held: Vec<LockSet>,
    phase: usize,
}

/// A letter of a common word, with its participant and phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Event {
    pub(super) thread: usize,
    pub(super) letter: Letter,
    pub(super) phase: usize,
}

/// The result of an intersection.
#[derive(Debug)]
pub(super) enum Intersection {
    /// It has no word.
    Empty,
    /// It has this word, no part of which continues after a cut.
    Complete(Vec<Event>),
    /// All its words have parts after a cut.
    Cut,
}

/// The components of a scenario.
#[derive(Debug)]
pub(super) struct Components<'a> {
    pub(super) scenario: &'a Scenario,
    pub(super) alphabets: &'a [&'a Alphabet],
    pub(super) trees: &'a [&'a Tree],
    pub(super) instants: &'a [&'a Instants],
    pub(super) meter: &'a Meter,
}

impl Components<'_> {
    /// Intersects the components; complete words are tried first.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn intersect(&self) -> Result<Intersection, StopReason> {
        if let Some(word) = self.search(false)? {
            return Ok(Intersection::Complete(word));
        }
        Ok(if self.search(true)?.is_some() { Intersection::Cut } else { Intersection::Empty })
    }

    /// Returns a shortest word that drives the automaton to its accepting state; `after_cuts` allows parts after cuts.
    fn search(&self, after_cuts: bool) -> Result<Option<Vec<Event>>, StopReason> {
        let threads = self.trees.len();
        let mut states: IndexMap<State, Option<(usize, Event)>, FxBuildHasher> = IndexMap::default();
        states.insert(State { places: vec![0; threads], held: vec![LockSet::EMPTY; threads], phase: 0 }, None);
        let mut next = 0;
        while let Some((state, _)) = states.get_index(next) {
            if state.phase == self.scenario.ends.len() {
                let back = |(_, origin): (&State, &Option<(usize, Event)>)| *origin;
                let origins = std::iter::successors(states.get_index(next).and_then(back), |(before, _)| {
                    states.get_index(*before).and_then(back)
                });
                let mut word: Vec<_> = origins.map(|(_, event)| event).collect();
                word.reverse();
                return Ok(Some(word));
            }
            let successors = self.successors(state, after_cuts);
            self.meter.work_of(1 + successors.len())?;
            for (state, event) in successors {
                states.entry(state).or_insert(Some((next, event)));
            }
            next += 1;
        }
        Ok(None)
    }

    fn successors(&self, state: &State, after_cuts: bool) -> Vec<(State, Event)> {
        let mut successors = Vec::new();
        for thread in 0..self.trees.len() {
            for (letter, place) in self.trees[thread].next(state.places[thread], self.alphabets[thread]) {
                if place == ANYWHERE && !after_cuts {
                    continue;
                }
                let label = self.alphabets[thread].get_index(letter.index()).expect("letters are of the alphabet");
                let Some(held) = locked(&state.held, thread, label) else { continue };
                let event = Event { thread, letter, phase: state.phase };
                for phase in self.phases_after(state.phase, thread, label) {
                    let mut after = State { phase, held: state.held.clone(), places: state.places.clone() };
                    (after.held[thread], after.places[thread]) = (held, place);
                    successors.push((after, event));
                }
            }
        }
        successors
    }

    /// Returns the phases of the automaton after a letter of a thread.
    fn phases_after(&self, phase: usize, thread: usize, label: &Label) -> impl Iterator<Item = usize> {
        let local = &self.scenario.words[thread].0[phase];
        let instants = self.instants[thread];
        let stays = local.allowed.allows_label(label, instants).then_some(phase);
        let ends = matches!(&local.turn, Turn::Own(action) if action.is_done_by(label, instants)).then_some(phase + 1);
        stays.into_iter().chain(ends)
    }
}

/// Returns the locks of the thread after a letter; `None` if the lock is not available or not held.
fn locked(held: &[LockSet], thread: usize, label: &Label) -> Option<LockSet> {
    let is_held = |lock: Lock| held.iter().any(|locks| locks.contains(lock));
    match label {
        Label::Lock(Operation::Acquire(lock)) => (!is_held(*lock)).then(|| held[thread] | LockSet::of(*lock)),
        Label::Lock(Operation::Release(lock)) => {
            held[thread].contains(*lock).then(|| held[thread] - LockSet::of(*lock))
        }
        _ => Some(held[thread]),
    }
}
