//! The transitions of an automaton under saturation: their ends, their weights, and the history of these.
//!
//! Transitions are numbered in the order of insertion. The weights of an ordered semiring settle one after the other
//! ([`Settling`]), those of other semirings are sums that grow ([`Changing`]).

use crate::changing::Changing;
use crate::index::{Head, State, TransitionId};
use crate::log::{Change, ChangeId};
use crate::semiring::Semiring;
use crate::settling::Settling;
use crate::system::Rank;
use crate::transition_table::TransitionTable;
use crate::worklist::{Next, Worklist};

/// Transitions with weights of type `W`, whose changes have causes of type `C`.
#[derive(Clone, Debug)]
pub(crate) struct Transitions<W, C> {
    ends: Vec<(Head, State)>,
    weights: Vec<W>,
    table: TransitionTable,
    history: History<W, C>,
}

/// The worklist and the causes of weights.
#[derive(Clone, Debug)]
enum History<W, C> {
    Changing(Changing<W, C>),
    Settling(Settling<W, C>),
}

impl<W: Clone, C: Copy> Transitions<W, C> {
    /// Transitions whose weights are sums that grow.
    pub(crate) fn changing(worklist: Worklist) -> Self {
        Self::with(History::Changing(Changing::new(worklist)))
    }

    /// Transitions with ordered weights.
    pub(crate) fn settling() -> Self {
        Self::with(History::Settling(Settling::default()))
    }

    fn with(history: History<W, C>) -> Self {
        Self { ends: Vec::new(), weights: Vec::new(), table: TransitionTable::default(), history }
    }

    /// Whether only transitions that have been processed take part in joins.
    pub(crate) fn are_settling(&self) -> bool {
        matches!(self.history, History::Settling(_))
    }

    /// Reserves memory for this number of further transitions.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.ends.reserve(count);
        self.weights.reserve(count);
        match &mut self.history {
            History::Changing(changing) => changing.reserve(count),
            History::Settling(settling) => settling.reserve(count),
        }
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

    /// The transition with this head and target.
    pub(crate) fn find(&self, head: Head, target: State) -> Option<TransitionId> {
        self.table.find(head, target, &self.ends)
    }

    /// The changes of a transition that are older than `bound`; the youngest first.
    pub(crate) fn changes(
        &self,
        id: TransitionId,
        bound: Option<ChangeId>,
    ) -> impl Iterator<Item = (ChangeId, Change<'_, W, C>)> {
        let (changing, settling) = match &self.history {
            History::Changing(changing) => (Some(changing.changes(id, bound)), None),
            History::Settling(settling) => (None, Some(settling.changes(id, self.weight(id), bound))),
        };
        changing.into_iter().flatten().chain(settling.into_iter().flatten())
    }

    /// Whether no transition has a pending weight.
    pub(crate) fn is_done(&self) -> bool {
        match &self.history {
            History::Changing(changing) => changing.is_done(),
            History::Settling(settling) => settling.is_done(),
        }
    }

    /// Whether a transition has a weight that was not processed.
    pub(crate) fn is_pending<S: Semiring<Weight = W>>(&self, semiring: &S, id: TransitionId) -> bool {
        match &self.history {
            History::Changing(changing) => changing.is_pending(semiring, id),
            History::Settling(settling) => settling.is_pending(id),
        }
    }

    /// Whether a later configuration or a later change can have a better weight than this one. Of weights that are not
    /// ordered any will do.
    pub(crate) fn may_improve<S: Semiring<Weight = W>>(&self, semiring: &S, weight: &W) -> bool {
        match &self.history {
            // Ordered weights in an order of ranks.
            History::Changing(changing) => S::IS_ORDERED && !changing.is_done(),
            History::Settling(settling) => settling.best().is_some_and(|best| semiring.precedes(best, weight)),
        }
    }

    /// Takes the next transition from the worklist, with its pending weight.
    pub(crate) fn next<S: Semiring<Weight = W>>(&mut self, semiring: &mut S) -> Option<Next<W>> {
        match &mut self.history {
            History::Changing(changing) => changing.next(semiring),
            History::Settling(settling) => settling.next(semiring),
        }
    }

    /// Adds a weight to a transition; returns its number if it is new. If its weight has changed, it is put into the
    /// worklist, by rank with this one.
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
            let id = self.insert(head, target, weight);
            match &mut self.history {
                History::Changing(changing) => changing.insert(semiring, id, weight, cause, rank()),
                History::Settling(settling) => settling.insert(semiring, id, weight, cause),
            }
            return Ok(Some(id));
        };
        let old = &mut self.weights[id.index()];
        match &mut self.history {
            History::Changing(changing) => {
                if let Some(delta) = semiring.combine_into(old, weight)? {
                    changing.change(semiring, id, delta, cause, rank())?;
                }
            }
            History::Settling(settling) => settling.improve(semiring, id, old, (weight, cause)),
        }
        Ok(None)
    }

    fn insert(&mut self, head: Head, target: State, weight: &W) -> TransitionId {
        let id = TransitionId::new(u32::try_from(self.ends.len()).expect("fewer than 2^32 transitions"));
        self.ends.push((head, target));
        self.weights.push(weight.clone());
        self.table.insert(id, &self.ends);
        id
    }
}
