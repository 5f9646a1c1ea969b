//! The statements that write fields.

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
    /// Whether the statement initializes the field: a constructor of the declaring class writes the field of its own
    /// object, or the initializer of that class writes its static field.
    pub initializes: bool,
}

/// All statements of reached methods that write fields, by field.
#[derive(Clone, Debug, Default)]
pub(super) struct Stores {
    by_field: FxHashMap<FieldId, Vec<Store>>,
    /// Fields that a handle can access.
    handles: FxHashSet<FieldId>,
    /// Number of handles with unknown targets.
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
