//! Sequences of bindings, made one at a time.

use crate::model::{LocationId, Model};
use rustc_hash::FxHashMap;

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
    /// The sequences of this length in which each element is an option behind those before it. Time and memory for each are those
    /// for as many calls of `options` as there are places; where beginnings have no end, theirs are added.
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

/// How many sequences of so many different locations of one atomic set there are, or the greatest number.
///
/// Locations that are in the same sets can stand for each other. So it is enough to list the sequences of such *classes* whose
/// sets have one in common; a class at its second place has one location fewer to offer, and so on. Without overlapping sets
/// there is one class for each set, and one sequence.
pub(super) fn count_locations(model: &Model, length: usize) -> usize {
    let mut classes: FxHashMap<&[u32], usize> = FxHashMap::default();
    for location in (0..model.locations().len()).map(LocationId::new) {
        *classes.entry(model.sets_of(location)).or_default() += 1;
    }
    let classes: Vec<(&[u32], usize)> = classes.into_iter().collect();
    let mut classes_of = vec![Vec::new(); model.atomic_sets().len()];
    for (number, (sets, _)) in classes.iter().enumerate() {
        sets.iter().for_each(|set| classes_of[*set as usize].push(number));
    }
    let options = |chosen: &[usize]| {
        let Some(first) = chosen.first() else { return (0..classes.len()).collect() };
        let is_common = |set: &&u32| chosen.iter().all(|class| classes[*class].0.contains(set));
        let mut next: Vec<_> =
            classes[*first].0.iter().filter(is_common).flat_map(|set| &classes_of[*set as usize]).copied().collect();
        next.sort_unstable();
        next.dedup();
        next.retain(|class| chosen.iter().filter(|own| *own == class).count() < classes[*class].1);
        next
    };
    let ways = |sequence: Vec<usize>| {
        let offered = sequence.iter().enumerate().map(|(place, class)| {
            let taken = sequence[..place].iter().filter(|own| *own == class).count();
            classes[*class].1 - taken
        });
        offered.fold(1_usize, usize::saturating_mul)
    };
    Sequences::new(length, options).map(ways).fold(0, usize::saturating_add)
}
