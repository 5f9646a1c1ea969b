//! What the interpretation knows of values: which of them lead to the object that is followed.

use java::{FieldId, Name};
use rustc_hash::FxHashMap;

/// A path of at most two fields from the object that is followed; 0 is the object itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct PlaceId(u16);

impl PlaceId {
    /// The object that is followed.
    pub(super) const OBJECT: Self = Self(0);
}

/// The paths that were met.
#[derive(Debug, Default)]
pub(super) struct Places {
    paths: Vec<Vec<FieldId>>,
    ids: FxHashMap<Vec<FieldId>, PlaceId>,
}

impl Places {
    /// Only the object itself.
    pub(super) fn new() -> Self {
        let mut places = Self::default();
        places.id(Vec::new());
        places
    }

    fn id(&mut self, path: Vec<FieldId>) -> PlaceId {
        let next = PlaceId(u16::try_from(self.paths.len()).expect("a class has fewer than 2^16 fields to follow"));
        let paths = &mut self.paths;
        *self.ids.entry(path).or_insert_with_key(|path| {
            paths.push(path.clone());
            next
        })
    }

    /// The fields of a path.
    pub(super) fn path(&self, place: PlaceId) -> &[FieldId] {
        &self.paths[usize::from(place.0)]
    }

    /// The path with one more field; none if it would be too long, or if there are too many.
    pub(super) fn field(&mut self, place: PlaceId, field: FieldId) -> Option<PlaceId> {
        let mut path = self.path(place).to_vec();
        path.push(field);
        (path.len() <= 2 && self.paths.len() < usize::from(u16::MAX)).then(|| self.id(path))
    }
}

/// The number of a lambda with what it has captured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct LambdaId(pub(super) u32);

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Value {
    /// Nothing, but that it is no place: a number, null, or some other object.
    Any,
    /// Null.
    Null,
    /// This int, or boolean.
    Int(i32),
    /// The object at this path.
    Place(PlaceId),
    /// Something whose content is the content of the object at this path: an iterator, a set of keys.
    View(PlaceId),
    /// The object that is followed, or another one; equal numbers in one frame are the same object.
    Maybe(u8),
    /// A class object.
    Class(Name),
    /// What a static final field holds.
    Static(FieldId),
    /// A lambda or a method reference.
    Lambda(LambdaId),
    /// One side of a read-write lock.
    Side(Lock, bool),
    /// A condition of a lock.
    Condition(Lock),
}

impl Value {
    /// Whether something can be done to the object through it.
    pub(super) fn can_act(self) -> bool {
        match self {
            Self::Place(_) | Self::View(_) | Self::Maybe(_) | Self::Lambda(_) => true,
            Self::Any
            | Self::Null
            | Self::Int(_)
            | Self::Class(_)
            | Self::Static(_)
            | Self::Side(..)
            | Self::Condition(_) => false,
        }
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
}
