//! Who writes which field.

use crate::class_file::{FieldId, MethodId};
use crate::ir::StatementId;
use rustc_hash::{FxHashMap, FxHashSet};

/// A statement that writes a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Store {
    /// The method.
    pub method: MethodId,
    /// The statement.
    pub statement: StatementId,
    /// Whether it is the constructor of the class that declares the field, and writes the field of the object that is
    /// made; or the initializer of the class, and writes a static field of it.
    pub initializes: bool,
}

/// All statements of methods that can be run, by the fields that they write.
#[derive(Clone, Debug, Default)]
pub(super) struct Stores {
    by_field: FxHashMap<FieldId, Vec<Store>>,
    /// Fields that a handle can access.
    handles: FxHashSet<FieldId>,
    /// Handles of which it is not known what they access.
    pub(super) unknown_handles: usize,
}

impl Stores {
    pub(super) fn add(&mut self, field: FieldId, store: Store) {
        self.by_field.entry(field).or_default().push(store);
    }

    pub(super) fn add_handle(&mut self, field: FieldId) {
        self.handles.insert(field);
    }

    pub(super) fn of(&self, field: FieldId) -> &[Store] {
        self.by_field.get(&field).map_or(&[], Vec::as_slice)
    }

    pub(super) fn has_handle(&self, field: FieldId) -> bool {
        self.handles.contains(&field)
    }
}
