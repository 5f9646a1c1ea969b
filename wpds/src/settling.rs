//! The worklist and the log of transitions with ordered weights: the transition with the best weight is taken first.
//!
//! A weight is better than the one that it replaces, and nothing was derived from a weight that was not yet taken. So
//! only the cause of the best weight so far is kept, and the change is logged when the transition is taken. Only taken
//! transitions take part in joins, so the cause of a change is older than the change.
//!
//! *Each transition is taken once*, with the best weight of all, if one is the best weight (`1 + a = 1`) and heads that
//! are entered begin with one ([`Semiring::IS_ORDERED`]; Knuth 1977, a generalization of Dijkstra's algorithm). By
//! distributivity `a * b + a = a * (b + 1) = a`: no product is better than a factor of it. Suppose that `t` is the
//! first transition taken with a weight `w` that is not its best one, `v`, and look at a derivation of `v`. Each
//! transition in it has a weight that `v` is not better than, so one that is better than `w`. Visit the derivation from
//! its leaves towards `t`, and of two factors of a product the call first and then the callee (backwards: the lower
//! symbol of a push first). Let `i` be the first one visited that has not been taken with its weight in the derivation.
//! What it derives from has been taken, so `i` is in the worklist with this weight. That also holds if `i` is a leaf: a
//! beginning of the saturation is there from the outset; the entry of a callee belongs to a call, and the pop rules
//! into a control state to a transition that leaves it, and these either have been visited before or, for those that
//! end where `t` ends, were taken before `t` was found. So `i` would have been taken instead of `t`.
//!
//! Entries begin with one in the middle of a saturation, so the weights of taken transitions are not monotone. The
//! argument does not need it. By the same argument, applied to all transitions of a path from the bottom of the stack
//! (backwards: from its end), no configuration will get a weight that precedes all weights in the worklist:
//! [`Settling::best`] is a bound.
//!
//! If starts are added later, or one is not the best weight, then transitions may be taken again. Their earlier changes
//! are kept for the runs that were derived from them.

use crate::index::TransitionId;
use crate::log::{Change, ChangeId};
use crate::semiring::Semiring;
use crate::weight_heap::WeightHeap;
use crate::worklist::Next;
use rustc_hash::FxHashMap;

/// Causes, and the order of taking, of all transitions.
#[derive(Clone, Debug)]
pub(crate) struct Settling<W, C> {
    /// Transitions with a weight that has not been taken. Entries of taken transitions are without effect; the first
    /// one has an effect.
    heap: WeightHeap<W, TransitionId>,
    /// Per transition, the cause of its weight.
    causes: Vec<C>,
    /// Per transition, the change to its weight, if it has been taken.
    taken: Vec<Option<ChangeId>>,
    /// The last change.
    last: Option<ChangeId>,
    /// The taken changes of transitions whose weight has changed again, from the first to the last.
    earlier: FxHashMap<TransitionId, Vec<(ChangeId, W, C)>>,
}

impl<W, C> Default for Settling<W, C> {
    fn default() -> Self {
        Self {
            heap: WeightHeap::default(),
            causes: Vec::new(),
            taken: Vec::new(),
            last: None,
            earlier: FxHashMap::default(),
        }
    }
}

impl<W: Clone, C: Copy> Settling<W, C> {
    pub(crate) fn reserve(&mut self, count: usize) {
        self.causes.reserve(count);
        self.taken.reserve(count);
    }

    pub(crate) fn is_done(&self) -> bool {
        self.heap.first().is_none()
    }

    /// The best weight in the worklist.
    pub(crate) fn best(&self) -> Option<&W> {
        self.heap.first().map(|(weight, _)| weight)
    }

    /// Whether the transition has a weight that was not taken.
    pub(crate) fn is_pending(&self, id: TransitionId) -> bool {
        self.taken[id.index()].is_none()
    }

