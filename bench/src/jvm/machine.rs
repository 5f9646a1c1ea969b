//! A machine that executes byte code: objects, arrays, static fields, monitors, calls, exceptions and threads.
//!
//! One step is one instruction. There are no floating-point numbers; of the class library there are `Object`,
//! exceptions, `ReentrantLock` and lambdas. Whatever else is met ends the execution with [`Unsupported`].

use asercheck::java::{
    CallSiteAction, ClassId, Code, Comparison, Condition, Constant, FieldId, Handle, HandleKind, Instruction,
    InstructionIndex, InvokeKind, Kind, Member, MethodId, Name, Operator, Program, StackOperation, Type,
};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use std::hash::{Hash, Hasher};
use std::rc::Rc;

/// The number of an object on the heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ObjectId(u32);

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
    fields: BTreeMap<FieldId, Value>,
    elements: Vec<Value>,
    /// Who is in its monitor, how often.
    monitor: Option<(usize, u32)>,
    /// Who holds it as a lock of `java.util.concurrent`, how often.
    lock: Option<(usize, u32)>,
}

impl Object {
    fn new(sort: Sort) -> Self {
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

#[derive(Clone, Debug)]
struct Frame {
    method: MethodId,
    code: Rc<Code>,
    at: InstructionIndex,
    locals: Vec<Value>,
    stack: Vec<Value>,
    /// The monitor of a synchronized method.
    locked: Option<ObjectId>,
}

impl Hash for Frame {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.method, self.at, &self.locals, &self.stack, self.locked).hash(state);
    }
}

/// A thread.
#[derive(Clone, Debug, Default, Hash)]
struct Thread {
    frames: Vec<Frame>,
    calls: VecDeque<Call>,
    /// The monitor that it waits for to be free again, and how often it was in it.
    waiting: Option<(ObjectId, u32)>,
}

/// The heap and the threads.
#[derive(Clone, Debug, Default, Hash)]
pub struct World {
    objects: Vec<Rc<Object>>,
    statics: BTreeMap<FieldId, Value>,
    class_objects: BTreeMap<Name, ObjectId>,
    texts: BTreeMap<Name, ObjectId>,
    threads: Vec<Thread>,
}

/// A method and an instruction of it; none between two calls.
pub type Position = Option<(MethodId, InstructionIndex)>;

/// What came of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// It was done.
    Moved,
    /// A monitor or lock is not free; nothing has changed.
    Blocked,
    /// The thread has nothing to do any more.
    Finished,
    /// The stack is deeper than is followed.
    TooDeep,
}

/// Something that the machine does not know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported(pub String);

/// A place in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// A field of an object.
    Field(ObjectId, FieldId),
    /// An element of an array.
    Element(ObjectId, i32),
    /// A static field.
    Static(FieldId),
}

/// An access to memory.
#[derive(Clone, Copy, Debug)]
pub struct Access {
    /// Who does it.
    pub thread: usize,
    /// What is accessed.
    pub cell: Cell,
    /// Where the reference to the object or array comes from.
    pub origin: Origin,
    /// Whether it is a write.
    pub is_write: bool,
}

/// What is told of an execution.
pub trait Observer {
    /// Memory is accessed.
    fn accesses(&mut self, access: Access);
    /// A method begins; `depth` methods of the thread are open.
    fn enters(&mut self, thread: usize, depth: usize, method: MethodId, arguments: &[Value]);
    /// The method that began at this depth ends.
    fn leaves(&mut self, thread: usize, depth: usize);
    /// Control comes to the head of a loop, in the method of this depth, with these values that are still needed.
    fn begins_round(&mut self, thread: usize, round: Round);
    /// The thread does something to the heap, to locks or to other threads that is no read.
    fn does_something(&mut self, thread: usize);
    /// The thread reads an atomic for itself.
    fn reads_atomic(&mut self, thread: usize);
    /// A compare-and-set of the thread has found what it expects, or has not.
    fn swaps(&mut self, read: Access, found: bool);
}

/// The state of a method at the head of a loop.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Round {
    /// The depth of the method.
    pub depth: usize,
    /// The head.
    pub head: (MethodId, InstructionIndex),
    /// The local variables that are read later, and the operands.
    pub values: Vec<Option<Value>>,
}

/// Nobody looks.
pub struct Nobody;

impl Observer for Nobody {
    fn accesses(&mut self, _: Access) {}
    fn enters(&mut self, _: usize, _: usize, _: MethodId, _: &[Value]) {}
    fn leaves(&mut self, _: usize, _: usize) {}
    fn begins_round(&mut self, _: usize, _: Round) {}
    fn does_something(&mut self, _: usize) {}
    fn reads_atomic(&mut self, _: usize) {}
    fn swaps(&mut self, _: Access, _: bool) {}
}

/// So many methods of a thread may be open.
const DEEPEST: usize = 10;

/// How an instruction ends.
enum End {
    Next,
    Jump(InstructionIndex),
    /// A method was entered or left, or an exception was thrown: control is where it belongs.
    Elsewhere,
    Blocked,
    TooDeep,
    Throws(&'static str),
}

/// The heads of loops of a method, with the local variables that are read from there on before they are assigned.
type Heads = HashMap<InstructionIndex, Vec<bool>>;

/// Executes the code of a program.
pub struct Machine<'p> {
    /// The program.
    pub program: &'p Program,
    codes: RefCell<HashMap<MethodId, Rc<Code>>>,
    /// The heads of loops of each method, with the local variables that are read from there on.
    heads: RefCell<HashMap<MethodId, Rc<Heads>>>,
}

type Result<T> = std::result::Result<T, Unsupported>;

impl<'p> Machine<'p> {
    /// A machine for a program.
    pub fn new(program: &'p Program) -> Self {
        Self { program, codes: RefCell::default(), heads: RefCell::default() }
    }

