//! What two threads do to one object, compared with the fourteen patterns by their definition.
//!
//! A pattern is a sequence of accesses of two threads to one or two locations. An execution matches it if the sequence
//! is among its accesses in this order, whatever stands in between, with all accesses of thread 1 in one unit of work,
//! and those of thread 2, if they are two, as well. A unit of work is the outermost call of a method of the object's
//! class that gets the object. Instead of an object, the static fields of a class may be watched; see [`Statics`].
//!
//! Two reads do not count, as they may as well not be there: those of a round of a loop that comes back to the loop's
//! head with the same values, nothing having been done; and of an atomic, what was read last before a compare-and-set
//! that finds what it expects, which itself counts as a read. (That nobody changed it in between and back is assumed.)
//! Whether a read counts turns out later; so what is found waits until then.

use super::machine::{Access, Cell, Machine, ObjectId, Observer, Origin, Round, Value, World};
use super::statics::Statics;
use asercheck::java::{ClassId, FieldId, MethodId, Program, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The patterns as `docs/patterns.md` lists them.
pub const PATTERNS: [&str; 14] = [
    "R1(l) W2(l) W1(l)",
    "R1(l) W2(l) R1(l)",
    "W1(l) R2(l) W1(l)",
    "W1(l) W2(l) R1(l)",
    "W1(l) W2(l) W1(l)",
    "W1(a) W2(a) W2(b) W1(b)",
    "W1(a) W2(b) W2(a) W1(b)",
    "W1(a) W2(b) W1(b) W2(a)",
    "W1(a) R2(a) R2(b) W1(b)",
    "W1(a) R2(b) R2(a) W1(b)",
    "R1(a) W2(a) W2(b) R1(b)",
    "R1(a) W2(b) W2(a) R1(b)",
    "R1(a) W2(b) R1(b) W2(a)",
    "W1(a) R2(b) W1(b) R2(a)",
];

#[derive(Clone, Copy, Debug)]
struct Element {
    is_write: bool,
    thread: usize,
    is_second_location: bool,
}

/// The elements of all patterns.
#[derive(Debug)]
pub struct Patterns(Vec<Vec<Element>>);

impl Default for Patterns {
    fn default() -> Self {
        let element = |text: &str| {
            let text = text.as_bytes();
            Element {
                is_write: text[0] == b'W',
                thread: usize::from(text[1] - b'1'),
                is_second_location: text[3] == b'b',
            }
        };
        Self(PATTERNS.iter().map(|pattern| pattern.split(' ').map(element).collect()).collect())
    }
}

/// A location of the object or the static fields, which is really one place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Location {
    /// A field of the object, or a static field.
    Own(FieldId),
    /// A field of an object that a field of the object holds, reached through this one.
    Held(FieldId, ObjectId, FieldId),
    /// An element of an array that the field holds, reached through this one.
    Element(FieldId, ObjectId, i32),
    /// A field of an object that is an element of an array that the field holds: the index, and the object.
    Item(FieldId, i32, ObjectId, FieldId),
}

impl Location {
    /// The field of the object through which it is reached, and the object that has it.
    fn through(self) -> Option<(FieldId, ObjectId)> {
        match self {
            Self::Held(by, of, _) | Self::Element(by, of, _) | Self::Item(by, _, of, _) => Some((by, of)),
            Self::Own(_) => None,
        }
    }

    /// The location without the object that is held: what reports tell apart.
    fn path(self) -> (FieldId, Option<Option<FieldId>>) {
        match self {
            Self::Own(field) => (field, None),
            Self::Held(field, _, of) | Self::Item(field, _, _, of) => (field, Some(Some(of))),
            Self::Element(field, ..) => (field, Some(None)),
        }
    }
}

/// A unit of work: the method, and which of its arguments are the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Unit {
    /// The method.
    pub method: MethodId,
    /// Bit `n` says that argument `n` is the object, where the receiver is argument 0.
    pub is_object: u16,
}

/// The first elements of a pattern, found in an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Partial {
    pattern: usize,
    done: usize,
    first: Location,
    second: Option<Location>,
    unit: Unit,
    /// Whether it has a read of an atomic of a thread that a compare-and-set may still move.
    is_pending: [bool; 2],
    /// How many reads a thread had done since the first of its rounds that may have no effect when it did the last of
    /// this; 0 if that cannot be.
    reads: [u32; 2],
}

