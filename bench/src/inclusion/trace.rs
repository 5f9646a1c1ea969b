//! What a run of the real machine was.

use super::graph::Graph;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The number of an object of a run.
pub type ObjectId = u32;

/// What is known of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// Its class; of a class object, the class that it stands for.
    pub class: String,
    /// What sort of object it is.
    pub kind: Kind,
}

impl Object {
    /// Whether it is a container of the library whose methods hold its monitor.
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

/// Sorts of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A class object.
    Class,
    /// An array.
    Array,
    /// Of a given class, or a function that one has made.
    Given,
    /// Of the library.
    Library,
}

/// In which way a lock is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Hold {
    /// Together with other readers.
    Shared,
    /// Alone.
    Alone,
}

/// What a library call has done to a container, or to a field of an object by a handle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Done {
    /// The object.
    pub object: ObjectId,
    /// What was done.
    pub effect: Effect,
    /// The field, `features.Cell.v`, if it is not the content.
    pub field: Option<String>,
}

/// Effects of library calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// It was an argument, and is as before.
    Nothing,
    /// It is as before.
    Read,
    /// It has changed.
    Write,
}

/// What a thread does. Fields are named `features.Cell.v`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Reads a field.
    Get(ObjectId, String),
    /// Writes a field; of a reference, what is written.
    Put(ObjectId, String, Option<ObjectId>),
    /// Reads a static field.
    GetStatic(String),
    /// Writes a static field.
    PutStatic(String),
    /// Reads an element of an array.
    Load(ObjectId, u32),
    /// Writes one.
    Store(ObjectId, u32),
    /// Takes a monitor or a lock.
    Take(ObjectId, Hold),
    /// Gives one of its acquisitions of it back.
    Give(ObjectId, Hold),
    /// Gives a lock back completely.
    GiveAll(ObjectId),
    /// Calls a library method that may access these containers.
    Begin(String, Vec<ObjectId>),
    /// Such a call has ended.
    End(String, Vec<Done>),
}

/// One call of a method by a client or by the library on a thread of its own.
#[derive(Clone, Debug)]
pub struct Unit {
    /// The method, `features.Cell.add(I)V`.
    pub method: String,
    /// The object that it is called on.
    pub receiver: Option<ObjectId>,
    /// The objects that it gets.
    pub arguments: Vec<ObjectId>,
    /// What holds what when it begins.
    pub graph: Rc<Graph>,
    /// Objects with a number below were there when it began.
    pub known: ObjectId,
    /// What it does.
    pub events: Vec<Event>,
    /// Whether it was given up, as it took too long.
    pub is_given_up: bool,
}

impl Unit {
    /// Whether it makes this object: it is its constructor, or the object was not seen before.
    pub fn makes(&self, object: ObjectId) -> bool {
        self.method.contains(".<init>(") && self.receiver == Some(object) || object >= self.known
    }
}

/// Objects of a class and what was done to them.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The seed of the driver.
    pub seed: u64,
    /// All objects that are told of.
    pub objects: BTreeMap<ObjectId, Object>,
    /// In the order in which they began.
    pub units: Vec<Unit>,
    /// Calls that did not end in time.
    pub timeouts: usize,
}

/// What was recorded of a class.
#[derive(Clone, Debug, Default)]
pub struct Session {
    /// The folder of its class files.
    pub folder: String,
    /// The class.
    pub class: String,
    /// With new objects each.
    pub runs: Vec<Run>,
    /// Why the driver could not go on.
    pub failure: Option<String>,
}
