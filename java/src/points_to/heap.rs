//! Fields of abstract objects, as nodes.
//!
//! - An object that the program makes and that has not escaped has a node of its own for each field.
//! - All other objects share one node for each field that the program declares: which of them code that is not given
//!   holds, is not known. When an object escapes, its nodes are merged with the shared ones.
//! - Contents of external objects are not kept: what is stored there escapes, and what is found there is external. The
//!   content of an object that has escaped is its own, and holds external objects beside.

use super::constraints::{Field, NodeId};
use super::objects::ObjectId;
use super::types::TypeId;
use crate::class_file::FieldId;
use rustc_hash::FxHashMap;

/// The nodes of fields.
#[derive(Default)]
pub(super) struct Heap {
    own: FxHashMap<(ObjectId, Field), NodeId>,
    shared: FxHashMap<FieldId, NodeId>,
    statics: FxHashMap<FieldId, NodeId>,
    /// What is found from an object, content by content.
    transitive: FxHashMap<ObjectId, NodeId>,
}

/// What a field of an object is.
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
    /// The node of an object's own field, if there is one.
    pub(super) fn own(&self, object: ObjectId, field: Field) -> Option<NodeId> {
        self.own.get(&(object, field)).copied()
    }

    /// All nodes of objects' own fields.
    pub(super) fn all_own(&self) -> impl Iterator<Item = (ObjectId, Field, NodeId)> {
        self.own.iter().map(|((object, field), node)| (*object, *field, *node))
    }

    /// The node of a field of all objects that code which is not given may hold.
    pub(super) fn shared(&self, field: FieldId) -> Option<NodeId> {
        self.shared.get(&field).copied()
    }

    /// The fields of objects that code which is not given may hold.
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

    /// The node of all objects that are reached from an object through contents alone, if there is one.
    pub(super) fn transitive(&self, object: ObjectId) -> Option<NodeId> {
        self.transitive.get(&object).copied()
    }

    pub(super) fn add_own(&mut self, object: ObjectId, field: Field, node: NodeId) {
        self.own.insert((object, field), node);
    }

    /// Forgets the node of an object's own field, and returns it.
    pub(super) fn remove_own(&mut self, object: ObjectId, field: Field) -> Option<NodeId> {
        self.own.remove(&(object, field))
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
