//! The sets of locations that share an invariant.

use super::declarations::AtomicSet;
use super::ids::LocationId;

/// The atomic sets of a model, completed for locations in no declared set: if no set is declared, all locations form
/// one set; otherwise each location in no declared set forms a set of its own.
#[derive(Clone, Debug, Default)]
pub(super) struct AtomicSets {
    sets: Vec<AtomicSet>,
    /// For each location the indices of the sets that contain it, ascending.
    sets_of: Vec<Vec<u32>>,
}

impl AtomicSets {
    /// Completes the declared sets of a model with this many locations.
    pub(super) fn new(declared: Vec<AtomicSet>, locations: usize) -> Self {
        let mut this = Self { sets: Vec::new(), sets_of: vec![Vec::new(); locations] };
        let all = (0..locations).map(LocationId::new);
        if declared.is_empty() && locations > 0 {
            this.add(AtomicSet { name: None, members: all.collect() });
            return this;
        }
        declared.into_iter().for_each(|set| this.add(set));
        for location in all {
            if this.sets_of[location.index()].is_empty() {
                this.add(AtomicSet { name: None, members: vec![location] });
            }
        }
        this
    }

    fn add(&mut self, set: AtomicSet) {
        let index = self.sets.len() as u32;
        for member in &set.members {
            self.sets_of[member.index()].push(index);
        }
        self.sets.push(set);
    }

    /// Returns all sets: the declared ones in order, then the others.
    pub(super) fn sets(&self) -> &[AtomicSet] {
        &self.sets
    }

    /// Returns the indices of the sets that contain a location, ascending.
    pub(super) fn sets_of(&self, location: LocationId) -> &[u32] {
        &self.sets_of[location.index()]
    }

    /// Whether two locations are equal or in a common set.
    pub(super) fn related(&self, a: LocationId, b: LocationId) -> bool {
        let (of_a, of_b) = (&self.sets_of[a.index()], &self.sets_of[b.index()]);
        let (few, many) = if of_a.len() < of_b.len() { (of_a, of_b) } else { (of_b, of_a) };
        a == b || few.iter().any(|set| many.binary_search(set).is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(members: &[usize]) -> AtomicSet {
        AtomicSet { name: Some("S".into()), members: members.iter().copied().map(LocationId::new).collect() }
    }

    fn related(sets: &AtomicSets, a: usize, b: usize) -> bool {
        sets.related(LocationId::new(a), LocationId::new(b))
    }

    #[test]
    fn without_sets_all_locations_are_related() {
        let sets = AtomicSets::new(Vec::new(), 3);
        assert_eq!(sets.sets().len(), 1);
        assert!(related(&sets, 0, 2) && related(&sets, 1, 1));
        assert!(AtomicSets::new(Vec::new(), 0).sets().is_empty());
    }

    #[test]
    fn a_location_in_no_set_stands_alone() {
        let sets = AtomicSets::new(vec![set(&[0, 1]), set(&[3, 1])], 5);
        assert_eq!(sets.sets().len(), 4);
        assert!(related(&sets, 0, 1) && related(&sets, 1, 3) && related(&sets, 2, 2));
        assert!(!related(&sets, 0, 3) && !related(&sets, 2, 4) && !related(&sets, 2, 0));
    }
}
