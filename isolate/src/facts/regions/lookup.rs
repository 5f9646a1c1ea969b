//! Lookup of the alias class of an abstract object, and of the points-to sets of a class; cached.

use super::super::heap::Heap;
use super::super::objects::ObjectKind;
use super::Regions;
use crate::Rule;
use crate::value::AliasId;
use java::ClassId;
use java::points_to::{Field, ObjectId, SetKey, TypeId};
use rustc_hash::FxHashSet;
use std::rc::Rc;

impl Regions {
    /// The alias classes of an abstract object, each with whether the object is a view of it.
    pub(crate) fn alias_of(&self, heap: &Heap<'_>, object: ObjectId) -> Vec<(AliasId, bool)> {
        match heap.kind_of(object) {
            ObjectKind::View(base, _) => {
                self.alias_of(heap, base).into_iter().map(|(alias, _)| (alias, true)).collect()
            }
            ObjectKind::External(of) => {
                let own = self.alias_of_object.get(&object).copied();
                if heap.omits_program_objects(of) || super::is_of_no_client(heap, object) {
                    return own.map(|alias| (alias, false)).into_iter().collect();
                }
                // The subject's object is of exactly the subject's class.
                let is_subject = self.regions[0].class.is_none_or(|class| heap.fits(class, of));
                let mut all: Vec<AliasId> =
                    own.into_iter().chain(self.aliases_of_type(heap, of).iter().copied()).collect();
                all.sort_unstable();
                all.dedup();
                all.retain(|alias| is_subject || *alias != AliasId(0));
                all.into_iter().map(|alias| (alias, false)).collect()
            }
            _ => {
                let by_root = heap.escaped_root(object).and_then(|root| self.alias_of_root.get(&root));
                let by_root = by_root.filter(|alias| !self.is_part_of_others(heap, **alias, object));
                let found = self.alias_of_object.get(&object).or(by_root);
                let is_subject = |alias: &&AliasId| {
                    **alias != AliasId(0)
                        || heap.only_class(&[object]).is_none_or(|of| self.regions[0].class == Some(of))
                };
                let found = found.filter(is_subject);
                found.map(|alias| (*alias, false)).into_iter().collect()
            }
        }
    }

    /// Whether an object that has the root of an alias class is a part that other objects than followed ones own, by
    /// [`NewParts`](Rule::NewParts).
    pub(super) fn is_part_of_others(&self, heap: &Heap<'_>, alias: AliasId, object: ObjectId) -> bool {
        let is_source = |owner| self.aliases[alias.index()].sources.iter().any(|(_, by)| *by == Field::Declared(owner));
        heap.modality.omits(Rule::NewParts) && heap.owner(object).is_some_and(|owner| !is_source(owner))
    }

    /// Whether an abstract object may be of one of the classes.
    pub(crate) fn is_followed(&self, heap: &Heap<'_>, object: ObjectId) -> bool {
        if let Some(known) = self.is_followed.borrow().get(&object) {
            return *known;
        }
        let found = !self.alias_of(heap, object).is_empty();
        self.is_followed.borrow_mut().insert(object, found);
        found
    }

    /// The points-to set of a field of a class, in order. Each distinct set is visited once.
    pub(crate) fn points_to(&self, heap: &Heap<'_>, alias: AliasId, field: Field) -> Rc<[ObjectId]> {
        if let Some(known) = self.held.borrow().get(&(alias, field)) {
            return known.clone();
        }
        let mut sets: FxHashSet<SetKey> = FxHashSet::default();
        let objects = self.aliases[alias.index()].objects.iter();
        let new = objects.filter(|object| sets.insert(heap.field_key(**object, field)));
        let mut held: Vec<ObjectId> = new.flat_map(|object| heap.field(*object, field)).collect();
        held.sort_unstable();
        held.dedup();
        let held: Rc<[ObjectId]> = held.into();
        self.held.borrow_mut().insert((alias, field), held.clone());
        held
    }

    /// The alias classes whose root may have an object of a type.
    fn aliases_of_type(&self, heap: &Heap<'_>, of: TypeId) -> Rc<[AliasId]> {
        if let Some(known) = self.aliases_of_type.borrow().get(&of) {
            return known.clone();
        }
        let classes = heap.classes_of(of);
        let is_one = |root: &ClassId| classes.binary_search(root).is_ok() && !heap.omits_class(*root, of);
        let roots = self.alias_of_root.iter().filter(|(root, _)| is_one(root));
        let mut found: Vec<AliasId> = roots.map(|(_, alias)| *alias).collect();
        found.retain(|alias| !self.is_private(heap, *alias));
        found.sort_unstable();
        found.dedup();
        let found: Rc<[AliasId]> = found.into();
        self.aliases_of_type.borrow_mut().insert(of, found.clone());
        found
    }

    /// Whether clients and unknown code have no object of a class, by [`PrivateObjects`](Rule::PrivateObjects): the
    /// program makes all of them, and gives none away.
    fn is_private(&self, heap: &Heap<'_>, alias: AliasId) -> bool {
        let mut objects = self.aliases[alias.index()].objects.iter();
        let is_subject = alias == AliasId(0);
        heap.modality.omits(Rule::PrivateObjects) && !is_subject && objects.all(|object| !heap.points.escapes(*object))
    }

    /// The alias class of these objects, if all belong to one and none is a view.
    pub(crate) fn alias_of_all(&self, heap: &Heap<'_>, objects: &[ObjectId]) -> Option<AliasId> {
        let mut found = objects.iter().map(|object| match self.alias_of(heap, *object)[..] {
            [(alias, false)] => Some(alias),
            _ => None,
        });
        let first = found.next().flatten()?;
        found.all(|other| other == Some(first)).then_some(first)
    }
}
