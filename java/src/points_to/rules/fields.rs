//! Fields of abstract objects: nodes on demand, loads, stores, and access by clients. [`heap`] has the data.
//!
//! **Loads of contents from a large set of objects** go through one node for the set. The slot of a content depends on
//! its object alone, so the edges from the contents are the same whenever the set is loaded from. The node must change
//! no result. So it is used for targets of all types only, which hold all that it holds, and it never gets an external
//! object for having many others (`State::flow`).
//!
//! [`heap`]: crate::points_to::heap

use crate::class_file::FieldId;
use crate::library::Attribute;
use crate::points_to::constraints::{Constraint, Field, NodeId};
use crate::points_to::heap::{Depth, FieldSlot};
use crate::points_to::objects::{Exactness, Object, ObjectId};
use crate::points_to::sets::SetId;
use crate::points_to::state::State;
use crate::points_to::types::TypeId;

impl State<'_> {
    /// Returns the representation of a field of an object; adds its node if it is new.
    pub(in crate::points_to) fn slot(&mut self, object: ObjectId, field: Field) -> FieldSlot {
        let found = match (self.objects.get(object), field) {
            (Object::View { base, .. }, Field::Content) => return self.slot(*base, field),
            (Object::External(of), Field::Content) => return self.external_content(*of),
            (Object::Value(of), Field::Content) if !self.is_value_class(*of) => {
                return FieldSlot::Value(TypeId::OBJECT);
            }
            (
                Object::Value(_) | Object::Literal(_) | Object::Class(_) | Object::Handle { .. },
                Field::Content | Field::Captured(_),
            )
            | (Object::External(_) | Object::View { .. }, Field::Captured(_)) => None,
            (Object::Made { .. } | Object::Lambda { .. }, Field::Content) => self.content(object),
            (Object::Made { .. } | Object::Lambda { .. }, Field::Captured(_)) => self.own_node(object, field),
            (_, Field::Declared(declared)) if self.is_externally_accessible(object) => self.shared_node(declared),
            (_, Field::Declared(_)) => self.own_node(object, field),
        };
        found.map_or(FieldSlot::Nothing, FieldSlot::Node)
    }

    /// Returns the objects that are reached from an object through contents alone.
    pub(super) fn transitive_slot(&mut self, object: ObjectId) -> FieldSlot {
        let object = match self.objects.get(object) {
            Object::View { base, .. } => *base,
            _ => object,
        };
        let content = match self.slot(object, Field::Content) {
            FieldSlot::Node(content) => content,
            other => return other,
        };
        if let Some(known) = self.heap.transitive(object) {
            return FieldSlot::Node(known);
        }
        let all = self.node();
        self.heap.add_transitive(object, all);
        self.edge(content, all);
        self.constrain(content, Constraint::LoadAll(all));
        FieldSlot::Node(all)
    }

    fn external_content(&mut self, of: TypeId) -> FieldSlot {
        if !self.types.is_array(of) {
            return FieldSlot::External(TypeId::OBJECT);
        }
        self.types.element(of).map_or(FieldSlot::Nothing, FieldSlot::External)
    }

    /// Returns the content of an object that the program allocates; none if it holds no objects.
    pub(super) fn content(&mut self, object: ObjectId) -> Option<NodeId> {
        if let Some(known) = self.heap.own(object, Field::Content) {
            return Some(known);
        }
        if self.is_plain(object) {
            return None;
        }
        let of = self.content_type(object);
        let node = self.graph.add_node(of);
        self.heap.add_own(object, Field::Content, node);
        if self.has_escaped(object) {
            self.expose_content(object, node);
        }
        Some(node)
    }

    /// Whether the content of an object has only numbers and strings: an array of numbers, or an object of a library
    /// class that the table declares plain. An object with the inexact type `Object` may be of any class.
    fn is_plain(&self, object: ObjectId) -> bool {
        let Object::Made { of, exactness, .. } = self.objects.get(object) else { return false };
        match self.types.class(*of) {
            Some(_) => false,
            None if self.types.is_array(*of) => self.types.element(*of).is_none(),
            None => {
                let is_known = *exactness == Exactness::Exact || *of != TypeId::OBJECT;
                is_known && self.library.attributes(self.types.text(*of)).has(Attribute::Plain)
            }
        }
    }

    /// Lets external code read and write the content of an object.
    pub(super) fn expose_content(&mut self, object: ObjectId, content: NodeId) {
        let of = self.content_type(object);
        let external = self.external(of);
        self.add(external, content);
        self.escape(content);
    }

    fn content_type(&mut self, object: ObjectId) -> TypeId {
        self.types.element(self.objects.type_of(object)).unwrap_or(TypeId::OBJECT)
    }

    pub(super) fn own_node(&mut self, object: ObjectId, field: Field) -> Option<NodeId> {
        if let Some(known) = self.heap.own(object, field) {
            return Some(known);
        }
        let node = match field {
            Field::Declared(declared) => self.new_field(declared)?,
            Field::Content | Field::Captured(_) => self.node(),
        };
        self.heap.add_own(object, field, node);
        Some(node)
    }

    /// Adds a node of a field's type; none if it holds numbers.
    fn new_field(&mut self, field: FieldId) -> Option<NodeId> {
        let of = self.program.field_type(self.program.field(field).descriptor)?;
        self.node_of(of)
    }

    /// Returns the node that all objects that external code may hold share for a field; none if it holds numbers.
    pub(super) fn shared_node(&mut self, field: FieldId) -> Option<NodeId> {
        if let Some(known) = self.heap.shared(field) {
            return Some(known);
        }
        let node = self.new_field(field)?;
        self.heap.add_shared(field, node);
        self.open_to_clients(field, node);
        Some(node)
    }

    /// Returns the node of a static field; none if it holds numbers.
    pub(super) fn static_node(&mut self, field: FieldId) -> Option<NodeId> {
        if let Some(known) = self.heap.of_static(field) {
            return Some(known);
        }
        let node = self.new_field(field)?;
        self.heap.add_static(field, node);
        self.open_to_clients(field, node);
        Some(node)
    }

    /// Lets clients read and write a field if they have access to it.
    fn open_to_clients(&mut self, field: FieldId, node: NodeId) {
        if self.mode.is_readable(self.program, field) {
            self.escape(node);
        }
        if self.mode.is_writable(self.program, field)
            && let Some(of) = self.program.field_type(self.program.field(field).descriptor)
        {
            self.add_external(of, node);
        }
    }

    /// Merges the own nodes of an object's fields with the shared ones.
    pub(super) fn share_fields(&mut self, object: ObjectId) {
        for (field, own) in self.heap.remove_own_declared(object) {
            if let Some(shared) = self.shared_node(field) {
                let [shared, own] = [shared, own].map(|node| self.graph.find(node));
                self.graph.merge(shared, own, &mut self.sets);
            }
        }
    }

    pub(super) fn apply_load(&mut self, new: SetId, field: Field, to: NodeId) {
        if field == Field::Content {
            return self.load_contents(new, Depth::One, to);
        }
        for object in self.objects_in(new) {
            let slot = self.slot(object, field);
            self.flow_slot(slot, to);
        }
    }

    pub(super) fn apply_load_all(&mut self, new: SetId, to: NodeId) {
        self.load_contents(new, Depth::All, to);
    }

    fn load_contents(&mut self, objects: SetId, depth: Depth, to: NodeId) {
        const FEW: usize = 4;
        let is_of_all_types = self.graph.type_of(self.graph.representative(to)) == TypeId::OBJECT;
        if is_of_all_types && self.sets.is_larger(objects, FEW) {
            let contents = self.contents_of_set(objects, depth);
            self.edge(contents, to);
        } else {
            self.load_each_content(objects, depth, to);
        }
    }

    fn load_each_content(&mut self, objects: SetId, depth: Depth, to: NodeId) {
        for object in self.objects_in(objects) {
            let slot = match depth {
                Depth::One => self.slot(object, Field::Content),
                Depth::All => self.transitive_slot(object),
            };
            self.flow_slot(slot, to);
        }
    }

    /// Returns the node of the contents of all objects of a set.
    fn contents_of_set(&mut self, objects: SetId, depth: Depth) -> NodeId {
        if let Some(known) = self.heap.contents_of_set(objects, depth) {
            return known;
        }
        let node = self.node();
        self.heap.add_contents_of_set(objects, depth, node);
        self.load_each_content(objects, depth, node);
        node
    }

    /// Lets a field of an object flow to a node.
    fn flow_slot(&mut self, slot: FieldSlot, to: NodeId) {
        match slot {
            FieldSlot::Node(from) => self.edge(from, to),
            FieldSlot::External(of) => {
                let external = self.external(of);
                self.add(external, to);
            }
            FieldSlot::Value(of) => {
                let value = self.object(Object::Value(of));
                self.add(value, to);
            }
            FieldSlot::Nothing => {}
        }
    }

    pub(super) fn apply_store(&mut self, new: SetId, field: Field, from: NodeId) {
        for object in self.objects_in(new) {
            match self.slot(object, field) {
                FieldSlot::Node(to) => self.edge(from, to),
                FieldSlot::External(_) | FieldSlot::Value(_) => self.escape(from),
                FieldSlot::Nothing => {}
            }
        }
    }
}
