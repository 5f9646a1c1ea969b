//! The accesses of a run that a model must have: those to parts of objects that two units access and one writes.

use super::graph::Graph;
use super::trace::{Done, Effect, Event, ObjectId, Run, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// Library methods that return a view, an iterator or the like and do not access the content.
const VIEWS: [&str; 22] = [
    "asLongStream",
    "descendingIterator",
    "descendingKeySet",
    "descendingMap",
    "descendingSet",
    "elements",
    "entrySet",
    "getClass",
    "headMap",
    "iterator",
    "keySet",
    "keys",
    "listIterator",
    "notify",
    "notifyAll",
    "parallelStream",
    "reversed",
    "spliterator",
    "stream",
    "subList",
    "tailMap",
    "values",
];

/// Prefixes of the names of library methods that only read.
const READING: [&str; 18] = [
    "charAt",
    "clone",
    "contains",
    "forEach",
    "get",
    "hasNext",
    "indexOf",
    "intValue",
    "isEmpty",
    "last",
    "length",
    "longValue",
    "next",
    "peek",
    "size",
    "sum",
    "toArray",
    "toString",
];

/// Prefixes of the names of library methods that read and write in one step.
const UPDATING: [&str; 6] =
    ["accumulateAndGet", "addAndGet", "decrementAndGet", "getAnd", "incrementAndGet", "updateAndGet"];

/// Fields that the library assigns in constructors only. If nothing in a run assigns one, its reads are no accesses.
const ASSIGNED_ONCE: [&str; 7] = [
    "java.io.FilterInputStream.in",
    "java.io.FilterOutputStream.out",
    "java.io.FilterReader.in",
    "java.io.FilterWriter.out",
    "java.io.Reader.lock",
    "java.io.Writer.lock",
    "java.util.EventObject.source",
];

/// A part of an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// A field of an object, by its simple name.
    Field(ObjectId, String),
    /// The content of an array or a container.
    Content(ObjectId),
    /// One element of an array.
    Element(ObjectId, u32),
    /// A static field of the subject's class, by its simple name.
    Static(String),
}

impl Key {
    /// Returns the key of a field with a name such as `features.Cell.v`. Fields that the library declares are content.
    fn of_field(object: ObjectId, field: &str) -> Self {
        let is_of_library = ["java.", "javax.", "jdk.", "sun."].iter().any(|package| field.starts_with(package));
        if is_of_library { Self::Content(object) } else { Self::Field(object, simple(field)) }
    }

    /// Returns the object of the part.
    pub fn object(&self) -> Option<ObjectId> {
        match self {
            Self::Field(object, _) | Self::Content(object) | Self::Element(object, _) => Some(*object),
            Self::Static(_) => None,
        }
    }
}

/// An access of a unit to a part of an object that is reachable from the subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The number of the event; for a library call, of its beginning.
    pub event: usize,
    /// The accessed part.
    pub key: Key,
    /// Whether it may be a read, and whether it may be a write.
    pub allowed: [bool; 2],
    /// Whether the model may omit the access: a read that is a part of a later compare-and-set.
    pub is_optional: bool,
}

/// The root of reachability.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// An object of the subject's class.
    Object(ObjectId),
    /// The static fields of the class of this name, and its class object, if there is one.
    Statics(String, Option<ObjectId>),
}

impl Root {
    /// Returns the object at which paths begin.
    pub fn object(&self) -> Option<ObjectId> {
        match self {
            Self::Object(object) => Some(*object),
            Self::Statics(_, class) => *class,
        }
    }
}

/// Accesses of the units of a run to objects that are reachable from a root.
#[derive(Clone, Debug, Default)]
pub struct Sharing {
    /// Indexed by unit.
    pub touches: Vec<Vec<Touch>>,
    /// Objects that are reachable from the root without passing another object of the subject's class. Objects that are
    /// reachable only through such an object are its parts, and are checked when it is the subject.
    own: BTreeSet<ObjectId>,
    /// The units that access a part, and those that write it.
    users: BTreeMap<Key, [BTreeSet<usize>; 2]>,
}

