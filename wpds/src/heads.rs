//! Interned heads: pairs of an automaton state and a stack symbol, numbered in the order of their first use.

use crate::index::{Head, State, Symbol};
use hashbrown::HashTable;

/// Mixes two words into a hash; multiplication by an odd constant, the high half folded into the low one.
pub(crate) fn hash_words(high: u32, low: u32) -> u64 {
    let word = (u64::from(high) << 32 | u64::from(low)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word ^ (word >> 32)
}

/// A bijection between heads and their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heads {
    pairs: Vec<(State, Symbol)>,
    table: HashTable<Head>,
}

impl Heads {
    pub(crate) fn len(&self) -> usize {
        self.pairs.len()
    }

    pub(crate) fn pair(&self, head: Head) -> (State, Symbol) {
        self.pairs[head.index()]
    }

    /// The number of a pair, if it has one.
    pub(crate) fn find(&self, state: State, symbol: Symbol) -> Option<Head> {
        let same = |head: &Head| self.pairs[head.index()] == (state, symbol);
        self.table.find(hash_words(state.word(), symbol.index() as u32), same).copied()
    }

    /// The number of a pair, new if need be. Expected constant time.
    pub(crate) fn intern(&mut self, state: State, symbol: Symbol) -> Head {
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
