//! The worklist and the log of transitions whose weights are sums that grow.
//!
//! Invariant: `pending` is the part of a weight that was added and not yet processed. If it is not zero, the transition
//! is in the worklist with the stage of `pending` or a lower one.
//!
//! Every change is logged when it is made. So its cause is older.

use crate::index::TransitionId;
use crate::log::{Change, ChangeId, Log};
use crate::semiring::Semiring;
use crate::system::Rank;
use crate::worklist::{Entry, Next, Worklist};

/// Pending weights and changes of all transitions.
#[derive(Clone, Debug)]
pub(crate) struct Changing<W, C> {
    pending: Vec<W>,
    last_changes: Vec<ChangeId>,
    worklist: Worklist,
    log: Log<W, C>,
}

impl<W: Clone, C: Copy> Changing<W, C> {
    pub(crate) fn new(worklist: Worklist) -> Self {
        Self { pending: Vec::new(), last_changes: Vec::new(), worklist, log: Log::default() }
    }

    pub(crate) fn reserve(&mut self, count: usize) {
        self.pending.reserve(count);
        self.last_changes.reserve(count);
    }

    pub(crate) fn is_done(&self) -> bool {
        self.worklist.is_empty()
    }

    /// Whether the transition has a weight that was not processed.
    pub(crate) fn is_pending<S: Semiring<Weight = W>>(&self, semiring: &S, id: TransitionId) -> bool {
        !semiring.is_zero(&self.pending[id.index()])
    }

    /// The changes of a transition that are older than `bound`; the youngest first.
    pub(crate) fn changes(
        &self,
        id: TransitionId,
        bound: Option<ChangeId>,
    ) -> impl Iterator<Item = (ChangeId, Change<'_, W, C>)> {
        self.log.older(Some(self.last_changes[id.index()]), bound)
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

    /// Adds the newest transition.
    pub(crate) fn insert<S: Semiring<Weight = W>>(
        &mut self,
        semiring: &S,
        id: TransitionId,
        weight: &W,
        cause: C,
        rank: Rank,
    ) {
        self.last_changes.push(self.log.push(weight.clone(), cause, None));
        self.pending.push(weight.clone());
        self.worklist.push(id, rank, if rank.is_circular { semiring.stage(weight) } else { 0 }, true);
    }

    /// Adds a change of a transition.
    pub(crate) fn change<S: Semiring<Weight = W>>(
        &mut self,
        semiring: &mut S,
        id: TransitionId,
        delta: W,
        cause: C,
        rank: Rank,
    ) -> Result<(), S::Stop> {
        let pending = &mut self.pending[id.index()];
        let stage = if rank.is_circular { semiring.stage(&delta) } else { 0 };
        if semiring.is_zero(pending) || (rank.is_circular && stage < semiring.stage(pending)) {
            self.worklist.push(id, rank, stage, false);
        }
        semiring.combine_into(pending, &delta)?;
        let last = &mut self.last_changes[id.index()];
        *last = self.log.push(delta, cause, Some(*last));
        Ok(())
    }
}
