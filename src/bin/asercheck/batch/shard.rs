//! The assignment of queries and classes to shards.
//!
//! The shard of a query follows from a hash of the model's text, the unit mode, the automaton, the locations, the locks
//! and the processes, so that it is the same on every machine and for every engine. The shard of a class follows from a
//! hash of its name alone.

use super::hash;
use super::record::QueryKey;
use asercheck::records::Shard;

/// Whether a query of a model with this content hash belongs to the part.
pub(super) fn has_query(shard: Shard, model_hash: &str, key: &QueryKey) -> bool {
    let objects = [&key.locations[..], &key.locks[..]].concat().join(",");
    shard.has(hash::number([model_hash, &key.units, &key.automaton, &objects, &key.processes.join(",")]))
}

/// Whether the class of this name belongs to the part.
pub(crate) fn has_class(shard: Shard, name: &str) -> bool {
    shard.has(hash::number([name]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_class_is_in_one_part() {
        let parts: Vec<Shard> = (1..=4).map(|index| format!("{index}/4").parse().expect("a shard")).collect();
        let mut sizes = [0; 4];
        for number in 0..400 {
            let name = format!("com.example.Pool{number}");
            let places: Vec<usize> = (0..4).filter(|place| has_class(parts[*place], &name)).collect();
            assert_eq!(places.len(), 1, "{name}: {places:?}");
            sizes[places[0]] += 1;
        }
        assert!(sizes.iter().all(|size| (70..130).contains(size)), "{sizes:?}");
    }
}
