//! Parts that objects of a class make for themselves: the entries and the table of a segment of a map.
//!
//! **Definition.** The *family* of a class are the classes with the same topmost program class. A *made part* of a
//! family is an abstract object that methods on objects of the family allocate, or that helpers allocate which only
//! such methods call; that no static field holds; that is stored into a field of an object of the family only where
//! this object is the receiver; and that is not passed to a method on another object of the family. A family whose
//! objects are cloned has no made parts, as a copy shares those of its original.
//!
//! **Rule** [`MadeParts`](crate::Rule::MadeParts). In a method on an object of the family that is not followed, a load
//! from an object of the family or from a made part yields no followed made part: if objects of the family are
//! followed, the followed parts are those of a followed object. *Why it is a use that the class is made for.* Each part
//! is made in a frame of one object of the family, and it enters this object's structure there. To another one it would
//! have to be passed or stored by a frame that has both objects, which the definition excludes except through a third
//! object: a load from a third object is not concerned.

use super::objects::{ObjectKind, is_visible};
use super::subject_facts::SubjectFacts;
use crate::Rule;
use crate::value::{RegionId, Value};
use java::ir::{Body, Operation, Variable};
use java::points_to::{Object, ObjectId};
use java::{ClassId, InvokeKind, MethodId};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Maximum depth of helpers that allocate for a family.
const DEEPEST: usize = 3;

/// Maximum number of objects that methods of a family allocate.
const MOST_OBJECTS: usize = 500;

