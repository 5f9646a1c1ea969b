//! The transitions that have something new, in the order in which they are processed.
//!
//! Any order gives the same sums; the order decides how often a transition is processed. There are two:
//!
//! - *in turn*: first in, first out. With a last-in-first-out list the number of changes of a weight can grow exponentially.
//! - *by rank*: the lowest [rank](crate::Rules::rank) first, those of equal rank first in, first out. If every transition has a
//!   greater rank than those that change it, each is processed once. Transitions that can change each other in a circle must
//!   have equal ranks, lest a circle be gone around for each change of a weight before it, and so exponentially often for
//!   circles one after the other.

use crate::index::TransitionId;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::VecDeque;

/// A worklist that holds no transition twice.
#[derive(Clone, Debug)]
pub(crate) enum Worklist {
    /// First in, first out; whether a transition is there for the first time.
    InTurn(VecDeque<(TransitionId, bool)>),
    ByRank {
        heap: BinaryHeap<Reverse<Entry>>,
        /// How many entries there have been; only their order depends on it.
        count: u32,
    },
}

/// Compared by rank, then by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Entry {
    rank: u64,
    number: u32,
    id: TransitionId,
    is_first: bool,
}

impl Worklist {
    pub(crate) fn in_turn() -> Self {
        Self::InTurn(VecDeque::new())
    }

    pub(crate) fn by_rank() -> Self {
        Self::ByRank { heap: BinaryHeap::new(), count: 0 }
    }

    pub(crate) fn is_empty(&self) -> bool {
        match self {
            Self::InTurn(queue) => queue.is_empty(),
            Self::ByRank { heap, .. } => heap.is_empty(),
        }
    }

    /// Adds a transition that is not there. Logarithmic with ranks, else constant time.
    pub(crate) fn push(&mut self, id: TransitionId, rank: u64, is_first: bool) {
        match self {
            Self::InTurn(queue) => queue.push_back((id, is_first)),
            Self::ByRank { heap, count } => {
                *count = count.wrapping_add(1);
                heap.push(Reverse(Entry { rank, number: *count, id, is_first }));
            }
        }
    }

    /// Takes the first transition; says whether it is there for the first time.
    pub(crate) fn pop(&mut self) -> Option<(TransitionId, bool)> {
        match self {
            Self::InTurn(queue) => queue.pop_front(),
            Self::ByRank { heap, .. } => heap.pop().map(|Reverse(entry)| (entry.id, entry.is_first)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(mut worklist: Worklist) -> Vec<usize> {
        for (id, rank) in [(0, 2), (1, 1), (2, 2), (3, 1), (4, 0)] {
            worklist.push(TransitionId::new(id), rank, true);
        }
        std::iter::from_fn(|| worklist.pop().map(|(id, _)| id.index())).collect()
    }

    #[test]
    fn in_turn_the_first_comes_first() {
        assert_eq!(order(Worklist::in_turn()), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn by_rank_the_first_of_the_lowest_comes_first() {
        assert_eq!(order(Worklist::by_rank()), [4, 1, 3, 0, 2]);
    }
}