    /// A heap with the static fields of all classes, after their initializers, and with so many threads, at least one,
    /// that have nothing to do. An initializer that does something that is not known ends there.
    pub fn world(&self, threads: usize) -> World {
        let mut world = World { threads: vec![Thread::default(); threads], ..World::default() };
        for (_, class) in self.program.classes() {
            for id in class.fields() {
                let field = self.program.field(id);
                if field.flags.is_static() {
                    world.statics.insert(id, self.initial(field.descriptor));
                }
            }
        }
        for (_, class) in self.program.classes() {
            for id in class.methods() {
                if self.text(self.program.method(id).name) == "<clinit>" {
                    let ended = self.run(&mut world, Call { method: id, arguments: Vec::new() });
                    if ended.is_err() {
                        // Its static fields hold nothing: whoever uses them throws.
                        world.threads[0] = Thread::default();
                    }
                }
            }
        }
        world
    }

    fn text(&self, name: Name) -> &'p str {
        self.program.text(name)
    }

    fn initial(&self, descriptor: Name) -> Value {
        match self.text(descriptor).as_bytes()[0] {
            b'L' | b'[' => Value::Null,
            b'J' => Value::Long(0),
            _ => Value::Int(0),
        }
    }

    /// Makes an object of a class that was given, without running a constructor.
    pub fn allocate(&self, world: &mut World, class: ClassId) -> ObjectId {
        let mut object = Object::new(Sort::Given(class));
        for class in self.program.superclasses(class) {
            for id in self.program.class(class).fields() {
                let field = self.program.field(id);
                if !field.flags.is_static() {
                    object.fields.insert(id, self.initial(field.descriptor));
                }
            }
        }
        world.add(object)
    }

    /// The objects of these classes of which a final field holds an object.
    pub fn knowing(&self, world: &World, object: ObjectId, classes: &[ClassId]) -> BTreeSet<ObjectId> {
        let holds = |field: &FieldId, value: &Value| {
            self.program.field(*field).flags.is_final() && matches!(value, Value::Object(it, _) if *it == object)
        };
        let knows = |it: &Object| {
            matches!(it.sort, Sort::Given(class) if classes.contains(&class))
                && it.fields.iter().any(|(field, value)| holds(field, value))
        };
        (0..).map(ObjectId).zip(&world.objects).filter(|(_, it)| knows(it)).map(|(id, _)| id).collect()
    }

    /// Runs a call to its end in the first thread, alone. Gives whether it ended, with an exception or without.
    ///
    /// # Errors
    /// If it does something that is not known.
    pub fn run(&self, world: &mut World, call: Call) -> Result<bool> {
        world.give(0, call);
        for _ in 0..2000 {
            match self.step(world, 0, &mut Nobody)? {
                Progress::Moved => {}
                Progress::Finished => return Ok(true),
                Progress::Blocked | Progress::TooDeep => return Ok(false),
            }
        }
        Ok(false)
    }

    /// A method that a class declares or inherits.
    pub fn method(&self, class: ClassId, name: Name, descriptor: Name) -> Option<MethodId> {
        let declares = |class: ClassId| {
            let mut methods = self.program.class(class).methods();
            methods.find(|id| {
                let method = self.program.method(*id);
                method.name == name && method.descriptor == descriptor
            })
        };
        let has_code = |id: &MethodId| self.program.method(*id).has_code();
        let of_classes = self.program.superclasses(class).find_map(|class| declares(class).filter(has_code));
        of_classes.or_else(|| {
            let mut all = self.program.supertypes(class).into_iter();
            all.find_map(|class| declares(class).filter(has_code))
        })
    }

    /// The field that code names.
    ///
    /// # Errors
    /// If it is not given.
    pub fn field(&self, member: Member) -> Result<FieldId> {
        let class = self.program.named(member.class);
        let mut all = class.into_iter().flat_map(|class| self.program.superclasses(class));
        let found = all.find_map(|class| {
            let mut fields = self.program.class(class).fields();
            fields.find(|id| {
                let field = self.program.field(*id);
                field.name == member.name && field.descriptor == member.descriptor
            })
        });
        found.ok_or_else(|| self.unknown(member))
    }

    fn unknown(&self, member: Member) -> Unsupported {
        let [class, name, descriptor] = [member.class, member.name, member.descriptor].map(|name| self.text(name));
        Unsupported(format!("{class}.{name}{descriptor}"))
    }

    fn code(&self, method: MethodId) -> Result<Rc<Code>> {
        if let Some(known) = self.codes.borrow().get(&method) {
            return Ok(known.clone());
        }
        let code = self.program.code(method).ok().flatten();
        let code = Rc::new(code.ok_or_else(|| Unsupported(self.program.method_name(method)))?);
        self.codes.borrow_mut().insert(method, code.clone());
        Ok(code)
    }

    /// Where a thread is.
    pub fn position(&self, world: &World, thread: usize) -> Position {
        world.threads[thread].frames.last().map(|frame| (frame.method, frame.at))
    }

    /// A position in words: the method, the line and the instruction.
    pub fn place(&self, position: Position) -> String {
        let Some((method, at)) = position else { return "begins a call".to_string() };
        let name = self.text(self.program.method(method).name);
        match self.code(method) {
            Ok(code) => format!("{name}:{} {:?}", code.line(at).unwrap_or(0), code.instruction(at)),
            Err(_) => name.to_string(),
        }
    }

    /// Whether other threads can tell when the thread's next step is done.
    pub fn is_visible(&self, world: &World, thread: usize) -> bool {
        let thread = &world.threads[thread];
        let Some(frame) = thread.frames.last() else { return true };
        if thread.waiting.is_some() {
            return true;
        }
        match frame.code.instruction(frame.at) {
            Instruction::GetField(member) | Instruction::GetStatic(member) => {
                self.field(member).is_ok_and(|field| !self.program.field(field).flags.is_final())
            }
            Instruction::PutField(_)
            | Instruction::PutStatic(_)
            | Instruction::ArrayLoad(_)
            | Instruction::ArrayStore(_)
            | Instruction::MonitorEnter
            // It may run a synchronized method, or lock.
            | Instruction::Invoke(..) => true,
            _ => false,
        }
    }

    /// Executes the next instruction of a thread, or begins its next call.
    ///
    /// # Errors
    /// If it does something that is not known.
    pub fn step(&self, world: &mut World, thread: usize, observer: &mut impl Observer) -> Result<Progress> {
        if let Some((object, times)) = world.threads[thread].waiting {
            let monitor = &mut world.object(object).monitor;
            if monitor.is_some() {
                return Ok(Progress::Blocked);
            }
            *monitor = Some((thread, times));
            world.threads[thread].waiting = None;
            self.goes_on(world, thread, observer);
            return Ok(Progress::Moved);
        }
        if world.threads[thread].frames.is_empty() {
            let Some(call) = world.threads[thread].calls.front().cloned() else { return Ok(Progress::Finished) };
            return Ok(match self.enter(world, thread, call.method, call.arguments, observer)? {
                End::Blocked => Progress::Blocked,
                _ => {
                    world.threads[thread].calls.pop_front();
                    Progress::Moved
                }
            });
        }
        let frame = world.frame(thread);
        let code = frame.code.clone();
        let at = frame.at;
        match self.execute(world, thread, &code, at, observer)? {
            End::Next => self.arrives(world, thread, code.next(at), observer),
            End::Jump(target) => self.arrives(world, thread, target, observer),
            End::Elsewhere => {}
            End::Blocked => return Ok(Progress::Blocked),
            End::TooDeep => return Ok(Progress::TooDeep),
            End::Throws(class) => {
                let exception = world.add(Object::new(Sort::Library(class.into())));
                self.throw(world, thread, exception, observer);
            }
        }
        Ok(Progress::Moved)
    }

    /// Control comes to the next instruction of the innermost method.
    fn goes_on(&self, world: &mut World, thread: usize, observer: &mut impl Observer) {
        let frame = world.frame(thread);
        let next = frame.code.next(frame.at);
        self.arrives(world, thread, next, observer);
    }

    /// Control comes to an instruction.
    fn arrives(&self, world: &mut World, thread: usize, at: InstructionIndex, observer: &mut impl Observer) {
        let depth = world.threads[thread].frames.len() - 1;
        let frame = world.frame(thread);
        frame.at = at;
        let heads = self.heads.borrow_mut().entry(frame.method).or_insert_with(|| Rc::new(heads(&frame.code))).clone();
        let Some(live) = heads.get(&at) else { return };
        let locals = frame.locals.iter().zip(live).map(|(value, is_live)| is_live.then_some(*value));
        let values = locals.chain(frame.stack.iter().copied().map(Some)).collect();
        observer.begins_round(thread, Round { depth, head: (frame.method, at), values });
    }

    fn enter(
        &self,
        world: &mut World,
        thread: usize,
        method: MethodId,
        arguments: Vec<Value>,
        observer: &mut impl Observer,
    ) -> Result<End> {
        let depth = world.threads[thread].frames.len();
        if depth >= DEEPEST {
            return Ok(End::TooDeep);
        }
        let code = self.code(method)?;
        let declared = self.program.method(method);
        let locked = match (declared.flags.is_synchronized(), declared.flags.is_static(), arguments.first()) {
            (false, ..) => None,
            (true, true, _) => Some(world.class_object(self.program.class(declared.class).name)),
            (true, false, Some(Value::Object(receiver, _))) => Some(*receiver),
            (true, false, _) => return Err(Unsupported("a method without a receiver".into())),
        };
        if let Some(locked) = locked
            && !acquire(&mut world.object(locked).monitor, thread)
        {
            return Ok(End::Blocked);
        }
        observer.enters(thread, depth, method, &arguments);
        let mut locals = Vec::new();
        for value in arguments {
            locals.push(value);
            locals.extend(matches!(value, Value::Long(_)).then_some(Value::Int(0)));
        }
        locals.resize(usize::from(code.max_locals).max(locals.len()), Value::Int(0));
        let (at, _) = code.instructions().next().expect("code is not empty");
        world.threads[thread].frames.push(Frame { method, code, at, locals, stack: Vec::new(), locked });
        self.arrives(world, thread, at, observer);
        Ok(End::Elsewhere)
    }

    fn leave(&self, world: &mut World, thread: usize, observer: &mut impl Observer) {
        let frame = world.threads[thread].frames.pop().expect("a method is open");
        if let Some(locked) = frame.locked {
            release(&mut world.object(locked).monitor, thread);
        }
        observer.leaves(thread, world.threads[thread].frames.len());
    }

    fn throw(&self, world: &mut World, thread: usize, exception: ObjectId, observer: &mut impl Observer) {
        while let Some(frame) = world.threads[thread].frames.last() {
            let at = frame.at.index();
            let catches = |name: Option<Name>| name.is_none_or(|name| self.is_a(world, exception, name));
            let mut handlers = frame.code.handlers().iter();
            let found = handlers.find(|handler| handler.covers.contains(&at) && catches(handler.catches));
            if let Some(target) = found.map(|handler| handler.target) {
                let frame = world.frame(thread);
                frame.stack = vec![Value::Object(exception, Origin::Elsewhere)];
                self.arrives(world, thread, target, observer);
                return;
            }
            self.leave(world, thread, observer);
        }
    }

    /// Whether an object is of a class or interface of this name.
    fn is_a(&self, world: &World, object: ObjectId, name: Name) -> bool {
        let wanted = self.text(name);
        match &world.objects[object.0 as usize].sort {
            Sort::Given(class) => self.program.extends(*class, name) || wanted == "java/lang/Object",
            Sort::Library(class) => {
                std::iter::successors(Some(&**class), |class| superclass(class)).any(|class| class == wanted)
            }
            Sort::Array | Sort::Class | Sort::Text => wanted == "java/lang/Object",
            Sort::Lambda(..) => true,
        }
    }

    fn execute(
        &self,
        world: &mut World,
        thread: usize,
        code: &Code,
        at: InstructionIndex,
        observer: &mut impl Observer,
    ) -> Result<End> {
        let instruction = code.instruction(at);
        let unsupported = || Err(Unsupported(format!("{instruction:?}")));
        match instruction {
            Instruction::Nop => {}
            Instruction::Constant(constant) => {
                let value = match constant {
                    Constant::Null => Value::Null,
                    Constant::Int(value) => Value::Int(value),
                    Constant::Long(value) => Value::Long(value),
                    Constant::String(name) => Value::Object(world.string(name), Origin::Elsewhere),
                    Constant::Class(name) => Value::Object(world.class_object(name), Origin::Elsewhere),
                    _ => return unsupported(),
                };
                world.push(thread, value);
            }
            Instruction::Load(_, local) => {
                let value = world.frame(thread).locals[local.index()];
                world.push(thread, value);
            }
            Instruction::Store(_, local) => {
                let value = world.pop(thread);
                world.frame(thread).locals[local.index()] = value;
            }
            Instruction::Increment(local, by) => {
                let Value::Int(value) = world.frame(thread).locals[local.index()] else { return unsupported() };
                world.frame(thread).locals[local.index()] = Value::Int(value.wrapping_add(by.into()));
            }
            Instruction::ArrayLoad(_) => {
                let index = world.int(thread);
                let Value::Object(array, origin) = world.pop(thread) else { return Ok(End::Throws(NULL)) };
                let elements = &world.objects[array.0 as usize].elements;
                let Some(value) = usize::try_from(index).ok().and_then(|index| elements.get(index)).copied() else {
                    return Ok(End::Throws(OUT_OF_BOUNDS));
                };
                let cell = Cell::Element(array, index);
                observer.accesses(Access { thread, cell, origin, is_write: false });
                let origin = match origin {
                    Origin::Field(holder, by, is_static) => Origin::Element(holder, by, index, is_static),
                    Origin::Element(..) | Origin::Static(_) | Origin::Elsewhere => Origin::Elsewhere,
                };
                world.push(thread, from(value, origin));
            }
            Instruction::ArrayStore(_) => {
                let value = world.pop(thread);
                let index = world.int(thread);
                let Value::Object(array, origin) = world.pop(thread) else { return Ok(End::Throws(NULL)) };
                let elements = &mut world.object(array).elements;
                let Some(element) = usize::try_from(index).ok().and_then(|index| elements.get_mut(index)) else {
                    return Ok(End::Throws(OUT_OF_BOUNDS));
                };
                *element = from(value, Origin::Elsewhere);
                let cell = Cell::Element(array, index);
                observer.accesses(Access { thread, cell, origin, is_write: true });
            }
            Instruction::ArrayLength => {
                let Value::Object(array, _) = world.pop(thread) else { return Ok(End::Throws(NULL)) };
                let length = world.objects[array.0 as usize].elements.len();
                world.push(thread, Value::Int(i32::try_from(length).expect("arrays are small")));
            }
            Instruction::Stack(operation) => {
                if !rearrange(&mut world.frame(thread).stack, operation) {
                    return unsupported();
                }
            }
            Instruction::Binary(operator, kind) => {
                let (other, one) = (world.pop(thread), world.pop(thread));
                let value = match (one, other) {
                    (Value::Int(one), Value::Int(other)) => ints(operator, one, other).map(Value::Int),
                    (Value::Long(one), Value::Long(other)) => longs(operator, one, other).map(Value::Long),
                    (Value::Long(one), Value::Int(other)) if operator.is_shift() => {
                        longs(operator, one, other.into()).map(Value::Long)
                    }
                    _ => return unsupported(),
                };
                debug_assert!(matches!(kind, Kind::Int | Kind::Long));
                let Some(value) = value else { return Ok(End::Throws("java/lang/ArithmeticException")) };
                world.push(thread, value);
            }
            Instruction::Negate(_) => {
                let value = match world.pop(thread) {
                    Value::Int(value) => Value::Int(value.wrapping_neg()),
                    Value::Long(value) => Value::Long(value.wrapping_neg()),
                    _ => return unsupported(),
                };
                world.push(thread, value);
            }
            Instruction::Convert(Kind::Int, Kind::Long) => {
                let value = world.int(thread);
                world.push(thread, Value::Long(value.into()));
            }
            #[expect(clippy::cast_possible_truncation, reason = "this is what the instruction does")]
            Instruction::Convert(Kind::Long, Kind::Int) => {
                let Value::Long(value) = world.pop(thread) else { return unsupported() };
                world.push(thread, Value::Int(value as i32));
            }
            Instruction::Narrow(element) => {
                use asercheck::java::Element;
                let value = world.int(thread);
                let bytes = value.to_le_bytes();
                let value = match element {
                    Element::Byte => i8::from_le_bytes([bytes[0]]).into(),
                    Element::Char => u16::from_le_bytes([bytes[0], bytes[1]]).into(),
                    _ => i16::from_le_bytes([bytes[0], bytes[1]]).into(),
                };
                world.push(thread, Value::Int(value));
            }
            Instruction::Compare(Kind::Long) => {
                let (Value::Long(other), Value::Long(one)) = (world.pop(thread), world.pop(thread)) else {
                    return unsupported();
                };
                world.push(thread, Value::Int(one.cmp(&other) as i32));
            }
            Instruction::Branch(condition, target) => {
                let last = world.pop(thread);
                let holds = match condition {
                    Condition::Zero(comparison) => int(last).map(|value| compare(comparison, value, 0)),
                    Condition::Ints(comparison) => {
                        let one = world.pop(thread);
                        int(one).zip(int(last)).map(|(one, other)| compare(comparison, one, other))
                    }
                    Condition::Same => Some(same(world.pop(thread), last)),
                    Condition::Different => Some(!same(world.pop(thread), last)),
                    Condition::Null => Some(last == Value::Null),
                    Condition::NotNull => Some(last != Value::Null),
                };
                match holds {
                    Some(true) => return Ok(End::Jump(target)),
                    Some(false) => {}
                    None => return unsupported(),
                }
            }
            Instruction::Goto(target) => return Ok(End::Jump(target)),
            Instruction::Switch(id) => {
                let value = world.int(thread);
                let switch = code.switch(id);
                let case = switch.cases.iter().find(|case| case.0 == value);
                return Ok(End::Jump(case.map_or(switch.default, |case| case.1)));
            }
            Instruction::Return(kind) => {
                let value = kind.map(|_| world.pop(thread));
                self.leave(world, thread, observer);
                if !world.threads[thread].frames.is_empty() {
                    if let Some(value) = value {
                        world.push(thread, value);
                    }
                    self.goes_on(world, thread, observer);
                }
                return Ok(End::Elsewhere);
            }
            Instruction::Throw => {
                let Value::Object(exception, _) = world.pop(thread) else { return Ok(End::Throws(NULL)) };
                self.throw(world, thread, exception, observer);
                return Ok(End::Elsewhere);
            }
            Instruction::GetField(member) => {
                let field = self.field(member)?;
                let Value::Object(object, origin) = world.pop(thread) else { return Ok(End::Throws(NULL)) };
                let cell = Cell::Field(object, field);
                observer.accesses(Access { thread, cell, origin, is_write: false });
                let value = world.objects[object.0 as usize].fields[&field];
                world.push(thread, from(value, Origin::Field(object, field, origin.is_static())));
            }
            Instruction::PutField(member) => {
                let field = self.field(member)?;
                let value = world.pop(thread);
                let Value::Object(object, origin) = world.pop(thread) else { return Ok(End::Throws(NULL)) };
                let cell = Cell::Field(object, field);
                observer.accesses(Access { thread, cell, origin, is_write: true });
                world.object(object).fields.insert(field, from(value, Origin::Elsewhere));
            }
            Instruction::GetStatic(member) => {
                let field = self.field(member)?;
                let (cell, origin) = (Cell::Static(field), Origin::Elsewhere);
                observer.accesses(Access { thread, cell, origin, is_write: false });
                let value = world.statics[&field];
                world.push(thread, from(value, Origin::Static(field)));
            }
            Instruction::PutStatic(member) => {
                let field = self.field(member)?;
                let value = world.pop(thread);
                let (cell, origin) = (Cell::Static(field), Origin::Elsewhere);
                observer.accesses(Access { thread, cell, origin, is_write: true });
                world.statics.insert(field, from(value, Origin::Elsewhere));
            }
            Instruction::Invoke(kind, member) => return self.invoke(world, thread, (kind, member), observer),
            Instruction::InvokeDynamic(id) => {
                let site = code.call_site(id);
                let CallSiteAction::Lambda { implementation, .. } = site.action else { return unsupported() };
                let types = self.program.method_type(site.descriptor);
                let count = types.map_or(0, |types| types.parameters.len());
                let captured = world.take(thread, count);
                let Handle { kind, member } = implementation;
                let lambda = Sort::Lambda(kind, [member.class, member.name, member.descriptor], captured);
                let lambda = world.add(Object::new(lambda));
                world.push(thread, Value::Object(lambda, Origin::Elsewhere));
            }
            Instruction::New(name) => {
                let object = match self.program.named(name) {
                    Some(class) => self.allocate(world, class),
                    None => world.add(Object::new(Sort::Library(self.text(name).into()))),
                };
                world.push(thread, Value::Object(object, Origin::Elsewhere));
            }
            Instruction::NewArray(of) => {
                let Ok(length) = usize::try_from(world.int(thread)) else {
                    return Ok(End::Throws("java/lang/NegativeArraySizeException"));
                };
                let initial = match of.kind() {
                    Kind::Reference => Value::Null,
                    Kind::Long => Value::Long(0),
                    _ => Value::Int(0),
                };
                let elements = vec![initial; length.min(64)];
                let array = world.add(Object { elements, ..Object::new(Sort::Array) });
                world.push(thread, Value::Object(array, Origin::Elsewhere));
            }
            Instruction::CheckCast(to) => {
                if let (Some(Value::Object(object, _)), Type::Class(name)) =
                    (world.frame(thread).stack.last().copied(), to)
                    && !self.is_a(world, object, name)
                {
                    return Ok(End::Throws("java/lang/ClassCastException"));
                }
            }
            Instruction::InstanceOf(of) => {
                let value = world.pop(thread);
                let holds = match (value, of) {
                    (Value::Object(object, _), Type::Class(name)) => self.is_a(world, object, name),
                    (Value::Object(..), _) => return unsupported(),
                    _ => false,
                };
                world.push(thread, Value::Int(holds.into()));
            }
            Instruction::MonitorEnter => {
                let Some(Value::Object(object, _)) = world.frame(thread).stack.last().copied() else {
                    return Ok(End::Throws(NULL));
                };
                if !acquire(&mut world.object(object).monitor, thread) {
                    return Ok(End::Blocked);
                }
                world.pop(thread);
            }
            Instruction::MonitorExit => {
                let Value::Object(object, _) = world.pop(thread) else { return Ok(End::Throws(NULL)) };
                if !release(&mut world.object(object).monitor, thread) {
                    return Ok(End::Throws(NO_MONITOR));
                }
            }
            Instruction::Convert(..)
            | Instruction::Compare(_)
            | Instruction::Jsr(_)
            | Instruction::Ret(_)
            | Instruction::NewMultiArray(..) => return unsupported(),
        }
        Ok(End::Next)
    }

    fn invoke(
        &self,
        world: &mut World,
        thread: usize,
        (kind, member): (InvokeKind, Member),
        observer: &mut impl Observer,
    ) -> Result<End> {
        let types = self.program.method_type(member.descriptor).ok_or_else(|| self.unknown(member))?;
        let has_receiver = kind != InvokeKind::Static;
        let count = types.parameters.len() + usize::from(has_receiver);
        // If the call has to wait, it finds its arguments again.
        let arguments = world.top(thread, count);
        let named = self.program.named(member.class);
        let declared = named.and_then(|class| self.method(class, member.name, member.descriptor));
        let is_private = declared.is_some_and(|method| self.program.method(method).flags.is_private());
        let mut arguments = arguments.to_vec();
        let method = match (kind, arguments.first()) {
            (InvokeKind::Static, _) => declared,
            (_, Some(Value::Object(..))) if kind == InvokeKind::Special || is_private => declared,
            (_, Some(Value::Object(receiver, _))) => match world.objects[receiver.0 as usize].sort.clone() {
                Sort::Given(class) => self.method(class, member.name, member.descriptor),
                Sort::Lambda(kind, [class, name, descriptor], captured) => {
                    if kind == HandleKind::NewInvokeSpecial {
                        return Err(self.unknown(member));
                    }
                    arguments.remove(0);
                    arguments = captured.into_iter().chain(arguments).collect();
                    let class = match (kind, arguments.first()) {
                        (HandleKind::InvokeVirtual | HandleKind::InvokeInterface, Some(Value::Object(receiver, _))) => {
                            world.objects[receiver.0 as usize].sort.clone()
                        }
                        _ => Sort::Given(self.program.named(class).ok_or_else(|| self.unknown(member))?),
                    };
                    let Sort::Given(class) = class else { return Err(self.unknown(member)) };
                    self.method(class, name, descriptor)
                }
                _ => None,
            },
            _ => return Ok(self.fail(world, thread, count, NULL)),
        };
        let Some(method) = method else { return self.library(world, thread, member, &arguments, observer) };
        let before = world.threads[thread].frames.len();
        let end = self.enter(world, thread, method, arguments, observer)?;
        if let End::Elsewhere = end {
            let stack = &mut world.threads[thread].frames[before - 1].stack;
            stack.truncate(stack.len() - count);
        }
        Ok(end)
    }

    fn fail(&self, world: &mut World, thread: usize, count: usize, class: &'static str) -> End {
        world.take(thread, count);
        End::Throws(class)
    }

    /// Methods of the library; `arguments` are on top of the stack.
    fn library(
        &self,
        world: &mut World,
        thread: usize,
        member: Member,
        arguments: &[Value],
        observer: &mut impl Observer,
    ) -> Result<End> {
        let [class, name, descriptor] = [member.class, member.name, member.descriptor].map(|name| self.text(name));
        let Some(Value::Object(receiver, origin)) = arguments.first().copied() else {
            return Err(self.unknown(member));
        };
        let is_lock = class.starts_with("java/util/concurrent/locks/");
        if let Sort::Library(sort) = &world.objects[receiver.0 as usize].sort
            && COLLECTIONS.contains(&&**sort)
        {
            let Some(content) = content(world, receiver, name, &arguments[1..]) else {
                return Err(self.unknown(member));
            };
            for is_write in content.accesses.iter().copied() {
                observer.accesses(Access { thread, cell: Cell::Element(receiver, 0), origin, is_write });
            }
            world.take(thread, arguments.len());
            if let Some(exception) = content.throws {
                return Ok(End::Throws(exception));
            }
            if !descriptor.ends_with('V') {
                world.push(thread, content.result);
            }
            return Ok(End::Next);
        }
        if let Sort::Library(sort) = &world.objects[receiver.0 as usize].sort
            && &**sort == ATOMIC
        {
            let end = atomic(world, (thread, receiver, origin), name, &arguments[1..], observer);
            let Some(result) = end else { return Err(self.unknown(member)) };
            world.take(thread, arguments.len());
            if !descriptor.ends_with('V') {
                world.push(thread, Value::Int(result));
            }
            return Ok(End::Next);
        }
        observer.does_something(thread);
        let result = match (name, descriptor) {
            ("<init>", _) if class == "java/lang/Object" || superclass(class).is_some() || is_lock => None,
            ("lock", "()V") if is_lock => {
                if !acquire(&mut world.object(receiver).lock, thread) {
                    return Ok(End::Blocked);
                }
                None
            }
            ("unlock", "()V") if is_lock => {
                if !release(&mut world.object(receiver).lock, thread) {
                    return Ok(self.fail(world, thread, arguments.len(), NO_MONITOR));
                }
                None
            }
            ("tryLock", "()Z") if is_lock => Some(Value::Int(acquire(&mut world.object(receiver).lock, thread).into())),
            ("wait", "()V") => {
                let monitor = &mut world.object(receiver).monitor;
                let Some((owner, times)) = *monitor else {
                    return Ok(self.fail(world, thread, arguments.len(), NO_MONITOR));
                };
                if owner != thread {
                    return Ok(self.fail(world, thread, arguments.len(), NO_MONITOR));
                }
                // It may wake up by itself.
                *monitor = None;
                world.take(thread, arguments.len());
                world.threads[thread].waiting = Some((receiver, times));
                return Ok(End::Elsewhere);
            }
            ("notify" | "notifyAll", "()V") => None,
            _ => return Err(self.unknown(member)),
        };
        world.take(thread, arguments.len());
        if let Some(result) = result {
            world.push(thread, result);
        }
        Ok(End::Next)
    }
}

