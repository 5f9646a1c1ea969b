//! Facts of a program that do not depend on the subject, computed once for all subjects.
//!
//! **Invariant.** The entry of a table is a function of its key and the analysis. So it does not matter who enters it;
//! two threads that compute the same entry at once enter equal values. An analysis in part lists fewer objects of a set
//! (`Heap::listed`): facts computed from lists have this flag in their key.

use super::key_stores::KeyStores;
use super::stored::OnceValue;
use java::points_to::{ObjectId, TypeId};
use java::{ClassId, FieldId, MethodId, Name};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeSet;
use std::hash::Hash;
use std::sync::{Arc, OnceLock, PoisonError, RwLock};

/// Facts shared by all subjects of an [`Analysis`](crate::Analysis). Each analysis has its own.
#[derive(Debug, Default)]
pub struct Shared {
    /// The program methods that each method calls.
    pub(crate) callees: Table<MethodId, MethodId>,
    /// For each field one entry if it is set once, which says whether each assignment follows a test; none otherwise.
    pub(crate) set_once: Table<FieldId, bool>,
    /// For each field one entry if its object is made on first use, none otherwise.
    pub(crate) lazily_made: Table<FieldId, ()>,
    /// The atomics that are set once.
    pub(crate) once_values: OnceLock<FxHashMap<ObjectId, OnceValue>>,
    /// The concurrent maps from which nothing is removed, and in which no value is replaced.
    pub(crate) growing_maps: OnceLock<FxHashSet<ObjectId>>,
    /// The program methods that each method passes to clients' code as functions.
    pub(crate) callback_methods: Table<(MethodId, bool), MethodId>,
    /// Functions and program objects that clients get and may pass back by a type.
    pub(crate) returned_by_clients: Table<TypeId, ObjectId>,
    /// The program classes whose objects may be of a type, sorted.
    pub(crate) classes_of: Table<TypeId, ClassId>,
    /// All objects that clients get.
    pub(crate) escaping: OnceLock<Box<[ObjectId]>>,
    /// The lambdas and method references that run each method.
    pub(crate) functions: OnceLock<FxHashMap<MethodId, Box<[ObjectId]>>>,
    /// The names of library fields that some program code assigns.
    pub(crate) assigned_library_fields: OnceLock<FxHashSet<Name>>,
    /// Whether the program enlarges pools of threads.
    pub(crate) enlarges_pools: OnceLock<bool>,
    /// The flags that are used as spin locks only, with their taken values; and those that are read besides.
    pub(crate) flags: [OnceLock<FxHashMap<ObjectId, BTreeSet<i32>>>; 2],
    /// The fields that are used as spin locks through handles, with their taken values.
    pub(crate) flag_fields: OnceLock<FxHashMap<FieldId, BTreeSet<i32>>>,
    /// For each field one entry if each read of it happens under a lock, none otherwise.
    pub(crate) guarded_reads: Table<FieldId, ()>,
    /// The counters by which one thread at a time drains a queue, with the task that drains it, if there is one.
    pub(crate) work_counters: OnceLock<FxHashMap<Counter, Option<MethodId>>>,
    /// The classes whose objects are subjects of the run.
    pub(crate) subjects: OnceLock<BTreeSet<ClassId>>,
    /// The objects that clients get by results of public methods.
    pub(crate) returned: OnceLock<FxHashSet<ObjectId>>,
    /// The types outside of the program whose methods return objects to code of the program.
    pub(crate) returning_types: OnceLock<FxHashSet<Name>>,
    /// The accesses of methods to static fields with state.
    pub(crate) static_accesses: OnceLock<StaticAccesses>,
    /// The objects reachable from static fields.
    pub(crate) globals: OnceLock<Arc<Globals>>,
    /// The objects to which rows of other classes apply.
    pub(crate) reclassified: OnceLock<Reclassified>,
    /// The statements that may store a value under a key of a concurrent map.
    pub(crate) key_stores: OnceLock<KeyStores>,
}

impl Shared {
    /// Notes the classes whose objects are subjects of the run, unless they are noted already. Objects of these classes
    /// that a registry in a static field holds are asked about there only.
    pub fn note_subjects(&self, classes: impl IntoIterator<Item = ClassId>) {
        self.subjects.get_or_init(|| classes.into_iter().collect());
    }
}

/// The static fields with state that each method accesses itself, and the methods that reach such a field.
#[derive(Debug, Default)]
pub(crate) struct StaticAccesses {
    pub(crate) direct: FxHashMap<MethodId, Box<[FieldId]>>,
    pub(crate) reaching: FxHashSet<MethodId>,
}

/// Global objects.
#[derive(Debug, Default)]
pub(crate) struct Globals {
    /// Global objects that code outside of the program can get.
    pub(super) escaping: Vec<ObjectId>,
    /// The program classes of all global objects.
    pub(super) classes: FxHashSet<ClassId>,
}

/// The class whose rows apply in addition, by object and by program class.
#[derive(Debug, Default)]
pub(crate) struct Reclassified {
    pub(super) objects: FxHashMap<ObjectId, Box<str>>,
    pub(super) classes: FxHashMap<ClassId, Box<str>>,
}

/// A counter that the program changes by atomic steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Counter {
    Object(ObjectId),
    /// The part of each object of a class that extends `AtomicInteger`, by the topmost such class.
    Of(ClassId),
    /// A field that updaters change.
    Field(FieldId),
}

/// Lists by keys, each computed on first use.
#[derive(Debug)]
pub(crate) struct Table<K, T> {
    known: RwLock<FxHashMap<K, Arc<[T]>>>,
}

impl<K, T> Default for Table<K, T> {
    fn default() -> Self {
        Self { known: RwLock::default() }
    }
}

impl<K: Copy + Eq + Hash, T> Table<K, T> {
    /// The list of a key. No lock is held while it is computed.
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
