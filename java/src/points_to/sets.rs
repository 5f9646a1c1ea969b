//! Hash-consed points-to sets: sets of small numbers, each stored once.
//!
//! A set is a tree of fixed height: a leaf has 256 bits, an inner node has eight children. Equal nodes are stored once
//! (hash-consing), so equal sets have the same [`SetId`], similar sets share most of their nodes, and a union of sets
//! that differ in few nodes visits only these nodes. Results of recent operations are cached.
//!
//! **Invariants.** Two nodes with the same words have the same number; node 0 is empty at every level. So two sets are
//! equal if and only if their numbers are.
//!
//! Sources: J.-C. Filliâtre and S. Conchon, *Type-safe modular hash-consing* (ML 2006); M. Barbar and Y. Sui, *Hash
//! consed points-to sets* (SAS 2021), who measured that points-to sets of large programs are mostly duplicates.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// The number of a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SetId(u32);

impl SetId {
    /// The empty set.
    pub(super) const EMPTY: Self = Self(0);

    pub(super) fn is_empty(self) -> bool {
        self == Self::EMPTY
    }
}

/// Children of an inner node, and words of a leaf.
const FAN: usize = 8;
/// The same number, for positions.
const FAN_PLACES: u32 = FAN as u32;
/// Bits of a child's position among its siblings.
const FAN_BITS: u32 = FAN.trailing_zeros();
/// Bits of an element's position in a leaf.
const LEAF_BITS: u32 = 8;
/// The level of the root; leaves have level 0.
const TOP: u32 = 4;

/// Elements are less than this.
pub(super) const MOST_ELEMENTS: u32 = 1 << (LEAF_BITS + TOP * FAN_BITS);

/// Number of entries of the cache of operations.
const CACHE_SIZE: usize = 1 << 19;

type Words = [u32; FAN];

/// A binary operation on sets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Operation {
    Union,
    Intersection,
    Difference,
}

/// A cached operation on two nodes, with its result.
#[derive(Clone, Copy)]
struct CacheEntry {
    left: u32,
    right: u32,
    /// The operation and the level.
    what: u32,
    result: u32,
}

impl CacheEntry {
    const EMPTY: Self = Self { left: 0, right: 0, what: u32::MAX, result: 0 };
}

/// All nodes of all sets.
pub(super) struct Sets {
    nodes: Vec<Words>,
    free: Vec<u32>,
    table: HashTable<u32>,
    cache: Box<[CacheEntry]>,
}

impl Sets {
    pub(super) fn new() -> Self {
        let mut sets = Self {
            nodes: Vec::new(),
            free: Vec::new(),
            table: HashTable::new(),
            cache: vec![CacheEntry::EMPTY; CACHE_SIZE].into(),
        };
        sets.intern([0; FAN]);
        sets
    }

    /// Number of nodes of all sets.
    pub(super) fn nodes(&self) -> usize {
        self.nodes.len() - self.free.len()
    }

    fn intern(&mut self, words: Words) -> u32 {
        let hash = hash(&words);
        if let Some(known) = self.table.find(hash, |node| self.nodes[*node as usize] == words) {
            return *known;
        }
        let node = match self.free.pop() {
            Some(node) => {
                self.nodes[node as usize] = words;
                node
            }
            None => {
                let node = u32::try_from(self.nodes.len()).expect("the nodes of sets are limited");
                self.nodes.push(words);
                node
            }
        };
        let nodes = &self.nodes;
        self.table.insert_unique(hash, node, |node| self::hash(&nodes[*node as usize]));
        node
    }

    /// Returns the set of one element.
    pub(super) fn one(&mut self, element: u32) -> SetId {
        debug_assert!(element < MOST_ELEMENTS);
        let mut words = [0; FAN];
        let bit = element & ((1 << LEAF_BITS) - 1);
        words[(bit / 32) as usize] = 1 << (bit % 32);
        let mut node = self.intern(words);
        for level in 1..=TOP {
            let mut words = [0; FAN];
            words[child_of(element, level)] = node;
            node = self.intern(words);
        }
        SetId(node)
    }