/// The targets of jumps backwards, with the local variables that are read from there on before they are assigned.
fn heads(code: &Code) -> Heads {
    let slots = usize::from(code.max_locals);
    let mut live: HashMap<InstructionIndex, Vec<bool>> = HashMap::new();
    let mut has_changed = true;
    while std::mem::take(&mut has_changed) {
        for (at, instruction) in code.instructions() {
            let mut now = vec![false; slots];
            let join = |next: InstructionIndex, now: &mut [bool]| {
                if let Some(later) = live.get(&next) {
                    now.iter_mut().zip(later).for_each(|(now, later)| *now |= later);
                }
            };
            code.successors(at).into_iter().for_each(|next| join(next, &mut now));
            match instruction {
                Instruction::Store(_, local) => now[local.index()] = false,
                Instruction::Load(_, local) | Instruction::Increment(local, _) => now[local.index()] = true,
                _ => {}
            }
            // What throws has stored nothing.
            code.handlers_at(at).for_each(|handler| join(handler.target, &mut now));
            has_changed |= live.insert(at, now.clone()) != Some(now);
        }
    }
    let targets = code.instructions().flat_map(|(at, _)| code.successors(at).into_iter().filter(move |to| *to <= at));
    targets.map(|head| (head, live[&head].clone())).collect()
}

