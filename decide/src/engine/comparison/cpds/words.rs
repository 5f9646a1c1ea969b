//! Path languages by their prefixes: words up to a length, complete or cut.
//!
//! A *complete* word is the word of a path. A *cut* word has the maximal length and stands for all words that continue
//! it. Taking prefixes is a congruence of concatenation, so the words are a monoid, and a finite one. (Bouajjani,
//! Esparza, Touili 2003 and Chaki et al. 2006 call this the prefix abstraction.)

use crate::engine::comparison::finite_sets::{FiniteSets, Monoid};

/// Sets of words.
pub(super) type WordSets = FiniteSets<Words>;

/// The number of a letter in the alphabet of its process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Letter(u32);

impl Letter {
    pub(super) fn new(index: usize) -> Self {
        Self(u32::try_from(index).expect("fewer than 2^32 letters"))
    }

    pub(super) fn index(self) -> usize {
        self.0 as usize
    }
}

/// A word or a prefix of words.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Word {
    pub(super) letters: Vec<Letter>,
    /// Whether it is a proper prefix.
    pub(super) is_cut: bool,
}

/// The monoid of words with at most `length` letters.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    pub(super) length: usize,
}

impl Monoid for Words {
    type Element = Word;

    const IS_ORDERED: bool = false;

    fn unit(&self) -> Word {
        Word { letters: Vec::new(), is_cut: false }
    }

    fn product(&self, left: &Word, right: &Word) -> Word {
        if left.is_cut {
            return left.clone();
        }
        let mut letters = [&left.letters[..], &right.letters].concat();
        let is_cut = right.is_cut || letters.len() > self.length;
        letters.truncate(self.length);
        Word { letters, is_cut }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_are_a_congruence() {
        let all =
            |length: usize| (0..1 << length).map(move |bits: usize| (0..length).map(|at| bits >> at & 1).collect());
        let words: Vec<Vec<usize>> = (0..=4).flat_map(all).collect();
        for length in 1..4 {
            let monoid = Words { length };
            let prefix = |word: &[usize]| {
                let one = |letter: &usize| Word { letters: vec![Letter::new(*letter)], is_cut: false };
                word.iter().map(one).fold(monoid.unit(), |front, next| monoid.product(&front, &next))
            };
            for (left, right) in words.iter().flat_map(|left| words.iter().map(move |right| (left, right))) {
                let whole = prefix(&[&left[..], right].concat());
                assert_eq!(monoid.product(&prefix(left), &prefix(right)), whole);
                assert_eq!(whole.is_cut, left.len() + right.len() > length);
            }
        }
    }
}
