//! The abstract heap: fields of abstract objects, as nodes.
//!
//! - An object that the program allocates, or a view of one, has its own node for each field until it escapes. (A view
//!   can have declared fields: its type is a program class if the program has the class that a row names.)
//! - All other objects share one node for each field that the program declares, as it is unknown which of them external
//!   code holds. When an object escapes, its nodes are merged with the shared ones.
//! - The contents of external objects have no nodes: an object that is stored there escapes, and an object that is
//!   loaded from there is external. An escaped object keeps its own content node, which also holds external objects.

use super::constraints::{Field, NodeId};
use super::objects::ObjectId;
use super::types::TypeId;
use crate::class_file::FieldId;
use rustc_hash::FxHashMap;

/// The nodes of fields.
#[derive(Default)]
pub(super) struct Heap {
    own: FxHashMap<(ObjectId, Field), NodeId>,
    /// The declared fields with own nodes, by object.
    own_declared: FxHashMap<ObjectId, Vec<FieldId>>,
    shared: FxHashMap<FieldId, NodeId>,
    statics: FxHashMap<FieldId, NodeId>,
    /// The objects that are reached from an object through contents alone.
    transitive: FxHashMap<ObjectId, NodeId>,
}

/// The representation of a field of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FieldSlot {
    /// A node.
    Node(NodeId),
    /// The content of an external object, which holds external objects of a type.
    External(TypeId),
    /// The content of an immutable container, which holds values of a type.
    Value(TypeId),
    /// The object has no such field.
    Nothing,
}

impl Heap {
    /// The object's own node of a field, if it has one.
    pub(super) fn own(&self, object: ObjectId, field: Field) -> Option<NodeId> {
        self.own.get(&(object, field)).copied()
    }

    /// All objects with their own fields and nodes.
    pub(super) fn all_own(&self) -> impl Iterator<Item = (ObjectId, Field, NodeId)> {
        self.own.iter().map(|((object, field), node)| (*object, *field, *node))
    }

    /// The node that all objects that external code may hold share for a field.
    pub(super) fn shared(&self, field: FieldId) -> Option<NodeId> {
        self.shared.get(&field).copied()
    }

    /// The fields that have a shared node.
    pub(super) fn all_shared(&self) -> impl Iterator<Item = FieldId> {
        self.shared.keys().copied()
    }

    /// The static fields that have nodes.
    pub(super) fn all_static(&self) -> impl Iterator<Item = FieldId> {
        self.statics.keys().copied()
    }

    /// The node of a static field.
    pub(super) fn of_static(&self, field: FieldId) -> Option<NodeId> {
        self.statics.get(&field).copied()
    }

    /// The node of the objects that are reached from an object through contents alone, if it has one.
    pub(super) fn transitive(&self, object: ObjectId) -> Option<NodeId> {
        self.transitive.get(&object).copied()
    }

    pub(super) fn add_own(&mut self, object: ObjectId, field: Field, node: NodeId) {
        self.own.insert((object, field), node);
        if let Field::Declared(declared) = field {
            self.own_declared.entry(object).or_default().push(declared);
        }
    }

    /// Removes and returns the object's own nodes of declared fields. These may be fields of any class: the type of an
    /// object that the library makes need not be its class.
    pub(super) fn remove_own_declared(&mut self, object: ObjectId) -> Vec<(FieldId, NodeId)> {
        let fields = self.own_declared.remove(&object).unwrap_or_default();
        let with_node = |field| self.own.remove(&(object, Field::Declared(field))).map(|node| (field, node));
        fields.into_iter().filter_map(with_node).collect()
    }

    pub(super) fn add_shared(&mut self, field: FieldId, node: NodeId) {
        self.shared.insert(field, node);
    }

    pub(super) fn add_static(&mut self, field: FieldId, node: NodeId) {
        self.statics.insert(field, node);
    }

    pub(super) fn add_transitive(&mut self, object: ObjectId, node: NodeId) {
        self.transitive.insert(object, node);
    }
}