/// A pattern that was found: the unit of thread 1, the number of the pattern and the names of its locations.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Match {
    /// The unit that is broken: the method, and which of its arguments are the object.
    pub unit: String,
    /// The units of a model that stand for it, as reports name them.
    pub units: Vec<String>,
    /// The number of the pattern, 1 to 14.
    pub pattern: usize,
    /// The names of the locations.
    pub locations: Vec<String>,
}

/// What stays the same while something is watched.
pub struct Subject<'m> {
    machine: &'m Machine<'m>,
    patterns: Patterns,
    watched: Watched,
}

/// What is watched.
enum Watched {
    Object(Object),
    Statics(Statics),
}

/// An object that is watched.
struct Object {
    object: ObjectId,
    /// The methods that clients can call with the object.
    entries: BTreeSet<MethodId>,
    /// The public methods of classes that are declared inside the object's class.
    inner: BTreeSet<MethodId>,
    /// Objects of such classes that know the object for ever.
    knowing: BTreeSet<ObjectId>,
    /// The object's class and those above.
    classes: BTreeSet<ClassId>,
}

impl<'m> Subject<'m> {
    /// An object of a class in a world.
    pub fn of_object(machine: &'m Machine<'m>, world: &World, object: ObjectId, class: ClassId) -> Self {
        let program = machine.program;
        let is_entry = |id: &MethodId| {
            let method = program.method(*id);
            method.flags.is_public() && !method.flags.is_synthetic() && !program.text(method.name).starts_with('<')
        };
        let methods = program.supertypes(class).into_iter().flat_map(|class| program.class(class).methods());
        let inside = inner_classes(program, class);
        let watched = Watched::Object(Object {
            object,
            entries: methods.filter(is_entry).collect(),
            inner: inside.iter().flat_map(|class| program.class(*class).methods()).filter(is_entry).collect(),
            knowing: machine.knowing(world, object, &inside),
            classes: program.superclasses(class).collect(),
        });
        Self { machine, patterns: Patterns::default(), watched }
    }

    /// The static fields of a class.
    pub fn of_statics(machine: &'m Machine<'m>, statics: Statics) -> Self {
        Self { machine, patterns: Patterns::default(), watched: Watched::Statics(statics) }
    }

    /// Whether a field is one that objects of the class have.
    fn is_of_class(&self, field: FieldId) -> bool {
        let class = self.machine.program.field(field).class;
        matches!(&self.watched, Watched::Object(object) if object.classes.contains(&class))
    }

    /// Whether two locations are compared: of all objects to which one path leads, one is followed, whichever it is.
    fn are_compared(one: Location, other: Location) -> bool {
        match (one.through(), other.through()) {
            (Some((one, of_one)), Some((other, of_other))) => one != other || of_one == of_other,
            _ => true,
        }
    }

    /// In a model, one unit with the object as receiver stands for all with any arguments; one with another receiver
    /// stands for all with the object as this argument, or, if the receiver knows the object, for all.
    fn units_of_model(&self, unit: Unit) -> Vec<String> {
        let bits = (0..16).map(|bit| 1 << bit).filter(|bit| unit.is_object & bit != 0);
        let is_static = self.machine.program.method(unit.method).flags.is_static();
        let bits = bits.take(if is_static || unit.is_object & 1 == 0 { 16 } else { 1 });
        let is_receiver = !is_static && unit.is_object & 1 == 1;
        let any = (!is_receiver).then_some(0);
        bits.chain(any).map(|is_object| self.unit_name(Unit { method: unit.method, is_object })).collect()
    }

    /// The unit as reports name it.
    fn unit_name(&self, unit: Unit) -> String {
        let program = self.machine.program;
        let method = program.method(unit.method);
        let class = program.class_name(method.class);
        let class = class.rsplit('.').next().unwrap_or(&class).to_string();
        let types = program.method_type(method.descriptor).expect("the method was called");
        let is_object = |index: usize| unit.is_object >> index & 1 == 1;
        let offset = usize::from(!method.flags.is_static());
        let parameters = types
            .parameters
            .iter()
            .enumerate()
            .map(|(index, of)| if is_object(index + offset) { "this".to_string() } else { self.type_name(*of) });
        let parameters: Vec<_> = parameters.collect();
        let receiver = match (method.flags.is_static(), is_object(0)) {
            (true, _) => class,
            (false, true) => "this".to_string(),
            // An object that is given to nobody is known by the receiver.
            (false, false) if unit.is_object == 0 => class,
            (false, false) => "other".to_string(),
        };
        format!("{receiver}.{}({})", program.text(method.name), parameters.join(", "))
    }

