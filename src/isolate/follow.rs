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

use super::facts::Facts;
use super::flow::{CloneId, Flow, Step};
use super::frame::{Frame, Liveness, Open};
use super::value::{LambdaId, Location, Lock, PlaceId, Places, Value};
use crate::model::Mode;
use java::{
    ClassId, Code, Comparison, Condition, Constant, FieldId, Handle, Instruction, InstructionIndex, Kind, Lookup,
    Member, MethodId, Name, Operator, Program, StackOperation, Stacks, Summaries, Type,
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
}

/// Why there is no model of a subject.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stuck {
    /// Locks are not closed in the reverse order of opening, or are open at a return.
    NotNested {
        /// The method.
        method: String,
        /// The line, 0 if it is not known.
        line: u32,
    },
    /// The code of a method that has to be followed is damaged.
    Damaged {
        /// The method.
        method: String,
    },
    /// There are too many states.
    TooLarge {
        /// The method in which the last one was.
        method: String,
    },
    /// The analysis was cancelled.
    Cancelled,
}

impl std::fmt::Display for Stuck {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NotNested { method, line } => write!(out, "locks are not nested in {method}, line {line}"),
            Self::Damaged { method } => write!(out, "the code of {method} is damaged"),
            Self::TooLarge { method } => write!(out, "there are too many states, the last of them in {method}"),
            Self::Cancelled => out.write_str("cancelled"),
        }
    }
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
    frames: Vec<(Frame, usize)>,
    states: FxHashMap<Frame, usize>,
    /// What it may give back; nothing as long as it does not return.
    pub(super) returns: BTreeSet<Value>,
    /// The states that call it.
    callers: FxHashSet<(CloneId, usize)>,
    /// Where it leaves with these locks open.
    exits: FxHashMap<Vec<Open>, usize>,
    /// What it locks as a synchronized method.
    own_lock: Option<Lock>,
}

/// A method's code with what is known of it.
pub(super) struct Body {
    pub(super) code: Code,
    stacks: Stacks,
    live: Liveness,
}

/// The clones that one object passes through.
pub(super) struct Follower<'p> {
    pub(super) context: Context<'p>,
    /// The class of the object.
    pub(super) class: ClassId,
    /// The names of all its supertypes.
    types: FxHashSet<Name>,
    /// The class and its superclasses, but for that of all objects.
    pub(super) classes: FxHashSet<ClassId>,
    /// The methods of other classes of its nest that use its fields or methods, themselves or through each other.
    pub(super) touching: FxHashSet<MethodId>,
    pub(super) places: Places,
    pub(super) lambdas: Vec<Lambda>,
    pub(super) clones: Vec<MethodClone>,
    ids: FxHashMap<(MethodId, Vec<Value>), CloneId>,
    open: VecDeque<(CloneId, usize)>,
    bodies: FxHashMap<MethodId, Option<Rc<Body>>>,
    /// Clones that other threads run.
    pub(super) threads: BTreeSet<CloneId>,
    pub(super) assumptions: BTreeSet<String>,
    states: usize,
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

