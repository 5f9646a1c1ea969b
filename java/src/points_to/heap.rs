//! The abstract heap: fields of abstract objects, as nodes.
//!
//! - An object that the program allocates, or a view of one, has its own node for each field until it escapes. (A view
//!   can have declared fields: its type is a program class if the program has the class that a row names.)
//! - All other objects share one node for each field that the program declares, as it is unknown which of them external
//!   code holds. When an object escapes, its nodes are merged with the shared ones.
//! - The contents of external objects have no nodes: an object that is stored there escapes, and an object that is
//!   loaded from there is external. An escaped object keeps its own content node, which also holds external objects.
//! - A large set of objects has a node of all contents of its objects. Loads share it: many nodes propagate the same
//!   set. Sets are forgotten when their numbers may be used anew; later loads then make another node.

use super::constraints::{Field, NodeId};
use super::objects::ObjectId;
use super::sets::SetId;
use super::types::TypeId;
use crate::class_file::FieldId;
use rustc_hash::{FxHashMap, FxHashSet};

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
    /// The nodes of the contents of large sets.
    contents_of_sets: FxHashMap<(SetId, Depth), NodeId>,
    /// All nodes that are or were in `contents_of_sets`.
    shared_contents: FxHashSet<NodeId>,
}

/// The objects that a load from containers gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Depth {
    /// The contents.
    One,
    /// Also the contents of these, and so on.
    All,
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

    /// The node of the contents of all objects of a set, if it has one.
    pub(super) fn contents_of_set(&self, set: SetId, depth: Depth) -> Option<NodeId> {
        self.contents_of_sets.get(&(set, depth)).copied()
    }

    pub(super) fn add_contents_of_set(&mut self, set: SetId, depth: Depth, node: NodeId) {
        self.contents_of_sets.insert((set, depth), node);
        self.shared_contents.insert(node);
    }

    /// Whether a node has the contents of a large set.
    pub(super) fn is_contents_of_set(&self, node: NodeId) -> bool {
        self.shared_contents.contains(&node)
    }

    /// All nodes of the contents of large sets, also of forgotten ones.
    pub(super) fn nodes_of_sets(&self) -> impl Iterator<Item = NodeId> {
        self.shared_contents.iter().copied()
    }

    /// Forgets all sets, before their numbers are used anew.
    pub(super) fn forget_sets(&mut self) {
        self.contents_of_sets.clear();
    }
}
