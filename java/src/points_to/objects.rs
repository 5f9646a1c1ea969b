//! Abstract objects: each stands for all concrete objects that are created in one way, mostly at one allocation site.
//!
//! **Definition.** A concrete object is represented by
//! - the [`Object`] of its allocation site, or
//! - the one object of its kind, for class objects, strings, boxes and other values without identity, or
//! - [`Object::External`] of each of its types, if external code allocated it or holds it (it *escaped*).
//!
//! **Invariant.** If a variable can hold a concrete object, its points-to set has an abstract object that represents
//! it. An escaped object may be in a set as itself or as external.

use super::types::{TypeId, Types};
use crate::class_file::{ClassId, FieldId, Handle, MethodId, Name};
use crate::ir::StatementId;
use rustc_hash::FxHashMap;

/// The number of an abstract object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub(super) u32);

impl ObjectId {
    /// The number.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A statement of a method: an allocation site or a call site.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// The method.
    pub method: MethodId,
    /// The statement.
    pub statement: StatementId,
}

/// How precisely a type describes the class of an abstract object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exactness {
    /// The class is exactly this type.
    Exact,
    /// The class is a library class and a subtype.
    Bound,
}

/// The methods of an object whose class is not known exactly, although the program has its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bound {
    /// The rows of the library table for this type.
    Row(TypeId),
    /// The methods of the program classes below this one.
    Below(ClassId),
}

/// The variables that a handle accesses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// This field.
    Field(FieldId),
    /// The elements of arrays.
    Elements,
}

/// An abstract object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Object {
    /// The objects of an allocation site: `new`, or a call of a library method.
    Made {
        /// The statement.
        site: Site,
        /// The class, or the type of an array.
        of: TypeId,
        /// Whether the class is exactly this type.
        exactness: Exactness,
        /// The nesting depth of an array among the arrays that the statement allocates, from 0.
        depth: u8,
    },
    /// The objects of a lambda expression or method reference.
    Lambda {
        /// The statement.
        site: Site,
        /// The interface.
        of: TypeId,
        /// The name of the interface's method.
        name: Name,
        /// The method that implements it: captured values are its first arguments.
        implementation: Handle,
    },
    /// All objects of an immutable class without identity (strings and boxes, for instance) and of its subclasses.
    Value(TypeId),
    /// A string constant.
    Literal(Name),
    /// The class object of a class or array.
    Class(TypeId),
    /// All handles of one field or of array elements (`VarHandle`, field updaters).
    Handle {
        /// The class of the handle.
        of: TypeId,
        /// The accessed variables.
        target: Target,
    },
    /// An object that shares the content of another one: an iterator, a `keySet`, the read lock of a read-write lock.
    View {
        /// The object whose content it shares; no view.
        base: ObjectId,
        /// The type that it is known to have.
        of: TypeId,
    },
    /// The objects of this type that external code allocates or holds.
    External(TypeId),
}

impl Object {
    /// The allocation site, if it has one.
    pub fn site(&self) -> Option<Site> {
        match self {
            Self::Made { site, .. } | Self::Lambda { site, .. } => Some(*site),
            Self::Value(_)
            | Self::Literal(_)
            | Self::Class(_)
            | Self::Handle { .. }
            | Self::View { .. }
            | Self::External(_) => None,
        }
    }

    /// Whether it is external.
    pub fn is_external(&self) -> bool {
        matches!(self, Self::External(_))
    }
}

/// All abstract objects.
pub(super) struct Objects {
    objects: Vec<Object>,
    /// The type of each.
    of: Vec<TypeId>,
    known: FxHashMap<Object, ObjectId>,
    string: TypeId,
    class: TypeId,
}

impl Objects {
    pub(super) fn new(types: &mut Types<'_>) -> Self {
        Self {
            objects: Vec::new(),
            of: Vec::new(),
            known: FxHashMap::default(),
            string: types.of_text("java/lang/String"),
            class: types.of_text("java/lang/Class"),
        }
    }

    pub(super) fn len(&self) -> usize {
        self.objects.len()
    }

    /// Returns the number of an object, and adds it if it is new; none if the limit is reached.
    pub(super) fn add(&mut self, object: Object) -> Option<ObjectId> {
        if let Some(known) = self.known.get(&object) {
            return Some(*known);
        }
        let number = u32::try_from(self.objects.len()).ok().filter(|number| *number < super::sets::MOST_ELEMENTS)?;
        let id = ObjectId(number);
        self.of.push(self.object_type(&object));
        self.objects.push(object.clone());
        self.known.insert(object, id);
        Some(id)
    }

    pub(super) fn find(&self, object: &Object) -> Option<ObjectId> {
        self.known.get(object).copied()
    }

    pub(super) fn get(&self, id: ObjectId) -> &Object {
        &self.objects[id.index()]
    }

    /// The class of an object, or a type that it has.
    pub(super) fn type_of(&self, id: ObjectId) -> TypeId {
        self.of[id.index()]
    }

    pub(super) fn all(&self) -> impl ExactSizeIterator<Item = (ObjectId, &Object)> {
        self.objects.iter().enumerate().map(|(index, object)| (ObjectId(index as u32), object))
    }

    fn object_type(&self, object: &Object) -> TypeId {
        match object {
            Object::Made { of, .. }
            | Object::Lambda { of, .. }
            | Object::Value(of)
            | Object::Handle { of, .. }
            | Object::View { of, .. }
            | Object::External(of) => *of,
            Object::Literal(_) => self.string,
            Object::Class(_) => self.class,
        }
    }
}
