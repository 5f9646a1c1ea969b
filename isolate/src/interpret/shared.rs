//! Facts of a program that do not depend on the subject: found once, whichever subject asks first.
//!
//! **Invariant.** What a table holds for a key is a function of the key and of the analysis, nothing else. So it does
//! not matter who enters it; two threads that find the same at once enter the same. What is listed of a set
//! (`Heap::listed`) is less in an analysis in part: what is found with lists has that in its key.

use super::globals::Globals;
use super::key_stores::KeyStores;
use super::reclassified::Reclassified;
use java::points_to::{ObjectId, TypeId};
use java::{ClassId, MethodId, Name};
use rustc_hash::{FxHashMap, FxHashSet};
use std::hash::Hash;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// What all subjects of an [`Analysis`](crate::Analysis) share. Each one has its own.
#[derive(Debug, Default)]
pub struct Shared {
    /// The given methods that each method calls.
    pub(super) callees: Table<MethodId, MethodId>,
    /// The given methods of functions that each method hands to code of clients.
    pub(super) callback_methods: Table<(MethodId, bool), MethodId>,
    /// Functions and objects of given classes that clients get, and may give back by a type.
    pub(super) returned_by_clients: Table<TypeId, ObjectId>,
    /// The given classes of which an object may be of a type, sorted.
    pub(super) classes_of: Table<TypeId, ClassId>,
    /// All objects that clients get.
    pub(super) escaping: OnceLock<Box<[ObjectId]>>,
    /// The lambdas and method references that run each method.
    pub(super) functions: OnceLock<FxHashMap<MethodId, Box<[ObjectId]>>>,
    /// The names of fields which no given class declares and some given code assigns.
    pub(super) assigned_library_fields: OnceLock<FxHashSet<Name>>,
    /// What static fields lead to.
    pub(super) globals: OnceLock<Arc<Globals>>,
    /// For which objects rows of other classes hold.
    pub(super) reclassified: OnceLock<Reclassified>,
    /// The statements that may store something under a key of a concurrent map.
    pub(super) key_stores: OnceLock<KeyStores>,
}

/// Lists by keys, each found when it is asked for first.
#[derive(Debug)]
pub(super) struct Table<K, T> {
    known: RwLock<FxHashMap<K, Arc<[T]>>>,
}

impl<K, T> Default for Table<K, T> {
    fn default() -> Self {
        Self { known: RwLock::default() }
    }
}

impl<K: Copy + Eq + Hash, T> Table<K, T> {
    /// The list of a key. Nothing is locked while it is found.
    pub(super) fn get_or_find(&self, key: K, find: impl FnOnce() -> Vec<T>) -> Arc<[T]> {
        // A list is entered whole, so a thread that panicked has left the table as it was.
        if let Some(known) = self.known.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return known.clone();
        }
        let found = Arc::from(find());
        self.known.write().unwrap_or_else(PoisonError::into_inner).entry(key).or_insert(found).clone()
    }
}

#[cfg(test)]
mod tests {
    use super::Table;
    use std::cell::Cell;

    #[test]
    fn a_list_is_found_once() {
        let table = Table::default();
        let found = Cell::new(0);
        let get = |key: u32| {
            table.get_or_find(key, || {
                found.set(found.get() + 1);
                vec![key, key * 2]
            })
        };
        assert_eq!((get(3).to_vec(), get(4).to_vec(), get(3).to_vec()), (vec![3, 6], vec![4, 8], vec![3, 6]));
        assert_eq!(found.get(), 2);
    }

    #[test]
    fn a_list_may_be_found_by_asking_for_another() {
        let table: Table<u32, u32> = Table::default();
        let both = table.get_or_find(1, || table.get_or_find(2, || vec![7]).to_vec());
        assert_eq!(*both, [7]);
    }
}
