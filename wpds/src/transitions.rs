//! The transitions of an automaton under saturation: weights, pending weights, and a log of changes.
//!
//! Transitions are numbered in the order of insertion. Those with a pending weight are in a [`Worklist`].
//!
//! Invariant: `pending` is the part of a weight that was added and not yet processed. If it is not zero, the transition
//! is in the worklist with the stage of `pending` or a lower one.

use crate::index::{Head, State, TransitionId};
use crate::log::{Change, ChangeId, Log};
use crate::semiring::Semiring;
use crate::system::Rank;
use crate::transition_table::TransitionTable;
use crate::worklist::{Entry, Worklist};

/// Transitions with weights of type `W`, whose changes have causes of type `C`.
#[derive(Clone, Debug)]
pub(crate) struct Transitions<W, C> {
    ends: Vec<(Head, State)>,
    weights: Vec<W>,
    pending: Vec<W>,
    last_changes: Vec<ChangeId>,
    table: TransitionTable,
    worklist: Worklist,
    log: Log<W, C>,
}

/// A transition to be processed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next<W> {
    pub(crate) id: TransitionId,
    /// The pending part of its weight.
    pub(crate) delta: W,
    /// Whether it is processed for the first time.
    pub(crate) is_first: bool,
}

impl<W: Clone, C: Copy> Transitions<W, C> {
    pub(crate) fn new(worklist: Worklist) -> Self {
        Self {
            ends: Vec::new(),
            weights: Vec::new(),
            pending: Vec::new(),
            last_changes: Vec::new(),
            table: TransitionTable::default(),
            worklist,
            log: Log::default(),
        }
    }

    /// Reserves memory for this number of further transitions.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.ends.reserve(count);
        self.weights.reserve(count);
        self.pending.reserve(count);
        self.last_changes.reserve(count);
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// All transitions in the order of insertion.
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

    /// The changes of a transition that are older than `bound`; the youngest first.
    pub(crate) fn changes(
        &self,
        id: TransitionId,
        bound: Option<ChangeId>,
    ) -> impl Iterator<Item = (ChangeId, Change<'_, W, C>)> {
        self.log.older(Some(self.last_changes[id.index()]), bound)
    }

    /// Whether no transition has a pending weight.
    pub(crate) fn is_done(&self) -> bool {
        self.worklist.is_empty()
    }

    /// Takes the next transition from the worklist, with its pending weight; on a cycle only with the first stage of
    /// it.
    pub(crate) fn next<S: Semiring<Weight = W>>(&mut self, semiring: &mut S) -> Option<Next<W>> {
        loop {
            let Entry { id, rank, is_first, .. } = self.worklist.pop()?;
            let mut delta = std::mem::replace(&mut self.pending[id.index()], semiring.zero());
            if rank.is_circular && !semiring.is_zero(&delta) {
                let (first, rest) = semiring.first_stage(&delta);
                if !semiring.is_zero(&rest) {
                    self.worklist.push(id, rank, semiring.stage(&rest), false);
                    self.pending[id.index()] = rest;
                }
                delta = first;
            }
            // It may have been processed in an earlier stage.
            if !semiring.is_zero(&delta) {
                return Some(Next { id, delta, is_first });
            }
        }
    }

    /// Adds a weight to a transition; returns its number if it is new. If its weight has changed, it is put into the
    /// worklist with this rank.
    pub(crate) fn add<S: Semiring<Weight = W>>(
        &mut self,
        semiring: &mut S,
        (head, target): (Head, State),
        weight: &W,
        cause: C,
        rank: impl FnOnce() -> Rank,
    ) -> Result<Option<TransitionId>, S::Stop> {
        if semiring.is_zero(weight) {
            return Ok(None);
        }
        let Some(id) = self.table.find(head, target, &self.ends) else {
            let (id, rank) = (self.insert(head, target, weight, cause), rank());
            self.worklist.push(id, rank, if rank.is_circular { semiring.stage(weight) } else { 0 }, true);
            return Ok(Some(id));
        };
        let Some(delta) = semiring.combine_into(&mut self.weights[id.index()], weight)? else { return Ok(None) };
        let pending = &mut self.pending[id.index()];
        let rank = rank();
        let stage = if rank.is_circular { semiring.stage(&delta) } else { 0 };
        if semiring.is_zero(pending) || (rank.is_circular && stage < semiring.stage(pending)) {
            self.worklist.push(id, rank, stage, false);
        }
        semiring.combine_into(pending, &delta)?;
        let last = &mut self.last_changes[id.index()];
        *last = self.log.push(delta, cause, Some(*last));
        Ok(None)
    }

    fn insert(&mut self, head: Head, target: State, weight: &W, cause: C) -> TransitionId {
        let id = TransitionId::new(u32::try_from(self.ends.len()).expect("fewer than 2^32 transitions"));
        self.last_changes.push(self.log.push(weight.clone(), cause, None));
        self.ends.push((head, target));
        self.weights.push(weight.clone());
        self.pending.push(weight.clone());
        self.table.insert(id, &self.ends);
        id
    }
}
