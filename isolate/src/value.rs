//! Values of the abstract interpretation, and the locations and locks of a model.

use java::{ClassId, FieldId, Name};

/// The number of a followed object: the subject's object, the object always held by a path of fields, or the
/// representative of an alias class.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct RegionId(pub(crate) u16);

impl RegionId {
    /// The subject's object.
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

/// The number of an object allocated by a unit, with the values of its unchanging fields.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct MadeId(pub(crate) u32);

/// The id of a numeric value that is the same whenever it is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct NumberId(pub(crate) u32);

/// One of the two symbolic indices at which elements of arrays are followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum SymbolicIndex {
    First,
    Second,
}

/// An abstract value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Value {
    /// A number, or a reference that is certainly no followed object; nothing else is known.
    Any,
    /// A reference that is no followed object, by a case split.
    Other,
    /// Like `Other`; in addition, objects reachable only from the subject's object are not reachable from it
    /// (`facts::confinement`).
    Foreign,
    /// Like `Any`, but computed from values read from the subject; program mode.
    Derived,
    /// Null.
    Null,
    /// This int, or boolean.
    Int(i32),
    /// A number that is the same whenever it is computed.
    Number(NumberId),
    /// The element of the array of this region at this index: a lock that is not followed otherwise.
    Element(RegionId, NumberId),
    /// This followed object.
    Region(RegionId),
    /// An object with an identity of its own that shares the content of this region: an iterator, a set of keys.
    View(RegionId),
    /// Like `View`; in addition, its methods hold the region's monitor.
    Locked(RegionId),
    /// An object of this set, perhaps a followed one; equal numbers in one state are one object.
    Open(SetId, u32),
    /// An object allocated by the unit, certainly not a followed one.
    Made(MadeId),
    /// An object whose constructor has not run yet; equal numbers in one state are one object.
    Fresh(u32),
    /// The object of exactly this class that is being constructed.
    This(ClassId),
    /// A class object.
    Class(Name),
    /// A string constant.
    Literal(Name),
    /// The value of a static field that never changes.
    Static(FieldId),
    /// The object, not followed, that holds the subject; with the topmost class of its class (`facts::holders`).
    Holder(ClassId),
    /// The value of this unchanging field of the holder, or of a part of it.
    Held(FieldId),
    /// The value read last from a location; the flag says whether this read is moved to the compare-and-set that finds
    /// the value again.
    Found(Location, bool),
    /// One side of a read-write lock.
    Side(Lock, bool),
    /// A condition of a lock.
    Condition(Lock),
}

impl Value {
    /// Whether only the points-to set of its variable is known.
    pub(crate) fn is_as_its_variable(self) -> bool {
        matches!(self, Self::Any | Self::Other | Self::Foreign | Self::Derived | Self::Static(_))
            || matches!(self, Self::Holder(_) | Self::Held(_))
    }

    /// Returns the region of a followed object or of a view of one.
    pub(crate) fn region(self) -> Option<RegionId> {
        match self {
            Self::Region(region) | Self::View(region) | Self::Locked(region) => Some(region),
            _ => None,
        }
    }
}

/// A lock of the model. Two locks that are one object at run time only add interleavings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Lock {
    /// The monitor of a followed object.
    Monitor(RegionId),
    /// A followed object that is a lock of `java.util.concurrent.locks`, a semaphore with one permit, or the flag of a
    /// spin lock.
    Explicit(RegionId),
    /// The flag in this field of a followed object (`facts::flag_fields`).
    Flag(RegionId, FieldId),
    /// The work counter that a followed object is, or that is in this field of it (`facts::work_counters`).
    Counter(RegionId, Option<FieldId>),
    /// The monitor of a class object.
    Class(Name),
    /// The monitor of a string constant.
    Literal(Name),
    /// The monitor of the object in a static field that never changes.
    Static(FieldId),
    /// The lock of `java.util.concurrent.locks` in such a field.
    ExplicitStatic(FieldId),
    /// The monitor of the holder, by the topmost class of its class.
    Holder(ClassId),
    /// The holder as a lock of `java.util.concurrent.locks`.
    ExplicitHolder(ClassId),
    /// The monitor of the object in this unchanging field of the holder.
    Held(FieldId),
    /// The lock of `java.util.concurrent.locks` in such a field.
    ExplicitHeld(FieldId),
    /// The monitor of an element of an array.
    Element(RegionId, NumberId),
    /// An element that is a lock of `java.util.concurrent.locks`.
    ExplicitElement(RegionId, NumberId),
    /// The internal lock that makes the operations of a followed concurrent object atomic.
    Operations(AliasId),
    /// The lock held by functions that run inside the operations of a followed concurrent object, or of the map key of
    /// a followed object: one of them runs at a time. Other methods of the object need not wait for them.
    Functions(AliasId),
    /// The order of the methods of a turn of a followed object (`modes::turns`).
    Turn(RegionId, Turn),
    /// No lock of the program: held by a unit that sets this location, which is set once (`facts::once_values`).
    Once(Location),
    /// No lock of the program: held by a unit that has taken this object out of a container (`facts::taken_objects`).
    Owner(RegionId),
    /// No lock of the program: marks that a unit has waited for the latch with this content (`effects::latches`).
    Awaited(Location),
    /// No lock of the program: marks a wait after which a unit begins anew (`modes::restarts`).
    Restart,
    /// No lock of the program: held in read mode by a unit that finds this location set, and for the step that sets it.
    Found(Location),
}

/// A set of methods of an object that run one after the other, by the contract of its type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Turn {
    /// The signals to a subscriber.
    Signals,
    /// The methods that insert into a queue with a single producer.
    Producers,
    /// The methods that remove from a queue with a single consumer.
    Consumers,
}

/// A location of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Location {
    /// A field of the followed objects of an alias class.
    Field(AliasId, FieldId),
    /// The content of the followed objects of an alias class: the elements of an array, the content of a library
    /// object.
    Content(AliasId),
    /// The element of the arrays of an alias class at a symbolic index.
    Element(AliasId, SymbolicIndex),
    /// A static field.
    Static(FieldId),
    /// All fields of the objects that are too deep to be distinguished.
    Deep,
}
