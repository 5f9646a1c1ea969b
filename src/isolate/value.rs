//! What the interpretation knows of values: which of them lead to the object that is followed.

use super::agree::Relation;
use super::expression::Expression;
use java::{ClassId, FieldId, Name};
use rustc_hash::FxHashMap;

/// A path of at most two fields from the object that is followed, perhaps with an element of the array that the first one holds; 0 is the object itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PlaceId(u16);

impl PlaceId {
    /// The object that is followed.
    pub(super) const OBJECT: Self = Self(0);
}

/// The paths that were met.
#[derive(Debug, Default)]
pub(super) struct Places {
    paths: Vec<Path>,
    ids: FxHashMap<Path, PlaceId>,
}

/// A path.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
struct Path {
    fields: Vec<FieldId>,
    /// By which index behind the first field.
    element: Option<Expression>,
}

impl Places {
    /// Only the object itself.
    pub(super) fn new() -> Self {
        let mut places = Self::default();
        places.id(Path::default());
        places
    }

    fn id(&mut self, path: Path) -> PlaceId {
        let next = PlaceId(u16::try_from(self.paths.len()).expect("a class has fewer than 2^16 fields to follow"));
        let paths = &mut self.paths;
        *self.ids.entry(path).or_insert_with_key(|path| {
            paths.push(path.clone());
            next
        })
    }

    /// The fields of a path.
    pub(super) fn path(&self, place: PlaceId) -> &[FieldId] {
        &self.paths[usize::from(place.0)].fields
    }

    /// The place whose object holds, in the last field of the path, what is at a place.
    pub(super) fn holder(&mut self, place: PlaceId) -> Option<PlaceId> {
        let Path { mut fields, element } = self.paths[usize::from(place.0)].clone();
        fields.pop()?;
        element.is_none().then(|| self.id(Path { fields, element: None }))
    }

    /// The index of the element that the path passes.
    pub(super) fn element(&self, place: PlaceId) -> Option<&Expression> {
        self.paths[usize::from(place.0)].element.as_ref()
    }

    /// The element of an array that a field of the object holds; none if there are too many paths.
    pub(super) fn element_of(&mut self, array: PlaceId, index: Expression) -> Option<PlaceId> {
        let path = Path { fields: self.path(array).to_vec(), element: Some(index) };
        (self.paths.len() < usize::from(u16::MAX)).then(|| self.id(path))
    }

    /// What a static field holds; none if there are too many paths.
    pub(super) fn of_static(&mut self, field: FieldId) -> Option<PlaceId> {
        let path = Path { fields: vec![field], element: None };
        (self.paths.len() < usize::from(u16::MAX)).then(|| self.id(path))
    }

    /// The path with one more field; none if it would be too long, or if there are too many.
    pub(super) fn field(&mut self, place: PlaceId, field: FieldId) -> Option<PlaceId> {
        let mut path = self.paths[usize::from(place.0)].clone();
        path.fields.push(field);
        (path.fields.len() <= 2 && self.paths.len() < usize::from(u16::MAX)).then(|| self.id(path))
    }
}

/// The number of a lambda with what it has captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct LambdaId(pub(super) u32);

/// The number of another object of which something is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ObjectId(pub(super) u32);

/// Another object than the one that is followed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Object {
    /// Its class; at least a superclass of it if it is not exact.
    pub(super) class: ClassId,
    pub(super) is_exact: bool,
    /// What its fields hold that never change; sorted.
    pub(super) fields: Vec<(FieldId, Value)>,
}

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Value {
    /// Nothing, but that it is no place: a number, null, or some other object.
    Any,
    /// An element of the array at this path; it is not known which.
    Element(PlaceId),
    /// An index that is less than, equal to or greater than the one that is followed; an argument.
    Index(Relation),
    /// Another object that does not know the one that is followed: what other objects of the class hold inside.
    Foreign,
    /// As `Any`, but computed from what was found in the object; program mode.
    Derived,
    /// Null.
    Null,
    /// This int, or boolean.
    Int(i32),
    /// The object at this path.
    Place(PlaceId),
    /// Something whose content is the content of the object at this path: an iterator, a set of keys.
    View(PlaceId),
    /// The object that is followed, or another one; equal numbers in one frame are the same object.
    Maybe(u32),
    /// Another object, of which something is known.
    Object(ObjectId),
    /// An object whose constructor has not run; equal numbers in one frame are the same object.
    New(u32),
    /// The object that this constructor makes.
    This,
    /// A `Thread` that runs the object; program mode.
    Runner,
    /// A class object.
    Class(Name),
    /// What a static final field holds.
    Static(FieldId),
    /// A lambda or a method reference.
    Lambda(LambdaId),
    /// What was read last from the atomic at this path, and whether that read is moved to where it is found again; see `retry`.
    Found(PlaceId, bool),
    /// One side of a read-write lock.
    Side(Lock, bool),
    /// A condition of a lock.
    Condition(Lock),
}

impl Value {
    /// The same, but what was read from an atomic is not told from others.
    pub(super) fn unless_found(self) -> Self {
        if let Self::Found(..) = self { Self::Any } else { self }
    }
}

/// A lock of the model. Two of them that are one object at run time only add interleavings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Lock {
    /// The monitor of the object at a path whose fields never change.
    Monitor(PlaceId),
    /// The lock of `java.util.concurrent.locks` at such a path.
    Explicit(PlaceId),
    /// The monitor of a class object.
    Class(Name),
    /// The monitor of what a static final field holds.
    Static(FieldId),
    /// The lock of `java.util.concurrent.locks` that a static final field holds.
    ExplicitStatic(FieldId),
    /// What makes the operations of a concurrent collection or an atomic at a path atomic.
    Content(PlaceId),
}

/// A location of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Location {
    /// A field of the object at a path.
    Field(PlaceId, FieldId),
    /// The content of the array or collection at a path.
    Content(PlaceId),
    /// A static field.
    Static(FieldId),
}
