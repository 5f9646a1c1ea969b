//! Pieces: statements about a part of a path, and how they change (Lemma 1 of `docs/certificates.md`).

use crate::ops::Use;

/// The statements; all lists are sorted and without doubles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Piece {
    pub through: Vec<Use>,
    pub used: Vec<Use>,
    pub acquired: Vec<(Use, Use)>,
    pub released: Vec<(Use, Use)>,
    pub held: Vec<Use>,
}

impl Piece {
    /// The piece of a part that begins where these uses are held.
    pub fn beginning(held: Vec<Use>) -> Piece {
        Piece { through: held, ..Piece::default() }
    }

    /// The piece after acquiring a use, where `held` was held before.
    pub fn acquire(&mut self, new: Use, held: &[Use]) {
        insert(&mut self.used, new);
        for old in held.iter().filter(|old| !has(&self.through, **old)) {
            insert(&mut self.acquired, (*old, new));
        }
    }

    /// The piece after releasing a use.
    pub fn release(&mut self, old: Use) {
        self.acquired.retain(|(first, _)| *first != old);
        if let Ok(at) = self.through.binary_search(&old) {
            self.through.remove(at);
            for second in &self.used {
                insert(&mut self.released, (old, *second));
            }
        }
    }

    /// This piece and then `after`, which meet where `held` is held.
    pub fn then(&self, after: &Piece, held: &[Use]) -> Piece {
        let mut acquired = after.acquired.clone();
        acquired.extend(self.acquired.iter().filter(|(first, _)| has(&after.through, *first)));
        for first in after.through.iter().filter(|first| !has(&self.through, **first)) {
            acquired.extend(after.used.iter().map(|second| (*first, *second)));
        }
        let mut released = self.released.clone();
        released.extend(after.released.iter().filter(|(first, _)| has(&self.through, *first)));
        let is_released = |first: &&Use| has(&self.through, **first) && !has(&after.through, **first);
        for first in held.iter().filter(is_released) {
            released.extend(self.used.iter().map(|second| (*first, *second)));
        }
        Piece {
            through: self.through.iter().filter(|one| has(&after.through, **one)).copied().collect(),
            used: sorted(self.used.iter().chain(&after.used).copied().collect()),
            acquired: sorted(acquired),
            released: sorted(released),
            held: after.held.clone(),
        }
    }

    /// Whether this piece says nothing that the other one does not say; with the same `through` if it is exact.
    pub fn covers(&self, other: &Piece, is_exact: bool) -> bool {
        let is_same = self.through == other.through;
        (is_same || !is_exact && is_subset(&self.through, &other.through))
            && is_subset(&self.used, &other.used)
            && is_subset(&self.acquired, &other.acquired)
            && is_subset(&self.released, &other.released)
            && is_subset(&self.held, &other.held)
    }
}

/// Whether a sorted list has a member.
pub(crate) fn has<T: Ord>(list: &[T], one: T) -> bool {
    list.binary_search(&one).is_ok()
}

fn insert<T: Ord>(list: &mut Vec<T>, new: T) {
    if let Err(at) = list.binary_search(&new) {
        list.insert(at, new);
    }
}

fn sorted<T: Ord>(mut list: Vec<T>) -> Vec<T> {
    list.sort_unstable();
    list.dedup();
    list
}

/// Whether all members of a sorted list are in another one.
fn is_subset<T: Ord>(small: &[T], large: &[T]) -> bool {
    let mut rest = large.iter();
    small.len() <= large.len() && small.iter().all(|one| rest.by_ref().find(|other| *other >= one) == Some(one))
}
