//! Arrays that are accessed at [symbolic indices](crate::exec::symbolic_indices): the variables that index them, and
//! whether they keep the elements that they hold.

use super::heap::Heap;
use super::objects::ObjectKind;
use super::subject_facts::SubjectFacts;
use crate::value::{AliasId, RegionId};
use java::ir::{Body, Definition, Operation, Variable};
use java::library::Attribute;
use java::points_to::{Field, ObjectId};
use java::{InvokeKind, MethodId, Type};
use rustc_hash::FxHashSet;
use std::rc::Rc;

impl SubjectFacts<'_> {
    /// Whether a method uses a variable as an index of a followed array, or passes it to a method that does.
    pub(crate) fn is_index(&self, method: MethodId, variable: Variable) -> bool {
        let known = self.known.arrays.indices.get(&method).unwrap_or_else(|| {
            let found = Rc::new(self.indices_of(method));
            self.known.arrays.indices.insert(method, found.clone());
            found
        });
        known.contains(&variable)
    }

    fn indices_of(&self, method: MethodId) -> FxHashSet<Variable> {
        // A recursive query during the computation finds no indices.
        self.known.arrays.indices.insert(method, Rc::default());
        let Some(body) = self.heap.body(method) else { return FxHashSet::default() };
        let mut found = FxHashSet::default();
        for (_, block) in body.blocks() {
            for statement in &*block.statements {
                match &statement.operation {
                    Operation::LoadElement { array, index, .. } | Operation::StoreElement { array, index, .. } => {
                        let arrays = self.heap.variable(method, *array);
                        if arrays.into_iter().any(|array| self.may_be_followed(array)) {
                            found.insert(*index);
                        }
                    }
                    Operation::Invoke { member, arguments, kind } if *kind != InvokeKind::Interface => {
                        found.extend(self.index_arguments(*member, arguments));
                    }
                    _ => {}
                }
            }
        }
        found
    }

    /// The arguments that a program method uses as indices.
    fn index_arguments(&self, member: java::Member, arguments: &[Variable]) -> Vec<Variable> {
        let Some(callee) = self.heap.program.resolve_method(member).found() else { return Vec::new() };
        let Some(body) = self.heap.body(callee) else { return Vec::new() };
        let parameters: Vec<(Variable, Variable)> =
            body.parameters.iter().copied().zip(arguments.iter().copied()).collect();
        let is_int = |parameter: Variable| !body.variable(parameter).of.is_some_and(Type::is_reference);
        parameters
            .into_iter()
            .filter(|(parameter, _)| is_int(*parameter) && self.is_index(callee, *parameter))
            .map(|(_, argument)| argument)
            .collect()
    }

    /// The alias class of the elements of an array that holds them alone, each at one index for ever.
    pub(crate) fn owned_elements(&self, region: RegionId) -> Option<AliasId> {
        let array = self.regions.alias(region);
        if !self.mode.has_indices || !self.is_only_array(region) || !self.keeps_elements(region) {
            return None;
        }
        let held = self.field_objects(region, Field::Content);
        let element = self.regions.alias_of_all(&self.heap, &held)?;
        let is_own = self.regions.sources(element).eq([&(array, Field::Content)]);
        (is_own && self.fills_once(region)).then_some(element)
    }

    /// Whether the arrays of an alias class are reached from the subject by exactly one unchanging field.
    fn is_only_array(&self, region: RegionId) -> bool {
        let mut sources = self.regions.sources(self.regions.alias(region));
        let anchor = self.regions.regions[region.index()].anchor;
        let is_it = |(holder, by): &&(AliasId, Field)| {
            anchor
                == Some((
                    RegionId::SUBJECT,
                    *match by {
                        Field::Declared(by) => by,
                        Field::Content | Field::Captured(_) => return false,
                    },
                ))
                && *holder == self.regions.alias(RegionId::SUBJECT)
        };
        sources.next().is_some_and(|source| is_it(&source)) && sources.next().is_none()
    }

    /// Whether each object stored in an array is allocated for that place: each store is in the block of the
    /// allocation, and the object is stored in no other place.
    fn fills_once(&self, region: RegionId) -> bool {
        if let Some(known) = self.known.arrays.fills_once.get(&region) {
            return known;
        }
        let arrays = self.regions.aliases[self.regions.alias(region).index()].objects.clone();
        let heap = &self.heap;
        let fills = heap.program.methods().all(|(method, declared)| {
            !declared.has_code() || !heap.points.is_reached(method) || puts_new(heap, method, &arrays)
        });
        self.known.arrays.fills_once.insert(region, fills);
        fills
    }

    /// Whether all elements of an array are objects without content visible to threads: locks.
    pub(crate) fn holds_locks(&self, region: RegionId) -> bool {
        let held = self.field_objects(region, java::points_to::Field::Content);
        let is_lock = |object: &ObjectId| match self.heap.kind_of(*object) {
            ObjectKind::Library(class) => {
                class == "java/lang/Object" || self.heap.library.attributes(class).has(Attribute::Lock)
            }
            _ => false,
        };
        !held.is_empty() && held.iter().all(is_lock)
    }

    /// Whether elements are stored into an array only where it is created, by constructors and initializers, before
    /// others have it, and no library code [changes it](super::array_changes).
    pub(crate) fn keeps_elements(&self, region: RegionId) -> bool {
        if let Some(known) = self.known.arrays.keeps_elements.get(&region) {
            return known;
        }
        let alias = self.regions.alias(region);
        let arrays = self.regions.aliases[alias.index()].objects.clone();
        let is_made = |object: &ObjectId| matches!(self.heap.kind_of(*object), ObjectKind::Array);
        let shown = self.shown(&arrays);
        let keeps = self.regions.regions[region.index()].anchor.is_some()
            && arrays.iter().all(is_made)
            && self.heap.program.methods().all(|(method, declared)| {
                !declared.has_code()
                    || !self.heap.points.is_reached(method)
                    || self.heap.body(method).is_some_and(|body| {
                        puts_none(&self.heap, method, &body, &arrays) && !self.changes_in_library(method, &body, &shown)
                    })
            });
        self.known.arrays.keeps_elements.insert(region, keeps);
        keeps
    }
}

