//! Interned heads: pairs of an automaton state and a stack symbol, numbered in the order of their first use.

use crate::index::{Head, State, Symbol};
use hashbrown::HashTable;

/// Hashes two words: multiplies them by an odd constant, and folds the high half into the low one.
pub(crate) fn hash_words(high: u32, low: u32) -> u64 {
    let word = (u64::from(high) << 32 | u64::from(low)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    word ^ (word >> 32)
}

/// Number of consecutive control states that share a block of a [`Dense`] table. A greater number means fewer blocks
/// with more unused entries.
const BLOCK: usize = 16;

/// Upper bound on the blocks of a [`Dense`] table.
const BLOCKS: usize = 1 << 22;

/// A bijection between heads and their numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Heads {
    pairs: Vec<(State, Symbol)>,
    dense: Dense,
    /// The heads that are not in `dense`.
    table: HashTable<Head>,
}

/// The heads of a known number of control states and symbols: a table with direct access that grows with the heads.
#[derive(Clone, Debug, Default)]
struct Dense {
    controls: usize,
    /// Number of control states that share a block: `BLOCK`, or all.
    size: usize,
    symbols: usize,
    /// By symbol, then by control state divided by `size`, the number of the block plus one; 0 for none. Its length is
    /// that of the greatest symbol used.
    blocks: Vec<u32>,
    /// By block, then by control state, the number of the head plus one; 0 for none.
    numbers: Vec<u32>,
}

impl Dense {
    /// Returns an empty table; it stays empty if it would have more than [`BLOCKS`] blocks.
    fn new(controls: usize, symbols: usize) -> Self {
        let size = controls.clamp(1, BLOCK);
        let count = controls.div_ceil(size).checked_mul(symbols);
        let (controls, symbols) = if count.is_some_and(|count| count <= BLOCKS) { (controls, symbols) } else { (0, 0) };
        Self { controls, size, symbols, ..Self::default() }
    }

    /// Returns the position of a head's block, and its position in the block, if the table is responsible for the head.
    fn place(&self, state: State, symbol: Symbol) -> Option<(usize, usize)> {
        let control = state.as_control()?.index();
        let is_inside = control < self.controls && symbol.index() < self.symbols;
        is_inside
            .then(|| (symbol.index() * self.controls.div_ceil(self.size) + control / self.size, control % self.size))
    }

    /// The number of a head plus one, or 0.
    fn get(&self, (block, offset): (usize, usize)) -> u32 {
        match self.blocks.get(block) {
            None | Some(0) => 0,
            Some(number) => self.numbers[(*number as usize - 1) * self.size + offset],
        }
    }

    /// The same for writing; adds the block if it is new.
    fn get_mut(&mut self, (block, offset): (usize, usize)) -> &mut u32 {
        if self.blocks.len() <= block {
            self.blocks.resize(block + 1, 0);
        }
        let number = &mut self.blocks[block];
        if *number == 0 {
            self.numbers.resize(self.numbers.len() + self.size, 0);
            *number = (self.numbers.len() / self.size) as u32;
        }
        let first = (*number as usize - 1) * self.size;
        &mut self.numbers[first + offset]
    }
}

impl Heads {
    /// Returns an empty bijection that is fast for heads of this number of control states and symbols.
    pub(crate) fn with_size(controls: usize, symbols: usize) -> Self {
        Self { dense: Dense::new(controls, symbols), ..Self::default() }
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
            return self.dense.get(place).checked_sub(1).map(Head::new);
        }
        let same = |head: &Head| self.pairs[head.index()] == (state, symbol);
        self.table.find(hash_words(state.word(), symbol.index() as u32), same).copied()
    }

    /// Returns the number of a pair; adds it if it is new. Expected constant time.
    pub(crate) fn intern(&mut self, state: State, symbol: Symbol) -> Head {
        if let Some(place) = self.dense.place(state, symbol) {
            let number = self.dense.get_mut(place);
            if *number == 0 {
                self.pairs.push((state, symbol));
                *number = u32::try_from(self.pairs.len()).expect("fewer than 2^32 heads");
            }
            return Head::new(*number - 1);
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
        let (mut dense, mut sparse) = (Heads::with_size(40, 5), Heads::default());
        for number in [7, 0, 3, 7, 111, 2, 129, 231, 0, 129, 114, 231, 41] {
            let (state, symbol) = (State::control(Control::new(number % 44)), Symbol::new(number / 44));
            assert_eq!(dense.find(state, symbol), sparse.find(state, symbol));
            let head = dense.intern(state, symbol);
            assert_eq!(head, sparse.intern(state, symbol));
            assert_eq!((dense.pair(head), dense.find(state, symbol)), ((state, symbol), Some(head)));
        }
        assert_eq!(dense.find(State::control(Control::new(0)), Symbol::EPSILON), None);
        assert!(!dense.table.is_empty() && dense.table.len() < sparse.table.len());
    }

    #[test]
    fn the_table_grows_with_the_heads() {
        let mut heads = Heads::with_size(1000, 10_000);
        assert_eq!(heads.dense.numbers.len() + heads.dense.blocks.len(), 0);
        heads.intern(State::control(Control::new(999)), Symbol::new(3));
        assert_eq!((heads.dense.numbers.len(), heads.dense.blocks.len()), (BLOCK, 4 * 63));
        let huge = Heads::with_size(usize::MAX, 2);
        assert_eq!((huge.dense.controls, huge.dense.symbols), (0, 0));
    }
}
