//! The tuples of a search, and which of them need not be followed.
//!
//! A tuple *covers* another of the same phase if each of its sets has all configurations of the other's. Every step
//! backwards is monotone, so what leads to a tuple of initial configurations from the other does so from the one that
//! covers it. Covering is an order, and following only tuples that no other covers loses nothing: a chain of tuples,
//! each covered by the next, ends with one that is followed.
//!
//! Those that cover a tuple are looked for in a tree: a level for each participant, an edge for each set.

use super::configurations::ConfigurationsId;
use crate::engine::comparison::finite_sets::ElementId;
use indexmap::IndexMap;
use limits::StopReason;
use rustc_hash::FxBuildHasher;

/// A tuple of sets of configurations, one for each participant.
pub(super) type Tuple = Vec<ConfigurationsId>;

/// How a tuple was found.
#[derive(Clone, Debug)]
pub(super) struct Derivation {
    /// The number of the tuple of the next phase from which it comes; none for the accepting one.
    pub(super) next: Option<usize>,
    /// The histories of the paths to there.
    pub(super) histories: Vec<ElementId>,
}

/// A node of a tree of tuples: the numbers of its children, by the set of the next participant.
type Node = IndexMap<ConfigurationsId, usize, FxBuildHasher>;

/// All tuples with the phase at whose beginning they stand, numbered in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub(super) struct Tuples {
    found: IndexMap<(usize, Tuple), Derivation, FxBuildHasher>,
    nodes: Vec<Node>,
    /// Per phase that has tuples.
    roots: IndexMap<usize, usize, FxBuildHasher>,
}

impl Tuples {
    /// The phase and the sets of a tuple.
    pub(super) fn get(&self, number: usize) -> (usize, &Tuple) {
        let ((phase, tuple), _) = self.found.get_index(number).expect("numbers are of tuples");
        (*phase, tuple)
    }

    pub(super) fn found(&self, number: usize) -> &Derivation {
        &self.found[number]
    }

    /// Puts in a tuple; gives its number if it is new. One that is known stays as it was found first.
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

    /// Whether a tuple other than this one covers it; `includes` tells for a participant whether its first set has all
    /// configurations of its second. Linear in the number of tuples of the phase at worst.
    ///
    /// # Errors
    /// Those of `includes`.
    pub(super) fn is_covered(
        &self,
        phase: usize,
        tuple: &Tuple,
        includes: &mut impl FnMut(usize, ConfigurationsId, ConfigurationsId) -> Result<bool, StopReason>,
    ) -> Result<bool, StopReason> {
        let Some(root) = self.roots.get(&phase) else { return Ok(false) };
        let mut waiting = vec![(*root, 0, false)];
        // Nodes with how many participants come before, and whether a set on the way differs from the tuple's.
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

    /// Sets of three things as bits.
    fn has_all(first: ConfigurationsId, second: ConfigurationsId) -> bool {
        second.0 & !first.0 == 0
    }

    proptest! {
        #[test]
        fn what_covers_a_tuple_is_found(
            tuples in prop::collection::vec((0usize..2, prop::collection::vec(1u32..8, 3)), 1..12),
        ) {
            let mut found = Tuples::default();
            let mut numbers = Vec::new();
            let tuples: Vec<(usize, Tuple)> =
                tuples.into_iter().map(|(phase, sets)| (phase, sets.into_iter().map(ConfigurationsId).collect())).collect();
            for (number, (phase, tuple)) in tuples.iter().enumerate() {
                let is_new = !tuples[..number].contains(&(*phase, tuple.clone()));
                let made = found.insert(*phase, tuple.clone(), Derivation { next: Some(number), histories: Vec::new() });
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
