//! Abstract objects: each stands for all objects that are made in one way.
//!
//! **Definition.** Every object at run time is stood for by
//! - the [`Object`] of the statement that made it, or
//! - the one of its kind, for strings, boxes and other values whose identity means nothing, and for class objects, or
//! - [`Object::External`] of each type that it has, if code that is not given made it, or holds it (it *escaped*).
//!
//! **Invariant.** If a variable can hold an object, its points-to set has an abstract object that stands for it. An
//! object that escaped may be in a set as itself or as external.

use super::types::{TypeId, Types};
use crate::class_file::{FieldId, Handle, MethodId, Name};
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

/// A statement that makes objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Site {
    /// The method.
    pub method: MethodId,
    /// The statement.
    pub statement: StatementId,
}

/// What is known of the class of an abstract object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Exactness {
    /// The objects are of exactly this class.
    Exact,
    /// They are of a library class that is a subtype.
    Bound,
}

/// Which field or elements a handle accesses.
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
    /// What a statement makes: `new`, or a call of a library method.
    Made {
        /// The statement.
        site: Site,
        /// The class, or the type of an array.
        of: TypeId,
        /// Whether it is exactly this class.
        exactness: Exactness,
        /// How deep it is in what the statement makes: arrays in arrays, from 0.
        depth: u8,
    },
    /// An object of an interface made from a lambda or method reference.
    Lambda {
        /// The statement.
        site: Site,
        /// The interface.
        of: TypeId,
        /// The name of the interface's method.
        name: Name,
        /// What the interface's method runs: the values captured are its first arguments.
        implementation: Handle,
    },
    /// All objects of an immutable class whose identity means nothing, strings and boxes for instance; or of its
    /// subclasses.
    Value(TypeId),
    /// A string constant.
    Literal(Name),
    /// The class object of a class or array.
    Class(TypeId),
    /// A handle of a field or of elements (`VarHandle`, field updaters), all that access the same.
    Handle {
        /// The class of the handle.
        of: TypeId,
        /// What it accesses.
        target: Target,
    },
    /// Another object with the content of an object: an iterator, a `keySet`, the lock for reading of a read-write
    /// lock.
    View {
        /// The object whose content it has; this is no view.
        base: ObjectId,
        /// What it is known to be.
        of: TypeId,
    },
    /// Objects of this type that code which is not given has made, or holds.
    External(TypeId),
}

impl Object {
    /// The statement that makes it, if it is one.
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

    /// The number of an object; none if there is no room for more.
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