impl World {
    fn add(&mut self, object: Object) -> ObjectId {
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

    fn object(&mut self, id: ObjectId) -> &mut Object {
        Rc::make_mut(&mut self.objects[id.0 as usize])
    }

    fn class_object(&mut self, name: Name) -> ObjectId {
        if let Some(known) = self.class_objects.get(&name) {
            return *known;
        }
        let object = self.add(Object::new(Sort::Class));
        self.class_objects.insert(name, object);
        object
    }

    fn string(&mut self, name: Name) -> ObjectId {
        if let Some(known) = self.texts.get(&name) {
            return *known;
        }
        let object = self.add(Object::new(Sort::Text));
        self.texts.insert(name, object);
        object
    }

    fn frame(&mut self, thread: usize) -> &mut Frame {
        self.threads[thread].frames.last_mut().expect("a method is open")
    }

    fn push(&mut self, thread: usize, value: Value) {
        self.frame(thread).stack.push(value);
    }

    fn pop(&mut self, thread: usize) -> Value {
        self.frame(thread).stack.pop().expect("the operand is there")
    }

    fn int(&mut self, thread: usize) -> i32 {
        int(self.pop(thread)).expect("the operand is an int")
    }

    fn top(&mut self, thread: usize, count: usize) -> &[Value] {
        let stack = &self.frame(thread).stack;
        &stack[stack.len() - count..]
    }

    fn take(&mut self, thread: usize, count: usize) -> Vec<Value> {
        let stack = &mut self.frame(thread).stack;
        stack.split_off(stack.len() - count)
    }
}

const ATOMIC: &str = "java/util/concurrent/atomic/AtomicInteger";

/// Executes a method of an atomic, and gives its result.
fn atomic(
    world: &mut World,
    (thread, object, origin): (usize, ObjectId, Origin),
    name: &str,
    arguments: &[Value],
    observer: &mut impl Observer,
) -> Option<i32> {
    let elements = &mut world.object(object).elements;
    let before = elements.first().copied().and_then(int).unwrap_or(0);
    let cell = Cell::Element(object, 0);
    let mut accesses = |is_write: bool| observer.accesses(Access { thread, cell, origin, is_write });
    let ints: Vec<i32> = arguments.iter().map(|value| int(*value)).collect::<Option<_>>()?;
    let (after, result) = match (name, &ints[..]) {
        ("<init>", []) => (0, 0),
        ("get", []) => {
            observer.reads_atomic(thread);
            observer.accesses(Access { thread, cell, origin, is_write: false });
            return Some(before);
        }
        ("set", [value]) => {
            accesses(true);
            (*value, 0)
        }
        ("incrementAndGet", []) => {
            accesses(false);
            accesses(true);
            (before.wrapping_add(1), before.wrapping_add(1))
        }
        ("compareAndSet", [old, new]) => {
            let found = *old == before;
            observer.swaps(Access { thread, cell, origin, is_write: false }, found);
            observer.accesses(Access { thread, cell, origin, is_write: false });
            if !found {
                return Some(0);
            }
            observer.accesses(Access { thread, cell, origin, is_write: true });
            (*new, 1)
        }
        _ => return None,
    };
    *elements = vec![Value::Int(after)];
    Some(result)
}

/// Collections that are executed, with one step for each call.
const COLLECTIONS: [&str; 3] = ["java/util/ArrayList", "java/util/concurrent/ConcurrentHashMap", "java/util/HashMap"];

/// What a method of a collection does.
struct Content {
    /// Whether what it holds is read (false) or written (true), in this order.
    accesses: &'static [bool],
    result: Value,
    throws: Option<&'static str>,
}

/// Executes a method of a collection; of a map, only the keys are kept.
fn content(world: &mut World, collection: ObjectId, name: &str, arguments: &[Value]) -> Option<Content> {
    let plain: Vec<Value> = arguments.iter().map(|value| from(*value, Origin::Elsewhere)).collect();
    let elements = &mut world.object(collection).elements;
    let found = plain.first().and_then(|value| elements.iter().position(|element| element == value));
    let truth = |holds: bool| Value::Int(holds.into());
    let (accesses, result): (&'static [bool], Value) = match (name, &plain[..]) {
        ("<init>", []) => (&[], Value::Null),
        ("size", []) => (&[false], Value::Int(i32::try_from(elements.len()).expect("collections are small"))),
        ("isEmpty", []) => (&[false], truth(elements.is_empty())),
        ("contains" | "containsKey", [_]) => (&[false], truth(found.is_some())),
        ("add", [value]) => {
            elements.push(*value);
            (&[false, true], truth(true))
        }
        // Nothing that is done later depends on what was there before.
        ("clear", []) => {
            elements.clear();
            (&[true], Value::Null)
        }
        ("put" | "putIfAbsent", [key, _]) => {
            if found.is_none() {
                elements.push(*key);
            }
            (&[false, true], found.map_or(Value::Null, |index| elements[index]))
        }
        ("get", [Value::Int(index)]) => match usize::try_from(*index).ok().and_then(|index| elements.get(index)) {
            Some(value) => (&[false], *value),
            None => return Some(Content { accesses: &[false], result: Value::Null, throws: Some(OUT_OF_BOUNDS) }),
        },
        _ => return None,
    };
    Some(Content { accesses, result, throws: None })
}

const NULL: &str = "java/lang/NullPointerException";
const OUT_OF_BOUNDS: &str = "java/lang/ArrayIndexOutOfBoundsException";
const NO_MONITOR: &str = "java/lang/IllegalMonitorStateException";

/// The superclass of an exception of the library.
fn superclass(class: &str) -> Option<&'static str> {
    match class.strip_prefix("java/lang/")? {
        "NullPointerException"
        | "ArithmeticException"
        | "IllegalArgumentException"
        | "IllegalStateException"
        | "ClassCastException"
        | "NegativeArraySizeException"
        | "IllegalMonitorStateException"
        | "IndexOutOfBoundsException" => Some("java/lang/RuntimeException"),
        "ArrayIndexOutOfBoundsException" => Some("java/lang/IndexOutOfBoundsException"),
        "RuntimeException" => Some("java/lang/Exception"),
        "Exception" => Some("java/lang/Throwable"),
        "Throwable" => Some("java/lang/Object"),
        _ => None,
    }
}

