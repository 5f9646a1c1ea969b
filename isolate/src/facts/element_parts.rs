//! Parts that lie at one index of an array each: the nodes of a hash table, the segments of a map.
//!
//! **Definition.** A *table of parts* is a followed array of objects of the program in which no method moves elements.
//! A method *moves* elements if it stores into such an array anything but new objects, null, and objects that it has
//! loaded from a field or from the same index: `table[h] = node.next` stays in its place, `table[i] = table[j]` does
//! not. It also moves them if it [changes arrays in the library](super::array_changes).
//!
//! **Rule** [`ElementParts`](Rule::ElementParts). The followed parts lie at K
//! ([symbolic indices](crate::exec::symbolic_indices)): an element at L or elsewhere is no followed object, and a field
//! of the elements' class leads from an object that is not followed to none that is. *Why it is a use that the class is
//! made for.* The lock of a place guards the parts that lie there. The definition asks for code that keeps each part at
//! its place.

use super::array_changes::Shown;
use super::objects::ObjectKind;
use super::origins::Origins;
use super::subject_facts::SubjectFacts;
use crate::Rule;
use crate::value::RegionId;
use java::ir::{Body, Definition, Operation, Variable};
use java::points_to::{Field, ObjectId};
use java::{ClassId, Constant, FieldId, MethodId};
use std::rc::Rc;

impl SubjectFacts<'_> {
    /// Whether a region is a table of parts, and the rule applies.
    pub(crate) fn is_table_of_parts(&self, region: RegionId) -> bool {
        self.heap.modality.omits(Rule::ElementParts) && self.mode.has_indices && !self.parts_in(region).is_empty()
    }

    /// Whether a class, or a superclass, of the elements of a table of parts declares a field.
    pub(crate) fn is_field_of_table_part(&self, field: FieldId) -> bool {
        if !self.heap.modality.omits(Rule::ElementParts) || !self.mode.has_indices {
            return false;
        }
        let class = self.heap.program.field(field).class;
        self.table_parts().iter().any(|part| self.heap.program.is_subtype(*part, class))
    }

    /// The classes of the elements of all tables of parts.
    fn table_parts(&self) -> &[ClassId] {
        self.known.arrays.table_parts.get_or_init(|| {
            let regions = (0..self.regions.regions.len()).filter_map(|region| u16::try_from(region).ok().map(RegionId));
            let mut classes: Vec<ClassId> = regions.flat_map(|region| self.parts_in(region).to_vec()).collect();
            classes.sort_unstable();
            classes.dedup();
            classes
        })
    }

    /// The classes of the elements of a table of parts; none for other regions.
    fn parts_in(&self, region: RegionId) -> Rc<[ClassId]> {
        if let Some(known) = self.known.arrays.parts.get(&region) {
            return known;
        }
        let parts: Rc<[ClassId]> = self.find_parts(region).unwrap_or_default().into();
        self.known.arrays.parts.insert(region, parts.clone());
        parts
    }

    fn find_parts(&self, region: RegionId) -> Option<Vec<ClassId>> {
        let arrays = &self.regions.aliases[self.regions.alias(region).index()].objects;
        if arrays.is_empty() || !arrays.iter().all(|array| self.heap.is_array(*array)) {
            return None;
        }
        let class_of = |object: &ObjectId| match self.heap.kind_of(*object) {
            ObjectKind::Program(class) => Some(class),
            _ => None,
        };
        let held = self.field_objects(region, Field::Content);
        let mut classes: Vec<ClassId> = held.iter().map(class_of).collect::<Option<_>>()?;
        classes.sort_unstable();
        classes.dedup();
        let heap = &self.heap;
        let shown = self.shown(arrays);
        let stays = heap.program.methods().all(|(method, declared)| {
            !declared.has_code() || !heap.points.is_reached(method) || !self.moves_elements(method, (arrays, &shown))
        });
        stays.then_some(classes)
    }

    /// Whether a method moves elements of these arrays.
    fn moves_elements(&self, method: MethodId, (arrays, shown): (&[ObjectId], &Shown)) -> bool {
        let Some(body) = self.heap.body(method) else { return true };
        let may_be = |array: Variable| self.heap.variable(method, array).iter().any(|object| arrays.contains(object));
        let statements = || body.blocks().flat_map(|(_, block)| &*block.statements);
        if self.changes_in_library(method, &body, shown) {
            return true;
        }
        let stores = statements().filter_map(|statement| match &statement.operation {
            Operation::StoreElement { array, index, value, .. } if may_be(*array) => Some((*index, *value)),
            _ => None,
        });
        let stores: Vec<(Variable, Variable)> = stores.collect();
        if stores.is_empty() {
            return false;
        }
        let Some(code) = self.method(method) else { return true };
        let origins = Origins::of_copies(&body);
        let is_same = |one: Variable, other: Variable| one == other || code.terms.of(one) == code.terms.of(other);
        stores.into_iter().any(|(index, value)| {
            !origins
                .of(value)
                .into_iter()
                .all(|origin| stays_at(&body, origin, |array, from| !may_be(array) || is_same(index, from)))
        })
    }
}

/// Whether a value is new, null, or loaded from a field or from an element at the same place.
fn stays_at(body: &Body, origin: Variable, is_same_place: impl Fn(Variable, Variable) -> bool) -> bool {
    let Definition::Statement(id) = body.variable(origin).definition else { return false };
    match &body.statement(id).operation {
        Operation::New(_) | Operation::Constant(Constant::Null) | Operation::GetField { .. } => true,
        Operation::LoadElement { array, index, .. } => is_same_place(*array, *index),
        _ => false,
    }
}