impl Sharing {
    /// Computes the accesses of a run; `peers` are the other objects of the subject's class.
    pub fn of(run: &Run, root: &Root, peers: &BTreeSet<ObjectId>) -> Self {
        let mut found = Self::default();
        let events = run.units.iter().flat_map(|unit| &unit.events);
        let assigned: BTreeSet<&str> = events
            .filter_map(|event| if let Event::Put(_, field, _) = event { Some(&**field) } else { None })
            .collect();
        for (number, unit) in run.units.iter().enumerate() {
            let mut walk = Walk::new(unit, root, peers, &assigned);
            walk.run();
            found.own.append(&mut walk.own.objects);
            let touches = walk.touches;
            for touch in &touches {
                let is_made = touch.key.object().is_some_and(|object| unit.makes(object));
                let users = found.users.entry(touch.key.clone()).or_default();
                if !is_made {
                    users[0].insert(number);
                    let _ = touch.allowed[1] && !touch.allowed[0] && users[1].insert(number);
                }
            }
            found.touches.push(touches);
        }
        found
    }

    /// Whether two units access a part, and one of them writes it.
    pub fn is_shared(&self, key: &Key) -> bool {
        self.users.get(key).is_some_and(|[users, writers]| users.len() > 1 && !writers.is_empty())
    }

    /// Whether an object is a part of the root, not only of another object of the subject's class.
    pub fn is_own(&self, object: ObjectId) -> bool {
        self.own.contains(&object)
    }

    /// Iterates over the shared parts.
    pub fn shared(&self) -> impl Iterator<Item = &Key> {
        self.users.keys().filter(|key| self.is_shared(key))
    }
}

/// Objects that are reachable from a root while a unit runs.
struct Reach<'a> {
    objects: BTreeSet<ObjectId>,
    /// Objects at which reachability ends.
    ends: Option<&'a BTreeSet<ObjectId>>,
}

impl Reach<'_> {
    /// Adds objects and all objects that are reachable from them in these graphs.
    fn add(&mut self, from: impl IntoIterator<Item = ObjectId>, graphs: [&Graph; 2]) {
        let mut open: Vec<ObjectId> = from.into_iter().collect();
        while let Some(object) = open.pop() {
            if self.ends.is_none_or(|ends| !ends.contains(&object)) && self.objects.insert(object) {
                open.extend(graphs.iter().flat_map(|graph| graph.held(object)).map(|(_, held)| *held));
            }
        }
    }
}

/// A traversal of the events of a unit, with the objects that are reachable at each.
struct Walk<'a> {
    unit: &'a Unit,
    root: &'a Root,
    reached: Reach<'a>,
    /// Like `reached`, without other objects of the subject's class.
    own: Reach<'a>,
    /// Fields that some unit of the run assigns.
    assigned: &'a BTreeSet<&'a str>,
    /// References that this unit has stored.
    stored: Graph,
    touches: Vec<Touch>,
    /// Library calls that have not ended.
    calls: Vec<usize>,
}

impl<'a> Walk<'a> {
    fn new(unit: &'a Unit, root: &'a Root, peers: &'a BTreeSet<ObjectId>, assigned: &'a BTreeSet<&'a str>) -> Self {
        let is_made = matches!(root, Root::Object(object) if unit.makes(*object));
        let from = root.object().filter(|_| !is_made);
        let reach = |ends| {
            let mut found = Reach { objects: BTreeSet::new(), ends };
            found.add(from, [&unit.graph, &Graph::default()]);
            found
        };
        let (reached, own) = (reach(None), reach(Some(peers)));
        let (stored, touches, calls) = (Graph::default(), Vec::new(), Vec::new());
        Self { unit, root, reached, own, assigned, stored, touches, calls }
    }

    fn run(&mut self) {
        for (number, event) in self.unit.events.iter().enumerate() {
            self.event(number, event);
        }
        self.optional();
    }

