//! Sequences of bindings, made one at a time.

use eml::model::{LocationId, Model};
use std::collections::BTreeMap;

/// All sequences of one length, in the order of their options.
pub(super) struct Sequences<T, F> {
    /// The possible next elements of a sequence, in order.
    options: F,
    length: usize,
    chosen: Vec<T>,
    /// For each place up to the present one, the options that remain.
    left: Vec<std::vec::IntoIter<T>>,
    is_begun: bool,
}

impl<T: Copy, F: Fn(&[T]) -> Vec<T>> Sequences<T, F> {
    /// The sequences of this length in which each element is an option after those before it. Each takes the time and
    /// memory of one call of `options` for each place, plus those for partial sequences that cannot be completed.
    pub(super) fn new(length: usize, options: F) -> Self {
        Self { options, length, chosen: Vec::new(), left: Vec::new(), is_begun: false }
    }
}

impl<T: Copy, F: Fn(&[T]) -> Vec<T>> Iterator for Sequences<T, F> {
    type Item = Vec<T>;

    fn next(&mut self) -> Option<Vec<T>> {
        if !std::mem::replace(&mut self.is_begun, true) {
            if self.length == 0 {
                return Some(Vec::new());
            }
            self.left.push((self.options)(&[]).into_iter());
        }
        loop {
            let place = self.left.len().checked_sub(1)?;
            self.chosen.truncate(place);
            match self.left[place].next() {
                None => drop(self.left.pop()),
                Some(next) => {
                    self.chosen.push(next);
                    if self.chosen.len() == self.length {
                        return Some(self.chosen.clone());
                    }
                    self.left.push((self.options)(&self.chosen).into_iter());
                }
            }
        }
    }
}

/// For each set of common atomic sets, the number of sequences of locations that have these in common.
type Ways = BTreeMap<Vec<u32>, usize>;

/// The number of sequences of `length` different locations of one atomic set, or the greatest number.
///
/// The extensions of a sequence depend only on its length and on the sets that all its locations have in common: each
/// location with one of these sets can be next, except those of the sequence, which have all of them. So the sequences
/// of each length are counted by their common sets. Without overlapping sets there is one count for each set.
pub(super) fn count_locations(model: &Model, length: usize) -> usize {
    if length == 0 {
        return 1;
    }
    let mut singles = Ways::new();
    for location in (0..model.locations().len()).map(LocationId::new) {
        *singles.entry(model.sets_of(location).to_vec()).or_default() += 1;
    }
    let mut with_set = vec![Vec::new(); model.atomic_sets().len()];
    for class in &singles {
        class.0.iter().for_each(|set| with_set[*set as usize].push(class));
    }
    let mut ways = singles.clone();
    for taken in 1..length {
        let mut longer = Ways::new();
        for (common, ways) in &ways {
            for (left, locations) in offered(common, taken, &with_set) {
                let sum = longer.entry(left).or_default();
                *sum = sum.saturating_add(ways.saturating_mul(locations));
            }
        }
        ways = longer;
    }
    ways.into_values().fold(0, usize::saturating_add)
}

/// The number of locations that can come after `taken` ones with these common sets, by the sets that remain common.
/// `with_set` has the locations of each set; those with equal sets are counted together.
fn offered(common: &[u32], taken: usize, with_set: &[Vec<(&Vec<u32>, &usize)>]) -> Ways {
    let mut next: Vec<_> = common.iter().flat_map(|set| &with_set[*set as usize]).copied().collect();
    next.sort_unstable();
    next.dedup();
    let mut offered = Ways::new();
    for (sets, locations) in next {
        let left = common.iter().filter(|set| sets.binary_search(set).is_ok()).copied().collect();
        *offered.entry(left).or_default() += locations;
    }
    offered.entry(common.to_vec()).and_modify(|locations| *locations = locations.saturating_sub(taken));
    offered
}
