//! The objects that are reachable from the subject, by points-to sets alone.

use super::Code;
use java::library::Attribute;
use java::points_to::{Field, Object, ObjectId, ObjectSet, SetKey};
use java::{ClassId, FieldId, Lookup, Member};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;

/// A use of an object by a row.
#[derive(Clone, Copy)]
pub(super) struct Use {
    /// The called method, if the object is the receiver.
    pub(super) receiver_of: Option<Member>,
    /// Whether the row only reads it.
    pub(super) only_reads: bool,
}

/// The closure of the subject's objects over all fields and contents.
pub(super) struct Reachable<'p> {
    code: Code<'p>,
    objects: FxHashSet<ObjectId>,
    statics: FxHashSet<FieldId>,
    /// The objects among them that external code may have, too.
    escaped: Vec<ObjectId>,
    known: RefCell<FxHashMap<ObjectId, bool>>,
    in_sets: RefCell<FxHashMap<SetKey, bool>>,
}

impl<'p> Reachable<'p> {
    /// What is reachable from these objects, which may be external ones of a class of the program, and static fields.
    pub(super) fn new(code: Code<'p>, objects: Vec<ObjectId>, statics: FxHashSet<FieldId>) -> Self {
        let is_given = |object: &ObjectId| match code.points.object(*object) {
            Object::External(of) => code.points.class_of(*of).is_some(),
            _ => true,
        };
        let held = statics.iter().flat_map(|field| code.points.static_field(*field).iter());
        let mut open: Vec<ObjectId> = objects.into_iter().filter(is_given).chain(held).collect();
        let mut objects = FxHashSet::default();
        while let Some(object) = open.pop() {
            if objects.insert(object) {
                let has_content = code
                    .points
                    .class_of(code.points.type_of_object(object))
                    .is_none_or(|class| extends_library(code, class));
                let fields =
                    code.points.fields(object).into_iter().filter(|field| has_content || *field != Field::Content);
                open.extend(fields.flat_map(|field| code.points.field(object, field).iter()));
                // A view and its base have one content.
                open.push(code.points.viewed(object));
            }
        }
        let mut escaped: Vec<ObjectId> = objects.iter().copied().filter(|it| code.points.escapes(*it)).collect();
        escaped.sort_unstable();
        Self { code, objects, statics, escaped, known: RefCell::default(), in_sets: RefCell::default() }
    }

    /// Whether a static field is one of those that are asked about.
    pub(super) fn has_static(&self, field: FieldId) -> bool {
        self.statics.contains(&field)
    }

    /// Whether an abstract object may stand for a reachable object.
    pub(super) fn has(&self, object: ObjectId) -> bool {
        if let Some(known) = self.known.borrow().get(&object) {
            return *known;
        }
        let points = self.code.points;
        let is_external = |object: ObjectId| points.object(object).is_external();
        let may_be =
            |one: ObjectId, other: ObjectId| is_external(other) && points.may_be(one, points.type_of_object(other));
        let may_be_same = |other: &ObjectId| {
            // Objects of the library are of no class of the program; nobody passes one of the program as an `Object`.
            let is_apart = self.is_declared(*other) && !self.is_declared(object)
                || self.is_declared(object) && self.is_of_any_type(*other);
            !is_apart && (may_be(object, *other) || may_be(*other, object))
        };
        let found = self.objects.contains(&object) || points.escapes(object) && self.escaped.iter().any(may_be_same);
        self.known.borrow_mut().insert(object, found);
        found
    }

    /// Whether the program declares the type of an object.
    fn is_declared(&self, object: ObjectId) -> bool {
        self.code.points.class_of(self.code.points.type_of_object(object)).is_some()
    }

    /// Whether nothing is known about the class of an object.
    fn is_of_any_type(&self, object: ObjectId) -> bool {
        self.code.points.type_name(self.code.points.type_of_object(object)) == "java/lang/Object"
    }

    /// Whether a points-to set may have a reachable object.
    pub(super) fn meets(&self, set: ObjectSet<'_>) -> bool {
        if let Some(known) = self.in_sets.borrow().get(&set.key()) {
            return *known;
        }
        let found = set.iter().any(|object| self.has(object));
        self.in_sets.borrow_mut().insert(set.key(), found);
        found
    }

    /// Whether a points-to set may have a reachable object of the library with state that a row accesses.
    pub(super) fn meets_content(&self, set: ObjectSet<'_>, use_of: Use) -> bool {
        let is_reached = |object: ObjectId| self.has(object) || self.has(self.code.points.viewed(object));
        set.iter().any(|object| self.has_content(object, use_of) && is_reached(object))
    }

    /// Whether an object has state that rows access.
    fn has_content(&self, object: ObjectId, use_of: Use) -> bool {
        let Code { program, library, points, .. } = self.code;
        let of = match points.object(object) {
            Object::Made { of, .. } | Object::External(of) => *of,
            Object::View { base, .. } => return self.has_content(*base, Use { receiver_of: None, ..use_of }),
            Object::Lambda { .. }
            | Object::Value(_)
            | Object::Literal(_)
            | Object::Class(_)
            | Object::Handle { .. } => {
                return false;
            }
        };
        let Some(class) = points.class_of(of) else {
            let attributes = library.attributes(points.type_name(of));
            let is_constant = use_of.only_reads && attributes.has(Attribute::Unchanging);
            return !is_constant && ![Attribute::Immutable, Attribute::Value].iter().any(|it| attributes.has(*it));
        };
        let is_given = use_of.receiver_of.is_some_and(|member| {
            let found = program.resolve_in(class, member.name, member.descriptor);
            matches!(found, Lookup::Found(method) if program.method(method).has_code())
        });
        !is_given && extends_library(self.code, class)
    }
}

/// Whether a class extends a class of the library other than `Object`.
pub(super) fn extends_library(code: Code<'_>, class: ClassId) -> bool {
    let program = code.program;
    let top = program.superclasses(class).last().and_then(|top| program.class(top).superclass);
    top.is_some_and(|name| program.named(name).is_none() && program.text(name) != "java/lang/Object")
}

/// The classes and interfaces of the library that a class extends or implements, and their supertypes.
pub(super) fn library_supertypes<'p>(code: Code<'p>, class: ClassId) -> Vec<&'p str> {
    let program = code.program;
    let supertypes = program.supertypes(class).into_iter().map(|class| program.class(class));
    let all = supertypes.flat_map(|class| class.superclass.iter().chain(&class.interfaces));
    let outside = all.filter(|name| program.named(**name).is_none()).map(|name| program.text(*name));
    let all = outside.flat_map(|name| std::iter::once(name).chain(code.library.supertypes(name)));
    let mut known = FxHashSet::default();
    all.filter(|name| !name.starts_with("java/lang/Object") && known.insert(*name)).collect()
}
