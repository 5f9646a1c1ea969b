//! The lines of the file of results.

use asercheck::answers::QueryRecord;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;
use std::fmt;

/// The answer of one engine to one query.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BatchRecord {
    /// The model's file, as it was named.
    pub model: String,
    /// The engine's name.
    pub engine: String,
    /// Which threads of a pattern must act in one unit: `both` or `first`.
    pub units: String,
    /// The peak resident memory of its process while it was decided, in bytes, where that can be measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<u64>,
    /// The query and its answer.
    #[serde(flatten)]
    pub query: QueryRecord,
}

impl BatchRecord {
    /// Returns the query without the engine and the answer.
    pub fn key(&self) -> QueryKey {
        QueryKey {
            model: self.model.clone(),
            units: self.units.clone(),
            automaton: self.query.automaton.clone(),
            locations: self.query.locations.clone(),
            locks: self.query.locks.clone(),
            processes: self.query.processes.clone(),
        }
    }
}

/// The key of a query: the names of everything in it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct QueryKey {
    /// The model's file.
    pub model: String,
    /// `both` or `first`.
    pub units: String,
    /// A pattern's number, or an automaton's name.
    pub automaton: String,
    /// In parameter order.
    pub locations: Vec<String>,
    /// In parameter order.
    pub locks: Vec<String>,
    /// In parameter order.
    pub processes: Vec<String>,
}

impl QueryKey {
    /// Returns a sort key: patterns by their numbers, then automata.
    fn automaton_order(&self) -> (u64, &str) {
        (self.automaton.parse().unwrap_or(u64::MAX), &self.automaton)
    }
}

impl Ord for QueryKey {
    fn cmp(&self, other: &Self) -> Ordering {
        (&self.model, &self.units)
            .cmp(&(&other.model, &other.units))
            .then_with(|| self.automaton_order().cmp(&other.automaton_order()))
            .then_with(|| (&self.locations, &self.locks).cmp(&(&other.locations, &other.locks)))
            .then_with(|| self.processes.cmp(&other.processes))
    }
}

impl PartialOrd for QueryKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for QueryKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { model, units, automaton, locations, locks, processes } = self;
        let objects = [&locations[..], &locks[..]].concat().join(", ");
        write!(f, "{model}: {automaton} [{objects}] [{}], units {units}", processes.join(", "))
    }
}
