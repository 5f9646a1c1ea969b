//! The tuples of a search, and the covering order that prunes them.
//!
//! A tuple *covers* another one of the same phase if each of its sets includes the corresponding set of the other.
//! Every backward step is monotone. So if the other leads to a tuple with the initial configurations, the covering one
//! does, too. Covering is an order. Following only tuples that no other one covers loses nothing: a chain of tuples,
//! each covered by the next, ends with one that is followed.
//!
//! The tuples that cover a given one are found in a tree with a level for each participant and an edge for each set.

use super::configurations::ConfigurationsId;
use crate::engine::comparison::finite_sets::ElementId;
use indexmap::IndexMap;
use limits::StopReason;
use rustc_hash::FxBuildHasher;

/// A tuple of sets of configurations, one for each participant.
pub(super) type Tuple = Vec<ConfigurationsId>;

/// The origin of a tuple.
#[derive(Clone, Debug)]
pub(super) struct Derivation {
    /// The number of the tuple of the next phase from which it was derived; `None` for the accepting one.
    pub(super) next: Option<usize>,
    /// The histories of the paths to that tuple.
    pub(super) histories: Vec<ElementId>,
}

/// A node of a tree of tuples: the children by the set of the next participant.
type Node = IndexMap<ConfigurationsId, usize, FxBuildHasher>;

/// All tuples with the phases at whose beginnings they hold, numbered in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub(super) struct Tuples {
    found: IndexMap<(usize, Tuple), Derivation, FxBuildHasher>,
    nodes: Vec<Node>,
    /// The root of the tree of each phase that has tuples.
    roots: IndexMap<usize, usize, FxBuildHasher>,
}

impl Tuples {
    /// Returns the phase and the sets of a tuple.
    pub(super) fn get(&self, number: usize) -> (usize, &Tuple) {
        let ((phase, tuple), _) = self.found.get_index(number).expect("numbers are of tuples");
        (*phase, tuple)
    }

    pub(super) fn found(&self, number: usize) -> &Derivation {
        &self.found[number]
    }

    /// Inserts a tuple; returns its number if it is new. A known tuple keeps its first origin.
    pub(super) fn insert(&mut self, phase: usize, tuple: Tuple, found: Derivation) -> Option<usize> {
        let indexmap::map::Entry::Vacant(entry) = self.found.entry((phase, tuple)) else { return None };
        let mut node = *self.roots.entry(phase).or_insert_with(|| new_node(&mut self.nodes));
        for set in &entry.key().1 {
            node = match self.nodes[node].get(set) {
                Some(child) => *child,
                None => {
                    let child = new_node(&mut self.nodes);
                    self.nodes[node].insert(*set, child);
                    child
                }
            };
        }
        let number = entry.index();
        entry.insert(found);
        Some(number)
    }

    /// Whether a tuple other than this one covers it. `includes` decides for a participant whether the first set
    /// includes the second. Linear in the number of tuples of the phase at worst.
    ///
    /// # Errors
    /// The errors of `includes`.
    pub(super) fn is_covered(
        &self,
        phase: usize,
        tuple: &Tuple,
        includes: &mut impl FnMut(usize, ConfigurationsId, ConfigurationsId) -> Result<bool, StopReason>,
    ) -> Result<bool, StopReason> {
        let Some(root) = self.roots.get(&phase) else { return Ok(false) };
        let mut waiting = vec![(*root, 0, false)];
        // Nodes with their level and whether a set on the path to them differs from that of the tuple.
        while let Some((node, place, differs)) = waiting.pop() {
            let Some(set) = tuple.get(place) else {
                if differs {
                    return Ok(true);
                }
                continue;
            };
            for (own, child) in &self.nodes[node] {
                if includes(place, *own, *set)? {
                    waiting.push((*child, place + 1, differs || own != set));
                }
            }
        }
        Ok(false)
    }
}

fn new_node(nodes: &mut Vec<Node>) -> usize {
    nodes.push(Node::default());
    nodes.len() - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Whether one bit set of three elements includes the other.
    fn has_all(first: ConfigurationsId, second: ConfigurationsId) -> bool {
        second.0 & !first.0 == 0
    }

    proptest! {
        #[test]
        fn covering_tuples_are_found(
            tuples in prop::collection::vec((0usize..2, prop::collection::vec(1u32..8, 3)), 1..12),
        ) {
            let mut found = Tuples::default();
            let mut numbers = Vec::new();
            let tuple = |sets: Vec<u32>| sets.into_iter().map(ConfigurationsId).collect();
            let tuples: Vec<(usize, Tuple)> =
                tuples.into_iter().map(|(phase, sets)| (phase, tuple(sets))).collect();
            for (number, (phase, tuple)) in tuples.iter().enumerate() {
                let is_new = !tuples[..number].contains(&(*phase, tuple.clone()));
                let derivation = Derivation { next: Some(number), histories: Vec::new() };
                let made = found.insert(*phase, tuple.clone(), derivation);
                prop_assert_eq!(made.is_some(), is_new);
                numbers.extend(made.map(|made| (made, number)));
            }
            for (made, number) in numbers {
                let (phase, tuple) = &tuples[number];
                prop_assert_eq!(found.get(made), (*phase, tuple));
                prop_assert_eq!(found.found(made).next, Some(number));
                let covers = |(own, other): &(usize, Tuple)| {
                    own == phase && other != tuple && other.iter().zip(tuple).all(|(other, set)| has_all(*other, *set))
                };
                let covered = found.is_covered(*phase, tuple, &mut |_, first, second| Ok(has_all(first, second)));
                prop_assert_eq!(covered, Ok(tuples.iter().any(covers)));
            }
        }
    }
}