fn acquire(owner: &mut Option<(usize, u32)>, thread: usize) -> bool {
    match owner {
        None => *owner = Some((thread, 1)),
        Some((by, times)) if *by == thread => *times += 1,
        Some(_) => return false,
    }
    true
}

fn release(owner: &mut Option<(usize, u32)>, thread: usize) -> bool {
    match owner {
        Some((by, 1)) if *by == thread => *owner = None,
        Some((by, times)) if *by == thread => *times -= 1,
        _ => return false,
    }
    true
}

fn from(value: Value, origin: Origin) -> Value {
    match value {
        Value::Object(object, _) => Value::Object(object, origin),
        value => value,
    }
}

fn int(value: Value) -> Option<i32> {
    match value {
        Value::Int(value) => Some(value),
        _ => None,
    }
}

fn same(one: Value, other: Value) -> bool {
    from(one, Origin::Elsewhere) == from(other, Origin::Elsewhere)
}

fn compare(comparison: Comparison, one: i32, other: i32) -> bool {
    match comparison {
        Comparison::Equal => one == other,
        Comparison::NotEqual => one != other,
        Comparison::Less => one < other,
        Comparison::GreaterOrEqual => one >= other,
        Comparison::Greater => one > other,
        Comparison::LessOrEqual => one <= other,
    }
}

