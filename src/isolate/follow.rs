//! Follows one object through the methods that get it.
//!
//! A method is interpreted once for each combination of values of its arguments: a *clone*. A state of a clone is an
//! instruction with what is known of the local variables, the operand stack and the locks that are open; its graph has a node
//! for each state, and between these nodes what the instructions do to the object.
//!
//! Invariant: for every execution of the method with arguments that agree with the clone's, there is a path through its
//! graph with the same accesses to the object's locations, in the same order, that acquires no lock that the execution does
//! not acquire. (What the values do not tell apart goes both ways; what an instruction may throw goes to each handler that
//! covers it, and out of the method.) What this rests on is collected in `assumptions`.

use super::agree::Pairs;
use super::element::Uses;
use super::exits::Exit;
use super::facts::Facts;
use super::finding::Leading;
use super::flow::{CloneId, Flow, Step, WayId};
use super::frame::{Frame, Liveness, Open};
pub use super::graph::Stuck;
use super::held::Held;
use super::locks::{Closed, Way};
use super::object::Objects;
use super::partial::Partial;
use super::retry::Retries;
use super::threads::{ProgramMode, derive};
use super::value::{LambdaId, Location, Lock, ObjectId, PlaceId, Places, Value};
use crate::model::Mode;
use java::{
    ClassId, Code, Condition, Constant, Element, FieldId, Handle, Instruction, InstructionIndex, InvokeKind, Kind,
    MethodId, Name, Operator, Program, StackOperation, Stacks, Summaries, Type,
};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeSet, VecDeque};
use std::rc::Rc;

/// What is the same for all subjects of a program.
#[derive(Clone, Copy)]
pub(super) struct Context<'p> {
    pub(super) program: &'p Program,
    pub(super) facts: &'p Facts,
    pub(super) summaries: &'p Summaries,
    /// So many states are made for one subject.
    pub(super) most_states: usize,
}

/// A lambda with what it has captured.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Lambda {
    pub(super) implementation: Handle,
    pub(super) captured: Vec<Value>,
}

/// A method with the values of its arguments.
pub(super) struct MethodClone {
    pub(super) method: MethodId,
    pub(super) arguments: Vec<Value>,
    pub(super) flow: Flow,
    frames: Vec<(Rc<Frame>, usize)>,
    states: FxHashMap<Rc<Frame>, usize>,
    /// What it may give back; nothing as long as it does not return.
    pub(super) returns: BTreeSet<Value>,
    /// Whether it does something to the object that depends on what it found there; program mode.
    pub(super) is_dependent: bool,
    /// Methods that it calls, depending on what it found in the object; program mode.
    pub(super) dependent_calls: BTreeSet<CloneId>,
    /// The states that call it.
    pub(super) callers: FxHashSet<(CloneId, usize)>,
    /// The ways out of it but the plain one.
    pub(super) ways: Vec<Way>,
    /// Which way it leaves, with what; without anything if it throws.
    pub(super) leaves: BTreeSet<(WayId, Option<Value>)>,
    /// Where it leaves with these locks open and these closed, as it gives this, or throws.
    exits: FxHashMap<Leaving, usize>,
    /// What it locks as a synchronized method.
    pub(super) own_lock: Option<Lock>,
}

/// Locks that are open and that are closed, and what is given unless it throws.
type Leaving = (Vec<Open>, Vec<Open>, Option<Value>);

/// A method's code with what is known of it.
pub(super) struct Body {
    pub(super) code: Code,
    stacks: Stacks,
    pub(super) live: Liveness,
    pub(super) retries: Retries,
    pub(super) pairs: Pairs,
}

/// The clones that one object passes through.
pub(super) struct Follower<'p> {
    pub(super) context: Context<'p>,
    /// The class of the object.
    pub(super) class: ClassId,
    /// The names of all its supertypes.
    pub(super) types: FxHashSet<Name>,
    /// The class and its superclasses, but for that of all objects.
    pub(super) classes: FxHashSet<ClassId>,
    /// The methods of other classes of its nest that use its fields or methods, themselves or through each other.
    pub(super) touching: FxHashSet<MethodId>,
    /// The methods by which it may be found by those that did not get it.
    pub(super) leading: Leading,
    pub(super) places: Places,
    pub(super) lambdas: Vec<Lambda>,
    pub(super) objects: Objects,
    /// The class whose static fields are followed instead of an object.
    pub(super) statics: Option<ClassId>,
    /// Whether what was tested before is remembered.
    pub(super) remembers_tests: bool,
    /// What the elements of arrays are used for, if one is followed.
    pub(super) elements: Option<Uses>,
    /// What they turn out to be used for.
    pub(super) uses: Uses,
    /// Which calls are left out, if not everything is followed.
    pub(super) partial: Option<Partial>,
    /// In program mode, what is particular to it.
    pub(super) threads_of: Option<ProgramMode>,
    /// Other objects that got to where they are not followed: anybody may call their methods.
    pub(super) escaped: BTreeSet<ObjectId>,
    pub(super) clones: Vec<MethodClone>,
    ids: FxHashMap<(MethodId, Vec<Value>), CloneId>,
    pub(super) open: VecDeque<(CloneId, usize)>,
    bodies: FxHashMap<MethodId, Option<Rc<Body>>>,
    /// Clones that other threads run.
    pub(super) threads: BTreeSet<CloneId>,
    pub(super) assumptions: BTreeSet<String>,
    /// The content of objects of which methods are called that are not known.
    pub(super) guessed: BTreeSet<Location>,
    /// Whether a lock is unlocked of which it is not known which one it is.
    pub(super) unlocks_unknown: bool,
    states: usize,
    /// So many nodes were made; a state that is followed again makes new ones.
    nodes: usize,
}

