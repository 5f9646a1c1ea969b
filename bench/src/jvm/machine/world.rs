//! Values, the heap with its monitors and locks, and the threads.

use asercheck::java::{ClassId, Code, FieldId, HandleKind, InstructionIndex, MethodId, Name};
use std::collections::{BTreeMap, VecDeque};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// The number of an object on the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(pub(super) u32);

/// Where a reference was loaded from, last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A field of an object, and whether that was loaded from a static field.
    Field(ObjectId, FieldId, bool),
    /// An element of an array that was loaded from a field of an object, as above.
    Element(ObjectId, FieldId, i32, bool),
    /// A static field.
    Static(FieldId),
    /// Something else: it is new, or an argument, or an element of another array.
    Elsewhere,
}

impl Origin {
    /// Whether it came out of a static field, or is held by an object that did.
    pub fn is_static(self) -> bool {
        matches!(self, Self::Static(_) | Self::Field(_, _, true) | Self::Element(.., true))
    }
}

/// A value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// An int, or what is stored as one.
    Int(i32),
    /// A long.
    Long(i64),
    /// Null.
    Null,
    /// An object, and where the reference comes from.
    Object(ObjectId, Origin),
}

/// What an object is.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    /// An object of a class that was given.
    Given(ClassId),
    /// An object of a class of the library.
    Library(Rc<str>),
    /// An array.
    Array,
    /// A class object.
    Class,
    /// A string.
    Text,
    /// A lambda: what it runs, with what it has captured.
    Lambda(HandleKind, [Name; 3], Vec<Value>),
}

/// An object.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Object {
    /// What it is.
    pub sort: Sort,
    pub(super) fields: BTreeMap<FieldId, Value>,
    pub(super) elements: Vec<Value>,
    /// Who is in its monitor, how often.
    pub(super) monitor: Option<(usize, u32)>,
    /// Who holds it as a lock of `java.util.concurrent`, how often.
    pub(super) lock: Option<(usize, u32)>,
}

impl Object {
    /// An object whose fields and elements are not there yet.
    pub(super) fn new(sort: Sort) -> Self {
        Self { sort, fields: BTreeMap::new(), elements: Vec::new(), monitor: None, lock: None }
    }
}

/// A call that a thread makes by itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Call {
    /// The method.
    pub method: MethodId,
    /// Its arguments, the receiver first.
    pub arguments: Vec<Value>,
}

/// A method that a thread has begun.
#[derive(Clone, Debug)]
pub(super) struct Frame {
    pub(super) method: MethodId,
    pub(super) code: Rc<Code>,
    pub(super) at: InstructionIndex,
    pub(super) locals: Vec<Value>,
    pub(super) stack: Vec<Value>,
    /// The monitor of a synchronized method.
    pub(super) locked: Option<ObjectId>,
}

impl Hash for Frame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.method, self.at, &self.locals, &self.stack, self.locked).hash(state);
    }
}

/// A thread.
#[derive(Clone, Debug, Default, Hash)]
pub(super) struct Thread {
    pub(super) frames: Vec<Frame>,
    pub(super) calls: VecDeque<Call>,
    /// The monitor that it waits for to be free again, and how often it was in it.
    pub(super) waiting: Option<(ObjectId, u32)>,
}

/// The heap and the threads.
#[derive(Clone, Debug, Default, Hash)]
pub struct World {
    pub(super) objects: Vec<Rc<Object>>,
    pub(super) statics: BTreeMap<FieldId, Value>,
    pub(super) class_objects: BTreeMap<Name, ObjectId>,
    pub(super) texts: BTreeMap<Name, ObjectId>,
    pub(super) threads: Vec<Thread>,
}

impl World {
    pub(super) fn add(&mut self, object: Object) -> ObjectId {
        self.objects.push(Rc::new(object));
        ObjectId(u32::try_from(self.objects.len() - 1).expect("heaps are small"))
    }

    /// Makes an object of a class of the library.
    pub fn library_object(&mut self, class: &str) -> ObjectId {
        self.add(Object::new(Sort::Library(class.into())))
    }

    /// Makes an array of ints.
    pub fn array(&mut self, length: usize) -> ObjectId {
        self.add(Object { elements: vec![Value::Int(0); length], ..Object::new(Sort::Array) })
    }

    /// What an object is.
    pub fn sort(&self, object: ObjectId) -> &Sort {
        &self.objects[object.0 as usize].sort
    }

    /// Gives a thread something to do.
    pub fn give(&mut self, thread: usize, call: Call) {
        self.threads[thread].calls.push_back(call);
    }

    /// All threads forget what they do.
    pub fn stop(&mut self) {
        self.threads.iter_mut().for_each(|thread| *thread = Thread::default());
    }

    /// How many threads there are.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }

    pub(super) fn object(&mut self, id: ObjectId) -> &mut Object {
        Rc::make_mut(&mut self.objects[id.0 as usize])
    }

    pub(super) fn class_object(&mut self, name: Name) -> ObjectId {
        if let Some(known) = self.class_objects.get(&name) {
            return *known;
        }
        let object = self.add(Object::new(Sort::Class));
        self.class_objects.insert(name, object);
        object
    }

    pub(super) fn string(&mut self, name: Name) -> ObjectId {
        if let Some(known) = self.texts.get(&name) {
            return *known;
        }
        let object = self.add(Object::new(Sort::Text));
        self.texts.insert(name, object);
        object
    }

    pub(super) fn frame(&mut self, thread: usize) -> &mut Frame {
        self.threads[thread].frames.last_mut().expect("a method is open")
    }

    pub(super) fn push(&mut self, thread: usize, value: Value) {
        self.frame(thread).stack.push(value);
    }

    pub(super) fn pop(&mut self, thread: usize) -> Value {
        self.frame(thread).stack.pop().expect("the operand is there")
    }

    pub(super) fn int(&mut self, thread: usize) -> i32 {
        int(self.pop(thread)).expect("the operand is an int")
    }

    pub(super) fn top(&mut self, thread: usize, count: usize) -> &[Value] {
        let stack = &self.frame(thread).stack;
        &stack[stack.len() - count..]
    }

    pub(super) fn take(&mut self, thread: usize, count: usize) -> Vec<Value> {
        let stack = &mut self.frame(thread).stack;
        stack.split_off(stack.len() - count)
    }
}

/// Takes a monitor or lock, unless another thread has it.
pub(super) fn acquire(owner: &mut Option<(usize, u32)>, thread: usize) -> bool {
    match owner {
        None => *owner = Some((thread, 1)),
        Some((by, times)) if *by == thread => *times += 1,
        Some(_) => return false,
    }
    true
}

/// Gives a monitor or lock back, if the thread has it.
pub(super) fn release(owner: &mut Option<(usize, u32)>, thread: usize) -> bool {
    match owner {
        Some((by, 1)) if *by == thread => *owner = None,
        Some((by, times)) if *by == thread => *times -= 1,
        _ => return false,
    }
    true
}

/// A value that was loaded from somewhere.
pub(super) fn from(value: Value, origin: Origin) -> Value {
    match value {
        Value::Object(object, _) => Value::Object(object, origin),
        value => value,
    }
}

/// An int, if it is one.
pub(super) fn int(value: Value) -> Option<i32> {
    match value {
        Value::Int(value) => Some(value),
        _ => None,
    }
}
