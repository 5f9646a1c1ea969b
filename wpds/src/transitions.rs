//! The transitions of an automaton that is being saturated: weights, what is new in them, and why.
//!
//! Transitions stay in the order in which they were made, which is also the order in which they are processed for the first
//! time, so the vector is the first half of the worklist. The second half are transitions whose weight changed after they
//! were processed, each with the number of transitions that there were then: it is processed after these and before later
//! ones. Both halves together are one worklist, first in, first out. With a last-in-first-out list the number of changes of
//! a weight can grow exponentially.
//!
//! Invariant: `pending` is what was added to a weight since its transition was last processed; it is zero iff the
//! transition is not in the worklist.

use crate::heads::hash_words;
use crate::index::{Head, State, TransitionId};
use crate::log::{Change, ChangeId, Log};
use crate::semiring::Semiring;
use hashbrown::HashTable;
use std::collections::VecDeque;

/// Transitions with weights of type `W`, whose changes have causes of type `C`.
#[derive(Clone, Debug)]
pub(crate) struct Transitions<W, C> {
    ends: Vec<(Head, State)>,
    weights: Vec<W>,
    pending: Vec<W>,
    last_changes: Vec<ChangeId>,
    index: HashTable<TransitionId>,
    /// How many transitions have been processed at least once.
    processed: usize,
    /// Those to be processed again, each with the number of transitions that come before it.
    again: VecDeque<(usize, TransitionId)>,
    log: Log<W, C>,
}

/// A transition to be processed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next<W> {
    pub(crate) id: TransitionId,
    /// What is new in its weight.
    pub(crate) delta: W,
    /// Whether it was not processed before.
    pub(crate) is_first: bool,
}

impl<W, C> Default for Transitions<W, C> {
    fn default() -> Self {
        Self {
            ends: Vec::new(),
            weights: Vec::new(),
            pending: Vec::new(),
            last_changes: Vec::new(),
            index: HashTable::new(),
            processed: 0,
            again: VecDeque::new(),
            log: Log::default(),
        }
    }
}

impl<W: Clone, C: Copy> Transitions<W, C> {
    /// Makes room for so many transitions, which is not touched before they come.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.ends.reserve(count);
        self.weights.reserve(count);
        self.pending.reserve(count);
        self.last_changes.reserve(count);
        let ends = &self.ends;
        self.index.reserve(count, |id| {
            let (head, target) = ends[id.index()];
            hash(head, target)
        });
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// All transitions in the order in which they were made.
    pub(crate) fn ids(&self) -> impl Iterator<Item = TransitionId> + use<W, C> {
        (0..self.ends.len() as u32).map(TransitionId::new)
    }

    pub(crate) fn head(&self, id: TransitionId) -> Head {
        self.ends[id.index()].0
    }

    pub(crate) fn target(&self, id: TransitionId) -> State {
        self.ends[id.index()].1
    }

    pub(crate) fn weight(&self, id: TransitionId) -> &W {
        &self.weights[id.index()]
    }

    /// The changes of a transition that are older than `bound`, youngest first.
    pub(crate) fn changes(
        &self,
        id: TransitionId,
        bound: Option<ChangeId>,
    ) -> impl Iterator<Item = (ChangeId, Change<'_, W, C>)> {
        self.log.older(Some(self.last_changes[id.index()]), bound)
    }

    /// Whether nothing is left to be processed.
    pub(crate) fn is_done(&self) -> bool {
        self.processed == self.ends.len() && self.again.is_empty()
    }

    /// Takes the next transition from the worklist.
    pub(crate) fn next(&mut self, zero: &W) -> Option<Next<W>> {
        let is_again = self.again.front().is_some_and(|(before, _)| *before <= self.processed);
        let id = if is_again {
            self.again.pop_front()?.1
        } else if self.processed < self.ends.len() {
            self.processed += 1;
            TransitionId::new(self.processed as u32 - 1)
        } else {
            return None;
        };
        let delta = std::mem::replace(&mut self.pending[id.index()], zero.clone());
        Some(Next { id, delta, is_first: !is_again })
    }

    /// Adds runs to a transition; gives its number if it is new. If that changed its weight it is in the worklist.
    pub(crate) fn add<S: Semiring<Weight = W>>(
        &mut self,
        semiring: &mut S,
        (head, target): (Head, State),
        weight: &W,
        cause: C,
    ) -> Result<Option<TransitionId>, S::Stop> {
        if semiring.is_zero(weight) {
            return Ok(None);
        }
        let Some(id) = self.find(head, target) else { return Ok(Some(self.insert(head, target, weight, cause))) };
        let Some(delta) = semiring.combine_into(&mut self.weights[id.index()], weight)? else { return Ok(None) };
        let pending = &mut self.pending[id.index()];
        if semiring.is_zero(pending) {
            self.again.push_back((self.ends.len(), id));
        }
        semiring.combine_into(pending, &delta)?;
        let last = &mut self.last_changes[id.index()];
        *last = self.log.push(delta, cause, Some(*last));
        Ok(None)
    }

    fn find(&self, head: Head, target: State) -> Option<TransitionId> {
        let same = |id: &TransitionId| self.ends[id.index()] == (head, target);
        self.index.find(hash(head, target), same).copied()
    }

    fn insert(&mut self, head: Head, target: State, weight: &W, cause: C) -> TransitionId {
        let id = TransitionId::new(u32::try_from(self.ends.len()).expect("fewer than 2^32 transitions"));
        self.last_changes.push(self.log.push(weight.clone(), cause, None));
        self.ends.push((head, target));
        self.weights.push(weight.clone());
        self.pending.push(weight.clone());
        let ends = &self.ends;
        self.index.insert_unique(hash(head, target), id, |id| {
            let (head, target) = ends[id.index()];
            hash(head, target)
        });
        id
    }
}

fn hash(head: Head, target: State) -> u64 {
    hash_words(head.index() as u32, target.word())
}

/// A place for a transition in a linked list, or none: one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Link(u32);

impl Default for Link {
    fn default() -> Self {
        Self(u32::MAX)
    }
}

impl Link {
    pub(crate) fn get(self) -> Option<TransitionId> {
        (self != Self::default()).then(|| TransitionId::new(self.0))
    }

    /// Puts a transition here; gives what was here.
    pub(crate) fn replace(&mut self, id: TransitionId) -> Self {
        std::mem::replace(self, Self(id.index() as u32))
    }
}
