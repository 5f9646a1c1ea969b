//! Interned heads: pairs of an automaton state and a stack symbol, numbered in the order of their first use.

use crate::index::{Head, State, Symbol};
use hashbrown::HashTable;

/// Mixes two words into a hash; multiplication by an odd constant, the high half folded into the low one.
pub(crate) fn hash_words(high: u32, low: u32) -> u64 {
    let word = (u64::from(high) << 32 | u64::from(low)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word ^ (word >> 32)
}

/// The most entries of a [`Dense`] table.
const DENSE: usize = 1 << 26;

/// A bijection between heads and their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heads {
    pairs: Vec<(State, Symbol)>,
    dense: Dense,
    /// The heads that are not in `dense`.
    table: HashTable<Head>,
}

/// The heads of so many control states and symbols, without a search.
#[derive(Clone, Debug, Default)]
struct Dense {
    controls: usize,
    /// By symbol, then by control state, the number of the head plus one; 0 where there is none. Pages of the table are
    /// touched when their heads are.
    numbers: Vec<u32>,
}

impl Dense {
    fn place(&self, state: State, symbol: Symbol) -> Option<usize> {
        let control = state.as_control()?.index();
        let place = symbol.index().checked_mul(self.controls)? + control;
        (control < self.controls && place < self.numbers.len()).then_some(place)
    }
}

impl Heads {
    /// Numbers heads of mostly so many control states and symbols.
    pub(crate) fn with_size(controls: usize, symbols: usize) -> Self {
        let count = controls.checked_mul(symbols).filter(|count| *count <= DENSE).unwrap_or(0);
        Self { dense: Dense { controls, numbers: vec![0; count] }, ..Self::default() }
    }

    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    pub(crate) fn pair(&self, head: Head) -> (State, Symbol) {
        self.pairs[head.index()]
    }

    /// The number of a pair, if it has one.
    pub(crate) fn find(&self, state: State, symbol: Symbol) -> Option<Head> {
        if let Some(place) = self.dense.place(state, symbol) {
            return self.dense.numbers[place].checked_sub(1).map(Head::new);
        }
        let same = |head: &Head| self.pairs[head.index()] == (state, symbol);
        self.table.find(hash_words(state.word(), symbol.index() as u32), same).copied()
    }

    /// The number of a pair, new if need be. Expected constant time.
    pub(crate) fn intern(&mut self, state: State, symbol: Symbol) -> Head {
        if let Some(place) = self.dense.place(state, symbol) {
            if self.dense.numbers[place] == 0 {
                self.pairs.push((state, symbol));
                self.dense.numbers[place] = u32::try_from(self.pairs.len()).expect("fewer than 2^32 heads");
            }
            return Head::new(self.dense.numbers[place] - 1);
        }
        let pairs = &self.pairs;
        let hash = |head: &Head| {
            let (state, symbol) = pairs[head.index()];
            hash_words(state.word(), symbol.index() as u32)
        };
        let same = |head: &Head| pairs[head.index()] == (state, symbol);
        match self.table.entry(hash_words(state.word(), symbol.index() as u32), same, hash) {
            hashbrown::hash_table::Entry::Occupied(entry) => *entry.get(),
            hashbrown::hash_table::Entry::Vacant(entry) => {
                let head = Head::new(u32::try_from(pairs.len()).expect("fewer than 2^32 heads"));
                entry.insert(head);
                self.pairs.push((state, symbol));
                head
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Control;

    #[test]
    fn numbers_are_the_same_with_and_without_a_table() {
        let (mut dense, mut sparse) = (Heads::with_size(3, 5), Heads::default());
        for number in [7, 0, 3, 7, 11, 2, 29, 31, 0, 29, 14] {
            let (state, symbol) = (State::control(Control::new(number % 4)), Symbol::new(number / 4));
            assert_eq!(dense.find(state, symbol), sparse.find(state, symbol));
            let head = dense.intern(state, symbol);
            assert_eq!(head, sparse.intern(state, symbol));
            assert_eq!((dense.pair(head), dense.find(state, symbol)), ((state, symbol), Some(head)));
        }
        assert_eq!(dense.find(State::control(Control::new(0)), Symbol::EPSILON), None);
    }
}
