//! Copies of objects, their classes, and objects that are looked up.

use super::constraints::{Field, SiteId};
use super::graph::NodeId;
use super::heap::Place;
use super::objects::{Exactness, Object, ObjectId, Site};
use super::sets::SetId;
use super::state::State;
use super::types::{Relation, TypeId};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;

/// Statements that copy objects, and what looks for objects.
#[derive(Default)]
pub(super) struct Sites {
    sites: Vec<Site>,
    known: FxHashMap<Site, SiteId>,
    /// The objects of types that are looked for.
    found: BTreeMap<TypeId, NodeId>,
}

impl Sites {
    /// The number of a statement.
    pub(super) fn add(&mut self, site: Site) -> SiteId {
        if let Some(known) = self.known.get(&site) {
            return *known;
        }
        let id = SiteId(u32::try_from(self.sites.len()).expect("there are fewer statements than that"));
        self.sites.push(site);
        self.known.insert(site, id);
        id
    }
}

impl State<'_> {
    /// Copies of objects flow to a node.
    pub(super) fn apply_clone(&mut self, new: SetId, site: SiteId, to: NodeId) {
        let site = self.sites.sites[site.index()];
        for object in self.objects_in(new) {
            let of = self.objects.of(object);
            let copy = match self.objects.get(object) {
                Object::Made { exactness, .. } => self.copy_of(site, of, *exactness),
                Object::View { .. } => self.copy_of(site, of, Exactness::Bound),
                // A lambda cannot be copied; of the others, copies are not told apart.
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
        if let Some(class) = self.types.class(self.objects.of(from)) {
            let declared = self.program.superclasses(class).flat_map(|class| self.program.class(class).fields());
            fields.extend(declared.filter(|field| !self.program.field(*field).flags.is_static()).map(Field::Declared));
        }
        for field in fields {
            if let (Place::Node(from), Place::Node(to)) = (self.place(from, field), self.place(to, field)) {
                self.edge(from, to);
            }
        }
    }

    /// Class objects of objects flow to a node.
    pub(super) fn apply_class_of(&mut self, new: SetId, to: NodeId) {
        for object in self.objects_in(new) {
            let of = self.objects.of(object);
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

    /// Any object of a type flows to a node: those that are external, and those that the program makes. Of the type of
    /// all objects, those that have not escaped are left out: who looks an object up by reflection is assumed to find
    /// only what it may have.
    pub(super) fn find_anything(&mut self, of: TypeId, to: NodeId) {
        let external = self.external(of);
        self.add(external, to);
        if of == TypeId::OBJECT || self.is_value(of) {
            return;
        }
        let node = match self.sites.found.get(&of) {
            Some(known) => *known,
            None => self.find_all(of),
        };
        self.edge(node, to);
    }

    /// The node of all objects of a type that the program makes.
    fn find_all(&mut self, of: TypeId) -> NodeId {
        let node = self.graph.add_node(of);
        self.sites.found.insert(of, node);
        let made = self.objects.all().filter(|(_, object)| object.site().is_some()).map(|(id, _)| id);
        for object in made.collect::<Vec<_>>() {
            self.add_found(object, of, node);
        }
        node
    }

    /// An object is new: who looks for objects of its type finds it.
    pub(super) fn note_new(&mut self, object: ObjectId) {
        if self.sites.found.is_empty() || self.objects.get(object).site().is_none() {
            return;
        }
        for (of, node) in self.sites.found.clone() {
            self.add_found(object, of, node);
        }
    }

    fn add_found(&mut self, object: ObjectId, of: TypeId, node: NodeId) {
        if self.types.relation(self.objects.of(object), of) == Relation::Yes {
            self.add(object, node);
        }
    }
}
