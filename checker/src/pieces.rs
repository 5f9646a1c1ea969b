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

    /// The piece after a step: the uses that are held before it and not after it are released, then others acquired.
    pub fn step(&mut self, before: &[Use], after: &[Use]) {
        let (kept, old): (Vec<Use>, Vec<Use>) = before.iter().copied().partition(|one| has(after, *one));
        old.into_iter().for_each(|old| self.release(old));
        after.iter().filter(|one| !has(before, **one)).for_each(|new| self.acquire(*new, &kept));
    }

    /// The piece after acquiring a use, where `held` was held before.
    fn acquire(&mut self, new: Use, held: &[Use]) {
        self.used.push(new);
        self.acquired.extend(held.iter().filter(|old| !has(&self.through, **old)).map(|old| (*old, new)));
        sort(&mut self.used);
        sort(&mut self.acquired);
    }

    /// The piece after releasing a use.
    fn release(&mut self, old: Use) {
        self.acquired.retain(|(first, _)| *first != old);
        if let Ok(at) = self.through.binary_search(&old) {
            self.through.remove(at);
            self.released.extend(self.used.iter().map(|second| (old, *second)));
            sort(&mut self.released);
        }
    }

    /// This piece and then `after`, which meet where `held` is held.
    pub fn then(&self, after: &Piece, held: &[Use]) -> Piece {
        let mut all = after.clone();
        all.through.retain(|one| has(&self.through, *one));
        all.used.extend(&self.used);
        all.acquired.extend(self.acquired.iter().filter(|(first, _)| has(&after.through, *first)));
        for first in after.through.iter().filter(|first| !has(&self.through, **first)) {
            all.acquired.extend(after.used.iter().map(|second| (*first, *second)));
        }
        all.released.retain(|(first, _)| has(&self.through, *first));
        all.released.extend(&self.released);
        for first in held.iter().filter(|first| has(&self.through, **first) && !has(&after.through, **first)) {
            all.released.extend(self.used.iter().map(|second| (*first, *second)));
        }
        sort(&mut all.used);
        sort(&mut all.acquired);
        sort(&mut all.released);
        all
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

fn sort<T: Ord>(list: &mut Vec<T>) {
    list.sort_unstable();
    list.dedup();
}

/// Whether all members of a sorted list are in another one.
fn is_subset<T: Ord>(small: &[T], large: &[T]) -> bool {
    let mut rest = large.iter();
    small.len() <= large.len() && small.iter().all(|one| rest.by_ref().find(|other| *other >= one) == Some(one))
}
