//! The partition of queries into classes that share no work, so that classes can be decided in parallel.

use super::Sharing;
use super::explicit::Explicit;
use super::options::Options;
use crate::query::Query;
use eml::model::Model;
use indexmap::IndexMap;
use limits::Meter;
use petgraph::unionfind::UnionFind;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::Hash;

/// Returns the numbers of the queries in classes that share no work with each other, each class in order.
pub(crate) fn partition(model: &Model, queries: &[Query], options: &Options) -> Vec<Vec<usize>> {
    match options.engine.sharing() {
        Sharing::Words => {
            let meter = Meter::start(&options.limits);
            connected(&Explicit::groups(model, queries, options.reductions, &meter))
        }
        Sharing::Processes => {
            let processes = queries.iter().map(|query| {
                let mut processes = query.processes.clone();
                processes.sort_unstable();
                vec![processes]
            });
            connected(&processes.collect::<Vec<_>>())
        }
        Sharing::Nothing => (0..queries.len()).map(|number| vec![number]).collect(),
    }
}

/// Returns the classes of the closure of "has a key in common", each in order.
fn connected<K: Hash + Eq>(keys: &[Vec<K>]) -> Vec<Vec<usize>> {
    let mut classes = UnionFind::new(keys.len());
    let mut firsts: FxHashMap<&K, usize> = FxHashMap::default();
    for (number, keys) in keys.iter().enumerate() {
        for key in keys {
            classes.union(*firsts.entry(key).or_insert(number), number);
        }
    }
    let mut parts: IndexMap<usize, Vec<usize>, FxBuildHasher> = IndexMap::default();
    for number in 0..keys.len() {
        parts.entry(classes.find_mut(number)).or_default().push(number);
    }
    parts.into_values().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_common_key_joins() {
        let keys = [vec!["a"], vec!["b"], vec!["c", "a"], vec![], vec!["b"], vec!["d", "c"]];
        assert_eq!(connected(&keys), [vec![0, 2, 5], vec![1, 4], vec![3]]);
    }
}
