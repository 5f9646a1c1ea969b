//! Where objects are used: which methods have them in variables, which objects and static fields hold them.
//!
//! Only of objects that the program makes and that do not escape: all others may be anywhere. A view counts as the
//! object that it is a view of.

use super::objects::ObjectId;
use crate::class_file::{FieldId, MethodId};
use rustc_hash::FxHashMap;

/// Where an object is used.
#[derive(Clone, Debug, Default)]
pub struct UsesOf {
    /// The methods that have it in a variable; none if there are too many.
    pub methods: Option<Vec<MethodId>>,
    /// The objects that hold it in a field, or have captured it, in order.
    pub holders: Vec<ObjectId>,
    /// The fields of escaped objects that hold it.
    pub fields: Vec<FieldId>,
    /// Whether a static field holds it.
    pub is_static: bool,
}

/// Where objects are used.
#[derive(Debug)]
pub struct Uses {
    pub(super) of: FxHashMap<ObjectId, UsesOf>,
    pub(super) nowhere: UsesOf,
}

impl Uses {
    /// Where an object is used that the program makes and that does not escape.
    pub fn of(&self, object: ObjectId) -> &UsesOf {
        self.of.get(&object).unwrap_or(&self.nowhere)
    }
}