    /// Returns the set of these elements. It is built from the leaves up, with one lookup for each node.
    pub(super) fn of(&mut self, elements: impl IntoIterator<Item = u32>) -> SetId {
        let mut elements: Vec<u32> = elements.into_iter().collect();
        elements.sort_unstable();
        debug_assert!(elements.last().is_none_or(|last| *last < MOST_ELEMENTS));
        // The words of a level that are not zero, with their positions among all words of this level.
        let mut words: Vec<(u32, u32)> = Vec::new();
        for element in elements {
            let (place, bit) = (element / 32, 1 << (element % 32));
            match words.last_mut() {
                Some((last, word)) if *last == place => *word |= bit,
                _ => words.push((place, bit)),
            }
        }
        for _ in 0..=TOP {
            let nodes = words.chunk_by(|(left, _), (right, _)| left / FAN_PLACES == right / FAN_PLACES);
            let above = nodes.map(|node| {
                let mut all = [0; FAN];
                node.iter().for_each(|(place, word)| all[(place % FAN_PLACES) as usize] = *word);
                (node[0].0 / FAN_PLACES, all)
            });
            let above = above.collect::<Vec<_>>();
            words = above.into_iter().map(|(place, node)| (place, self.intern(node))).collect();
        }
        words.first().map_or(SetId::EMPTY, |(_, root)| SetId(*root))
    }

    /// Returns a set with one more element.
    pub(super) fn with(&mut self, set: SetId, element: u32) -> SetId {
        if self.contains(set, element) {
            return set;
        }
        let one = self.one(element);
        self.union(set, one)
    }

    pub(super) fn contains(&self, set: SetId, element: u32) -> bool {
        let mut node = set.0;
        for level in (1..=TOP).rev() {
            node = self.nodes[node as usize][child_of(element, level)];
        }
        let bit = element & ((1 << LEAF_BITS) - 1);
        self.nodes[node as usize][(bit / 32) as usize] >> (bit % 32) & 1 == 1
    }

    pub(super) fn union(&mut self, left: SetId, right: SetId) -> SetId {
        let (left, right) = if left.0 < right.0 { (left, right) } else { (right, left) };
        SetId(self.apply(Operation::Union, TOP, left.0, right.0))
    }

    pub(super) fn intersection(&mut self, left: SetId, right: SetId) -> SetId {
        SetId(self.apply(Operation::Intersection, TOP, left.0, right.0))
    }

    /// Returns the elements of the first set that are not in the second one.
    pub(super) fn difference(&mut self, left: SetId, right: SetId) -> SetId {
        SetId(self.apply(Operation::Difference, TOP, left.0, right.0))
    }

    /// Applies an operation to two nodes of a level. The recursion is as deep as the tree: [`TOP`].
    fn apply(&mut self, operation: Operation, level: u32, left: u32, right: u32) -> u32 {
        match operation {
            Operation::Union if left == right || right == 0 => return left,
            Operation::Union if left == 0 => return right,
            Operation::Intersection if left == right => return left,
            Operation::Intersection if left == 0 || right == 0 => return 0,
            Operation::Difference if left == right || left == 0 => return 0,
            Operation::Difference if right == 0 => return left,
            Operation::Union | Operation::Intersection | Operation::Difference => {}
        }
        if level == 0 {
            return self.apply_to_leaves(operation, left, right);
        }
        let what = operation as u32 * (TOP + 1) + level;
        let place = cache_index(left, right, what);
        let known = self.cache[place];
        if (known.left, known.right, known.what) == (left, right, what) {
            return known.result;
        }
        let [lefts, rights] = [left, right].map(|node| self.nodes[node as usize]);
        let mut words = [0; FAN];
        for (word, (left, right)) in words.iter_mut().zip(lefts.into_iter().zip(rights)) {
            *word = self.apply(operation, level - 1, left, right);
        }
        let result = self.intern_near(words, [(left, lefts), (right, rights)]);
        self.cache[place] = CacheEntry { left, right, what, result };
        result
    }

