//! Abstract objects and their fields.

use crate::class::{ClassId, FieldId, MethodId};
use crate::constants::Handle;
use crate::descriptor::Type;
use crate::ir::StatementId;
use crate::names::Name;
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

/// The number of a class of the library table; see [`PointsTo::library_class`](super::PointsTo::library_class).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LibraryClass(pub(super) u16);

/// Objects that the analysis does not tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Object {
    /// What one statement makes.
    Site(Site),
    /// A class object: one at run time.
    ClassObject(Name),
    /// A string constant: one at run time.
    Literal(Name),
    /// Another object with the content of this one; of this class, if that is known.
    View(ObjectId, Option<LibraryClass>),
    /// Any object of at most this type that clients hold, or that code makes that is not given.
    External(Type),
}

/// What one statement makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Site {
    /// The method.
    pub method: MethodId,
    /// The statement.
    pub statement: StatementId,
    /// The exact class; of a lambda, its interface.
    pub class: Type,
    /// What a lambda runs.
    pub lambda: Option<Handle>,
    /// The class that the library table says that it has, if it says so.
    pub made_as: Option<LibraryClass>,
}

/// A field of an abstract object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Field {
    /// A declared field.
    Real(FieldId),
    /// The elements of an array, or what an object of the library holds.
    Content,
    /// What a lambda has captured, by its place.
    Captured(u8),
}

/// All abstract objects, each once.
#[derive(Clone, Debug, Default)]
pub(super) struct Objects {
    objects: Vec<Object>,
    ids: FxHashMap<Object, ObjectId>,
    classes: Vec<Box<str>>,
}

impl Objects {
    /// The number of an object, and whether it is new.
    pub(super) fn id(&mut self, object: Object) -> ObjectId {
        // A view of a view is a view.
        let object = match object {
            Object::View(base, class) => match self.objects[base.index()] {
                Object::View(base, _) => Object::View(base, class),
                _ => object,
            },
            object => object,
        };
        if let Some(known) = self.ids.get(&object) {
            return *known;
        }
        let id = ObjectId(u32::try_from(self.objects.len()).expect("there are fewer objects than bytes of code"));
        self.objects.push(object);
        self.ids.insert(object, id);
        id
    }

    /// The number of a class of the table.
    pub(super) fn library_class(&mut self, name: &str) -> Option<LibraryClass> {
        let place = self.classes.iter().position(|known| **known == *name).unwrap_or_else(|| {
            self.classes.push(name.into());
            self.classes.len() - 1
        });
        u16::try_from(place).ok().map(LibraryClass)
    }

    /// The name of a class of the table.
    pub(super) fn class_name(&self, class: LibraryClass) -> &str {
        &self.classes[usize::from(class.0)]
    }

    pub(super) fn get(&self, id: ObjectId) -> &Object {
        &self.objects[id.index()]
    }

    pub(super) fn len(&self) -> usize {
        self.objects.len()
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (ObjectId, &Object)> {
        (0..).map(ObjectId).zip(&self.objects)
    }

    /// The given class of an object, if it is exactly known.
    pub(super) fn exact_class(&self, program: &crate::Program, id: ObjectId) -> Option<ClassId> {
        match self.get(id) {
            Object::Site(Site { class: Type::Class(name), lambda: None, .. }) => program.named(*name),
            _ => None,
        }
    }
}
