//! Transitions found by their ends.
//!
//! Most heads have very few transitions, so those are chained from the head; only the further ones of heads that have
//! many are in a hash table.

use crate::heads::hash_words;
use crate::index::{Head, State, TransitionId};
use crate::link::Link;
use hashbrown::HashTable;

/// How many transitions of a head are chained.
const CHAINED: usize = 4;

/// All transitions by their heads; their ends are given with every call.
#[derive(Clone, Debug, Default)]
pub(crate) struct ByHead {
    /// Per head, its first transition.
    first: Vec<Link>,
    /// Per transition, the next that has the same head; only `CHAINED` of a head are linked.
    next: Vec<Link>,
    others: HashTable<TransitionId>,
}

impl ByHead {
    /// The transition with these ends. Expected constant time.
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

    /// Adds the last of the transitions, whose ends no other has. Expected constant time.
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
        let (mut by_head, mut ends) = (ByHead::default(), Vec::new());
        let state = |number| State::control(Control::new(number));
        for target in 0..20 {
            for head in 0..10 {
                if (head + target) % 3 != 0 {
                    ends.push((Head::new(head), state(target)));
                    by_head.insert(TransitionId::new(ends.len() as u32 - 1), &ends);
                }
            }
        }
        for target in 0..25 {
            for head in 0..12 {
                let end = (Head::new(head), state(target));
                let expected = ends.iter().position(|other| *other == end);
                assert_eq!(by_head.find(end.0, end.1, &ends).map(TransitionId::index), expected);
            }
        }
    }
}
