//! Sequences of bindings, made one at a time.

use eml::model::{LocationId, Model};
use std::collections::BTreeMap;

/// All sequences of one length, in the order in which their elements are offered.
pub(super) struct Sequences<T, F> {
    /// What may follow the beginning of a sequence, in order.
    options: F,
    length: usize,
    chosen: Vec<T>,
    /// For each place up to the present one what is left to choose there.
    left: Vec<std::vec::IntoIter<T>>,
    is_begun: bool,
}

impl<T: Copy, F: Fn(&[T]) -> Vec<T>> Sequences<T, F> {
    /// The sequences of this length in which each element is an option behind those before it. Time and memory for each
    /// are those for as many calls of `options` as there are places; where beginnings have no end, theirs are added.
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

/// For each set of common atomic sets how many sequences of locations there are with these in common.
type Ways = BTreeMap<Vec<u32>, usize>;

/// How many sequences of so many different locations of one atomic set there are, or the greatest number.
///
/// How a sequence can go on depends only on the sets that all its locations have in common and on its length: each
/// location with one of these sets can be next, but for those that are there already, which have all of them. So the
/// sequences of each length are counted by their common sets. Without overlapping sets there is one count for each set.
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

/// How many locations can come after `taken` ones with these sets in common, by what they leave in common. `with_set`
/// are the locations with each set, those with equal sets counted together.
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
