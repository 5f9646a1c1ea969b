//! Shards: parts of a batch that different machines run without talking to each other.

use super::hash;
use super::record::QueryKey;
use std::fmt;
use std::str::FromStr;

/// One of several parts, counted from 1.
///
/// A query belongs to the part that a hash of the model's text, the unit mode, the automaton, the locations, the locks
/// and the processes says, so to the same part on every machine and for every engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Shard {
    /// Whether a query of a model with this content hash belongs to the part.
    pub(super) fn has(self, model_hash: &str, key: &QueryKey) -> bool {
        let objects = [&key.locations[..], &key.locks[..]].concat().join(",");
        let number = hash::number([model_hash, &key.units, &key.automaton, &objects, &key.processes.join(",")]);
        number % self.count == self.index - 1
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

/// A text that names no part.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShardError(String);

impl fmt::Display for ShardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no shard; the first of four is 1/4, the last 4/4", self.0)
    }
}

impl std::error::Error for ShardError {}

impl FromStr for Shard {
    type Err = ShardError;

    fn from_str(text: &str) -> Result<Self, ShardError> {
        let numbers = text.split_once('/').and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match numbers {
            Some((index, count)) if 1 <= index && index <= count => Ok(Self { index, count }),
            _ => Err(ShardError(text.to_string())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_parts_of_something_are_shards() {
        assert_eq!("2/3".parse::<Shard>().map(|shard| shard.to_string()), Ok("2/3".to_string()));
        for wrong in ["", "1", "0/3", "4/3", "1/0", "-1/3", "1/3/2", "a/b"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
