//! The part of the classes that a report covers.

use decide::records::Shard;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The part of the classes that a report covers.
///
/// Each part reads all classes, so all parts have the same subjects in the same order. **Invariant.** The places of all
/// parts together are the numbers from 0 up to the number of subjects, each once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShardPart {
    /// The part: `2/8`.
    pub part: Shard,
    /// Number of subjects of all parts.
    pub of: usize,
    /// The places, from 0, of the report's subjects among those of all parts, in the order of the report.
    pub places: Vec<usize>,
    /// The options on which answers depend, by name; the same in all parts.
    pub options: BTreeMap<String, String>,
}

impl ShardPart {
    /// Number of subjects of the other parts, for a number of subjects of this one.
    pub fn elsewhere(&self, own: usize) -> usize {
        self.of.saturating_sub(own)
    }
}