/// So many states are made for one subject.
const MOST_STATES: usize = 100_000;

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
            touching: touching(context, class, &classes),
            classes,
            types: program.supertypes(class).into_iter().flat_map(names).collect(),
            places: Places::new(),
            lambdas: Vec::new(),
            clones: Vec::new(),
            ids: FxHashMap::default(),
            open: VecDeque::new(),
            bodies: FxHashMap::default(),
            threads: BTreeSet::new(),
            assumptions: BTreeSet::new(),
            states: 0,
        }
    }

    /// Whether the object can be a value of this type.
    pub(super) fn fits(&self, of: Type) -> bool {
        matches!(of, Type::Class(name) if self.types.contains(&name))
    }

    /// Whether a value of this type that comes from somewhere else is taken to be the object, perhaps.
    fn may_be(&self, of: Type) -> bool {
        self.fits(of) && !matches!(of, Type::Class(name) if self.context.program.text(name) == "java/lang/Object")
    }

    /// Whether all fields of a path stay the same, so that it is always the same object.
    fn is_stable(&self, place: PlaceId) -> bool {
        let Context { program, facts, .. } = self.context;
        self.places.path(place).iter().all(|field| !facts.changes(*field, program))
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
            Value::Place(place) if self.is_stable(place) => Some((Lock::Explicit(place), Mode::Write)),
            Value::Static(field) => Some((Lock::ExplicitStatic(field), Mode::Write)),
            Value::Side(lock, is_read) => Some((lock, if is_read { Mode::Read } else { Mode::Write })),
            _ => None,
        }
    }

    /// The code of a method, if it has some that makes sense.
    pub(super) fn body(&mut self, method: MethodId) -> Option<Rc<Body>> {
        let program = self.context.program;
        let body = self.bodies.entry(method).or_insert_with(|| {
            let code = program.code(method).ok().flatten()?;
            let stacks = program.stacks(&code).ok()?;
            let live = Liveness::new(&code);
            Some(Rc::new(Body { code, stacks, live }))
        });
        body.clone()
    }

    /// The clone of a method for these arguments, the receiver first.
    pub(super) fn clone_of(&mut self, method: MethodId, arguments: Vec<Value>) -> Result<CloneId, Stuck> {
        let program = self.context.program;
        let arguments = self.plain_arguments(method, arguments);
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
            callers: FxHashSet::default(),
            exits: FxHashMap::default(),
            own_lock,
        });
        self.ids.insert((method, arguments), id);
        let node = self.state(id, Frame { at: first, locals, stack: Vec::new(), open: Vec::new() })?;
        self.clones[id.index()].flow.connect(entry, node);
        Ok(id)
    }

    /// Arguments as clones tell them apart.
    fn plain_arguments(&self, method: MethodId, arguments: Vec<Value>) -> Vec<Value> {
        let program = self.context.program;
        let declared = program.method(method);
        let types = program.method_type(declared.descriptor);
        let offset = usize::from(!declared.flags.is_static());
        let is_boolean = |index: usize| {
            let parameter = types.and_then(|types| types.parameters.get(index.checked_sub(offset)?));
            parameter == Some(&Type::Boolean)
        };
        let plain = arguments.into_iter().enumerate().map(|(index, value)| match value {
            Value::Int(_) if !is_boolean(index) => Value::Any,
            Value::Null => Value::Any,
            value => value,
        });
        plain.collect()
    }

    /// The node of a state, which is followed later if it is new.
    fn state(&mut self, id: CloneId, mut frame: Frame) -> Result<usize, Stuck> {
        let method = self.clones[id.index()].method;
        let body = self.body(method).expect("a clone has code");
        frame.forget_dead(&body.live);
        let clone = &mut self.clones[id.index()];
        if let Some(state) = clone.states.get(&frame) {
            return Ok(clone.frames[*state].1);
        }
        self.states += 1;
        if self.states > MOST_STATES {
            return Err(Stuck::TooLarge { method: self.context.program.method_name(method) });
        }
        let line = body.code.line(frame.at).unwrap_or(0).into();
        let node = clone.flow.add(Step::Skip, line);
        let state = clone.frames.len();
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
        let outcomes = self.outcomes(&body, frame, (id, state))?;
        for outcome in outcomes {
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
                }
            }
            for next in outcome.next {
                self.go(id, last, next, &body)?;
            }
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
                if frame.open.iter().any(|open| matches!(open, Open::Explicit(..))) {
                    return Err(self.not_nested(id, frame.at, body));
                }
                let clone = &mut self.clones[id.index()];
                if clone.returns.insert(value) {
                    self.open.extend(clone.callers.iter().copied());
                }
                let to = self.exit(id, frame, body);
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
                    let to = self.exit(id, frame, body);
                    self.clones[id.index()].flow.connect(from, to);
                }
            }
        }
        Ok(())
    }

    /// The node at which a clone leaves with what is open: this is closed first.
    fn exit(&mut self, id: CloneId, frame: Frame, body: &Body) -> usize {
        let clone = &mut self.clones[id.index()];
        if let Some(known) = clone.exits.get(&frame.open) {
            return *known;
        }
        let line = body.code.line(frame.at).unwrap_or(0).into();
        let first = clone.flow.add(Step::Skip, line);
        let release = |open: &Open| match open {
            Open::Monitor(lock) => Some(Step::Release(*lock, Mode::Write)),
            Open::Explicit(lock, mode) => Some(Step::Release(*lock, *mode)),
            Open::Silent => None,
        };
        let mut steps: Vec<Step> = frame.open.iter().rev().filter_map(release).collect();
        steps.extend(clone.own_lock.map(|lock| Step::Release(lock, Mode::Write)));
        steps.push(Step::Return);
        clone.flow.chain(first, &steps, line);
        clone.exits.insert(frame.open, first);
        first
    }

    pub(super) fn not_nested(&self, id: CloneId, at: InstructionIndex, body: &Body) -> Stuck {
        let method = self.context.program.method_name(self.clones[id.index()].method);
        Stuck::NotNested { method, line: body.code.line(at).unwrap_or(0).into() }
    }

    /// What is waiting for the results of a clone.
    pub(super) fn results(&mut self, callee: CloneId, caller: (CloneId, usize)) -> Vec<Value> {
        let clone = &mut self.clones[callee.index()];
        clone.callers.insert(caller);
        clone.returns.iter().copied().collect()
    }

    /// What an instruction does in a state. A value that may be the object is decided where it is used.
    fn outcomes(&mut self, body: &Body, frame: Frame, caller: (CloneId, usize)) -> Result<Vec<Outcome>, Stuck> {
        let instruction = body.code.instruction(frame.at);
        let used = self.decides(body, instruction);
        let top = &frame.stack[frame.stack.len().saturating_sub(used)..];
        let undecided = top.iter().find_map(|value| match value {
            Value::Maybe(number) => Some(*number),
            _ => None,
        });
        if let Some(number) = undecided {
            return Ok(vec![Outcome { pieces: Vec::new(), next: frame.decided(number).map(Next::To).into() }]);
        }
        self.decided(body, instruction, frame, caller)
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
        let outcomes = self.executed(body, instruction, frame, taken.clone(), caller, effect.gives)?;
        // What throws has done nothing before.
        let throws = can_throw(instruction, &taken);
        let thrown = throws.then(|| Outcome { pieces: Vec::new(), next: vec![Next::Throw(before)] });
        Ok(outcomes.into_iter().chain(thrown).collect())
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
                if kind.slots() == 2 {
                    *frame.locals.get_mut(local.index() + 1).ok_or_else(damaged)? = Value::Any;
                }
            }
            Instruction::Increment(local, _) => *frame.locals.get_mut(local.index()).ok_or_else(damaged)? = Value::Any,
            Instruction::ArrayLoad(_) => {
                step = content(taken[0]).map(Step::Read);
                // An element is taken to be some other object.
                frame.stack.push(Value::Any);
            }
            Instruction::ArrayStore(_) => {
                step = content(taken[0]).map(Step::Write);
                self.escapes(taken[2])?;
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
                let value = kind.map_or(Value::Any, |_| self.plain_result(caller.0, taken[0]));
                return Ok(vec![Outcome { pieces: Vec::new(), next: vec![Next::Return(frame, value)] }]);
            }
            Instruction::Throw => return Ok(vec![Outcome { pieces: Vec::new(), next: vec![Next::Throw(frame)] }]),
            Instruction::GetField(member) => return Ok(self.get_field(body, frame, member, taken[0])),
            Instruction::PutField(member) => {
                let field = program.resolve_field(member);
                step = self.written(taken[0], field).map(Step::Write);
                self.escapes(taken[1])?;
            }
            Instruction::GetStatic(member) => {
                let value = self.static_value(&frame, member);
                frame.stack.push(value);
            }
            Instruction::PutStatic(_) => self.escapes(taken[0])?,
            Instruction::Invoke(kind, member) => return self.invoke(body, frame, (kind, member), taken, caller),
            Instruction::InvokeDynamic(site) => return self.invoke_dynamic(body, frame, site, taken, caller),
            Instruction::CheckCast(to) => {
                let value = match taken[0] {
                    // The cast would fail.
                    Value::Maybe(_) if !self.fits(to) => Value::Any,
                    value => value,
                };
                frame.stack.push(value);
            }
            Instruction::InstanceOf(of) => frame.stack.push(match taken[0] {
                Value::Place(PlaceId::OBJECT) if self.fits(of) => Value::Int(1),
                Value::Null => Value::Int(0),
                _ => Value::Any,
            }),
            Instruction::MonitorEnter => {
                let lock = self.monitor(taken[0]);
                step = lock.map(|lock| Step::Acquire(lock, Mode::Write));
                frame.open.push(lock.map_or(Open::Silent, Open::Monitor));
            }
            Instruction::MonitorExit => {
                let expected = self.monitor(taken[0]).map_or(Open::Silent, Open::Monitor);
                if frame.open.pop() != Some(expected) {
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
            | Instruction::New(_)
            | Instruction::NewArray(_)
            | Instruction::NewMultiArray(..) => frame.stack.extend(gives.map(|_| Value::Any)),
        }
        let mut outcomes = goes_on(body, frame);
        outcomes[0].pieces.extend(step.map(Piece::One));
        Ok(outcomes)
    }

    /// A result as callers tell it apart.
    fn plain_result(&self, id: CloneId, value: Value) -> Value {
        let program = self.context.program;
        let method = program.method(self.clones[id.index()].method);
        let result = program.method_type(method.descriptor).and_then(|types| types.result);
        match value {
            Value::Int(_) if result != Some(Type::Boolean) => Value::Any,
            Value::Null => Value::Any,
            value => value,
        }
    }

    /// The location that writing a field changes.
    fn written(&self, object: Value, field: Lookup<FieldId>) -> Option<Location> {
        let Context { program, facts, .. } = self.context;
        let Value::Place(place) = object else { return None };
        match field {
            Lookup::Found(field) if self.places.path(place).len() < 2 => {
                facts.changes(field, program).then_some(Location::Field(place, field))
            }
            Lookup::Found(_) => None,
            // A field of a class that was not given is part of what its object holds.
            Lookup::Outside(_) | Lookup::Absent => Some(Location::Content(place)),
        }
    }

    fn get_field(&mut self, body: &Body, frame: Frame, member: Member, object: Value) -> Vec<Outcome> {
        let program = self.context.program;
        let field = program.resolve_field(member);
        let read = self.written(object, field).map(|location| Piece::One(Step::Read(location)));
        let of = program.field_type(member.descriptor);
        let of = of.filter(|of| of.is_reference() && !is_immutable(program, *of));
        let held = match (object, field, of) {
            (_, _, None) => vec![Value::Any],
            (Value::Place(place), Lookup::Found(field), Some(of)) => {
                let own = self.places.field(place, field).map_or(Value::Any, Value::Place);
                // It may be the object itself.
                if self.may_be(of) { vec![own, Value::Place(PlaceId::OBJECT)] } else { vec![own] }
            }
            (_, _, Some(of)) if self.may_be(of) => vec![frame.undecided()],
            (_, _, Some(_)) => vec![Value::Any],
        };
        let next = held.into_iter().map(|value| {
            let mut frame = frame.clone();
            frame.stack.push(value);
            Next::To(Frame { at: body.code.next(frame.at), ..frame })
        });
        vec![Outcome { pieces: read.into_iter().collect(), next: next.collect() }]
    }

    /// What a static field holds, as far as it is known.
    fn static_value(&self, frame: &Frame, member: Member) -> Value {
        let program = self.context.program;
        let of = program.field_type(member.descriptor).filter(|of| of.is_reference());
        match (program.resolve_field(member), of) {
            (_, None) => Value::Any,
            (_, Some(of)) if self.may_be(of) => frame.undecided(),
            (Lookup::Found(field), Some(_)) if program.field(field).flags.is_final() => Value::Static(field),
            (_, Some(_)) => Value::Any,
        }
    }

    fn branch(
        &self,
        body: &Body,
        frame: Frame,
        (condition, target): (Condition, InstructionIndex),
        taken: &[Value],
    ) -> Vec<Outcome> {
        let taken_if = known(condition, taken);
        let next = body.code.next(frame.at);
        let targets = [(taken_if != Some(true)).then_some(next), (taken_if != Some(false)).then_some(target)];
        let next = targets.into_iter().flatten().map(|at| Next::To(Frame { at, ..frame.clone() }));
        vec![Outcome { pieces: Vec::new(), next: next.collect() }]
    }

    /// A value gets to where it is not followed. Of a lambda that can act, it is not known when it is run: another thread may.
    pub(super) fn escapes(&mut self, value: Value) -> Result<(), Stuck> {
        match value {
            Value::Lambda(lambda) => {
                let clones = self.run_lambda(lambda, 8)?;
                self.threads.extend(clones);
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

    /// A value of a type that comes from where nothing is followed.
    pub(super) fn unfollowed(&self, frame: &Frame, of: Type) -> Value {
        if self.may_be(of) { frame.undecided() } else { Value::Any }
    }

    pub(super) fn lambda(&mut self, lambda: Lambda) -> Value {
        let known = self.lambdas.iter().position(|known| *known == lambda);
        let index = known.unwrap_or_else(|| {
            self.lambdas.push(lambda);
            self.lambdas.len() - 1
        });
        Value::Lambda(LambdaId(u32::try_from(index).expect("the number of states is bounded")))
    }
}

/// The methods of a nest's other classes that use fields or methods of these classes, themselves or through each other.
fn touching(context: Context<'_>, class: ClassId, classes: &FxHashSet<ClassId>) -> FxHashSet<MethodId> {
    let Context { program, facts, .. } = context;
    let others = facts.nest(program, class).iter().filter(|other| !classes.contains(other));
    let mut found = FxHashSet::default();
    let mut callers: FxHashMap<MethodId, Vec<MethodId>> = FxHashMap::default();
    let mut open = Vec::new();
    for method in others.flat_map(|other| program.class(*other).methods()) {
        let Ok(Some(code)) = program.code(method) else { continue };
        for (_, instruction) in code.instructions() {
            let member = match instruction {
                Instruction::GetField(member) | Instruction::PutField(member) | Instruction::Invoke(_, member) => {
                    member
                }
                _ => continue,
            };
            if program.named(member.class).is_some_and(|class| classes.contains(&class)) {
                open.push(method);
            } else if let (Instruction::Invoke(..), Some(called)) =
                (instruction, program.resolve_method(member).found())
            {
                callers.entry(called).or_default().push(method);
            }
        }
    }
    while let Some(method) = open.pop() {
        if found.insert(method) {
            open.extend(callers.remove(&method).unwrap_or_default());
        }
    }
    found
}

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
    let may_be_null = || taken.first() != Some(&Value::Place(PlaceId::OBJECT));
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

/// The next instruction, and nothing else.
pub(super) fn goes_on(body: &Body, mut frame: Frame) -> Vec<Outcome> {
    frame.at = body.code.next(frame.at);
    vec![Outcome { pieces: Vec::new(), next: vec![Next::To(frame)] }]
}

/// Whether a condition holds, if that is known.
fn known(condition: Condition, taken: &[Value]) -> Option<bool> {
    let compare = |comparison, one: i32, other: i32| match comparison {
        Comparison::Equal => one == other,
        Comparison::NotEqual => one != other,
        Comparison::Less => one < other,
        Comparison::GreaterOrEqual => one >= other,
        Comparison::Greater => one > other,
        Comparison::LessOrEqual => one <= other,
    };
    match (condition, taken) {
        (Condition::Zero(comparison), [Value::Int(value)]) => Some(compare(comparison, *value, 0)),
        (Condition::Ints(comparison), [Value::Int(one), Value::Int(other)]) => Some(compare(comparison, *one, *other)),
        (Condition::Null, [value]) => is_null(*value),
        (Condition::NotNull, [value]) => is_null(*value).map(|is_null| !is_null),
        (Condition::Same, [one, other]) => are_same(*one, *other),
        (Condition::Different, [one, other]) => are_same(*one, *other).map(|are_same| !are_same),
        _ => None,
    }
}

fn is_null(value: Value) -> Option<bool> {
    match value {
        Value::Null => Some(true),
        Value::Place(PlaceId::OBJECT) | Value::Class(_) | Value::Lambda(_) => Some(false),
        _ => None,
    }
}

/// Whether two values are one object: the object that is followed is no other one.
fn are_same(one: Value, other: Value) -> Option<bool> {
    const OBJECT: Value = Value::Place(PlaceId::OBJECT);
    match (one, other) {
        (OBJECT, OBJECT) => Some(true),
        (OBJECT, Value::Any | Value::Null | Value::Class(_)) | (Value::Any | Value::Null | Value::Class(_), OBJECT) => {
            Some(false)
        }
        _ => None,
    }
}

/// Types whose objects never change and are no locks.
fn is_immutable(program: &Program, of: Type) -> bool {
    const NAMES: [&str; 11] =
        ["String", "Integer", "Long", "Boolean", "Character", "Short", "Byte", "Float", "Double", "Class", "Enum"];
    let Type::Class(name) = of else { return false };
    program.text(name).strip_prefix("java/lang/").is_some_and(|name| NAMES.contains(&name))
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