fn ints(operator: Operator, one: i32, other: i32) -> Option<i32> {
    Some(match operator {
        Operator::Add => one.wrapping_add(other),
        Operator::Subtract => one.wrapping_sub(other),
        Operator::Multiply => one.wrapping_mul(other),
        Operator::Divide if other == 0 => return None,
        Operator::Remainder if other == 0 => return None,
        Operator::Divide => one.wrapping_div(other),
        Operator::Remainder => one.wrapping_rem(other),
        Operator::ShiftLeft => one.wrapping_shl(other.cast_unsigned()),
        Operator::ShiftRight => one.wrapping_shr(other.cast_unsigned()),
        Operator::ShiftRightUnsigned => one.cast_unsigned().wrapping_shr(other.cast_unsigned()).cast_signed(),
        Operator::And => one & other,
        Operator::Or => one | other,
        Operator::Xor => one ^ other,
    })
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "distances are taken modulo 64")]
fn longs(operator: Operator, one: i64, other: i64) -> Option<i64> {
    Some(match operator {
        Operator::Add => one.wrapping_add(other),
        Operator::Subtract => one.wrapping_sub(other),
        Operator::Multiply => one.wrapping_mul(other),
        Operator::Divide if other == 0 => return None,
        Operator::Remainder if other == 0 => return None,
        Operator::Divide => one.wrapping_div(other),
        Operator::Remainder => one.wrapping_rem(other),
        Operator::ShiftLeft => one.wrapping_shl(other as u32),
        Operator::ShiftRight => one.wrapping_shr(other as u32),
        Operator::ShiftRightUnsigned => one.cast_unsigned().wrapping_shr(other as u32).cast_signed(),
        Operator::And => one & other,
        Operator::Or => one | other,
        Operator::Xor => one ^ other,
    })
}

