//! The worklist of a fixed point: items with a pending weight.
//!
//! First in, first out; with ordered weights the best weight first, and an entry for each change. An item whose pending
//! weight is zero when it is taken has been processed already.

use crate::semiring::Semiring;
use crate::weight_heap::WeightHeap;
use std::collections::VecDeque;

/// Items of type `T` with weights of type `W`.
#[derive(Clone, Debug)]
pub(crate) struct Queue<W, T> {
    fifo: VecDeque<T>,
    ordered: WeightHeap<W, T>,
}

impl<W, T> Default for Queue<W, T> {
    fn default() -> Self {
        Self { fifo: VecDeque::new(), ordered: WeightHeap::default() }
    }
}

impl<W: Clone, T> Queue<W, T> {
    /// Adds an item for a change, before the change is added to the pending weight.
    pub(crate) fn push<S: Semiring<Weight = W>>(&mut self, semiring: &S, item: T, pending: &W, delta: &W) {
        if S::IS_ORDERED {
            self.ordered.push(delta.clone(), item, |left, right| semiring.precedes(left, right));
        } else if semiring.is_zero(pending) {
            self.fifo.push_back(item);
        }
    }

    pub(crate) fn pop<S: Semiring<Weight = W>>(&mut self, semiring: &S) -> Option<T> {
        if S::IS_ORDERED {
            return self.ordered.pop(|left, right| semiring.precedes(left, right)).map(|(_, item)| item);
        }
        self.fifo.pop_front()
    }
}
