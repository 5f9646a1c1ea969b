//! Interned slices.

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// Slices of items, stored next to each other; equal numbers are equal slices.
#[derive(Clone, Debug)]
pub(super) struct Slices<T> {
    items: Vec<T>,
    /// The end of each slice, where the next one begins.
    ends: Vec<u32>,
    index: HashTable<u32>,
}

/// The empty slice, with number 0.
impl<T> Default for Slices<T> {
    fn default() -> Self {
        Self::with_reserved(1)
    }
}

impl<T> Slices<T> {
    /// Reserves the first `count` numbers, at least one: the empty slice has number 0; `intern` never returns the
    /// others, and they have no items.
    pub(super) fn with_reserved(count: usize) -> Self {
        Self { items: Vec::new(), ends: vec![0; count], index: HashTable::new() }
    }
}

impl<T: Copy + Eq + Hash> Slices<T> {
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// An estimate of the bytes that this takes.
    pub(super) fn size(&self) -> usize {
        self.items.len() * size_of::<T>() + self.ends.len() * 2 * size_of::<u32>()
    }

    pub(super) fn get(&self, number: u32) -> &[T] {
        slice(&self.items, &self.ends, number)
    }

    /// Returns the number of a slice, which is new if needed. Expected time linear in the length of the slice.
    pub(super) fn intern(&mut self, wanted: &[T]) -> u32 {
        if wanted.is_empty() {
            return 0;
        }
        let Self { items, ends, index } = self;
        let hash = hash_of(wanted);
        if let Some(number) = index.find(hash, |number| slice(items, ends, *number) == wanted) {
            return *number;
        }
        let number = u32::try_from(ends.len()).expect("fewer than 2^32 slices");
        items.extend_from_slice(wanted);
        ends.push(u32::try_from(items.len()).expect("fewer than 2^32 items"));
        index.insert_unique(hash, number, |number| hash_of(slice(items, ends, *number)));
        number
    }

    /// Removes the slices from this number on.
    pub(super) fn truncate(&mut self, count: usize) {
        let Self { items, ends, index } = self;
        for number in count as u32..ends.len() as u32 {
            let hash = hash_of(slice(items, ends, number));
            if let Ok(entry) = index.find_entry(hash, |other| *other == number) {
                entry.remove();
            }
        }
        ends.truncate(count);
        items.truncate(ends.last().map_or(0, |end| *end as usize));
    }
}

fn slice<'a, T>(items: &'a [T], ends: &[u32], number: u32) -> &'a [T] {
    let start = number.checked_sub(1).map_or(0, |before| ends[before as usize]);
    &items[start as usize..ends[number as usize] as usize]
}

fn hash_of<T: Hash>(slice: &[T]) -> u64 {
    let mut hasher = FxHasher::default();
    slice.hash(&mut hasher);
    hasher.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_slices_have_equal_numbers_until_they_are_taken_away() {
        let mut slices = Slices::default();
        let numbers = [&[3, 1][..], &[1], &[], &[3, 1], &[3]].map(|wanted| slices.intern(wanted));
        assert_eq!(numbers, [1, 2, 0, 1, 3]);
        assert_eq!(
            numbers.map(|number| slices.get(number).to_vec()),
            [vec![3, 1], vec![1], vec![], vec![3, 1], vec![3]]
        );
        slices.truncate(2);
        assert_eq!((slices.len(), slices.intern(&[3]), slices.intern(&[1]), slices.intern(&[3, 1])), (2, 2, 3, 1));
    }
}
