//! Recorded runs of a Java virtual machine.

use super::graph::Graph;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The number of an object of a run.
pub type ObjectId = u32;

/// Class and kind of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its class; for a class object, the class that it represents.
    pub class: String,
    /// Its kind.
    pub kind: Kind,
}

impl Object {
    /// Whether the object is a library container whose methods hold its monitor.
    pub fn is_synchronized(&self) -> bool {
        let classes = [
            "java.util.Vector",
            "java.util.Stack",
            "java.util.Hashtable",
            "java.util.Properties",
            "java.lang.StringBuffer",
        ];
        let is_wrapper = self.class.starts_with("java.util.Collections$Synchronized");
        self.kind == Kind::Library && (is_wrapper || classes.contains(&&*self.class))
    }
}

/// Kinds of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A class object.
    Class,
    /// An array.
    Array,
    /// An object of a program class, or a function that such a class creates.
    Given,
    /// A library object.
    Library,
}

/// Mode of an acquisition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hold {
    /// Together with other readers.
    Shared,
    /// Alone.
    Alone,
}

/// The effect of a library call on a container, or on a field of an object through a handle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// The object.
    pub object: ObjectId,
    /// The effect.
    pub effect: Effect,
    /// The field, such as `features.Cell.v`; none for the content.
    pub field: Option<String>,
}

/// Effects of library calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// The object was an argument and is unchanged.
    Nothing,
    /// The object is unchanged.
    Read,
    /// The object has changed.
    Write,
}

/// An event of a thread. Fields have names such as `features.Cell.v`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Reads a field.
    Get(ObjectId, String),
    /// Writes a field; with the written object, for references.
    Put(ObjectId, String, Option<ObjectId>),
    /// Reads a static field.
    GetStatic(String),
    /// Writes a static field.
    PutStatic(String),
    /// Reads an element of an array.
    Load(ObjectId, u32),
    /// Writes an element of an array.
    Store(ObjectId, u32),
    /// Acquires a monitor or a lock.
    Take(ObjectId, Hold),
    /// Releases one acquisition.
    Give(ObjectId, Hold),
    /// Releases a lock completely.
    GiveAll(ObjectId),
    /// Calls a library method that may access these containers.
    Begin(String, Vec<ObjectId>),
    /// The innermost such call ends.
    End(String, Vec<Done>),
}

/// A call of a method by a client, or by the library in a thread of its own.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The method, such as `features.Cell.add(I)V`.
    pub method: String,
    /// The receiver.
    pub receiver: Option<ObjectId>,
    /// The arguments that are objects.
    pub arguments: Vec<ObjectId>,
    /// The heap at the beginning.
    pub graph: Rc<Graph>,
    /// Objects with a smaller number existed at the beginning.
    pub known: ObjectId,
    /// The events in their order.
    pub events: Vec<Event>,
    /// Whether the call timed out.
    pub is_given_up: bool,
}

impl Unit {
    /// Whether the unit creates an object: it is its constructor, or the object did not exist at the beginning.
    pub fn makes(&self, object: ObjectId) -> bool {
        self.method.contains(".<init>(") && self.receiver == Some(object) || object >= self.known
    }
}

/// A run: objects of a class, and the calls on them.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The seed of the driver.
    pub seed: u64,
    /// All recorded objects.
    pub objects: BTreeMap<ObjectId, Object>,
    /// The units in the order of their beginnings.
    pub units: Vec<Unit>,
    /// Number of calls that timed out.
    pub timeouts: usize,
}

/// The recorded runs of a class.
#[derive(Clone, Debug, Default)]
pub struct Session {
    /// The folder of its class files.
    pub folder: String,
    /// The class.
    pub class: String,
    /// The runs, each with new objects.
    pub runs: Vec<Run>,
    /// The reason why the driver stopped early.
    pub failure: Option<String>,
}
