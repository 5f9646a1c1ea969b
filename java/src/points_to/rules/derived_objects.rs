//! Objects that are derived from others: copies, class objects, views, and the constants of enum classes.

use crate::points_to::constraints::{CopySiteId, Field, NodeId};
use crate::points_to::heap::FieldSlot;
use crate::points_to::objects::{Exactness, Object, ObjectId, Site};
use crate::points_to::sets::SetId;
use crate::points_to::state::State;
use crate::points_to::types::TypeId;

impl State<'_> {
    /// Lets copies of objects flow to a node.
    pub(super) fn apply_clone(&mut self, new: SetId, site: CopySiteId, to: NodeId) {
        let site = self.copy_sites.get(site);
        for object in self.objects_in(new) {
            let of = self.objects.type_of(object);
            let copy = match self.objects.get(object) {
                Object::Made { exactness, .. } => self.copy_of(site, of, *exactness),
                Object::View { .. } => self.copy_of(site, of, Exactness::Bound),
                // A lambda cannot be copied; the others represent their copies.
                Object::Lambda { .. }
                | Object::Value(_)
                | Object::Literal(_)
                | Object::Class(_)
                | Object::Handle { .. }
                | Object::External(_) => object,
            };
            self.add(copy, to);
            if copy != object {
                self.copy_fields(object, copy);
            }
        }
    }

    fn copy_of(&mut self, site: Site, of: TypeId, exactness: Exactness) -> ObjectId {
        self.object(Object::Made { site, of, exactness, depth: 0 })
    }

    fn copy_fields(&mut self, from: ObjectId, to: ObjectId) {
        let mut fields = vec![Field::Content];
        if let Some(class) = self.types.class(self.objects.type_of(from)) {
            let declared = self.program.superclasses(class).flat_map(|class| self.program.class(class).fields());
            fields.extend(declared.filter(|field| !self.program.field(*field).flags.is_static()).map(Field::Declared));
        }
        for field in fields {
            if let (FieldSlot::Node(from), FieldSlot::Node(to)) = (self.slot(from, field), self.slot(to, field)) {
                self.edge(from, to);
            }
        }
    }

    /// Lets the class objects of objects flow to a node.
    pub(super) fn apply_class_of(&mut self, new: SetId, to: NodeId) {
        for object in self.objects_in(new) {
            let of = self.objects.type_of(object);
            let class = match self.objects.get(object) {
                Object::Made { exactness: Exactness::Exact, .. } | Object::Literal(_) | Object::Class(_) => {
                    self.object(Object::Class(of))
                }
                Object::Made { exactness: Exactness::Bound, .. }
                | Object::Lambda { .. }
                | Object::Value(_)
                | Object::Handle { .. }
                | Object::View { .. }
                | Object::External(_) => {
                    let class = self.types.of_text("java/lang/Class");
                    self.external(class)
                }
            };
            self.add(class, to);
        }
    }

    pub(super) fn apply_view(&mut self, new: SetId, of: TypeId, to: NodeId) {
        for object in self.objects_in(new) {
            let view = self.view(object, of);
            self.add(view, to);
        }
    }

    /// Returns the view of an object, of this type.
    fn view(&mut self, object: ObjectId, of: TypeId) -> ObjectId {
        match *self.objects.get(object) {
            Object::View { base, .. } => self.object(Object::View { base, of }),
            Object::Made { .. } | Object::Lambda { .. } => self.object(Object::View { base: object, of }),
            Object::External(_) => self.external(of),
            // The content is empty.
            Object::Value(_) | Object::Literal(_) | Object::Class(_) | Object::Handle { .. } => {
                self.object(Object::Value(of))
            }
        }
    }

    pub(super) fn apply_holds_view(&mut self, new: SetId, of: TypeId) {
        for object in self.objects_in(new) {
            let view = self.view(object, of);
            if let FieldSlot::Node(content) = self.slot(object, Field::Content) {
                self.add(view, content);
            }
        }
    }

    /// Lets the constants of enum classes flow to a node: the static fields of the class that an object represents or
    /// is an instance of.
    pub(super) fn apply_enumerates(&mut self, new: SetId, to: NodeId) {
        for object in self.objects_in(new) {
            let of = match self.objects.get(object) {
                Object::Class(of) => *of,
                _ => self.objects.type_of(object),
            };
            let external = self.external(TypeId::OBJECT);
            let Some(class) = self.types.class(of) else {
                self.add(external, to);
                continue;
            };
            self.initialize(class);
            let fields = self.program.class(class).fields();
            let constants = fields.filter(|field| self.program.field(*field).flags.is_enum()).collect::<Vec<_>>();
            if constants.is_empty() {
                self.add(external, to);
            }
            for field in constants {
                if let Some(from) = self.static_node(field) {
                    self.edge(from, to);
                }
            }
        }
    }
}