    fn event(&mut self, number: usize, event: &Event) {
        match event {
            Event::Get(_, field) if ASSIGNED_ONCE.contains(&&**field) && !self.assigned.contains(&**field) => {}
            Event::Get(object, field) => self.touch(number, Key::of_field(*object, field), [true, false]),
            Event::Put(object, field, value) => {
                self.touch(number, Key::of_field(*object, field), [false, true]);
                value.iter().for_each(|value| self.stores(*object, *value));
            }
            Event::GetStatic(field) => self.touches_static(number, field, [true, false]),
            Event::PutStatic(field) => self.touches_static(number, field, [false, true]),
            Event::Load(array, index) => self.element(number, (*array, *index), [true, false]),
            Event::Store(array, index) => self.element(number, (*array, *index), [false, true]),
            Event::Begin(..) => self.calls.push(number),
            Event::End(method, done) => {
                let begin = self.calls.pop().unwrap_or(number);
                done.iter().for_each(|done| self.done(begin, method, done));
            }
            Event::Take(..) | Event::Give(..) | Event::GiveAll(_) => {}
        }
    }

    fn touch(&mut self, event: usize, key: Key, allowed: [bool; 2]) {
        if key.object().is_none_or(|object| self.reached.objects.contains(&object)) {
            self.touches.push(Touch { event, key, allowed, is_optional: false });
        }
    }

    fn element(&mut self, event: usize, (array, index): (ObjectId, u32), allowed: [bool; 2]) {
        self.touch(event, Key::Content(array), allowed);
        self.touch(event, Key::Element(array, index), allowed);
    }

    fn touches_static(&mut self, event: usize, field: &str, allowed: [bool; 2]) {
        if let (Root::Statics(class, _), Some((of, name))) = (self.root, field.rsplit_once('.'))
            && of == class
        {
            self.touch(event, Key::Static(name.to_string()), allowed);
        }
    }

    fn done(&mut self, event: usize, method: &str, done: &Done) {
        let begins = |names: &[&str]| names.iter().any(|name| method.starts_with(name));
        let key = match &done.field {
            Some(field) => Key::of_field(done.object, field),
            None => Key::Content(done.object),
        };
        match done.effect {
            Effect::Nothing => {}
            Effect::Read if VIEWS.contains(&method) => {}
            // A method that stores an equal value leaves the content unchanged, so it may still be a write.
            Effect::Read => self.touch(event, key, [true, !begins(&READING) || begins(&UPDATING)]),
            Effect::Write => {
                if begins(&UPDATING) {
                    self.touch(event, key.clone(), [true, false]);
                }
                self.touch(event, key, [false, true]);
            }
        }
    }

    /// Adds a reference.
    fn stores(&mut self, object: ObjectId, value: ObjectId) {
        self.stored.add(object, "", value);
        for reach in [&mut self.reached, &mut self.own] {
            if reach.objects.contains(&object) {
                reach.add([value], [&self.unit.graph, &self.stored]);
            }
        }
    }

    /// Marks reads of parts that a later compare-and-set writes: they belong to it.
    fn optional(&mut self) {
        let is_swap = |touch: &Touch| {
            let event = &self.unit.events[touch.event];
            matches!(event, Event::Begin(method, _) if method.contains("ompareAnd"))
        };
        let swaps: Vec<(Key, usize)> = self
            .touches
            .iter()
            .filter(|touch| touch.allowed[1] && !touch.allowed[0] && is_swap(touch))
            .map(|touch| (touch.key.clone(), touch.event))
            .collect();
        for touch in &mut self.touches {
            touch.is_optional = touch.allowed == [true, false]
                && swaps.iter().any(|(key, event)| *key == touch.key && *event > touch.event);
        }
    }
}

/// Returns the name of a field without its class.
fn simple(field: &str) -> String {
    field.rsplit('.').next().unwrap_or(field).to_string()
}

#[cfg(test)]
mod tests;
