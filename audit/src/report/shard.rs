//! Which part of the classes a report is about.

use decide::records::Shard;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What a report says of the part of the classes that it is about.
///
/// Each part reads all classes, so all parts know the same subjects in the same order, of which each has its own: the
/// places of all parts together are the numbers from 0 to the number of subjects, each once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ShardPart {
    /// Which part: `2/8`.
    pub part: Shard,
    /// How many subjects all parts have together.
    pub of: usize,
    /// The places, from 0, of the report's subjects among those of all parts, in the order of the report.
    pub places: Vec<usize>,
    /// What has to be the same in all parts: on what the answers depend, by the name of the option.
    pub options: BTreeMap<String, String>,
}

impl ShardPart {
    /// How many subjects the other parts have, if this one has so many.
    pub fn elsewhere(&self, own: usize) -> usize {
        self.of.saturating_sub(own)
    }
}
