//! The agreement of the engines: no query may be safe for one and violated for another.

use super::record::{BatchRecord, QueryKey};
use asercheck::answers::VerdictKind;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt;

/// Two answers to one query, at least one of which is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Disagreement {
    /// The query.
    pub query: QueryKey,
    /// An engine for which it is safe.
    pub safe: String,
    /// An engine for which it is violated.
    pub violation: String,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { query, safe, violation } = self;
        write!(f, "{query}: safe says {safe}, violation says {violation}")
    }
}

/// The verdicts of the queries that were decided.
#[derive(Clone, Debug, Default)]
pub struct Agreement {
    decided: HashMap<QueryKey, (VerdictKind, String)>,
}

impl Agreement {
    /// Adds a record; returns the disagreement if it contradicts an earlier one.
    pub fn add(&mut self, record: &BatchRecord) -> Option<Disagreement> {
        let verdict = record.query.verdict;
        if verdict == VerdictKind::Unknown {
            return None;
        }
        match self.decided.entry(record.key()) {
            Entry::Vacant(place) => {
                place.insert((verdict, record.engine.clone()));
                None
            }
            Entry::Occupied(place) if place.get().0 == verdict => None,
            Entry::Occupied(place) => {
                let (other, own) = (place.get().1.clone(), record.engine.clone());
                let (safe, violation) = if verdict == VerdictKind::Safe { (own, other) } else { (other, own) };
                Some(Disagreement { query: place.key().clone(), safe, violation })
            }
        }
    }
}
