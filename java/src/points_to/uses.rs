//! Uses of objects: the methods whose variables can hold an object, and the objects and static fields that can hold it.
//!
//! Uses are known only for objects that the program allocates and that do not escape. A view counts as its base.

use super::objects::ObjectId;
use crate::class_file::{FieldId, MethodId};
use rustc_hash::FxHashMap;

/// The uses of an object.
#[derive(Clone, Debug, Default)]
pub struct UsesOf {
    /// The methods with a variable that can hold it; none if there are too many.
    pub methods: Option<Vec<MethodId>>,
    /// The objects that can hold it in a field or have captured it, in order.
    pub holders: Vec<ObjectId>,
    /// The fields of escaped objects that can hold it.
    pub fields: Vec<FieldId>,
    /// Whether a static field can hold it.
    pub is_static: bool,
}

/// The uses of all objects.
#[derive(Debug)]
pub struct Uses {
    pub(super) of: FxHashMap<ObjectId, UsesOf>,
    pub(super) nowhere: UsesOf,
}

impl Uses {
    /// The uses of an object that the program allocates and that does not escape.
    pub fn of(&self, object: ObjectId) -> &UsesOf {
        self.of.get(&object).unwrap_or(&self.nowhere)
    }
}
