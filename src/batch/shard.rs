//! Shards: parts of a batch, or of the classes of a Java program, that different machines look at without talking to each other.

use super::hash;
use super::record::QueryKey;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// One of several parts, counted from 1.
///
/// A query belongs to the part that a hash of the model's text, the unit mode, the automaton, the locations, the locks
/// and the processes says, so to the same part on every machine and for every engine. A class belongs to the part that a hash of
/// its name says, whatever other classes there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Shard {
    index: u64,
    count: u64,
}

impl Shard {
    /// Whether a query of a model with this content hash belongs to the part.
    pub(super) fn has(self, model_hash: &str, key: &QueryKey) -> bool {
        let objects = [&key.locations[..], &key.locks[..]].concat().join(",");
        self.is_of(hash::number([model_hash, &key.units, &key.automaton, &objects, &key.processes.join(",")]))
    }

    /// Whether the class of this name belongs to the part.
    pub fn has_class(self, name: &str) -> bool {
        self.is_of(hash::number([name]))
    }

    fn is_of(self, number: u64) -> bool {
        number % self.count == self.index - 1
    }

    /// Which part it is, from 1.
    pub fn index(self) -> u64 {
        self.index
    }

    /// How many parts there are.
    pub fn count(self) -> u64 {
        self.count
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index, self.count)
    }
}

impl From<Shard> for String {
    fn from(shard: Shard) -> Self {
        shard.to_string()
    }
}

impl TryFrom<String> for Shard {
    type Error = ShardError;

    fn try_from(text: String) -> Result<Self, ShardError> {
        text.parse()
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
    fn each_class_is_in_one_part() {
        let parts: Vec<Shard> = (1..=4).map(|index| Shard { index, count: 4 }).collect();
        let mut sizes = [0; 4];
        for number in 0..400 {
            let name = format!("com.example.Pool{number}");
            let places: Vec<usize> = (0..4).filter(|place| parts[*place].has_class(&name)).collect();
            assert_eq!(places.len(), 1, "{name}: {places:?}");
            sizes[places[0]] += 1;
        }
        assert!(sizes.iter().all(|size| (70..130).contains(size)), "{sizes:?}");
    }

    #[test]
    fn only_parts_of_something_are_shards() {
        assert_eq!("2/3".parse::<Shard>().map(|shard| shard.to_string()), Ok("2/3".to_string()));
        for wrong in ["", "1", "0/3", "4/3", "1/0", "-1/3", "1/3/2", "a/b"] {
            assert!(wrong.parse::<Shard>().is_err(), "{wrong}");
        }
    }
}
