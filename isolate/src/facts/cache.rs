//! Answers by keys, found once.

use rustc_hash::FxHashMap;
use std::cell::RefCell;
use std::hash::Hash;

/// Known answers of one query. An answer is a function of its key and of facts that never change.
#[derive(Debug)]
pub(crate) struct Cache<K, V> {
    known: RefCell<FxHashMap<K, V>>,
}

impl<K, V> Default for Cache<K, V> {
    fn default() -> Self {
        Self { known: RefCell::default() }
    }
}

impl<K: Eq + Hash, V: Clone> Cache<K, V> {
    /// The known answer for a key.
    pub(crate) fn get(&self, key: &K) -> Option<V> {
        self.known.borrow().get(key).cloned()
    }

    /// Adds an answer.
    pub(crate) fn insert(&self, key: K, answer: V) {
        self.known.borrow_mut().insert(key, answer);
    }
}