    fn type_name(&self, of: Type) -> String {
        let program = self.machine.program;
        match of {
            Type::Class(name) => program.text(name).rsplit('/').next().unwrap_or_default().to_string(),
            Type::Array(descriptor) if program.text(descriptor) == "[I" => "int[]".to_string(),
            Type::Array(descriptor) => program.text(descriptor).to_string(),
            of => format!("{of:?}").to_lowercase(),
        }
    }

    fn location_name(&self, location: Location) -> String {
        let program = self.machine.program;
        let name = |field: FieldId| program.text(program.field(field).name);
        if let Location::Item(by, _, _, of) = location {
            return format!("{}[].{}", name(by), name(of));
        }
        match location.path() {
            (field, None) => name(field).to_string(),
            (field, Some(Some(of))) => format!("{}.{}", name(field), name(of)),
            (field, Some(None)) => format!("{}[]", name(field)),
        }
    }

    fn found(&self, partial: &Partial) -> Match {
        let locations = [Some(partial.first), partial.second].into_iter().flatten();
        Match {
            unit: self.unit_name(partial.unit),
            units: self.units_of_model(partial.unit),
            pattern: partial.pattern + 1,
            locations: locations.map(|location| self.location_name(location)).collect(),
        }
    }
}

impl Object {
    /// Whether the object or what it holds is among these.
    fn is_given(&self, arguments: &[Value]) -> bool {
        arguments.iter().any(|value| match value {
            Value::Object(_, Origin::Field(holder, ..) | Origin::Element(holder, ..)) if *holder == self.object => true,
            Value::Object(it, _) => *it == self.object || self.knowing.contains(it),
            Value::Int(_) | Value::Long(_) | Value::Null => false,
        })
    }

    /// The unit of work that a call is, if it gets the object.
    fn unit(&self, method: MethodId, arguments: &[Value]) -> Option<Unit> {
        let is_inner = self.inner.contains(&method);
        if !is_inner && !self.entries.contains(&method) {
            return None;
        }
        let is_it = |value: &Value| matches!(value, Value::Object(it, _) if *it == self.object);
        let is_object = (0..).zip(arguments).filter(|(_, value)| is_it(value)).map(|(bit, _)| 1 << bit).sum();
        let is_known = |value: &Value| matches!(value, Value::Object(it, _) if self.knowing.contains(it));
        let gets_it = is_object != 0 || (is_inner && arguments.first().is_some_and(is_known));
        gets_it.then_some(Unit { method, is_object })
    }
}

/// The classes that are declared inside a class.
pub fn inner_classes(program: &Program, class: ClassId) -> Vec<ClassId> {
    let start = format!("{}$", program.text(program.class(class).name));
    program.classes().filter(|(_, inner)| program.text(inner.name).starts_with(&start)).map(|(id, _)| id).collect()
}

/// What has happened to an object so far, as far as it matters for what comes.
#[derive(Clone)]
pub struct Watch<'m> {
    subject: Rc<Subject<'m>>,
    /// The unit that each thread is in, and how many methods were open when it began.
    units: [Option<(usize, Unit)>; 2],
    /// For each method that is open in a thread, whether it was given the object or what it holds; of static fields,
    /// whether it counts what the method does.
    given: [Vec<bool>; 2],
    partial: BTreeSet<Partial>,
    /// For each thread, the rounds that may have no effect, and how many reads were done before each.
    rounds: [Vec<(Round, u32)>; 2],
    /// How many reads a thread has done since the first of them.
    reads: [u32; 2],
    /// Whether a thread is about to read an atomic for itself.
    for_itself: [bool; 2],
    /// Patterns that were found in the last steps.
    pub found: Vec<Match>,
}

impl std::hash::Hash for Watch<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (&self.units, &self.given, &self.partial, &self.rounds, self.reads).hash(state);
    }
}