/// What happens between a state and the next ones.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) pieces: Vec<Piece>,
    pub(super) next: Vec<Next>,
}

/// A part of what an instruction does.
#[derive(Debug)]
pub(super) enum Piece {
    /// This.
    One(Step),
    /// Any of these, any number of times.
    Any(Vec<Step>),
    /// One of these, or none.
    Perhaps(Vec<Step>),
}

impl Piece {
    /// All that may be done.
    pub(super) fn steps(&self) -> &[Step] {
        match self {
            Self::One(step) => std::slice::from_ref(step),
            Self::Any(steps) | Self::Perhaps(steps) => steps,
        }
    }
}

/// Where control goes.
#[derive(Debug)]
pub(super) enum Next {
    /// To a state.
    To(Frame),
    /// Out of the method, with a result unless it is `void`.
    Return(Frame, Value),
    /// To a handler or out of the method.
    Throw(Frame),
}

/// Classes and interfaces of the library that extend and implement nothing but the class of all objects.
const ROOTS: [&str; 18] = [
    "java/io/Flushable",
    "java/io/Serializable",
    "java/lang/AutoCloseable",
    "java/lang/CharSequence",
    "java/lang/Cloneable",
    "java/lang/Comparable",
    "java/lang/Iterable",
    "java/lang/Object",
    "java/lang/Runnable",
    "java/lang/Thread$UncaughtExceptionHandler",
    "java/lang/reflect/InvocationHandler",
    "java/util/Comparator",
    "java/util/Enumeration",
    "java/util/EventListener",
    "java/util/Iterator",
    "java/util/concurrent/Callable",
    "java/util/concurrent/Executor",
    "java/util/concurrent/ThreadFactory",
];

/// So many nodes are made for each state, on average.
const NODES: usize = 10;

impl<'p> Follower<'p> {
    pub(super) fn new(context: Context<'p>, class: ClassId) -> Self {
        let program = context.program;
        let names = |class: ClassId| {
            let class = program.class(class);
            class.interfaces.iter().copied().chain(class.superclass).chain([class.name]).collect::<Vec<_>>()
        };
        let is_root = |class: &ClassId| program.text(program.class(*class).name) == "java/lang/Object";
        let classes: FxHashSet<ClassId> = program.superclasses(class).filter(|class| !is_root(class)).collect();
        Self {
            context,
            class,
            touching: super::touching::touching(context, &classes),
            leading: Leading::default(),
            classes,
            types: program.supertypes(class).into_iter().flat_map(names).collect(),
            places: Places::new(),
            lambdas: Vec::new(),
            objects: Objects::default(),
            statics: None,
            remembers_tests: true,
            elements: None,
            uses: Uses::default(),
            partial: None,
            threads_of: None,
            escaped: BTreeSet::new(),
            clones: Vec::new(),
            ids: FxHashMap::default(),
            open: VecDeque::new(),
            bodies: FxHashMap::default(),
            threads: BTreeSet::new(),
            assumptions: BTreeSet::new(),
            guessed: BTreeSet::new(),
            unlocks_unknown: false,
            states: 0,
            nodes: 0,
        }
    }

    /// Follows the static fields of the class, and no object of it.
    pub(super) fn follow_statics(&mut self) {
        self.statics = Some(self.class);
        self.classes.clear();
        self.types.clear();
        self.touching.clear();
    }

    /// Whether the object can be a value of this type.
    pub(super) fn fits(&self, of: Type) -> bool {
        matches!(of, Type::Class(name) if self.types.contains(&name))
    }

    /// Whether the object is one of a type, if that is known. Of classes that were not given it is not known what they extend, but for [`ROOTS`].
    fn is_instance(&self, of: Type) -> Option<bool> {
        let program = self.context.program;
        let is_known = |name: &Name| program.named(*name).is_some() || ROOTS.contains(&program.text(*name));
        let is_one = self.fits(of);
        (is_one || !matches!(of, Type::Class(_)) || self.types.iter().all(is_known)).then_some(is_one)
    }

    /// Whether a value of this type that comes from somewhere else is taken to be the object, perhaps.
    pub(super) fn may_be(&self, of: Type) -> bool {
        self.fits(of) && !matches!(of, Type::Class(name) if self.context.program.text(name) == "java/lang/Object")
    }

    /// Whether all fields of a path stay the same, so that it is always the same object.
    pub(super) fn is_stable(&self, place: PlaceId) -> bool {
        // Elements are places only if they stay the same.
        self.places.path(place).iter().all(|field| !self.changes(*field))
    }

    /// The lock that entering the monitor of a value takes, if it is one of the model.
    pub(super) fn monitor(&self, value: Value) -> Option<Lock> {
        match value {
            Value::Place(place) if self.is_stable(place) => Some(Lock::Monitor(place)),
            Value::Class(class) => Some(Lock::Class(class)),
            Value::Static(field) => Some(Lock::Static(field)),
            _ => None,
        }
    }

    /// The lock of `java.util.concurrent.locks` that a value is, with its mode.
    pub(super) fn explicit(&self, value: Value) -> Option<(Lock, Mode)> {
        match value {
            Value::Place(place) if self.is_stable(place) => {
                Some((Lock::Explicit(place), self.mode(self.places.path(place).last().copied())))
            }
            Value::Static(field) => Some((Lock::ExplicitStatic(field), self.mode(Some(field)))),
            Value::Side(lock, is_read) => Some((lock, if is_read { Mode::Read } else { Mode::Write })),
            _ => None,
        }
    }

