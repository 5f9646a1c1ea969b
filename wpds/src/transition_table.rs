//! An index of transitions by head and target.
//!
//! Most heads have very few transitions, which are in a linked list of the head; only further transitions of a head are
//! in a hash table.

use crate::heads::hash_words;
use crate::index::{Head, State, TransitionId};
use crate::link::Link;
use hashbrown::HashTable;

/// Upper bound on the linked list of a head.
const CHAINED: usize = 4;

/// All transitions by head and target. Each call gets `ends`, the head and target of each transition.
#[derive(Clone, Debug, Default)]
pub(crate) struct TransitionTable {
    /// Per head, its first transition.
    first: Vec<Link>,
    /// Per transition, the next in the list of its head.
    next: Vec<Link>,
    others: HashTable<TransitionId>,
}

impl TransitionTable {
    /// Returns the transition with this head and target. Expected constant time.
    pub(crate) fn find(&self, head: Head, target: State, ends: &[(Head, State)]) -> Option<TransitionId> {
        let mut next = self.first.get(head.index())?.get();
        for _ in 0..CHAINED {
            let id = next?;
            if ends[id.index()].1 == target {
                return Some(id);
            }
            next = self.next[id.index()].get();
        }
        self.others.find(hash(head, target), |id| ends[id.index()] == (head, target)).copied()
    }

    /// Adds the newest transition, whose head and target are new. Expected constant time.
    pub(crate) fn insert(&mut self, id: TransitionId, ends: &[(Head, State)]) {
        let (head, target) = ends[id.index()];
        if self.first.len() <= head.index() {
            self.first.resize(head.index() + 1, Link::default());
        }
        self.next.push(Link::default());
        let mut place = &mut self.first[head.index()];
        for _ in 0..CHAINED {
            match place.get() {
                None => {
                    place.replace(id);
                    return;
                }
                Some(before) => place = &mut self.next[before.index()],
            }
        }
        self.others.insert_unique(hash(head, target), id, |id| hash(ends[id.index()].0, ends[id.index()].1));
    }
}

fn hash(head: Head, target: State) -> u64 {
    hash_words(head.index() as u32, target.word())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Control;

    #[test]
    fn every_transition_is_found_and_no_other() {
        let (mut table, mut ends) = (TransitionTable::default(), Vec::new());
        let state = |number| State::control(Control::new(number));
        for target in 0..20 {
            for head in 0..10 {
                if (head + target) % 3 != 0 {
                    ends.push((Head::new(head), state(target)));
                    table.insert(TransitionId::new(ends.len() as u32 - 1), &ends);
                }
            }
        }
        for target in 0..25 {
            for head in 0..12 {
                let end = (Head::new(head), state(target));
                let expected = ends.iter().position(|other| *other == end);
                assert_eq!(table.find(end.0, end.1, &ends).map(TransitionId::index), expected);
            }
        }
    }
}
