//! References between objects.

use super::trace::ObjectId;
use std::collections::{BTreeMap, BTreeSet};

/// The references of a heap, with the names of fields; `[]` for elements of arrays and containers, `captured0` for
/// captured values of functions.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    edges: BTreeMap<ObjectId, Vec<(String, ObjectId)>>,
}

impl Graph {
    /// Adds a reference.
    pub fn add(&mut self, from: ObjectId, label: &str, to: ObjectId) {
        self.edges.entry(from).or_default().push((label.to_string(), to));
    }

    /// Returns the references of an object.
    pub fn held(&self, object: ObjectId) -> impl Iterator<Item = &(String, ObjectId)> {
        self.edges.get(&object).into_iter().flatten()
    }

    /// Returns an object and all objects that are reachable from it.
    pub fn reached(&self, from: ObjectId) -> BTreeSet<ObjectId> {
        let mut found = BTreeSet::new();
        let mut open = vec![from];
        while let Some(object) = open.pop() {
            if found.insert(object) {
                open.extend(self.held(object).map(|(_, held)| *held));
            }
        }
        found
    }

    /// Returns the objects at the end of a path such as `cells[].next`.
    pub fn at(&self, from: ObjectId, path: &str) -> BTreeSet<ObjectId> {
        let mut found = BTreeSet::from([from]);
        for label in labels(path) {
            let held = found.iter().flat_map(|object| self.held(*object));
            found = held.filter(|(name, _)| *name == label).map(|(_, held)| *held).collect();
        }
        found
    }
}

/// Splits a path into fields and `[]`.
fn labels(path: &str) -> Vec<String> {
    let mut found = Vec::new();
    for part in path.split('.').filter(|part| !part.is_empty()) {
        let field = part.trim_end_matches("[]");
        found.extend((!field.is_empty()).then(|| field.to_string()));
        found.extend((0..(part.len() - field.len()) / 2).map(|_| "[]".to_string()));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::Graph;
    use std::collections::BTreeSet;

    #[test]
    fn paths_lead_through_fields_and_contents() {
        let mut graph = Graph::default();
        for (from, label, to) in [(0, "cells", 1), (1, "[]", 2), (1, "[]", 3), (3, "next", 4), (5, "next", 6)] {
            graph.add(from, label, to);
        }
        assert_eq!(graph.at(0, "cells[].next"), BTreeSet::from([4]));
        assert_eq!(graph.at(0, "cells[]"), BTreeSet::from([2, 3]));
        assert_eq!(graph.at(0, ""), BTreeSet::from([0]));
        assert!(graph.at(0, "cells.next").is_empty());
        assert_eq!(graph.reached(1), BTreeSet::from([1, 2, 3, 4]));
        assert_eq!(graph.reached(6), BTreeSet::from([6]));
    }
}