    /// How the lock that a field holds is held: what may be the side for reading of a lock excludes nobody who does the same.
    fn mode(&self, field: Option<FieldId>) -> Mode {
        let Context { program, facts, .. } = self.context;
        let may_read = |field: FieldId| {
            let descriptor = program.text(program.field(field).descriptor);
            descriptor.ends_with("$ReadLock;") || facts.holds(field) == Held::Reading
        };
        if field.is_some_and(may_read) { Mode::Read } else { Mode::Write }
    }

    /// The code of a method, if it has some that makes sense.
    pub(super) fn body(&mut self, method: MethodId) -> Option<Rc<Body>> {
        if let Some(known) = self.bodies.get(&method) {
            return known.clone();
        }
        let body = self.read(method).map(Rc::new);
        self.bodies.insert(method, body.clone());
        body
    }

    fn read(&self, method: MethodId) -> Option<Body> {
        let program = self.context.program;
        let code = program.code(method).ok().flatten()?;
        let stacks = program.stacks(&code).ok()?;
        let pairs = Pairs::of(program, self.context.facts, (method, &code));
        let live = Liveness::new(&code, &pairs);
        let retries = self.retries(&code, &stacks, &live);
        Some(Body { code, stacks, live, retries, pairs })
    }

    /// The clone of a method for these arguments, the receiver first.
    pub(super) fn clone_of(&mut self, method: MethodId, arguments: Vec<Value>) -> Result<CloneId, Stuck> {
        let program = self.context.program;
        let arguments = self.known_indices(method, self.plain_arguments(method, arguments));
        if let Some(known) = self.ids.get(&(method, arguments.clone())) {
            return Ok(*known);
        }
        let name = || program.method_name(method);
        let body = self.body(method).ok_or_else(|| Stuck::Damaged { method: name() })?;
        let declared = program.method(method);
        let types = program.method_type(declared.descriptor).ok_or_else(|| Stuck::Damaged { method: name() })?;
        let receiver = (!declared.flags.is_static()).then_some(Kind::Reference);
        let kinds = receiver.into_iter().chain(types.parameters.iter().map(|parameter| parameter.kind()));
        let mut locals = Vec::new();
        for (kind, value) in kinds.zip(&arguments) {
            locals.push(*value);
            locals.extend((1..kind.slots()).map(|_| Value::Any));
        }
        if locals.len() > usize::from(body.code.max_locals) {
            return Err(Stuck::Damaged { method: name() });
        }
        locals.resize(usize::from(body.code.max_locals), Value::Any);
        let own_lock = match (declared.flags.is_synchronized(), declared.flags.is_static()) {
            (false, _) => None,
            (true, true) => Some(Lock::Class(program.class(declared.class).name)),
            (true, false) => self.monitor(arguments[0]),
        };
        let id = CloneId(u32::try_from(self.clones.len()).expect("the number of states is bounded"));
        let mut flow = Flow::default();
        let (first, _) = body.code.instructions().next().expect("code has an instruction");
        let line = body.code.line(first).unwrap_or(0).into();
        let mut entry = flow.add(Step::Skip, line);
        if let Some(lock) = own_lock {
            entry = flow.chain(entry, &[Step::Acquire(lock, Mode::Write)], line);
        }
        self.clones.push(MethodClone {
            method,
            arguments: arguments.clone(),
            flow,
            frames: Vec::new(),
            states: FxHashMap::default(),
            returns: BTreeSet::new(),
            is_dependent: false,
            dependent_calls: BTreeSet::new(),
            callers: FxHashSet::default(),
            ways: Vec::new(),
            leaves: BTreeSet::new(),
            exits: FxHashMap::default(),
            own_lock,
        });
        self.ids.insert((method, arguments), id);
        let mut frame = Frame::at(first, locals);
        frame.knows_indices(&body.pairs);
        let node = self.state(id, frame)?;
        self.clones[id.index()].flow.connect(entry, node);
        Ok(id)
    }

    /// Arguments as clones tell them apart.
    fn plain_arguments(&self, method: MethodId, arguments: Vec<Value>) -> Vec<Value> {
        let program = self.context.program;
        let declared = program.method(method);
        let types = program.method_type(declared.descriptor);
        let offset = usize::from(!declared.flags.is_static());
        let keeps_tests = self.threads_of.is_some() && !self.classes.contains(&declared.class);
        let is_boolean = |index: usize| {
            let parameter = types.and_then(|types| types.parameters.get(index.checked_sub(offset)?));
            parameter == Some(&Type::Boolean)
        };
        let plain = arguments.into_iter().enumerate().map(|(index, value)| match value {
            Value::Int(_) if !is_boolean(index) => Value::Any,
            Value::Null | Value::Found(..) | Value::Element(_) => Value::Any,
            Value::Derived if !keeps_tests => Value::Any,
            // What a method does to it is not followed for its own sake.
            Value::Foreign if index > 0 => Value::Any,
            value => value,
        });
        plain.collect()
    }

