//! The assignment of queries and classes to shards.
//!
//! The shard of a query follows from a hash of the model's text, the unit mode, the automaton, the locations, the locks
//! and the processes, so that it is the same on every machine and for every engine. The shard of a class follows from a
//! hash of its name alone.

use super::record::QueryKey;
use crate::stable_hash;
use asercheck::records::Shard;

/// Whether a query of a model with this content hash belongs to the part.
pub(super) fn has_query(shard: Shard, model_hash: &str, key: &QueryKey) -> bool {
    let objects = [&key.locations[..], &key.locks[..]].concat().join(",");
    shard.has(stable_hash::number([model_hash, &key.units, &key.automaton, &objects, &key.processes.join(",")]))
}
