//! Collects the uses of objects from all points-to sets.

use super::constraints::Field;
use super::objects::{Object, ObjectId};
use super::result::PointsTo;
use super::sets::SetId;
use super::uses::{Uses, UsesOf};
use crate::class_file::MethodId;
use crate::ir::Variable;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Upper bound on the methods that are listed for an object.
const MOST_METHODS: usize = 256;

/// The objects of points-to sets whose uses are collected.
struct Kept<'a, 'p> {
    points: &'a PointsTo<'p>,
    of_set: FxHashMap<SetId, Rc<[ObjectId]>>,
}

impl Kept<'_, '_> {
    fn of_set(&mut self, set: super::result::ObjectSet<'_>) -> Rc<[ObjectId]> {
        if let Some(known) = self.of_set.get(&set.id()) {
            return known.clone();
        }
        let mut found: Vec<ObjectId> = set.iter().map(|object| self.points.viewed(object)).collect();
        found.retain(|object| self.points.is_inside(*object));
        found.sort_unstable();
        found.dedup();
        let found: Rc<[ObjectId]> = found.into();
        self.of_set.insert(set.id(), found.clone());
        found
    }
}

impl PointsTo<'_> {
    /// The uses of objects; computed on first use. Linear in the sizes of all different points-to sets, and in the
    /// number of variables and fields.
    pub fn uses(&self) -> &Uses {
        self.uses.get_or_init(|| self.find_uses())
    }

    /// The base of a view, or the object itself.
    pub fn viewed(&self, object: ObjectId) -> ObjectId {
        let mut object = object;
        while let Object::View { base, .. } = self.object(object) {
            object = *base;
        }
        object
    }

    /// Whether the program allocates an object, and it does not escape.
    pub fn is_inside(&self, object: ObjectId) -> bool {
        matches!(self.object(object), Object::Made { .. } | Object::Lambda { .. }) && !self.escapes(object)
    }

    fn find_uses(&self) -> Uses {
        let mut of: FxHashMap<ObjectId, UsesOf> = FxHashMap::default();
        let mut kept = Kept { points: self, of_set: FxHashMap::default() };
        let some = || UsesOf { methods: Some(Vec::new()), ..UsesOf::default() };
        for (method, _) in self.program().methods().filter(|(method, _)| self.is_reached(*method)) {
            let mut known: FxHashSet<SetId> = FxHashSet::default();
            for variable in 0..self.variables_of(method) {
                let set = self.variable(method, Variable(variable));
                if !known.insert(set.id()) {
                    continue;
                }
                for object in kept.of_set(set).iter() {
                    note_method(&mut of.entry(*object).or_insert_with(some).methods, method);
                }
            }
        }
        for (holder, field) in self.all_fields() {
            for object in kept.of_set(self.field(holder, field)).iter() {
                of.entry(*object).or_insert_with(some).holders.push(holder);
            }
        }
        for field in self.state.heap.all_shared() {
            for object in kept.of_set(self.set_of(self.state.heap.shared(field))).iter() {
                of.entry(*object).or_insert_with(some).fields.push(field);
            }
        }
        for field in self.state.heap.all_static() {
            for object in kept.of_set(self.static_field(field)).iter() {
                of.entry(*object).or_insert_with(some).is_static = true;
            }
        }
        for uses in of.values_mut() {
            uses.holders.sort_unstable();
            uses.holders.dedup();
        }
        Uses { of, nowhere: some() }
    }

    fn all_fields(&self) -> Vec<(ObjectId, Field)> {
        let own = self.state.heap.all_own().map(|(object, field, _)| (object, field));
        own.chain(self.contents.keys().map(|object| (*object, Field::Content))).collect()
    }
}

fn note_method(methods: &mut Option<Vec<MethodId>>, method: MethodId) {
    if let Some(known) = methods
        && known.last() != Some(&method)
    {
        known.push(method);
        if known.len() > MOST_METHODS {
            *methods = None;
        }
    }
}