impl<'m> Watch<'m> {
    /// Nothing has happened.
    pub fn new(subject: Subject<'m>) -> Self {
        let subject = Rc::new(subject);
        Self {
            subject,
            units: [None; 2],
            given: [Vec::new(), Vec::new()],
            partial: BTreeSet::new(),
            rounds: [Vec::new(), Vec::new()],
            reads: [0; 2],
            for_itself: [false; 2],
            found: Vec::new(),
        }
    }

    fn location(&self, access: Access) -> Option<Location> {
        let object = match &self.subject.watched {
            Watched::Object(watched) => watched.object,
            Watched::Statics(statics) => return statics.location(self.subject.machine.program, access),
        };
        // Of all objects of a class, one is followed, whichever it is.
        if let Cell::Field(of, field) = access.cell
            && of != object
            && self.subject.is_of_class(field)
        {
            return None;
        }
        match (access.cell, access.origin) {
            (Cell::Field(of, field), _) if of == object => Some(Location::Own(field)),
            (Cell::Field(of, field), Origin::Field(holder, by, _)) if holder == object => {
                Some(Location::Held(by, of, field))
            }
            (Cell::Element(of, index), Origin::Field(holder, by, _)) if holder == object => {
                Some(Location::Element(by, of, index))
            }
            (Cell::Field(of, field), Origin::Element(holder, by, index, _)) if holder == object => {
                Some(Location::Item(by, index, of, field))
            }
            _ => None,
        }
    }

    /// Whether it counts what the innermost method of a thread does, which is in a unit of work or not.
    fn is_followed(&self, access: Access) -> bool {
        let given = &self.given[access.thread];
        match &self.subject.watched {
            // Some methods may have found it by themselves; that they do not find it in a static field is assumed.
            Watched::Object(_) => {
                let is_given = |begin: usize| given[begin..].iter().all(|is_given| *is_given);
                !access.origin.is_static() || self.units[access.thread].is_some_and(|(begin, _)| is_given(begin))
            }
            Watched::Statics(_) => given.last() == Some(&true),
        }
    }

    /// The unit of the first thread that may be broken, if it is in one.
    fn unit(&self) -> Option<Unit> {
        let (depth, unit) = self.units[0]?;
        // Of static fields, only what clients call is sure to be asked about by its own name.
        let is_asked = depth == 0 || matches!(self.subject.watched, Watched::Object(_));
        is_asked.then_some(unit)
    }

    /// Whether the next element of a partial pattern is this access.
    fn goes_on(&self, partial: &Partial, access: Access, location: Location) -> Option<Partial> {
        let pattern = &self.subject.patterns.0[partial.pattern];
        let element = pattern.get(partial.done)?;
        if element.thread != access.thread || element.is_write != access.is_write {
            return None;
        }
        let first_of_two =
            element.thread == 1 && pattern.len() == 4 && !pattern[..partial.done].iter().any(|it| it.thread == 1);
        if first_of_two && self.units[1].is_none() {
            return None;
        }
        let mut longer = Partial { done: partial.done + 1, ..*partial };
        match (element.is_second_location, partial.second) {
            (false, _) => (location == partial.first).then_some(longer),
            (true, Some(second)) => (location == second).then_some(longer),
            (true, None) => {
                longer.second = Some(location);
                let is_compared = Subject::are_compared(partial.first, location);
                (is_compared && location.path() != partial.first.path()).then_some(longer)
            }
        }
    }

    fn add(&mut self, partial: Partial) {
        let is_whole = partial.done == self.subject.patterns.0[partial.pattern].len();
        if is_whole && partial.is_pending == [false; 2] && partial.reads == [0; 2] {
            let found = self.subject.found(&partial);
            self.found.push(found);
        } else {
            self.partial.insert(partial);
        }
    }
}

impl Watch<'_> {
    /// Changes all partial patterns, or drops them, if nothing is changed.
    fn change(&mut self, change: impl Fn(Partial) -> Option<Partial>) {
        for partial in std::mem::take(&mut self.partial) {
            if let Some(changed) = change(partial) {
                self.add(changed);
            }
        }
    }

    /// What a thread has read from an atomic counts.
    fn counts(&mut self, thread: usize) {
        self.change(|mut partial| {
            partial.is_pending[thread] = false;
            Some(partial)
        });
    }

    /// What the thread's rounds have read counts.
    fn has_effect(&mut self, thread: usize) {
        self.rounds[thread].clear();
        self.reads[thread] = 0;
        self.change(|mut partial| {
            partial.reads[thread] = 0;
            Some(partial)
        });
    }
}

