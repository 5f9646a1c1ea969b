//! Which accesses of a run have to be in a model: those to what two units can reach, if one of them writes it.

use super::graph::Graph;
use super::trace::{Done, Effect, Event, ObjectId, Run, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// Library methods that give a view, an iterator or the like, and do not look at the content.
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

/// Library methods with names that begin so only read.
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

/// Library methods with names that begin so read and write at once.
const UPDATING: [&str; 6] =
    ["accumulateAndGet", "addAndGet", "decrementAndGet", "getAnd", "incrementAndGet", "updateAndGet"];

/// Fields that the library itself assigns in constructors only. If nothing in a run assigns one, reading it is no
/// access.
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
    /// Of a field by its name, `features.Cell.v`. What the library declares belongs to the content.
    fn of_field(object: ObjectId, field: &str) -> Self {
        let is_of_library = ["java.", "javax.", "jdk.", "sun."].iter().any(|package| field.starts_with(package));
        if is_of_library { Self::Content(object) } else { Self::Field(object, simple(field)) }
    }

    /// Whose part it is.
    pub fn object(&self) -> Option<ObjectId> {
        match self {
            Self::Field(object, _) | Self::Content(object) | Self::Element(object, _) => Some(*object),
            Self::Static(_) => None,
        }
    }
}

/// An access of a unit to what can be reached from the subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The number of the event; of a library call, of its beginning.
    pub event: usize,
    /// What is accessed.
    pub key: Key,
    /// Whether it may be a read, and whether it may be a write.
    pub allowed: [bool; 2],
    /// Whether it may be left out: a read that is a part of a later compare-and-set.
    pub is_optional: bool,
}

/// From where objects are reached.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Root {
    /// An object of the subject's class.
    Object(ObjectId),
    /// The static fields of the class of this name, and its class object, if there is one.
    Statics(String, Option<ObjectId>),
}

impl Root {
    /// The object from which paths lead.
    pub fn object(&self) -> Option<ObjectId> {
        match self {
            Self::Object(object) => Some(*object),
            Self::Statics(_, class) => *class,
        }
    }
}

/// What the units of a run access of what can be reached from a root.
#[derive(Clone, Debug, Default)]
pub struct Sharing {
    /// By unit.
    pub touches: Vec<Vec<Touch>>,
    /// What can be reached from the root without another object of the subject's class between. What only such an
    /// object leads to is a part of that one, and is looked at when that is the subject.
    own: BTreeSet<ObjectId>,
    /// The units that access something, and those that write it.
    users: BTreeMap<Key, [BTreeSet<usize>; 2]>,
}

impl Sharing {
    /// Of a run; `peers` are the other objects of the subject's class.
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

    /// Whether two units access it, and one of them writes it.
    pub fn is_shared(&self, key: &Key) -> bool {
        self.users.get(key).is_some_and(|[users, writers]| users.len() > 1 && !writers.is_empty())
    }

    /// Whether an object is a part of the root that is not one of another object of the subject's class only.
    pub fn is_own(&self, object: ObjectId) -> bool {
        self.own.contains(&object)
    }

    /// What is shared.
    pub fn shared(&self) -> impl Iterator<Item = &Key> {
        self.users.keys().filter(|key| self.is_shared(key))
    }
}

/// What is reached from a root while a unit runs.
struct Reach<'a> {
    objects: BTreeSet<ObjectId>,
    /// Through these it does not go on.
    ends: Option<&'a BTreeSet<ObjectId>>,
}

impl Reach<'_> {
    /// Adds objects and what can be reached from them by these graphs.
    fn add(&mut self, from: impl IntoIterator<Item = ObjectId>, graphs: [&Graph; 2]) {
        let mut open: Vec<ObjectId> = from.into_iter().collect();
        while let Some(object) = open.pop() {
            if self.ends.is_none_or(|ends| !ends.contains(&object)) && self.objects.insert(object) {
                open.extend(graphs.iter().flat_map(|graph| graph.held(object)).map(|(_, held)| *held));
            }
        }
    }
}

/// Looks at what a unit does, and what can be reached meanwhile.
struct Walk<'a> {
    unit: &'a Unit,
    root: &'a Root,
    reached: Reach<'a>,
    /// The same without other objects of the subject's class.
    own: Reach<'a>,
    /// The fields that some unit of the run assigns.
    assigned: &'a BTreeSet<&'a str>,
    /// What was stored in this unit.
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
            // A method that stores what was there before has changed nothing.
            Effect::Read => self.touch(event, key, [true, !begins(&READING) || begins(&UPDATING)]),
            Effect::Write => {
                if begins(&UPDATING) {
                    self.touch(event, key.clone(), [true, false]);
                }
                self.touch(event, key, [false, true]);
            }
        }
    }

    /// An object holds another one from now on.
    fn stores(&mut self, object: ObjectId, value: ObjectId) {
        self.stored.add(object, "", value);
        for reach in [&mut self.reached, &mut self.own] {
            if reach.objects.contains(&object) {
                reach.add([value], [&self.unit.graph, &self.stored]);
            }
        }
    }

    /// Reads of what a later compare-and-set writes are a part of it.
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

/// The name of a field without its class.
fn simple(field: &str) -> String {
    field.rsplit('.').next().unwrap_or(field).to_string()
}

#[cfg(test)]
mod tests;