/// Whether a method stores nothing into these arrays, except for constructors and initializers that fill a new array.
fn puts_none(heap: &Heap<'_>, method: MethodId, body: &Body, arrays: &[ObjectId]) -> bool {
    let may_be = |variable: Variable| heap.variable(method, variable).iter().any(|object| arrays.contains(object));
    let name = heap.program.text(heap.program.method(method).name);
    let is_beginning = name == "<init>" || name == "<clinit>";
    body.blocks().flat_map(|(_, block)| &*block.statements).all(|statement| match &statement.operation {
        Operation::StoreElement { array, .. } if may_be(*array) => is_beginning && is_own_array(body, *array),
        _ => true,
    })
}

/// Whether each object that a method stores into these arrays is allocated for one place.
fn puts_new(heap: &Heap<'_>, method: MethodId, arrays: &[ObjectId]) -> bool {
    let Some(body) = heap.body(method) else { return false };
    let is_one = |variable: Variable| heap.variable(method, variable).iter().any(|object| arrays.contains(object));
    let mut stored = FxHashSet::default();
    body.blocks().all(|(block, of)| {
        of.statements.iter().all(|statement| match &statement.operation {
            Operation::StoreElement { array, value, .. } if is_one(*array) => {
                let is_made_here = match body.variable(*value).definition {
                    Definition::Statement(id) => {
                        id.block == block && matches!(body.statement(id).operation, Operation::New(_))
                    }
                    _ => false,
                };
                is_made_here && stored.insert(*value)
            }
            _ => true,
        })
    })
}

/// Whether a variable of a constructor holds an array that it has created, or that it loads from a field of its object.
fn is_own_array(body: &Body, array: Variable) -> bool {
    let Definition::Statement(id) = body.variable(array).definition else { return false };
    match &body.statement(id).operation {
        Operation::NewArray(..) | Operation::GetStatic(_) => true,
        Operation::GetField { object, .. } => body.parameters.first() == Some(object),
        _ => false,
    }
}
