//! The numbers of queries by property and verdict.

use super::query::{Summary, VerdictKind};
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

/// For each property, by its label, the number of queries with each verdict.
#[derive(Clone, Debug, Default)]
pub struct Tally(IndexMap<String, [usize; 3], FxBuildHasher>);

impl Tally {
    /// Adds a number of queries of a property.
    pub fn add(&mut self, label: &str, verdict: VerdictKind, queries: usize) {
        if !self.0.contains_key(label) {
            self.0.insert(label.to_string(), [0; 3]);
        }
        let count = &mut self.0[label][verdict as usize];
        *count = count.saturating_add(queries);
    }

    /// Returns the number of queries of a property with a verdict.
    pub fn of(&self, label: &str, verdict: VerdictKind) -> usize {
        self.0.get(label).map_or(0, |counts| counts[verdict as usize])
    }

    /// Returns the number of all queries of a property.
    pub fn all_of(&self, label: &str) -> usize {
        self.0.get(label).map_or(0, |counts| counts.iter().fold(0, |sum, count| sum.saturating_add(*count)))
    }

    /// The labels of the properties with a query, in the order in which they were first counted.
    pub fn labels(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(String::as_str)
    }

    /// Returns the totals over all properties.
    pub fn summary(&self, seconds: f64) -> Summary {
        let of = |verdict: VerdictKind| {
            self.0.values().fold(0_usize, |sum, counts| sum.saturating_add(counts[verdict as usize]))
        };
        let [safe, violation, unknown] = [VerdictKind::Safe, VerdictKind::Violation, VerdictKind::Unknown].map(of);
        let queries = safe.saturating_add(violation).saturating_add(unknown);
        Summary { queries, safe, violation, unknown, seconds }
    }
}
