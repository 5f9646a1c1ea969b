//! A machine that executes byte code: objects, arrays, static fields, monitors, calls, exceptions and threads.
//!
//! One step is one instruction. There are no floating-point numbers; of the class library there are `Object`,
//! exceptions, `ReentrantLock` and lambdas. Whatever else is met ends the execution with [`Unsupported`].

mod calls;
mod execute;
mod heads;
mod library;
mod observer;
mod operands;
mod world;

pub use observer::{Access, Cell, Nobody, Observer, Round};
pub use world::{Call, Object, ObjectId, Origin, Sort, Value, World};

use asercheck::java::{ClassId, Code, FieldId, Instruction, InstructionIndex, Member, MethodId, Name, Program};
use heads::{Heads, heads};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use world::Thread;

const NULL: &str = "java/lang/NullPointerException";
const OUT_OF_BOUNDS: &str = "java/lang/ArrayIndexOutOfBoundsException";
const NO_MONITOR: &str = "java/lang/IllegalMonitorStateException";

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
}