/// Drops, copies or exchanges values, as far as they take one slot; `dup2` and `pop2` also on a long.
fn rearrange(stack: &mut Vec<Value>, operation: StackOperation) -> bool {
    let is_long = |stack: &Vec<Value>, from_top: usize| {
        stack.len().checked_sub(from_top + 1).is_some_and(|index| matches!(stack[index], Value::Long(_)))
    };
    let count = match operation {
        StackOperation::Pop | StackOperation::Dup => 1,
        StackOperation::Pop2 | StackOperation::Dup2 if is_long(stack, 0) => 1,
        StackOperation::DupX1 | StackOperation::Swap | StackOperation::Pop2 | StackOperation::Dup2 => 2,
        StackOperation::Dup2X1 if is_long(stack, 0) => 2,
        StackOperation::DupX2 | StackOperation::Dup2X1 => 3,
        StackOperation::Dup2X2 => 4,
    };
    if stack.len() < count {
        return false;
    }
    let top = stack.split_off(stack.len() - count);
    let pushed: &[usize] = match (operation, count) {
        (StackOperation::Pop | StackOperation::Pop2, _) => &[],
        (StackOperation::Dup | StackOperation::Dup2, 1) => &[0, 0],
        (StackOperation::DupX1 | StackOperation::Dup2X1, 2) => &[1, 0, 1],
        (StackOperation::Swap, _) => &[1, 0],
        (StackOperation::Dup2, _) => &[0, 1, 0, 1],
        (StackOperation::DupX2, _) => &[2, 0, 1, 2],
        (StackOperation::Dup2X1, _) => &[1, 2, 0, 1, 2],
        (StackOperation::Dup2X2, _) => &[2, 3, 0, 1, 2, 3],
        _ => return false,
    };
    stack.extend(pushed.iter().map(|index| top[*index]));
    true
}