    /// The changes of a transition with this weight that are older than `bound`; the youngest first.
    pub(crate) fn changes<'a>(
        &'a self,
        id: TransitionId,
        weight: &'a W,
        bound: Option<ChangeId>,
    ) -> impl Iterator<Item = (ChangeId, Change<'a, W, C>)> {
        let last = self.taken[id.index()].map(|at| (at, Change { delta: weight, cause: self.causes[id.index()] }));
        let earlier = if self.earlier.is_empty() { None } else { self.earlier.get(&id) };
        let earlier = earlier.into_iter().flatten().rev();
        let earlier = earlier.map(|(at, delta, cause)| (*at, Change { delta, cause: *cause }));
        last.into_iter().chain(earlier).filter(move |(at, _)| bound.is_none_or(|bound| *at < bound))
    }

    /// Takes the transition with the best weight.
    pub(crate) fn next<S: Semiring<Weight = W>>(&mut self, semiring: &S) -> Option<Next<W>> {
        let (delta, id) = self.heap.pop(|left, right| semiring.precedes(left, right))?;
        self.last = Some(ChangeId::after(self.last));
        self.taken[id.index()] = self.last;
        while self.heap.first().is_some_and(|(_, id)| self.taken[id.index()].is_some()) {
            self.heap.pop(|left, right| semiring.precedes(left, right));
        }
        let is_first = self.earlier.is_empty() || !self.earlier.contains_key(&id);
        Some(Next { id, delta, is_first })
    }

    /// Adds the newest transition.
    pub(crate) fn insert<S: Semiring<Weight = W>>(&mut self, semiring: &S, id: TransitionId, weight: &W, cause: C) {
        self.causes.push(cause);
        self.taken.push(None);
        self.heap.push(weight.clone(), id, |left, right| semiring.precedes(left, right));
    }

    /// Adds a weight to that of a transition; replaces it if the new one is better.
    pub(crate) fn improve<S: Semiring<Weight = W>>(
        &mut self,
        semiring: &S,
        id: TransitionId,
        weight: &mut W,
        (with, cause): (&W, C),
    ) {
        if !semiring.precedes(with, weight) {
            return;
        }
        let old = std::mem::replace(weight, with.clone());
        if let Some(at) = self.taken[id.index()].take() {
            self.earlier.entry(id).or_default().push((at, old, self.causes[id.index()]));
        }
        self.causes[id.index()] = cause;
        self.heap.push(with.clone(), id, |left, right| semiring.precedes(left, right));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::min_plus::MinPlus;

    #[test]
    fn a_transition_is_taken_with_its_best_weight_and_changes_stay_in_order() {
        let (mut settling, id) = (Settling::default(), TransitionId::new);
        let mut weights = [Some(5), Some(3)];
        for number in 0..2 {
            settling.insert(&MinPlus, id(number), &weights[number as usize], number);
        }
        settling.improve(&MinPlus, id(0), &mut weights[0], (&Some(4), 2));
        settling.improve(&MinPlus, id(0), &mut weights[0], (&Some(4), 7));
        let taken = |settling: &mut Settling<_, _>| settling.next(&MinPlus).map(|next| (next.id.index(), next.delta));
        assert_eq!(taken(&mut settling), Some((1, Some(3))));
        assert_eq!(taken(&mut settling), Some((0, Some(4))));
        assert!(settling.is_done() && taken(&mut settling).is_none());
        settling.improve(&MinPlus, id(0), &mut weights[0], (&Some(1), 3));
        assert_eq!(settling.best(), Some(&Some(1)));
        let next = settling.next(&MinPlus).expect("it was improved");
        assert!(!next.is_first && settling.is_done());
        let causes: Vec<_> = settling.changes(id(0), &weights[0], None).map(|(_, change)| change.cause).collect();
        assert_eq!(causes, [3, 2]);
        let last = settling.changes(id(0), &weights[0], None).next().map(|(at, _)| at);
        let older: Vec<_> = settling.changes(id(0), &weights[0], last).map(|(_, change)| *change.delta).collect();
        assert_eq!(older, [Some(4)]);
    }
}