impl Observer for Watch<'_> {
    fn begins_round(&mut self, thread: usize, round: Round) {
        let is_it = |known: &(Round, u32)| (known.0.depth, known.0.head) == (round.depth, round.head);
        let place = self.rounds[thread].iter().position(is_it);
        if let Some(place) = place {
            self.rounds[thread].truncate(place + 1);
            let (known, before) = self.rounds[thread][place].clone();
            if known == round {
                self.reads[thread] = before;
                self.change(|partial| (partial.reads[thread] <= before).then_some(partial));
                return;
            }
            self.rounds[thread].pop();
        }
        let reads = self.reads[thread];
        self.rounds[thread].push((round, reads));
    }

    fn does_something(&mut self, thread: usize) {
        self.has_effect(thread);
    }

    fn reads_atomic(&mut self, thread: usize) {
        self.for_itself[thread] = true;
    }

    fn swaps(&mut self, read: Access, found: bool) {
        let thread = read.thread;
        if self.location(read).is_none() {
            return;
        }
        if found {
            self.change(|partial| (!partial.is_pending[thread]).then_some(partial));
        } else {
            self.counts(thread);
        }
    }

    fn accesses(&mut self, access: Access) {
        let for_itself = std::mem::take(&mut self.for_itself[access.thread]);
        if access.is_write {
            self.has_effect(access.thread);
        } else if !self.rounds[access.thread].is_empty() {
            self.reads[access.thread] += 1;
        }
        let Some(location) = self.location(access) else { return };
        if !self.is_followed(access) {
            return;
        }
        // What is never written is in no pattern.
        if let Cell::Field(_, field) | Cell::Static(field) = access.cell
            && self.subject.machine.program.field(field).flags.is_final()
        {
            return;
        }
        if for_itself {
            self.counts(access.thread);
        }
        let reads = self.reads[access.thread];
        let mark = |mut partial: Partial| {
            partial.is_pending[access.thread] |= for_itself;
            partial.reads[access.thread] = reads;
            partial
        };
        let longer: Vec<Partial> =
            self.partial.iter().filter_map(|partial| self.goes_on(partial, access, location)).map(mark).collect();
        longer.into_iter().for_each(|partial| self.add(partial));
        if let (0, Some(unit)) = (access.thread, self.unit()) {
            for pattern in 0..PATTERNS.len() {
                if self.subject.patterns.0[pattern][0].is_write == access.is_write {
                    let (is_pending, reads) = ([false; 2], [0; 2]);
                    let first = Partial { pattern, done: 1, first: location, second: None, unit, is_pending, reads };
                    self.add(mark(first));
                }
            }
        }
    }

    fn enters(&mut self, thread: usize, depth: usize, method: MethodId, arguments: &[Value]) {
        self.given[thread].truncate(depth);
        let is_in_unit = self.units[thread].is_some();
        let subject = Rc::clone(&self.subject);
        let (is_given, unit) = match &subject.watched {
            Watched::Object(object) => (object.is_given(arguments), object.unit(method, arguments)),
            Watched::Statics(statics) => {
                let is_called = self.given[thread].last() == Some(&true) && statics.is_called(method);
                let is_given = is_called || (!is_in_unit && statics.is_entry(method));
                (is_given, statics.is_unit(method).then_some(Unit { method, is_object: 0 }))
            }
        };
        self.given[thread].push(is_given);
        if !is_in_unit {
            self.units[thread] = unit.map(|unit| (depth, unit));
        }
    }

    fn leaves(&mut self, thread: usize, depth: usize) {
        self.given[thread].truncate(depth);
        self.rounds[thread].retain(|(round, _)| round.depth < depth);
        if depth == 0 {
            self.counts(thread);
            self.has_effect(thread);
        }
        if self.units[thread].is_none_or(|(begin, _)| begin != depth) {
            return;
        }
        self.counts(thread);
        self.has_effect(thread);
        self.units[thread] = None;
        let patterns = &self.subject.patterns.0;
        self.partial.retain(|partial| {
            let (done, rest) = patterns[partial.pattern].split_at(partial.done);
            let is_of = |element: &Element| element.thread == thread;
            !(done.iter().any(is_of) && rest.iter().any(is_of))
        });
    }
}

/// Matches with the schedule that shows each.
pub type Matches = BTreeMap<Match, Vec<String>>;
