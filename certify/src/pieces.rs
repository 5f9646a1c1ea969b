//! Uses, pieces and segments: statements about parts of paths.
//!
//! The page on certificates defines them and proves that they stay true. A use is numbered within the locks of its
//! invariant: `2i` for lock `i` in write mode, `2i + 1` in read mode.

use indexmap::IndexSet;
use rustc_hash::FxBuildHasher;

/// The number of a use.
pub(crate) type Use = u8;

/// A set of uses, as bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Uses(u64);

impl Uses {
    /// The greatest number of locks of an invariant.
    pub(crate) const MOST_LOCKS: usize = 32;

    pub(crate) fn of(one: Use) -> Self {
        Self(1 << one)
    }

    pub(crate) fn has(self, one: Use) -> bool {
        self.0 & (1 << one) != 0
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    pub(crate) fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    pub(crate) fn common(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    pub(crate) fn is_part_of(self, other: Self) -> bool {
        self.0 & !other.0 == 0
    }

    /// Both uses of a lock.
    pub(crate) fn of_lock(index: usize) -> Self {
        Self(3 << (2 * index))
    }

    /// In ascending order.
    pub(crate) fn iter(self) -> impl Iterator<Item = Use> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let one = rest.trailing_zeros();
                rest &= rest - 1;
                one as Use
            })
        })
    }
}

/// Pairs of uses, sorted.
pub(crate) type Pairs = Vec<(Use, Use)>;

/// A part of a path within one phase.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Piece {
    pub(crate) through: Uses,
    pub(crate) used: Uses,
    pub(crate) acquired: Pairs,
    pub(crate) released: Pairs,
    pub(crate) held: Uses,
}

impl Piece {
    /// The piece of an empty part at a place where these are held.
    pub(crate) fn empty(held: Uses) -> Self {
        Self { through: held, ..Self::default() }
    }

    /// The same, after a use was acquired; `held` before that.
    fn acquiring(&self, one: Use, held: Uses) -> Self {
        let mut piece = self.clone();
        piece.used = piece.used.with(Uses::of(one));
        piece.acquired.extend(held.without(self.through).iter().map(|earlier| (earlier, one)));
        normalize(&mut piece.acquired);
        piece
    }

    fn releasing(&self, one: Use) -> Self {
        let mut piece = self.clone();
        piece.acquired.retain(|(held, _)| *held != one);
        if self.through.has(one) {
            piece.through = self.through.without(Uses::of(one));
            piece.released.extend(self.used.iter().map(|used| (one, used)));
            normalize(&mut piece.released);
        }
        piece
    }

    fn closing(&self, held: Uses) -> Self {
        Self { held, ..self.clone() }
    }

    /// The piece of both parts, which meet where these are held.
    fn then(&self, next: &Self, held: Uses) -> Self {
        let mut acquired = next.acquired.clone();
        acquired.extend(self.acquired.iter().filter(|(own, _)| next.through.has(*own)));
        for own in next.through.without(self.through).iter() {
            acquired.extend(next.used.iter().map(|used| (own, used)));
        }
        normalize(&mut acquired);
        let mut released = self.released.clone();
        released.extend(next.released.iter().filter(|(own, _)| self.through.has(*own)));
        for own in held.common(self.through).without(next.through).iter() {
            released.extend(self.used.iter().map(|used| (own, used)));
        }
        normalize(&mut released);
        Self {
            through: self.through.common(next.through),
            used: self.used.with(next.used),
            acquired,
            released,
            held: next.held,
        }
    }

    /// Whether all its statements are among those of the other piece, and `through` is the same if it is exact.
    fn covers(&self, other: &Self, is_exact: bool) -> bool {
        let through = if is_exact { self.through == other.through } else { self.through.is_part_of(other.through) };
        through
            && self.used.is_part_of(other.used)
            && self.held.is_part_of(other.held)
            && is_subset(&self.acquired, &other.acquired)
            && is_subset(&self.released, &other.released)
    }
}

fn normalize(pairs: &mut Pairs) {
    pairs.sort_unstable();
    pairs.dedup();
}

fn is_subset(part: &[(Use, Use)], whole: &[(Use, Use)]) -> bool {
    part.len() <= whole.len() && part.iter().all(|pair| whole.binary_search(pair).is_ok())
}

/// The number of a piece in [`Segments`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PieceId(u32);

/// The number of a segment in [`Segments`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SegmentId(u32);

/// All pieces and segments of an invariant, each once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Segments {
    pieces: IndexSet<Piece, FxBuildHasher>,
    segments: IndexSet<Vec<PieceId>, FxBuildHasher>,
}

impl Segments {
    fn piece(&mut self, piece: Piece) -> PieceId {
        PieceId(self.pieces.insert_full(piece).0 as u32)
    }

    fn segment(&mut self, pieces: Vec<PieceId>) -> SegmentId {
        SegmentId(self.segments.insert_full(pieces).0 as u32)
    }

