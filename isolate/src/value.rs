//! Values of the abstract interpretation, and what the model's locations and locks stand for.

use java::{ClassId, FieldId, Name};

/// The number of a followed object: the subject's object, the object that a path of fields always holds, or the
/// representative of an alias class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RegionId(pub(crate) u16);

impl RegionId {
    /// The object that the subject is about.
    pub(crate) const SUBJECT: Self = Self(0);

    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The number of an alias class: objects that may be one. Two regions of different classes are different objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct AliasId(pub(crate) u16);

impl AliasId {
    pub(crate) fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// The number of an interned set of abstract objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct SetId(pub(crate) u32);

/// The number of an object that a unit has made itself, with what its unchanging fields hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct MadeId(pub(crate) u32);

/// The number of a number that is the same whenever it is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NumberId(pub(crate) u32);

/// One of the two indices at which elements of arrays are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum SymbolicIndex {
    First,
    Second,
}

/// What is known of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Value {
    /// A number, or a reference that is certainly no followed object, of which nothing else is known.
    Any,
    /// A reference that was decided not to be a followed object.
    Other,
    /// The same; whatever the subject's object alone reaches is not reached from it (`interpret::confinement`).
    Foreign,
    /// As `Any`, but computed from what was found in the subject; program mode.
    Derived,
    /// Null.
    Null,
    /// This int, or boolean.
    Int(i32),
    /// A number that is the same whenever it is computed.
    Number(NumberId),
    /// What the array of this region holds at this index: a lock that is not followed otherwise.
    Element(RegionId, NumberId),
    /// This followed object.
    Region(RegionId),
    /// An object whose content is that of this region, with an identity of its own: an iterator, a set of keys.
    View(RegionId),
    /// The same, whose methods hold the region's monitor.
    Locked(RegionId),
    /// An object of these, perhaps a followed one; equal numbers in one state are one object.
    Open(SetId, u32),
    /// An object that the unit has made, certainly not a followed one.
    Made(MadeId),
    /// An object whose constructor has not run; equal numbers in one state are one object.
    Fresh(u32),
    /// The object of exactly this class that this constructor makes.
    This(ClassId),
    /// A class object.
    Class(Name),
    /// A string constant.
    Literal(Name),
    /// What a static field holds that never changes.
    Static(FieldId),
    /// What was read last from a location, and whether that read is moved to the compare-and-set that finds it again;
    /// see `swap`.
    Found(Location, bool),
    /// One side of a read-write lock.
    Side(Lock, bool),
    /// A condition of a lock.
    Condition(Lock),
}

impl Value {
    /// Whether nothing more is known of it than what the pointer analysis says of the variable that holds it.
    pub(crate) fn is_as_its_variable(self) -> bool {
        matches!(self, Self::Any | Self::Other | Self::Foreign | Self::Derived | Self::Static(_))
    }

    /// The region of a followed object, or of what is a view of one or holds its monitor.
    pub(crate) fn region(self) -> Option<RegionId> {
        match self {
            Self::Region(region) | Self::View(region) | Self::Locked(region) => Some(region),
            _ => None,
        }
    }
}

/// A lock of the model. Two of them that are one object at run time only add interleavings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Lock {
    /// The monitor of a followed object.
    Monitor(RegionId),
    /// A followed object that is a lock of `java.util.concurrent.locks`, a semaphore with one permit, or a flag that is
    /// spun on.
    Explicit(RegionId),
    /// The monitor of a class object.
    Class(Name),
    /// The monitor of a string constant.
    Literal(Name),
    /// The monitor of what a static field holds that never changes.
    Static(FieldId),
    /// The lock of `java.util.concurrent.locks` that such a field holds.
    ExplicitStatic(FieldId),
    /// The monitor of an element of an array.
    Element(RegionId, NumberId),
    /// An element that is a lock of `java.util.concurrent.locks`.
    ExplicitElement(RegionId, NumberId),
    /// What makes the operations of a followed concurrent object atomic.
    Operations(AliasId),
    /// What functions hold that run inside of the steps of a followed concurrent object, or of the key of a map under
    /// which a followed object stands: one runs at a time. Other methods of that object need not wait for them.
    Functions(AliasId),
}

/// A location of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Location {
    /// A field of the followed objects of an alias class.
    Field(AliasId, FieldId),
    /// The content of the followed objects of an alias class: elements of an array, what an object of the library
    /// holds.
    Content(AliasId),
    /// The element of the arrays of an alias class at a followed index.
    Element(AliasId, SymbolicIndex),
    /// A static field.
    Static(FieldId),
    /// Everything in the objects that lie too deep to be told apart.
    Deep,
}