    /// The node of a state, which is followed later if it is new.
    fn state(&mut self, id: CloneId, mut frame: Frame) -> Result<usize, Stuck> {
        let method = self.clones[id.index()].method;
        let body = self.body(method).expect("a clone has code");
        frame.forget_dead(&body.live);
        frame.forget_pairs(&body.pairs, &body.live);
        let clone = &mut self.clones[id.index()];
        if let Some(state) = clone.states.get(&frame) {
            return Ok(clone.frames[*state].1);
        }
        self.states += 1;
        if self.states > self.context.most_states {
            return Err(Stuck::TooLarge { method: self.context.program.method_name(method) });
        }
        let line = body.code.line(frame.at).unwrap_or(0).into();
        let node = clone.flow.add(Step::Skip, line);
        if body.retries.begins(frame.at) {
            clone.flow.rounds.insert(node);
        }
        let state = clone.frames.len();
        let frame = Rc::new(frame);
        clone.states.insert(frame.clone(), state);
        clone.frames.push((frame, node));
        self.open.push_back((id, state));
        Ok(node)
    }

    /// Follows everything that is open.
    pub(super) fn run(&mut self, is_cancelled: &dyn Fn() -> bool) -> Result<(), Stuck> {
        while let Some((id, state)) = self.open.pop_front() {
            if is_cancelled() {
                return Err(Stuck::Cancelled);
            }
            self.step(id, state)?;
        }
        Ok(())
    }

    /// Follows one state, perhaps again as a clone that it calls turned out to return more.
    fn step(&mut self, id: CloneId, state: usize) -> Result<(), Stuck> {
        let clone = &mut self.clones[id.index()];
        let (frame, node) = clone.frames[state].clone();
        clone.flow.nodes[node].next.clear();
        let method = clone.method;
        let body = self.body(method).expect("a clone has code");
        let line = body.code.line(frame.at).unwrap_or(0).into();
        let at = frame.at;
        let before = self.clones[id.index()].flow.nodes.len();
        let outcomes = self.outcomes(&body, Frame::clone(&frame), (id, state))?;
        for mut outcome in outcomes {
            if self.is_making(id) {
                // Nobody else has the object as long as its constructor runs.
                outcome.pieces.retain(|piece| !matches!(piece, Piece::One(Step::Read(_) | Step::Write(_))));
            }
            let mut last = node;
            for piece in outcome.pieces {
                let flow = &mut self.clones[id.index()].flow;
                match piece {
                    Piece::One(step) => last = flow.chain(last, &[step], line),
                    Piece::Any(steps) => {
                        last = flow.chain(last, &[Step::Skip], line);
                        for step in steps {
                            let end = flow.chain(last, &[step], line);
                            flow.connect(end, last);
                        }
                    }
                    Piece::Perhaps(steps) => {
                        let from = last;
                        last = flow.chain(from, &[Step::Skip], line);
                        for step in steps {
                            let end = flow.chain(from, &[step], line);
                            flow.connect(end, last);
                        }
                    }
                }
            }
            for next in outcome.next {
                let Some(next) = self.unless_retried(&body, at, next) else {
                    self.clones[id.index()].flow.left_out.insert(last);
                    continue;
                };
                let from = self.cut(id, at, last, &next, line);
                self.go(id, from, next, &body)?;
            }
        }
        self.nodes += self.clones[id.index()].flow.nodes.len() - before;
        if self.nodes > NODES.saturating_mul(self.context.most_states) {
            return Err(Stuck::TooLarge { method: self.context.program.method_name(method) });
        }
        Ok(())
    }

    /// Connects a node with what comes next.
    fn go(&mut self, id: CloneId, from: usize, next: Next, body: &Body) -> Result<(), Stuck> {
        match next {
            Next::To(frame) => {
                let to = self.state(id, frame)?;
                self.clones[id.index()].flow.connect(from, to);
            }
            Next::Return(frame, value) => {
                let to = self.exit(id, frame, body, Some(value))?;
                self.clones[id.index()].flow.connect(from, to);
            }
            Next::Throw(frame) => {
                let handlers: Vec<_> = body.code.handlers_at(frame.at).cloned().collect();
                for handler in &handlers {
                    let caught = Frame { at: handler.target, stack: vec![Value::Any], ..frame.clone() };
                    let to = self.state(id, caught)?;
                    self.clones[id.index()].flow.connect(from, to);
                }
                if handlers.iter().all(|handler| handler.catches.is_some()) {
                    let to = self.exit(id, frame, body, None)?;
                    self.clones[id.index()].flow.connect(from, to);
                }
            }
        }
        Ok(())
    }

    /// The node at which a clone leaves with a result, or as it throws; what does not stay open behind it is closed first.
    fn exit(&mut self, id: CloneId, frame: Frame, body: &Body, result: Option<Value>) -> Result<usize, Stuck> {
        let not_nested = || self.not_nested(id, frame.at, body);
        let way = Way::of(&frame, result.is_none()).ok_or_else(not_nested)?;
        let stays_open = !way.open.is_empty();
        let way = self.way(id, way).ok_or_else(|| self.not_nested(id, frame.at, body))?;
        let clone = &mut self.clones[id.index()];
        if clone.leaves.insert((way, result)) {
            clone.returns.extend(result);
            self.open.extend(clone.callers.iter().copied());
        }
        let key = (frame.open, frame.closed, result);
        if let Some(known) = clone.exits.get(&key) {
            return Ok(*known);
        }
        let line = body.code.line(frame.at).unwrap_or(0).into();
        let first = clone.flow.add(Step::Skip, line);
        let mut steps: Vec<Step> = match stays_open {
            true => Vec::new(),
            false => key.0.iter().rev().copied().filter_map(Open::release).collect(),
        };
        steps.extend(clone.own_lock.map(|lock| Step::Release(lock, Mode::Write)));
        let exit = Exit::of(result);
        steps.push(if way == WayId::PLAIN { Step::Return(exit) } else { Step::Leave(way, exit) });
        clone.flow.chain(first, &steps, line);
        clone.exits.insert(key, first);
        Ok(first)
    }