    fn apply_to_leaves(&mut self, operation: Operation, left: u32, right: u32) -> u32 {
        let [lefts, rights] = [left, right].map(|node| self.nodes[node as usize]);
        let word = |index: usize| match operation {
            Operation::Union => lefts[index] | rights[index],
            Operation::Intersection => lefts[index] & rights[index],
            Operation::Difference => lefts[index] & !rights[index],
        };
        self.intern_near(std::array::from_fn(word), [(left, lefts), (right, rights)])
    }

    /// Returns the node with these words. Often it is one of the operands (a union that adds nothing, a difference that
    /// removes nothing); then the hash table is not used.
    fn intern_near(&mut self, words: Words, operands: [(u32, Words); 2]) -> u32 {
        match operands.into_iter().find(|(_, operand)| *operand == words) {
            Some((node, _)) => node,
            None => self.intern(words),
        }
    }

    /// Whether two sets have an element in common.
    pub(super) fn intersects(&self, left: SetId, right: SetId) -> bool {
        self.nodes_intersect(TOP, left.0, right.0)
    }

    fn nodes_intersect(&self, level: u32, left: u32, right: u32) -> bool {
        if left == 0 || right == 0 || left == right {
            return left == right && left != 0;
        }
        let [lefts, rights] = [left, right].map(|node| &self.nodes[node as usize]);
        let mut pairs = lefts.iter().zip(rights);
        match level {
            0 => pairs.any(|(left, right)| left & right != 0),
            _ => pairs.any(|(left, right)| self.nodes_intersect(level - 1, *left, *right)),
        }
    }

    /// The elements in ascending order.
    pub(super) fn elements(&self, set: SetId) -> Elements<'_> {
        let open = if set.is_empty() { Vec::new() } else { vec![(set.0, TOP, 0)] };
        Elements { sets: self, open, word: 0, base: 0 }
    }

    /// The number of elements.
    pub(super) fn len(&self, set: SetId) -> usize {
        let mut open = vec![(set.0, TOP)];
        let mut count = 0;
        while let Some((node, level)) = open.pop() {
            let words = &self.nodes[node as usize];
            match level {
                0 => count += words.iter().map(|word| word.count_ones() as usize).sum::<usize>(),
                _ => open.extend(words.iter().filter(|child| **child != 0).map(|child| (*child, level - 1))),
            }
        }
        count
    }

    /// Whether a set has more elements than this.
    pub(super) fn is_larger(&self, set: SetId, than: usize) -> bool {
        self.elements(set).nth(than).is_some()
    }

    /// Drops all nodes except those of the given sets, which keep their numbers.
    pub(super) fn keep_only(&mut self, sets: impl IntoIterator<Item = SetId>) {
        let mut marks = vec![0_u8; self.nodes.len()];
        marks[0] = u8::MAX;
        for set in sets {
            self.mark(&mut marks, set);
        }
        let nodes = &self.nodes;
        self.table.retain(|node| marks[*node as usize] != 0);
        self.free = (0..).zip(nodes).zip(&marks).filter(|(_, mark)| **mark == 0).map(|((node, _), _)| node).collect();
        self.cache.fill(CacheEntry::EMPTY);
    }

    /// Marks the nodes of a set; a node can occur on several levels, as a leaf and as an inner node.
    fn mark(&self, marks: &mut [u8], set: SetId) {
        let mut open = vec![(set.0, TOP)];
        while let Some((node, level)) = open.pop() {
            let mark = &mut marks[node as usize];
            if *mark >> level & 1 == 1 {
                continue;
            }
            *mark |= 1 << level;
            if level > 0 {
                open.extend(self.nodes[node as usize].iter().map(|child| (*child, level - 1)));
            }
        }
    }
}

