//! What threads a program starts: program mode.
//!
//! A thread is what it runs: `new Thread(task)` is the value of the task. `Thread.start`, and what the table says to run on another
//! thread, starts it. Where the value is not known (it was kept in an array, a list, a field that changes), it may be any of the
//! tasks that got there: of classes that extend `Thread` or implement `Runnable`, `Callable` and the like, and lambdas.
//!
//! An allocation of the object's class makes the object, or another one. While its constructor runs, accesses to it are left out:
//! nobody else has it. A static field that never changes holds the object in one model, and not in another, for all loads of it.
//!
//! Besides calls on the object, methods of other classes that do something to it that *depends* on what they found there are
//! units of work of their own (in a second model): values that calls on it or loads from it and from what it holds give are marked as derived, and what
//! is computed from them; an access or call is dependent if such a value is among its arguments, or was tested on the way. What
//! a derived value was put into is not followed: once one is in an array or a field, all that is loaded from arrays and fields is derived.
//! What a method calls counts as done by itself: it is dependent, too, if such a call does something to the object somewhere. A
//! loop that begins anew, with no monitor open, begins a new unit.

use super::clone_graph::doing;
use super::exits::Exit;
use super::flow::{CloneId, Step, Through};
use super::follow::{Body, Context, Follower, Next, Outcome, Piece, Stuck};
use super::frame::Frame;
use super::reach::Signature;
use super::value::{LambdaId, Object, PlaceId, Value};
use java::{Action, ClassId, FieldId, Instruction, InstructionIndex, InvokeKind, Lookup, Member, MethodId, Name, When};
use rustc_hash::FxHashSet;

/// What the interpretation of a program with its own threads needs besides.
#[derive(Debug, Default)]
pub(super) struct ProgramMode {
    /// The static field that holds the object, among those that never change.
    pub(super) holder: Option<FieldId>,
    /// The names and types of methods that have to be followed whatever their arguments are.
    pub(super) reaching: FxHashSet<Signature>,
    /// Whether two threads may run the object: it got to where it is not followed, or a copy of it was at hand when a thread was
    /// made from it.
    pub(super) is_shared: bool,
    /// Lambdas that got to where they are not followed.
    pub(super) escaped_lambdas: Vec<LambdaId>,
    /// The states that start a thread that is not known.
    pub(super) starts: FxHashSet<(CloneId, usize)>,
}

/// Classes and interfaces whose objects are run, and by which method.
const TASKS: [(&str, &str); 9] = [
    ("java/lang/Thread", "run"),
    ("java/lang/Runnable", "run"),
    ("java/util/TimerTask", "run"),
    ("java/util/concurrent/Callable", "call"),
    ("java/util/concurrent/RecursiveAction", "compute"),
    ("java/util/concurrent/RecursiveTask", "compute"),
    ("java/util/function/Supplier", "get"),
    ("java/util/function/Consumer", "accept"),
    ("java/util/function/Function", "apply"),
];

/// Calls after which other threads have ended.
const JOINS: [(&str, &str); 9] = [
    ("java/lang/Thread", "join"),
    ("java/util/concurrent/ExecutorService", "awaitTermination"),
    ("java/util/concurrent/ExecutorService", "close"),
    ("java/util/concurrent/ExecutorService", "invokeAll"),
    ("java/util/concurrent/ThreadPoolExecutor", "awaitTermination"),
    ("java/util/concurrent/Future", "get"),
    ("java/util/concurrent/CompletableFuture", "join"),
    ("java/util/concurrent/CompletableFuture", "get"),
    ("java/util/concurrent/CountDownLatch", "await"),
];