    pub(super) fn not_nested(&self, id: CloneId, at: InstructionIndex, body: &Body) -> Stuck {
        let method = self.context.program.method_name(self.clones[id.index()].method);
        Stuck::NotNested { method, line: body.code.line(at).unwrap_or(0).into() }
    }

    /// Whether everything is followed.
    pub(super) fn is_done(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether a method is of a class inside the object's class.
    pub(super) fn is_inside(&self, method: MethodId) -> bool {
        let program = self.context.program;
        super::touching::is_inside(program, program.method(method).class, &self.classes)
    }

    /// Whether a type is a class inside the object's that is not public: objects of the class hold such objects inside.
    pub(super) fn is_inner(&self, of: Type) -> bool {
        let program = self.context.program;
        let Type::Class(name) = of else { return false };
        program.named(name).is_some_and(|class| {
            let is_hidden = !program.class(class).flags.is_public() && !self.classes.contains(&class);
            is_hidden && super::touching::is_inside(program, class, &self.classes)
        })
    }

    /// Whether a clone may throw, as far as it is followed.
    pub(super) fn throws(&self, clone: CloneId) -> bool {
        self.clones[clone.index()].leaves.iter().any(|(_, result)| result.is_none())
    }

    /// What is waiting for the results of a clone.
    ///
    /// # Errors
    /// If it leaves other locks open than it finds.
    pub(super) fn results(&mut self, callee: CloneId, caller: (CloneId, usize)) -> Result<Vec<Value>, Stuck> {
        let clone = &mut self.clones[callee.index()];
        clone.callers.insert(caller);
        if !clone.ways.is_empty() {
            let method = self.context.program.method_name(clone.method);
            return Err(Stuck::NotNested { method, line: 0 });
        }
        Ok(clone.returns.iter().copied().collect())
    }

    /// What an instruction does in a state. A value that may be the object is decided where it is used.
    fn outcomes(&mut self, body: &Body, frame: Frame, caller: (CloneId, usize)) -> Result<Vec<Outcome>, Stuck> {
        let instruction = body.code.instruction(frame.at);
        let used = self.decides(body, instruction);
        let top = &frame.stack[frame.stack.len().saturating_sub(used)..];
        let undecided = top.iter().enumerate().find_map(|(index, value)| match value {
            Value::Maybe(number) => Some((index, *number)),
            _ => None,
        });
        if let Some((index, number)) = undecided {
            let [object, other] = frame.decided(number).map(Next::To);
            let next = if self.is_possible(instruction, index) { vec![object, other] } else { vec![other] };
            return Ok(vec![Outcome { pieces: Vec::new(), next }]);
        }
        if let Some(next) = self.decides_index(body, instruction, &frame) {
            return Ok(vec![Outcome { pieces: Vec::new(), next }]);
        }
        self.decided(body, instruction, frame, caller)
    }

    /// Whether the object can be the value that an instruction takes, the lowest first, by the type that it names.
    fn is_possible(&self, instruction: Instruction, index: usize) -> bool {
        let receiver = match instruction {
            Instruction::GetField(member) | Instruction::PutField(member) => Some(member.class),
            Instruction::Invoke(kind, member) if kind != InvokeKind::Static => Some(member.class),
            _ => None,
        };
        // A field or method of a class that the object is none of is not its.
        receiver.is_none_or(|class| index > 0 || self.may_be(Type::Class(class)))
    }

    /// How many of the topmost values an instruction wants decided.
    fn decides(&self, body: &Body, instruction: Instruction) -> usize {
        match instruction {
            Instruction::GetField(_) | Instruction::MonitorEnter | Instruction::MonitorExit => 1,
            Instruction::Return(Some(_)) => 1,
            Instruction::PutField(_) | Instruction::Branch(Condition::Same | Condition::Different, _) => 2,
            Instruction::Invoke(..) | Instruction::InvokeDynamic(_) => {
                self.context.program.effect(&body.code, instruction).map_or(0, |effect| effect.takes.len())
            }
            Instruction::Nop
            | Instruction::Constant(_)
            | Instruction::Load(..)
            | Instruction::Store(..)
            | Instruction::Increment(..)
            | Instruction::ArrayLoad(_)
            | Instruction::ArrayStore(_)
            | Instruction::ArrayLength
            | Instruction::Stack(_)
            | Instruction::Binary(..)
            | Instruction::Negate(_)
            | Instruction::Convert(..)
            | Instruction::Narrow(_)
            | Instruction::Compare(_)
            | Instruction::Branch(..)
            | Instruction::Goto(_)
            | Instruction::Jsr(_)
            | Instruction::Ret(_)
            | Instruction::Switch(_)
            | Instruction::Return(None)
            | Instruction::Throw
            | Instruction::GetStatic(_)
            | Instruction::PutStatic(_)
            | Instruction::New(_)
            | Instruction::NewArray(_)
            | Instruction::NewMultiArray(..)
            | Instruction::CheckCast(_)
            | Instruction::InstanceOf(_) => 0,
        }
    }

    fn decided(
        &mut self,
        body: &Body,
        instruction: Instruction,
        mut frame: Frame,
        caller: (CloneId, usize),
    ) -> Result<Vec<Outcome>, Stuck> {
        let program = self.context.program;
        let damaged = || Stuck::Damaged { method: program.method_name(self.clones[caller.0.index()].method) };
        if let Instruction::Stack(operation) = instruction {
            rearrange(&mut frame, body, operation).ok_or_else(damaged)?;
            return Ok(goes_on(body, frame));
        }
        let effect = program.effect(&body.code, instruction).ok_or_else(damaged)?;
        let below = frame.stack.len().checked_sub(effect.takes.len()).ok_or_else(damaged)?;
        let before = frame.clone();
        let taken = frame.stack.split_off(below);
        let is_derived = taken.contains(&Value::Derived);
        frame.is_tested |= is_derived && matches!(instruction, Instruction::Branch(..) | Instruction::Switch(_));
        frame.is_kept |= is_derived
            && matches!(instruction, Instruction::ArrayStore(_) | Instruction::PutField(_) | Instruction::PutStatic(_));
        let mut outcomes = self.executed(body, instruction, frame, taken.clone(), caller, effect.gives)?;
        if self.is_outside(caller.0) {
            self.notice(caller.0, instruction, &taken, before.is_tested, &outcomes);
            if effect.gives.is_some() {
                let derives = self.derives(instruction, &taken, before.is_kept);
                outcomes.iter_mut().for_each(|outcome| derive(outcome, derives));
            }
        }
        // What throws has done nothing before. An `unlock` that closes what is open does not throw: its thread has the lock.
        let closes = |piece: &Piece| matches!(piece, Piece::One(Step::Release(..) | Step::Close(..)));
        let closes = closes_lock(&before, &outcomes) && outcomes.iter().flat_map(|outcome| &outcome.pieces).any(closes);
        let never_throws = matches!(instruction, Instruction::Invoke(_, member) if self.never_throws(member));
        if never_throws {
            outcomes.iter_mut().for_each(|outcome| outcome.next.retain(|next| !matches!(next, Next::Throw(_))));
        }
        let throws =
            can_throw(instruction, &taken) && !closes && !never_throws && !self.is_there(caller.0, instruction, &taken);
        let thrown = throws.then(|| Outcome { pieces: Vec::new(), next: vec![Next::Throw(before)] });
        Ok(outcomes.into_iter().chain(thrown).collect())
    }

    /// Whether an instruction only fails if there is no object, and takes one that is there, or the one whose method runs: a field that does not
    /// change held it when the method was called, so it still does.
    fn is_there(&self, id: CloneId, instruction: Instruction, taken: &[Value]) -> bool {
        let needs_object =
            matches!(instruction, Instruction::GetField(_) | Instruction::PutField(_) | Instruction::MonitorEnter);
        let clone = &self.clones[id.index()];
        let is_receiver = || {
            let flags = self.context.program.method(clone.method).flags;
            !flags.is_static() && taken.first() == clone.arguments.first()
        };
        needs_object
            && taken.first().is_some_and(|value| match value {
                Value::Place(place) if is_receiver() => self.is_stable(*place),
                value => self.is_null(*value) == Some(false),
            })
    }

    /// What an instruction does that does not throw, with the values that it takes.
    fn executed(
        &mut self,
        body: &Body,
        instruction: Instruction,
        mut frame: Frame,
        taken: Vec<Value>,
        caller: (CloneId, usize),
        gives: Option<Kind>,
    ) -> Result<Vec<Outcome>, Stuck> {
        let program = self.context.program;
        let at = frame.at;
        let damaged = || Stuck::Damaged { method: program.method_name(self.clones[caller.0.index()].method) };
        let mut step = None;
        let mut steps = Vec::new();
        match instruction {
            Instruction::Stack(_) => return Err(damaged()),
            Instruction::Constant(constant) => frame.stack.push(match constant {
                Constant::Null => Value::Null,
                Constant::Int(value) => Value::Int(value),
                Constant::Class(class) => Value::Class(class),
                _ => Value::Any,
            }),
            Instruction::Load(_, local) => {
                let value = *frame.locals.get(local.index()).ok_or_else(damaged)?;
                frame.stack.push(value);
            }
            Instruction::Store(kind, local) => {
                *frame.locals.get_mut(local.index()).ok_or_else(damaged)? = taken[0];
                self.stores(body, &mut frame, local.index(), taken[0]);
                if kind.slots() == 2 {
                    *frame.locals.get_mut(local.index() + 1).ok_or_else(damaged)? = Value::Any;
                }
            }
            Instruction::Increment(local, by) => {
                *frame.locals.get_mut(local.index()).ok_or_else(damaged)? = Value::Any;
                frame.assigns(&body.pairs, local.index(), Some(by));
            }
            Instruction::ArrayLoad(element) => {
                let held = match self.threads_of {
                    _ if element == Element::Reference && self.some_element(taken[0]).is_some() => {
                        self.some_element(taken[0]).unwrap_or(Value::Any)
                    }
                    Some(_) if element == Element::Reference => frame.undecided(),
                    _ => Value::Any,
                };
                if let Some(outcomes) = self.load_element(body, &frame, (taken[0], element), held) {
                    return Ok(outcomes);
                }
                step = content(taken[0]).map(Step::Read);
                if held == Value::Any && element == Element::Reference {
                    self.assume("elements of arrays are other objects than the one that is followed");
                }
                frame.stack.push(held);
            }
            Instruction::ArrayStore(_) => {
                let stored = self.settled(&frame, caller.0, taken[2])?;
                self.escapes(stored)?;
                if !self.is_making(caller.0) {
                    self.notes_storing(taken[0]);
                }
                if let Some(outcomes) = self.store_element(body, &frame, taken[0]) {
                    return Ok(outcomes);
                }
                step = content(taken[0]).map(Step::Write);
            }
            Instruction::Branch(condition, target) => {
                return Ok(self.branch(body, frame, (condition, target), &taken));
            }
            Instruction::Goto(_) | Instruction::Switch(_) => {
                let targets = body.code.successors(at);
                let next = targets.into_iter().map(|at| Next::To(Frame { at, ..frame.clone() })).collect();
                return Ok(vec![Outcome { pieces: Vec::new(), next }]);
            }
            Instruction::Jsr(_) | Instruction::Ret(_) => return Err(damaged()),
            Instruction::Return(kind) => {
                let value = match kind {
                    Some(_) => self.plain_result(caller.0, taken[0]),
                    None => self.made(&frame, caller.0)?,
                };
                return Ok(vec![Outcome { pieces: Vec::new(), next: vec![Next::Return(frame, value)] }]);
            }
            Instruction::Throw => return Ok(vec![Outcome { pieces: Vec::new(), next: vec![Next::Throw(frame)] }]),
            Instruction::GetField(member) => {
                self.notes_entering(taken[0]);
                return Ok(self.get_field(body, frame, member, taken[0]));
            }
            Instruction::PutField(member) => {
                self.notes_entering(taken[0]);
                let field = program.resolve_field(member);
                let location = self.written(taken[0], field);
                steps = location.map_or_else(Vec::new, |location| self.plain_write(&mut frame, location));
                let stored = self.settled(&frame, caller.0, taken[1])?;
                if taken[0] != Value::This || !self.remembers(&mut frame, field, stored)? {
                    self.escapes(stored)?;
                }
            }
            Instruction::GetStatic(member) => {
                step = self.static_location(member).map(Step::Read);
                let value = self.static_value(&frame, member);
                frame.stack.push(value);
            }
            Instruction::PutStatic(member) => {
                let location = self.static_location(member);
                steps = location.map_or_else(Vec::new, |location| self.plain_write(&mut frame, location));
                let stored = self.settled(&frame, caller.0, taken[0])?;
                self.escapes(stored)?;
            }
            Instruction::Invoke(kind, member) => {
                let taken = self.with_indices(body, &frame, taken);
                let taken = self.all_settled(&frame, caller.0, taken, program.is_constructor_name(member.name))?;
                return self.invoke(body, frame, (kind, member), taken, caller);
            }
            Instruction::InvokeDynamic(site) => {
                let taken = self.all_settled(&frame, caller.0, taken, false)?;
                return self.invoke_dynamic(body, frame, site, taken, caller);
            }
            Instruction::New(class) if self.threads_of.is_some() => {
                let made = self.made_new(&frame, class);
                let next = made.into_iter().map(|value| {
                    let mut frame = Frame { at: body.code.next(at), ..frame.clone() };
                    frame.stack.push(value);
                    Next::To(frame)
                });
                return Ok(vec![Outcome { pieces: Vec::new(), next: next.collect() }]);
            }
            Instruction::New(class) => {
                let is_given = program.named(class).is_some();
                frame.stack.push(if is_given { frame.fresh() } else { Value::Any });
            }
            Instruction::CheckCast(to) => {
                let value = match taken[0] {
                    Value::Place(PlaceId::OBJECT) if self.is_instance(to) == Some(false) => return Ok(Vec::new()),
                    // The cast would fail.
                    Value::Maybe(_) if !self.fits(to) => Value::Any,
                    // From a collection, perhaps.
                    Value::Any | Value::Derived | Value::Found(..) if self.may_be(to) => frame.undecided(),
                    value => value,
                };
                frame.stack.push(value);
            }
            Instruction::InstanceOf(of) => frame.stack.push(match taken[0] {
                Value::Place(PlaceId::OBJECT) => {
                    self.is_instance(of).map_or(Value::Any, |is_one| Value::Int(is_one.into()))
                }
                Value::Null => Value::Int(0),
                _ => Value::Any,
            }),
            Instruction::MonitorEnter => {
                self.notes_lock(taken[0]);
                let lock = self.monitor(taken[0]);
                step = lock.map(|lock| Step::Acquire(lock, Mode::Write));
                if !frame.opens(lock.map_or(Open::Silent, Open::Monitor)) {
                    return Err(self.not_nested(caller.0, at, body));
                }
            }
            Instruction::MonitorExit => {
                let expected = self.monitor(taken[0]).map_or(Open::Silent, Open::Monitor);
                if frame.closes(expected) != Some(Closed::Own) {
                    return Err(self.not_nested(caller.0, at, body));
                }
                if let Open::Monitor(lock) = expected {
                    step = Some(Step::Release(lock, Mode::Write));
                }
            }
            Instruction::Nop
            | Instruction::ArrayLength
            | Instruction::Binary(..)
            | Instruction::Negate(_)
            | Instruction::Convert(..)
            | Instruction::Narrow(_)
            | Instruction::Compare(_)
            | Instruction::NewArray(_)
            | Instruction::NewMultiArray(..) => frame.stack.extend(gives.map(|_| Value::Any)),
        }
        let mut outcomes = goes_on(body, frame);
        outcomes[0].pieces.extend(step.into_iter().chain(steps).map(Piece::One));
        Ok(outcomes)
    }

    /// A result as callers tell it apart.
    fn plain_result(&self, id: CloneId, value: Value) -> Value {
        let program = self.context.program;
        let method = program.method(self.clones[id.index()].method);
        let result = program.result_type(method.descriptor);
        match value {
            Value::Int(_) if result != Some(Type::Boolean) => Value::Any,
            Value::Null | Value::Found(..) => Value::Any,
            value => value,
        }
    }

    /// A value gets to where it is not followed. Of a lambda that can act, it is not known when it is run: another thread may.
    pub(super) fn escapes(&mut self, value: Value) -> Result<(), Stuck> {
        self.shares(value);
        match value {
            Value::Lambda(lambda) if self.threads_of.is_some() => self.escaped_lambda(lambda),
            Value::Lambda(lambda) => {
                let clones = self.run_lambda(lambda, 8)?;
                self.threads.extend(clones);
            }
            Value::Object(object) => {
                let is_new = self.escaped.insert(object);
                if is_new {
                    self.reconsider_starts();
                }
            }
            Value::Place(place) if place != PlaceId::OBJECT => {
                self.assume("what a field of the object holds is reached through the object only");
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn assume(&mut self, text: &str) {
        if !self.assumptions.contains(text) {
            self.assumptions.insert(text.to_string());
        }
    }

    /// A value of a type that comes from where nothing is followed; of nothing, nothing.
    pub(super) fn unfollowed(&self, frame: &Frame, of: Option<Type>) -> Value {
        if of.is_some_and(|of| self.may_be(of)) { frame.undecided() } else { Value::Any }
    }

    pub(super) fn lambda(&mut self, lambda: Lambda) -> Value {
        if let Some(inner) = self.wrapped_twice(&lambda) {
            self.assume(WRAPPING);
            return Value::Lambda(inner);
        }
        let known = self.lambdas.iter().position(|known| *known == lambda);
        let index = known.unwrap_or_else(|| {
            self.lambdas.push(lambda);
            self.lambdas.len() - 1
        });
        Value::Lambda(LambdaId(u32::try_from(index).expect("the number of states is bounded")))
    }
}

impl Follower<'_> {
    /// What a lambda has captured, if that is of the same method, and has captured one of it, too. A method that wraps a function and calls itself with that has no
    /// end of lambdas.
    fn wrapped_twice(&self, lambda: &Lambda) -> Option<LambdaId> {
        let of_same = |captured: &[Value]| {
            captured.iter().find_map(|value| match value {
                Value::Lambda(inner) => {
                    let is_same = self.lambdas[inner.0 as usize].implementation == lambda.implementation;
                    is_same.then_some(*inner)
                }
                _ => None,
            })
        };
        let inner = of_same(&lambda.captured)?;
        of_same(&self.lambdas[inner.0 as usize].captured).map(|_| inner)
    }
}

/// What is assumed where lambdas have no end.
const WRAPPING: &str =
    "functions that wrap functions made in the same place, these again, and so on, do no more than the first two";

/// The location of what an array or collection holds.
pub(super) fn content(value: Value) -> Option<Location> {
    match value {
        Value::Place(place) | Value::View(place) => Some(Location::Content(place)),
        _ => None,
    }
}

/// Whether an instruction other than a `Throw` can throw an exception of the program's making: errors of the virtual machine are
/// left out.
fn can_throw(instruction: Instruction, taken: &[Value]) -> bool {
    let may_be_null = || !matches!(taken.first(), Some(Value::Place(PlaceId::OBJECT) | Value::Object(_) | Value::This));
    match instruction {
        Instruction::ArrayLoad(_)
        | Instruction::ArrayStore(_)
        | Instruction::ArrayLength
        | Instruction::NewArray(_)
        | Instruction::NewMultiArray(..)
        | Instruction::CheckCast(_)
        | Instruction::Invoke(..)
        | Instruction::InvokeDynamic(_) => true,
        Instruction::GetField(_) | Instruction::PutField(_) | Instruction::MonitorEnter => may_be_null(),
        Instruction::Binary(Operator::Divide | Operator::Remainder, Kind::Int | Kind::Long) => true,
        Instruction::Nop
        | Instruction::Constant(_)
        | Instruction::Load(..)
        | Instruction::Store(..)
        | Instruction::Increment(..)
        | Instruction::Stack(_)
        | Instruction::Binary(..)
        | Instruction::Negate(_)
        | Instruction::Convert(..)
        | Instruction::Narrow(_)
        | Instruction::Compare(_)
        | Instruction::Branch(..)
        | Instruction::Goto(_)
        | Instruction::Jsr(_)
        | Instruction::Ret(_)
        | Instruction::Switch(_)
        | Instruction::Return(_)
        | Instruction::Throw
        | Instruction::GetStatic(_)
        | Instruction::PutStatic(_)
        | Instruction::New(_)
        | Instruction::InstanceOf(_)
        | Instruction::MonitorExit => false,
    }
}

/// Whether fewer locks are open behind an instruction than before.
fn closes_lock(before: &Frame, outcomes: &[Outcome]) -> bool {
    let is_less = |next: &Next| match next {
        Next::To(after) => after.open.len() < before.open.len() || after.closed.len() > before.closed.len(),
        Next::Return(..) | Next::Throw(_) => false,
    };
    outcomes.iter().flat_map(|outcome| &outcome.next).any(is_less)
}

/// The next instruction, and nothing else.
pub(super) fn goes_on(body: &Body, mut frame: Frame) -> Vec<Outcome> {
    frame.at = body.code.next(frame.at);
    vec![Outcome { pieces: Vec::new(), next: vec![Next::To(frame)] }]
}

/// Drops, copies or exchanges values.
fn rearrange(frame: &mut Frame, body: &Body, operation: StackOperation) -> Option<()> {
    let kinds = body.stacks.before(frame.at)?;
    let found = java::rearrange(operation, kinds)?;
    let below = frame.stack.len().checked_sub(found.takes)?;
    let taken = frame.stack.split_off(below);
    frame.stack.extend(found.pushes.iter().map(|from_top| taken[taken.len() - 1 - from_top]));
    Some(())
}