    pub(crate) fn pieces_of(&self, id: SegmentId) -> &[PieceId] {
        &self.segments[id.0 as usize]
    }

    pub(crate) fn piece_of(&self, id: PieceId) -> &Piece {
        &self.pieces[id.0 as usize]
    }

    /// The number of its pieces.
    pub(crate) fn length(&self, id: SegmentId) -> usize {
        self.pieces_of(id).len()
    }

    /// The segment of an empty path at the entry of a body.
    pub(crate) fn empty(&mut self, held: Uses) -> SegmentId {
        let piece = self.piece(Piece::empty(held));
        self.segment(vec![piece])
    }

    /// The segment with another last piece.
    fn with_last(&mut self, id: SegmentId, change: impl FnOnce(&Piece) -> Piece) -> SegmentId {
        let mut pieces = self.pieces_of(id).to_vec();
        let Some(last) = pieces.pop() else { return id };
        let changed = change(self.piece_of(last));
        let changed = self.piece(changed);
        pieces.push(changed);
        self.segment(pieces)
    }

    pub(crate) fn acquiring(&mut self, id: SegmentId, one: Use, held: Uses) -> SegmentId {
        self.with_last(id, |piece| piece.acquiring(one, held))
    }

    pub(crate) fn releasing(&mut self, id: SegmentId, one: Use) -> SegmentId {
        self.with_last(id, |piece| piece.releasing(one))
    }

    /// The segment with its last piece closed, and the beginning of the next phase unless it is the last one.
    pub(crate) fn closing(&mut self, id: SegmentId, held: Uses, is_last: bool) -> SegmentId {
        let closed = self.with_last(id, |piece| piece.closing(held));
        if is_last {
            return closed;
        }
        let next = self.piece(Piece::empty(held));
        let mut pieces = self.pieces_of(closed).to_vec();
        pieces.push(next);
        self.segment(pieces)
    }

    /// Both segments, one after the other; they meet where these are held.
    pub(crate) fn composed(&mut self, first: SegmentId, second: SegmentId, held: Uses) -> SegmentId {
        let mut pieces = self.pieces_of(first).to_vec();
        let rest = self.pieces_of(second).to_vec();
        let (Some(last), Some((next, rest))) = (pieces.pop(), rest.split_first()) else { return first };
        let joined = self.piece_of(last).then(self.piece_of(*next), held);
        let joined = self.piece(joined);
        pieces.push(joined);
        pieces.extend(rest);
        self.segment(pieces)
    }

    /// Whether one segment covers another one; `is_closed` if the last pieces of both are closed.
    pub(crate) fn covers(&self, one: SegmentId, other: SegmentId, is_closed: bool) -> bool {
        if one == other {
            return true;
        }
        let (own, others) = (self.pieces_of(one), self.pieces_of(other));
        let last = own.len().saturating_sub(1);
        let mut places = own.iter().zip(others).enumerate();
        own.len() == others.len()
            && places.all(|(place, (own, other))| {
                let is_exact = place == 0 || place == last && !is_closed;
                own == other || self.piece_of(*own).covers(self.piece_of(*other), is_exact)
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pieces of a word of operations, in one go and as two parts that are composed, have the same statements.
    #[test]
    fn composition_says_what_single_steps_say() {
        for_all_words(|word, cut| {
            let run = |word: &[(bool, Use)], piece: Piece, held: &mut Uses| {
                word.iter().fold(piece, |piece, (acquires, one)| {
                    let before = *held;
                    if *acquires {
                        *held = before.with(Uses::of(*one));
                        piece.acquiring(*one, before)
                    } else {
                        *held = before.without(Uses::of(*one));
                        piece.releasing(*one)
                    }
                })
            };
            let mut held = Uses::of(0).with(Uses::of(2));
            let whole = run(word, Piece::empty(held), &mut held.clone());
            let first = run(&word[..cut], Piece::empty(held), &mut held);
            let middle = held;
            let second = run(&word[cut..], Piece::empty(held), &mut held);
            assert_eq!(first.then(&second, middle), whole, "{word:?} cut at {cut}");
        });
    }

    /// Calls the test with words in which locks 0 and 1 are held first and three locks are acquired and released.
    fn for_all_words(mut test: impl FnMut(&[(bool, Use)], usize)) {
        for number in 0..6_u32.pow(6) {
            let mut held = [true, true, false];
            let digits = (0..6).map(|place| number / 6_u32.pow(place) % 6);
            let word: Vec<_> = digits.map(|digit| (digit % 2 == 0, (digit / 2) as usize)).collect();
            let is_possible = word.iter().all(|(acquires, lock)| {
                let was_held = std::mem::replace(&mut held[*lock], *acquires);
                was_held != *acquires
            });
            if is_possible {
                let word: Vec<_> = word.into_iter().map(|(acquires, lock)| (acquires, 2 * lock as Use)).collect();
                (0..=word.len()).for_each(|cut| test(&word, cut));
            }
        }
    }
}
