//! The worklist of [`Changing`](crate::changing) transitions: those with a pending weight, in the order of processing.
//!
//! Every order gives the same sums; the order determines how often a transition is processed. There are two orders
//! besides that by weight ([`Settling`](crate::settling)):
//!
//! - *FIFO*: first in, first out. With a last-in-first-out list the number of changes of a weight can grow
//!   exponentially.
//! - *by rank*: the lowest [rank](crate::Rules::rank) first; among equal ranks, first in, first out. If every
//!   transition has a greater rank than those that change it, each is processed once. Transitions that change each
//!   other in a cycle must have equal ranks. Otherwise each change of a weight before the cycle is propagated around it
//!   separately, which is exponential for a sequence of cycles. On a cycle, pending weights are processed stage by
//!   stage ([`Semiring::stage`](crate::Semiring::stage)).

use crate::index::TransitionId;
use crate::system::Rank;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::VecDeque;

/// A transition to be processed.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Next<W> {
    pub(crate) id: TransitionId,
    /// The pending part of its weight.
    pub(crate) delta: W,
    /// Whether it is processed for the first time.
    pub(crate) is_first: bool,
}

/// A worklist; a transition has one entry for each stage.
#[derive(Clone, Debug)]
pub(crate) enum Worklist {
    Fifo(VecDeque<Entry>),
    ByRank {
        heap: BinaryHeap<Reverse<Entry>>,
        /// Number of all entries so far; it orders entries of equal rank and stage.
        count: u32,
    },
}

/// An entry; compared by rank, then by stage, then by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    pub(crate) rank: Rank,
    stage: u32,
    number: u32,
    pub(crate) id: TransitionId,
    /// Whether this is the transition's first entry.
    pub(crate) is_first: bool,
}

impl Worklist {
    pub(crate) fn fifo() -> Self {
        Self::Fifo(VecDeque::new())
    }

    pub(crate) fn by_rank() -> Self {
        Self::ByRank { heap: BinaryHeap::new(), count: 0 }
    }

    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::Fifo(queue) => queue.is_empty(),
            Self::ByRank { heap, .. } => heap.is_empty(),
        }
    }

    /// Adds a transition. Logarithmic time with ranks, otherwise constant.
    pub(crate) fn push(&mut self, id: TransitionId, rank: Rank, stage: u32, is_first: bool) {
        match self {
            Self::Fifo(queue) => queue.push_back(Entry { rank, stage, number: 0, id, is_first }),
            Self::ByRank { heap, count } => {
                *count = count.wrapping_add(1);
                heap.push(Reverse(Entry { rank, stage, number: *count, id, is_first }));
            }
        }
    }

    /// Takes the first transition.
    pub(crate) fn pop(&mut self) -> Option<Entry> {
        match self {
            Self::Fifo(queue) => queue.pop_front(),
            Self::ByRank { heap, .. } => heap.pop().map(|Reverse(entry)| entry),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(mut worklist: Worklist) -> Vec<usize> {
        for (id, number, stage) in [(0, 2, 0), (1, 1, 1), (2, 2, 0), (3, 1, 0), (4, 0, 1), (5, 1, 0)] {
            worklist.push(TransitionId::new(id), Rank { number, is_circular: true }, stage, true);
        }
        std::iter::from_fn(|| worklist.pop().map(|entry| entry.id.index())).collect()
    }

    #[test]
    fn fifo_the_first_comes_first() {
        assert_eq!(order(Worklist::fifo()), [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn by_rank_the_lowest_come_first_and_of_these_the_first_of_the_lowest_stage() {
        assert_eq!(order(Worklist::by_rank()), [4, 3, 5, 1, 0, 2]);
    }
}
