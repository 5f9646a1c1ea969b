//! Shared calls on external objects: the data of `rules::external`.

use super::constraints::CallId;
use super::types::{TypeId, Types};
use crate::class_file::{ClassId, MethodId, Name};
use crate::program::Program;
use rustc_hash::{FxHashMap, FxHashSet};

/// The number of an external call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ExternalId(pub(super) usize);

/// The properties in which calls agree that share one external call.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) of: TypeId,
    pub(super) resolved: Option<MethodId>,
    pub(super) name: Name,
    pub(super) descriptor: Name,
}

/// A call of a method on external objects of a type.
pub(super) struct ExternalCall {
    pub(super) key: Key,
    pub(super) call: CallId,
    /// Whether external code may run; arguments escape to it.
    pub(super) is_open: bool,
    /// The calls that share it.
    pub(super) users: Vec<CallId>,
    /// The library types whose rows these calls run.
    pub(super) rows: Vec<TypeId>,
}

/// All external calls.
pub(super) struct ExternalCalls {
    pub(super) calls: Vec<ExternalCall>,
    pub(super) known: FxHashMap<Key, ExternalId>,
    pub(super) used: FxHashSet<(CallId, ExternalId)>,
    pub(super) observers: FxHashMap<(TypeId, Name), Vec<CallId>>,
    /// External calls that select a method in a class once an object of it escapes.
    pub(super) waiting: FxHashMap<ClassId, Vec<ExternalId>>,
    /// Classes with an object that has escaped.
    pub(super) escaped: FxHashSet<ClassId>,
    /// The program classes by their supertypes in the library.
    pub(super) subtypes: FxHashMap<TypeId, Vec<ClassId>>,
}

impl ExternalCalls {
    pub(super) fn new(program: &Program, types: &mut Types<'_>) -> Self {
        let mut subtypes: FxHashMap<TypeId, Vec<ClassId>> = FxHashMap::default();
        for (class, _) in program.classes() {
            let of = types.of_class(class);
            for supertype in types.supertypes(of) {
                if types.is_library(*supertype) {
                    subtypes.entry(*supertype).or_default().push(class);
                }
            }
        }
        Self {
            calls: Vec::new(),
            known: FxHashMap::default(),
            used: FxHashSet::default(),
            observers: FxHashMap::default(),
            waiting: FxHashMap::default(),
            escaped: FxHashSet::default(),
            subtypes,
        }
    }

    /// Frees the data that only the solver needs.
    pub(super) fn freeze(&mut self) {
        self.calls = Vec::new();
        self.known = FxHashMap::default();
        self.used = FxHashSet::default();
        self.observers = FxHashMap::default();
        self.waiting = FxHashMap::default();
    }
}