impl SubjectFacts<'_> {
    /// The made parts that a load in a method with this receiver does not yield; none if the rule says nothing about
    /// it.
    pub(crate) fn parts_of_others(
        &self,
        method: MethodId,
        receiver: Option<Value>,
        loaded_from: Variable,
    ) -> Option<Rc<FxHashSet<ObjectId>>> {
        let declared = self.heap.program.method(method);
        let is_other =
            matches!(receiver, Some(Value::Any | Value::Other | Value::Foreign | Value::Derived | Value::This(_)));
        if !self.heap.modality.omits(Rule::MadeParts) || declared.flags.is_static() || !is_other {
            return None;
        }
        let root = self.heap.root(declared.class);
        let parts = self.made_parts(root);
        let holders = self.heap.variable(method, loaded_from);
        let is_own = |holder: &ObjectId| parts.contains(holder) || self.is_of_family(*holder, root);
        (!parts.is_empty() && holders.iter().all(is_own)).then_some(parts)
    }

    /// The made parts of the family with this topmost class; none if no object of the family is followed.
    fn made_parts(&self, root: ClassId) -> Rc<FxHashSet<ObjectId>> {
        if let Some(known) = self.answers.made_parts.borrow().get(&root) {
            return known.clone();
        }
        let found = Rc::new(if self.follows_family(root) { self.find_made_parts(root) } else { FxHashSet::default() });
        self.answers.made_parts.borrow_mut().insert(root, found.clone());
        found
    }

    /// Whether an object of a family is followed.
    fn follows_family(&self, root: ClassId) -> bool {
        let is_family = |class: ClassId| self.heap.root(class) == root;
        let is_subject = !self.mode.is_static && is_family(self.mode.class);
        let mut regions = self.regions.regions.iter().skip(RegionId::SUBJECT.index() + 1);
        is_subject || regions.any(|region| region.objects.iter().any(|object| self.is_of_family(*object, root)))
    }

    fn is_of_family(&self, object: ObjectId, root: ClassId) -> bool {
        match self.heap.kind_of(object) {
            ObjectKind::Program(class) => self.heap.root(class) == root,
            ObjectKind::External(of) => {
                self.heap.points.class_of(of).is_some_and(|class| self.heap.root(class) == root)
            }
            _ => false,
        }
    }

    fn find_made_parts(&self, root: ClassId) -> FxHashSet<ObjectId> {
        let points = self.heap.points;
        // A copy shares the parts of its original.
        let is_family = |class: &ClassId| self.heap.root(*class) == root;
        if self.heap.program.classes().map(|(class, _)| class).filter(is_family).any(|class| self.heap.is_copied(class))
        {
            return FxHashSet::default();
        }
        let is_candidate = |id: ObjectId, object: &Object| match object {
            Object::Made { site, .. } => !self.is_of_family(id, root) && self.allocates_for(site.method, root, DEEPEST),
            _ => false,
        };
        let made = points.objects().filter(|(id, object)| is_candidate(*id, object)).map(|(id, _)| id);
        let mut parts: FxHashSet<ObjectId> = made.filter(|object| !points.uses().of(*object).is_static).collect();
        if parts.len() > MOST_OBJECTS {
            return FxHashSet::default();
        }
        let mut methods: FxHashSet<MethodId> = FxHashSet::default();
        for object in parts.clone() {
            match &points.uses().of(object).methods {
                Some(of) => methods.extend(of),
                None => drop(parts.remove(&object)),
            }
        }
        for method in methods {
            if let Some(body) = self.heap.body(method) {
                self.remove_moved(&body, root, &mut parts);
            }
        }
        let externals = points.objects().filter(|(_, object)| self.stands_for_parts(object, &parts));
        let externals: Vec<ObjectId> = externals.map(|(id, _)| id).collect();
        parts.extend(externals);
        parts
    }

    /// Whether an external object is of a class that clients cannot name, or an array of such objects, and all objects
    /// of its type that the program makes are made parts.
    fn stands_for_parts(&self, object: &Object, parts: &FxHashSet<ObjectId>) -> bool {
        let points = self.heap.points;
        let Object::External(of) = object else { return false };
        let element = points.type_name(*of).trim_start_matches('[').trim_start_matches('L').trim_end_matches(';');
        let class = self.heap.program.name(element).and_then(|name| self.heap.program.named(name));
        let mut made =
            points.objects().filter(|(id, made)| matches!(made, Object::Made { .. }) && points.may_be(*id, *of));
        class.is_some_and(|class| !is_visible(self.heap.program, class))
            && made.next().is_some_and(|(first, _)| parts.contains(&first))
            && made.all(|(id, _)| parts.contains(&id))
    }

    /// Whether a method runs on an object of a family, or only such methods call it.
    fn allocates_for(&self, method: MethodId, root: ClassId, depth: usize) -> bool {
        let declared = self.heap.program.method(method);
        if !declared.flags.is_static() && self.heap.root(declared.class) == root {
            return true;
        }
        let callers = self.heap.points.callers(method);
        let is_helper = declared.flags.is_static() || self.heap.program.is_constructor(method);
        depth > 0
            && is_helper
            && !callers.is_empty()
            && callers.iter().all(|site| self.allocates_for(site.method, root, depth - 1))
    }

    /// Removes the objects that a method moves from one object of a family to another.
    fn remove_moved(&self, body: &Body, root: ClassId, parts: &mut FxHashSet<ObjectId>) {
        let method = body.method;
        let is_family = |variable: Variable| {
            self.heap.variable(method, variable).into_iter().any(|object| self.is_of_family(object, root))
        };
        let declared = self.heap.program.method(method);
        let is_own = !declared.flags.is_static() && self.heap.root(declared.class) == root;
        let is_receiver = |variable: Variable| is_own && body.parameters.first() == Some(&variable);
        for statement in body.blocks().flat_map(|(_, block)| &*block.statements) {
            let moved: Vec<Variable> = match &statement.operation {
                Operation::PutField { object, value, .. } if is_family(*object) && !is_receiver(*object) => {
                    vec![*value]
                }
                Operation::Invoke { kind, arguments, .. }
                    if *kind != InvokeKind::Static && is_family(arguments[0]) && !is_receiver(arguments[0]) =>
                {
                    arguments.iter().skip(1).copied().collect()
                }
                _ => continue,
            };
            for object in moved.into_iter().flat_map(|variable| self.heap.variable(method, variable)) {
                parts.remove(&object);
            }
        }
    }
}