impl Follower<'_> {
    /// Whether a clone is the constructor that makes the object, in program mode.
    pub(super) fn is_making(&self, id: CloneId) -> bool {
        let clone = &self.clones[id.index()];
        self.threads_of.is_some()
            && clone.arguments.first() == Some(&Value::Place(PlaceId::OBJECT))
            && self.context.program.is_constructor(clone.method)
    }

    /// Whether a field holds different values in the course of time; in program mode, a static field that is assigned once, in
    /// `main`, does not.
    pub(super) fn changes(&self, field: FieldId) -> bool {
        let Context { program, facts, .. } = self.context;
        facts.changes(field, program) && !(self.threads_of.is_some() && facts.is_assigned_once(field))
    }

    /// What an allocation makes.
    pub(super) fn made_new(&self, frame: &Frame, class: Name) -> Vec<Value> {
        let program = self.context.program;
        let is_thread = program.text(class) == "java/lang/Thread";
        let is_given = program.named(class).is_some() || is_thread;
        let other = if is_given { frame.fresh() } else { Value::Any };
        let is_object = program.class(self.class).name == class && !self.classes.is_empty();
        is_object.then_some(Value::Place(PlaceId::OBJECT)).into_iter().chain([other]).collect()
    }

    /// The task of a thread that is made, if it gets one.
    pub(super) fn task(&mut self, frame: &Frame, member: Member, arguments: &[Value]) -> Option<Value> {
        let is_thread = self.context.program.text(member.class) == "java/lang/Thread";
        if self.threads_of.is_none() || !is_thread || arguments[0] == Value::This {
            return None;
        }
        let is_task =
            |value: &&Value| matches!(value, Value::Lambda(_) | Value::Object(_) | Value::Place(PlaceId::OBJECT));
        let task = arguments[1..].iter().find(is_task).copied()?;
        self.hands_over(frame, task);
        Some(if task == Value::Place(PlaceId::OBJECT) { Value::Runner } else { task })
    }

    /// A thread gets a value; if there is a copy of it, another one may get it, too.
    pub(super) fn hands_over(&mut self, frame: &Frame, task: Value) {
        let has_copy = frame.locals.iter().chain(&frame.stack).any(|value| *value == task);
        if task == Value::Place(PlaceId::OBJECT) && has_copy {
            self.shares(task);
        }
    }

    /// A value gets to where others may have it.
    pub(super) fn shares(&mut self, value: Value) {
        if let (Value::Place(PlaceId::OBJECT), Some(mode)) = (value, &mut self.threads_of) {
            mode.is_shared = true;
        }
    }

    /// Whether a thread that runs a clone may run while another one does: a `Thread` runs once, and so does a task that one
    /// thread got, and nobody else.
    pub(super) fn may_run_twice(&self, id: CloneId) -> bool {
        let clone = &self.clones[id.index()];
        let program = self.context.program;
        let is_thread = program.name("java/lang/Thread").is_some_and(|name| program.extends(self.class, name));
        let is_shared = self.threads_of.as_ref().is_none_or(|mode| mode.is_shared);
        clone.arguments.first() != Some(&Value::Place(PlaceId::OBJECT))
            || program.method(clone.method).flags.is_static()
            || (is_shared && !is_thread)
    }

    /// Whether a clone is what the object runs as a `Thread`, once, or as a `TimerTask`, always on the thread of its timer: no other thread
    /// runs it then.
    pub(super) fn runs_once(&self, id: CloneId) -> bool {
        let program = self.context.program;
        let clone = &self.clones[id.index()];
        let declared = program.method(clone.method);
        let is_a = |class| program.name(class).is_some_and(|name| program.extends(self.class, name));
        let is_thread = is_a("java/lang/Thread") || is_a("java/util/TimerTask");
        let is_run = [declared.name, declared.descriptor].map(|name| program.text(name)) == ["run", "()V"];
        is_thread && is_run && clone.arguments.first() == Some(&Value::Place(PlaceId::OBJECT))
    }

    /// A new object of which no field is known.
    pub(super) fn plain_object(&mut self, member: Member) -> Result<Value, Stuck> {
        match self.context.program.named(member.class) {
            Some(class) if self.threads_of.is_some() => {
                self.object(Object { class, is_exact: true, fields: Vec::new() })
            }
            _ => Ok(Value::Any),
        }
    }

    /// A lambda gets to where it is not followed.
    pub(super) fn escaped_lambda(&mut self, lambda: LambdaId) {
        let Some(mode) = &mut self.threads_of else { return };
        if !mode.escaped_lambdas.contains(&lambda) {
            mode.escaped_lambdas.push(lambda);
            self.reconsider_starts();
        }
    }

    /// There are more tasks that may be started where they are not known.
    pub(super) fn reconsider_starts(&mut self) {
        if let Some(mode) = &self.threads_of {
            let mut starts: Vec<_> = mode.starts.iter().copied().collect();
            starts.sort_unstable();
            self.open.extend(starts);
        }
    }

    /// By which method a class's objects are run; none if they are no tasks.
    fn task_method(&self, class: ClassId) -> Option<&'static str> {
        let program = self.context.program;
        let is_it = |name: &str| program.name(name).is_some_and(|name| program.extends(class, name));
        TASKS.iter().find(|(name, _)| is_it(name)).map(|(_, method)| *method)
    }

    /// What a thread runs that is started for a value.
    pub(super) fn started(
        &mut self,
        value: Value,
        method: Option<&str>,
        caller: (CloneId, usize),
    ) -> Result<Vec<CloneId>, Stuck> {
        match value {
            Value::Lambda(lambda) => self.run_lambda(lambda, 8),
            Value::Place(PlaceId::OBJECT) => {
                let name = self.task_method(self.class).or(method);
                self.run_named(value, self.class, &[name.unwrap_or("run")])
            }
            Value::Object(object) => {
                let class = self.objects.object(object).class;
                let name = self.task_method(class).or(method);
                self.run_named(value, class, &[name.unwrap_or("run")])
            }
            _ => {
                if let Some(mode) = &mut self.threads_of {
                    mode.starts.insert(caller);
                }
                let mut found = Vec::new();
                if let (Some(name), None) = (self.task_method(self.class), self.statics) {
                    found.extend(self.run_named(Value::Place(PlaceId::OBJECT), self.class, &[name])?);
                }
                for object in self.escaped.clone() {
                    let class = self.objects.object(object).class;
                    if let Some(name) = self.task_method(class) {
                        found.extend(self.run_named(Value::Object(object), class, &[name])?);
                    }
                }
                let lambdas = self.threads_of.as_ref().map(|mode| mode.escaped_lambdas.clone());
                for lambda in lambdas.unwrap_or_default() {
                    found.extend(self.run_lambda(lambda, 8)?);
                }
                Ok(found)
            }
        }
    }

    /// A method of which nothing is known may run what it gets.
    pub(super) fn run_by_unknown(&mut self, value: Value) -> Result<Option<Piece>, Stuck> {
        let clones = match value {
            Value::Lambda(lambda) if self.threads_of.is_some() => self.run_lambda(lambda, 8)?,
            Value::Object(object) if self.threads_of.is_some() => {
                let class = self.objects.object(object).class;
                match self.task_method(class) {
                    Some(name) => self.run_named(value, class, &[name])?,
                    None => Vec::new(),
                }
            }
            _ => Vec::new(),
        };
        let steps: Vec<Step> = clones.into_iter().map(Step::Start).collect();
        Ok((!steps.is_empty()).then_some(Piece::Perhaps(steps)))
    }

    /// `Thread.start`, and calls after which other threads have ended.
    pub(super) fn start_or_join(
        &mut self,
        body: &Body,
        frame: &Frame,
        (kind, member): (InvokeKind, Member),
        arguments: &[Value],
        caller: (CloneId, usize),
    ) -> Result<Option<Vec<Outcome>>, Stuck> {
        let program = self.context.program;
        let name = program.text(member.name);
        if self.threads_of.is_none() || kind == InvokeKind::Static || kind == InvokeKind::Special {
            return Ok(None);
        }
        let is_a = |class: &str| {
            program.text(member.class) == class
                || program
                    .named(member.class)
                    .zip(program.name(class))
                    .is_some_and(|(it, name)| program.extends(it, name))
        };
        if name == "start" && is_a("java/lang/Thread") && !self.is_overridden(member) {
            let receiver = match arguments[0] {
                Value::Runner => Value::Place(PlaceId::OBJECT),
                receiver => receiver,
            };
            let clones = self.started(receiver, Some("run"), caller)?;
            let steps: Vec<Step> = clones.into_iter().map(Step::Start).collect();
            let piece = match &steps[..] {
                [one] if self.is_known(receiver) => Some(Piece::One(*one)),
                [] => None,
                _ => Some(Piece::Perhaps(steps)),
            };
            let pieces = piece.into_iter().collect();
            return Ok(Some(vec![self.returns(body, frame, pieces, None, &[Value::Any])]));
        }
        if JOINS.iter().any(|(class, method)| *method == name && is_a(class)) {
            let result = program.result_type(member.descriptor);
            let value = self.unfollowed(frame, result);
            let mut pieces = vec![Piece::One(Step::Join)];
            if name == "invokeAll" {
                let clones = self.started(Value::Any, Some("call"), caller)?;
                pieces.insert(0, Piece::Any(clones.into_iter().map(Step::Start).collect()));
            }
            return Ok(Some(vec![self.returns(body, frame, pieces, result, &[value])]));
        }
        Ok(None)
    }

    /// Whether a call has to be followed whatever its arguments are: it starts a thread, or runs a task that is not known.
    pub(super) fn always_acts(&self, member: Member) -> bool {
        let starts = |action: &Action| matches!(action, Action::Calls { when: When::OtherThread, .. });
        self.threads_of.is_some() && self.summary(member, None).is_some_and(|(actions, _)| actions.iter().any(starts))
    }

    /// An interface's method of an object that is not known may be a lambda that got to where it is not followed.
    pub(super) fn runs_escaped(
        &mut self,
        body: &Body,
        frame: &Frame,
        (kind, member): (InvokeKind, Member),
        arguments: &[Value],
        caller: (CloneId, usize),
    ) -> Result<Option<Outcome>, Stuck> {
        let program = self.context.program;
        let is_task = TASKS.iter().any(|(_, method)| *method == program.text(member.name));
        let is_unknown = matches!(arguments.first(), Some(Value::Any | Value::Element(_) | Value::Derived));
        let Some(mode) = &mut self.threads_of else { return Ok(None) };
        if kind != InvokeKind::Interface || !is_task || !is_unknown {
            return Ok(None);
        }
        mode.starts.insert(caller);
        let mut steps = Vec::new();
        for lambda in mode.escaped_lambdas.clone() {
            steps.extend(self.run_lambda(lambda, 8)?.into_iter().map(|clone| Step::Call(clone, Exit::Any)));
        }
        if steps.is_empty() {
            return Ok(None);
        }
        let result = program.result_type(member.descriptor);
        let value = self.unfollowed(frame, result);
        Ok(Some(self.returns(body, frame, vec![Piece::Perhaps(steps)], result, &[value])))
    }

    fn is_known(&self, value: Value) -> bool {
        matches!(value, Value::Lambda(_) | Value::Object(_) | Value::Place(PlaceId::OBJECT))
    }

    /// Whether the program itself declares the method.
    fn is_overridden(&self, member: Member) -> bool {
        let program = self.context.program;
        let found = program.resolve_method(member).found();
        found.is_some_and(|method| program.text(program.class(program.method(method).class).name) != "java/lang/Thread")
    }

    /// The methods of given classes that take the place of one of an interface that is not given; in client mode, those that do something to the
    /// static fields, and those of an object of which it is known what it holds.
    ///
    /// Of such an object the class is known. What implements the interface for it may not be: its superclass is perhaps one that is not given
    /// (closures of Scala extend `AbstractFunction0`). But an object on which the method is called has it, or the call fails.
    pub(super) fn implementations(&self, member: Member, receiver: Option<Value>) -> Vec<MethodId> {
        let program = self.context.program;
        let is_open = matches!(receiver, Some(Value::Any | Value::Element(_) | Value::Derived | Value::Object(_)));
        if !is_open {
            return Vec::new();
        }
        let object = match receiver {
            Some(Value::Object(object)) => Some(self.objects.object(object)),
            _ => None,
        };
        let can_be_run =
            |method: MethodId| self.threads_of.is_some() || object.is_some() || self.leading.takes_place(method);
        let is_of = |id: ClassId| match object {
            Some(object) if object.is_exact => id == object.class,
            Some(object) => program.is_subtype(id, object.class),
            None => program.extends(id, member.class),
        };
        let mut found = Vec::new();
        for (id, class) in program.classes() {
            let can_be = !class.flags.is_abstract() && !class.flags.is_interface();
            let can_be = can_be && (object.is_some() || !class.is_library);
            if can_be
                && is_of(id)
                && let Lookup::Found(method) = program.resolve_in(id, member.name, member.descriptor)
                && program.method(method).has_code()
                && can_be_run(method)
                && !found.contains(&method)
            {
                found.push(method);
            }
        }
        found
    }

    /// The node from which control goes on: a new one if a loop begins anew with nothing open.
    pub(super) fn cut(&mut self, id: CloneId, at: InstructionIndex, from: usize, next: &Next, line: u32) -> usize {
        let own_lock = self.clones[id.index()].own_lock;
        let holds_nothing = |frame: &Frame| frame.open.is_empty() && own_lock.is_none();
        match next {
            Next::To(frame) if self.threads_of.is_some() && frame.at <= at && holds_nothing(frame) => {
                self.clones[id.index()].flow.chain(from, &[Step::Cut], line)
            }
            _ => from,
        }
    }

    /// Notices what a method outside of the object's class does to it depending on what was found in it: by an instruction that takes these values,
    /// where that was tested before or not.
    pub(super) fn notice(
        &mut self,
        id: CloneId,
        instruction: Instruction,
        taken: &[Value],
        is_tested: bool,
        outcomes: &[Outcome],
    ) {
        let may_act = matches!(
            instruction,
            Instruction::GetField(_)
                | Instruction::PutField(_)
                | Instruction::GetStatic(_)
                | Instruction::PutStatic(_)
                | Instruction::ArrayLoad(_)
                | Instruction::ArrayStore(_)
                | Instruction::Invoke(..)
        );
        if !may_act || !(is_tested || taken.contains(&Value::Derived)) {
            return;
        }
        let is_use = self.is_use(instruction, taken);
        let clone = &mut self.clones[id.index()];
        clone.is_dependent |= is_use;
        for step in outcomes.iter().flat_map(|outcome| &outcome.pieces).flat_map(Piece::steps) {
            match step {
                Step::Read(_) | Step::Write(_) => clone.is_dependent = true,
                Step::Call(called, _) | Step::Through(Through { callee: called, .. }) => {
                    clone.dependent_calls.insert(*called);
                }
                Step::Skip
                | Step::Start(_)
                | Step::Acquire(..)
                | Step::Release(..)
                | Step::Close(..)
                | Step::Wait(_)
                | Step::Join
                | Step::Cut
                | Step::Return(_)
                | Step::Leave(..) => {}
            }
        }
    }

    /// The clones that do something to the object, in themselves or in what they call, depending on what they found in it.
    pub(super) fn mark_dependent(&mut self) {
        let acting = doing(&self.clones, |step| matches!(step, Step::Read(_) | Step::Write(_)), Step::called);
        for clone in &mut self.clones {
            clone.is_dependent |= clone.dependent_calls.iter().any(|called| acting[called.index()]);
        }
    }

    /// Whether a clone is of a method of the object's class. What threads run, `main`, and lambdas in them are used from outside.
    pub(super) fn is_own(&self, id: CloneId) -> bool {
        let program = self.context.program;
        let method = program.method(self.clones[id.index()].method);
        let is_of_class = self.statics.map_or_else(|| self.classes.contains(&method.class), |it| it == method.class);
        let name = program.text(method.name);
        let is_root = self.threads_of.is_some()
            && (name.starts_with("lambda$")
                || (name == "main" && method.flags.is_static())
                || (!method.flags.is_static() && self.task_method(method.class) == Some(name)));
        is_of_class && !is_root
    }

    /// Whether a clone is of a method outside of the object's class, in program mode.
    pub(super) fn is_outside(&self, id: CloneId) -> bool {
        self.threads_of.is_some() && !self.is_own(id)
    }

    /// Whether an instruction uses the object, or a static field or method of the class whose static fields are followed.
    fn is_use(&self, instruction: Instruction, taken: &[Value]) -> bool {
        let program = self.context.program;
        match (instruction, self.statics) {
            (Instruction::GetStatic(member) | Instruction::PutStatic(member), Some(_)) => {
                self.followed_static(member).is_some()
            }
            (Instruction::Invoke(_, member), Some(class)) => member.class == program.class(class).name,
            (Instruction::GetField(_) | Instruction::PutField(_) | Instruction::Invoke(..), None) => {
                taken.first() == Some(&Value::Place(PlaceId::OBJECT))
            }
            _ => false,
        }
    }

    /// Whether what an instruction gives is computed from what was found in the object.
    pub(super) fn derives(&self, instruction: Instruction, taken: &[Value], is_kept: bool) -> bool {
        match instruction {
            Instruction::GetField(_) | Instruction::GetStatic(_) => is_kept || self.is_use(instruction, taken),
            Instruction::ArrayLoad(_) => is_kept,
            Instruction::Invoke(..) => self.is_use(instruction, taken),
            Instruction::Binary(..)
            | Instruction::Negate(_)
            | Instruction::Convert(..)
            | Instruction::Narrow(_)
            | Instruction::Compare(_)
            | Instruction::InstanceOf(_)
            | Instruction::ArrayLength => taken.contains(&Value::Derived),
            _ => false,
        }
    }
}

/// Marks the value on top as derived, unless more is known of it. An int that is known has been found in the object all the
/// same: it is forgotten. What may be the object itself, and what a field of it holds that changes, has to stay known; so all that follows
/// counts as dependent.
pub(super) fn derive(outcome: &mut Outcome, derives: bool) {
    let reads = outcome.pieces.iter().flat_map(Piece::steps).any(|step| matches!(step, Step::Read(_)));
    if !derives && !reads {
        return;
    }
    for next in &mut outcome.next {
        let Next::To(frame) = next else { continue };
        match frame.stack.last_mut() {
            Some(top @ (Value::Any | Value::Element(_) | Value::Int(_))) => *top = Value::Derived,
            Some(Value::Maybe(_)) => frame.is_tested = true,
            Some(Value::Place(_)) => frame.is_tested |= reads,
            _ => {}
        }
    }
}