/// The elements of a set.
pub(super) struct Elements<'s> {
    sets: &'s Sets,
    /// A stack of the nodes to visit, with their levels and first elements.
    open: Vec<(u32, u32, u32)>,
    word: u32,
    base: u32,
}

impl Iterator for Elements<'_> {
    type Item = u32;

    fn next(&mut self) -> Option<u32> {
        while self.word == 0 {
            let (node, level, base) = self.open.pop()?;
            if level == u32::MAX {
                (self.word, self.base) = (node, base);
                continue;
            }
            let words = &self.sets.nodes[node as usize];
            let (below, width) = match level {
                // The words of a leaf have no level.
                0 => (u32::MAX, 32),
                _ => (level - 1, 1 << (LEAF_BITS + (level - 1) * FAN_BITS)),
            };
            let children = (0..FAN as u32).zip(words).rev().filter(|(_, word)| **word != 0);
            self.open.extend(children.map(|(place, word)| (*word, below, base + place * width)));
        }
        let bit = self.word.trailing_zeros();
        self.word &= self.word - 1;
        Some(self.base + bit)
    }
}

/// Returns the position of the child that has an element, in a node of a level.
fn child_of(element: u32, level: u32) -> usize {
    (element >> (LEAF_BITS + (level - 1) * FAN_BITS)) as usize % FAN
}

fn hash(words: &Words) -> u64 {
    let mut hasher = FxHasher::default();
    words.hash(&mut hasher);
    hasher.finish()
}

fn cache_index(left: u32, right: u32, what: u32) -> usize {
    let mut hasher = FxHasher::default();
    (left, right, what).hash(&mut hasher);
    usize::try_from(hasher.finish() >> 32).expect("32 bits fit") % CACHE_SIZE
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn random(random: &mut fastrand::Rng) -> BTreeSet<u32> {
        let limit = [10, 1000, MOST_ELEMENTS][random.usize(..3)];
        (0..random.usize(..60)).map(|_| random.u32(..limit)).collect()
    }

    #[test]
    fn operations_agree_with_those_of_ordered_sets() {
        let mut random_numbers = fastrand::Rng::with_seed(1);
        let mut sets = Sets::new();
        let mut kept: Vec<(SetId, BTreeSet<u32>)> = Vec::new();
        for round in 0..2000 {
            let [left, right] = [random(&mut random_numbers), random(&mut random_numbers)];
            let [l, r] = [&left, &right].map(|set| sets.of(set.iter().copied()));
            let results = [
                (l, left.clone()),
                (sets.union(l, r), left.union(&right).copied().collect()),
                (sets.intersection(l, r), left.intersection(&right).copied().collect()),
                (sets.difference(l, r), left.difference(&right).copied().collect()),
            ];
            assert_eq!(sets.intersects(l, r), !left.is_disjoint(&right));
            for (set, expected) in results {
                assert!(sets.elements(set).eq(expected.iter().copied()));
                assert_eq!(sets.len(set), expected.len());
                assert_eq!(sets.of(expected.iter().copied()), set, "one set has one number");
                assert!(expected.iter().all(|element| sets.contains(set, *element)));
                kept.push((set, expected));
            }
            if round % 500 == 0 {
                sets.keep_only(kept.iter().map(|(set, _)| *set));
            }
        }
        for (set, expected) in kept {
            assert!(sets.elements(set).eq(expected.iter().copied()));
        }
    }

    #[test]
    fn nodes_that_no_set_needs_are_used_again() {
        let mut sets = Sets::new();
        let kept = sets.of([7]);
        let before = sets.nodes();
        sets.of((0..1000).map(|element| element * 900));
        sets.keep_only([kept]);
        assert_eq!(sets.nodes(), before);
        assert_eq!(sets.of([7]), kept);
    }
}
