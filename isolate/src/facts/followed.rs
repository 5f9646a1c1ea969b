//! Followed objects: which abstract objects may be followed ones, and the cases of a value that is one of several.

use super::objects::ObjectKind;
use super::subject_facts::SubjectFacts;
use crate::Rule;
use crate::value::{AliasId, RegionId, SetId, Value};
use java::ir::Variable;
use java::library::Guard;
use java::points_to::{Field, Object, ObjectId};
use java::{FieldId, Handle, MethodId, Type};
use std::rc::Rc;

impl SubjectFacts<'_> {
    /// Whether an abstract object may stand for a followed one.
    pub(crate) fn may_be_followed(&self, object: ObjectId) -> bool {
        self.regions.is_followed(&self.heap, object)
    }

    /// Whether all followed objects that an abstract object stands for are anchored at this field.
    pub(crate) fn belongs_to_region(&self, object: ObjectId, field: FieldId) -> bool {
        let aliases = self.regions.alias_of(&self.heap, object);
        aliases.iter().all(|(alias, _)| {
            let known = self.regions.aliases[alias.index()].representative;
            known.is_some_and(|it| self.regions.regions[it.index()].anchor.is_some_and(|(_, by)| by == field))
        })
    }

    /// The points-to set of a field of a region.
    pub(crate) fn field_objects(&self, region: RegionId, field: Field) -> Rc<[ObjectId]> {
        self.regions.points_to(&self.heap, self.regions.alias(region), field)
    }

    /// The value captured by lambdas of an implementation, by the pointer analysis.
    pub(crate) fn captured_by(&self, implementation: Handle, number: u16) -> Value {
        let held = match self.known.captured.get(&(implementation, number)) {
            Some(known) => known,
            None => {
                let of = |object: &Object| matches!(object, Object::Lambda { implementation: known, .. } if *known == implementation);
                let lambdas = self.heap.points.objects().filter(|(_, object)| of(object));
                let mut held: Vec<ObjectId> =
                    lambdas.flat_map(|(lambda, _)| self.heap.field(lambda, Field::Captured(number))).collect();
                held.sort_unstable();
                held.dedup();
                let held = self.sets.id(held);
                self.known.captured.insert((implementation, number), held);
                held
            }
        };
        self.value_captured(held, number)
    }

    /// The captured value of this number, which is one of these objects.
    pub(crate) fn value_captured(&self, of: SetId, number: u16) -> Value {
        match self.sets.objects(of).iter().any(|object| self.may_be_followed(*object)) {
            true => Value::Open(of, 1000 + u32::from(number)),
            false => Value::Any,
        }
    }

    /// The alias classes of the objects of a set, each with whether the object is a view.
    pub(super) fn aliases_of(&self, of: SetId) -> Vec<(AliasId, bool)> {
        let objects = self.sets.objects(of);
        let mut found: Vec<_> = objects.iter().flat_map(|object| self.regions.alias_of(&self.heap, *object)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The cases of an unresolved value.
    pub(crate) fn options(&self, of: SetId) -> Rc<[Value]> {
        if let Some(known) = self.known.options.get(&of) {
            return known;
        }
        let mut options = vec![Value::Other];
        for (alias, is_view) in self.aliases_of(of) {
            let region = self.regions.representative(alias);
            // A wrapper of a program object calls its methods.
            let is_wrapped = is_view && !self.is_program_object(region);
            options.push(match is_wrapped {
                true if self.is_view_locked(of, alias) => Value::Locked(region),
                true => Value::View(region),
                false => Value::Region(region),
            });
        }
        let options: Rc<[Value]> = options.into();
        self.known.options.insert(of, options.clone());
        options
    }

    /// Whether each view of an alias class in a set is a wrapper that holds a monitor, by
    /// [`LockedViews`](Rule::LockedViews).
    fn is_view_locked(&self, of: SetId, alias: AliasId) -> bool {
        let is_locked = |object: &ObjectId| match self.heap.kind_of(*object) {
            ObjectKind::View(_, class) => self.heap.library.attributes(class).guard() == Guard::Monitor,
            _ => true,
        };
        let is_of = |object: &ObjectId| self.regions.alias_of(&self.heap, *object).iter().any(|(it, _)| *it == alias);
        self.heap.modality.omits(Rule::LockedViews)
            && self.sets.objects(of).iter().filter(|object| is_of(object)).all(is_locked)
    }

    /// The objects of a set that are of a type; none if no followed one is among them.
    pub(crate) fn narrowed(&self, of: SetId, to: Type) -> Option<SetId> {
        let objects = self.heap.narrowed(&self.sets.objects(of), to);
        objects.iter().any(|object| self.may_be_followed(*object)).then(|| self.sets.id(objects))
    }

    /// Whether a region is a program object, so that its methods have code.
    pub(crate) fn is_program_object(&self, region: RegionId) -> bool {
        self.regions.regions[region.index()].class.is_some() || region == RegionId::SUBJECT
    }

    /// The interned points-to set of a variable.
    pub(crate) fn variable_set(&self, method: MethodId, variable: Variable) -> SetId {
        if let Some(known) = self.known.variables.get(&(method, variable)) {
            return known;
        }
        let found = self.sets.id(self.heap.variable(method, variable));
        self.known.variables.insert((method, variable), found);
        found
    }

    /// The [closure](crate::facts::heap::Heap::library_closure) of a set, computed once.
    pub(crate) fn closure_of(&self, set: SetId) -> SetId {
        if let Some(known) = self.known.closures.get(&set) {
            return known;
        }
        let found = self.heap.library_closure(self.sets.objects(set).to_vec());
        let found = self.sets.id(found);
        self.known.closures.insert(set, found);
        found
    }
}
