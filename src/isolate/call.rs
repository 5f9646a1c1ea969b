//! What calls do: the methods that they run, the table for those that are not there, and lambdas.

use super::exits::Exit;
use super::flow::{CloneId, Step};
use super::follow::{Body, Follower, Lambda, Next, Outcome, Piece, Stuck, content, goes_on};
use super::frame::{Frame, Open};
use super::locks::Closed;
use super::subject::LOCKS;
use super::value::{LambdaId, Location, Lock, PlaceId, Value};
use crate::model::Mode;
use java::{
    Action, CallSiteAction, CallSiteId, ClassId, Guard, HandleKind, InstructionIndex, InvokeKind, Lookup, Member,
    MethodId, Name, Subject, Type, When,
};

/// A call whose receiver could be of more classes than this is told by the table.
const MOST_TARGETS: usize = 16;

/// What is assumed of conditions of which it is not known what made them.
const CONDITIONS: &str = "conditions that are given belong to locks that are held by the method that waits";

/// The methods of functional interfaces by which objects are run.
const FUNCTIONS: [&str; 7] = ["run", "call", "get", "apply", "accept", "test", "compare"];

/// Methods that a call can run.
enum Run {
    /// These, and perhaps others that were not given.
    Methods(Vec<MethodId>, bool),
    /// None that was given.
    Outside,
}

impl Follower<'_> {
    /// A call: first the receiver, then the arguments; all of them decided.
    pub(super) fn invoke(
        &mut self,
        body: &Body,
        frame: Frame,
        (kind, member): (InvokeKind, Member),
        arguments: Vec<Value>,
        caller: (CloneId, usize),
    ) -> Result<Vec<Outcome>, Stuck> {
        let program = self.context.program;
        let result = program.result_type(member.descriptor);
        let has_receiver = kind != InvokeKind::Static;
        if let Some(receiver @ (Value::New(_) | Value::This)) = arguments.first().copied()
            && has_receiver
        {
            return self.construct(body, frame, member, receiver, arguments, caller);
        }
        if let (true, Some(receiver)) = (has_receiver, arguments.first()) {
            self.notes_call(*receiver, member);
        }
        if let (true, Some(Value::Lambda(lambda))) = (kind == InvokeKind::Interface, arguments.first()) {
            return self.call_lambda(body, frame, *lambda, &arguments[1..], result, caller);
        }
        if is_waiting(program.text(member.name), program.text(member.descriptor)) && has_receiver {
            let lock = self.monitor(arguments[0]);
            let pieces = lock.map(|lock| Piece::One(Step::Wait(lock))).into_iter().collect();
            return Ok(vec![self.returns(body, &frame, pieces, result, &[Value::Any])]);
        }
        if let Some(outcomes) = self.start_or_join(body, &frame, (kind, member), &arguments, caller)? {
            return Ok(outcomes);
        }
        let is_lock = has_receiver && self.explicit(arguments[0]).is_some();
        self.unlocks_unknown |= has_receiver && !is_lock && self.is_unlock(member);
        let run = self.runs_escaped(body, &frame, (kind, member), &arguments, caller)?;
        let can_act = is_lock
            || self.always_acts(member)
            || (self.touches(member) && arguments.first() != Some(&Value::Foreign))
            || arguments.iter().any(|value| self.can_act(*value))
            || matches!(arguments.first(), Some(Value::Condition(_)))
            || (has_receiver && self.is_awaiting(member));
        if !can_act {
            let value = self.unfollowed(&frame, result);
            let outcome = self.returns(body, &frame, Vec::new(), result, &[value]);
            return Ok(run.into_iter().chain([outcome]).collect());
        }
        if let Run::Methods(methods, is_open) = self.chosen(kind, member, &arguments)? {
            let mut outcomes: Vec<Outcome> = run.into_iter().collect();
            for method in methods {
                if !self.follows(method) {
                    outcomes.extend(self.told(body, &frame, (has_receiver, member), &arguments, caller)?);
                    continue;
                }
                let clone = self.clone_of(method, arguments.clone())?;
                outcomes.extend(self.runs(body, &frame, clone, result, caller)?);
            }
            if is_open || outcomes.is_empty() {
                outcomes.extend(self.told(body, &frame, (has_receiver, member), &arguments, caller)?);
            }
            return Ok(outcomes);
        }
        self.told(body, &frame, (has_receiver, member), &arguments, caller)
    }

    /// A call that did something and gives one of these values, or throws.
    pub(super) fn returns(
        &self,
        body: &Body,
        frame: &Frame,
        pieces: Vec<Piece>,
        result: Option<Type>,
        values: &[Value],
    ) -> Outcome {
        let mut next = vec![Next::Throw(frame.clone())];
        for value in values {
            let mut frame = frame.clone();
            frame.stack.extend(result.map(|_| *value));
            next.extend(goes_on(body, frame).into_iter().flat_map(|outcome| outcome.next));
        }
        Outcome { pieces, next }
    }

    /// Which methods a call runs.
    fn chosen(&mut self, kind: InvokeKind, member: Member, arguments: &[Value]) -> Result<Run, Stuck> {
        let program = self.context.program;
        let receiver = arguments.first().copied().filter(|_| kind != InvokeKind::Static);
        let is_object = receiver == Some(Value::Place(PlaceId::OBJECT));
        if !is_object && self.prefers_table(member, receiver) {
            return Ok(Run::Outside);
        }
        let Lookup::Found(resolved) = program.resolve_method(member) else {
            // The object is of a class that is given, even if it is called by an interface that is not.
            if is_object
                && let Lookup::Found(method) = program.resolve_in(self.class, member.name, member.descriptor)
                && kind != InvokeKind::Special
                && program.method(method).has_code()
            {
                return Ok(Run::Methods(vec![method], false));
            }
            let is_virtual = matches!(kind, InvokeKind::Virtual | InvokeKind::Interface);
            let methods = match receiver {
                Some(Value::Object(_)) if !is_virtual => Vec::new(),
                _ => self.implementations(member, receiver),
            };
            let is_exact = matches!(receiver, Some(Value::Object(object)) if self.objects.object(object).is_exact);
            return Ok(self.unless_many(&methods, !is_exact));
        };
        if let InvokeKind::Static | InvokeKind::Special = kind {
            return Ok(Run::Methods(vec![resolved], false));
        }
        match receiver {
            Some(Value::View(_)) => Ok(Run::Outside),
            Some(Value::Object(object)) => {
                let targets = self.objects.targets(program, object, resolved);
                Ok(self.unless_many(&targets.methods, !targets.outside.is_empty()))
            }
            _ if is_object => Ok(match program.select(self.class, resolved) {
                Lookup::Found(method) => Run::Methods(vec![method], false),
                Lookup::Outside(_) | Lookup::Absent => Run::Outside,
            }),
            _ => {
                let targets = program.overriders(resolved);
                Ok(self.unless_many(&targets.methods, !targets.outside.is_empty()))
            }
        }
    }

    /// These methods, unless there are none, or so many that the table is asked.
    fn unless_many(&mut self, methods: &[MethodId], is_open: bool) -> Run {
        if methods.len() > MOST_TARGETS {
            self.assume("calls that more than 16 methods can answer do what the table of summaries says, else nothing to their arguments");
        }
        if (1..=MOST_TARGETS).contains(&methods.len()) { Run::Methods(methods.to_vec(), is_open) } else { Run::Outside }
    }

    /// Whether the table is asked although the class may be there. Of an object that the followed one holds it is asked about
    /// all methods or none, so that all of them access the same location.
    pub(super) fn prefers_table(&self, member: Member, receiver: Option<Value>) -> bool {
        let class = self.context.program.text(member.class);
        let is_held = matches!(receiver, Some(Value::Place(_) | Value::View(_)));
        if is_held {
            let summaries = self.context.summaries;
            return summaries.has_class(class) || self.held(receiver).is_some_and(|held| summaries.has_class(held));
        }
        let is_told = |class: &str| {
            ["java/util/concurrent/", "java/lang/Thread", "java/lang/Object", "java/lang/System", "java/util/Arrays"]
                .iter()
                .any(|start| class.starts_with(start))
        };
        // A class of the program has its own method, whichever interface it is called by: a `Callable`, an `Executor`.
        if let Some(Value::Object(object)) = receiver {
            let program = self.context.program;
            let of = self.objects.object(object).class;
            let own = program.resolve_in(of, member.name, member.descriptor).found();
            let is_own = own.is_some_and(|method| {
                let declaring = program.class(program.method(method).class);
                program.method(method).has_code() && !is_told(program.text(declaring.name))
            });
            if is_own {
                return false;
            }
        }
        is_told(class) && self.summary(member, None).is_some()
    }

    /// Whether a call is followed although the object is not among its arguments: its method is of a class in the same nest that
    /// reaches into the object's, or may find the object by itself.
    pub(super) fn touches(&self, member: Member) -> bool {
        if let Some(mode) = &self.threads_of {
            return mode.reaching.contains(&(member.name, member.descriptor));
        }
        let program = self.context.program;
        let resolved = program.resolve_method(member).found();
        resolved.is_some_and(|method| self.touching.contains(&method)) || self.leading.has(program, member)
    }

    /// What the table says of a method. Of one that it does not have, the receiver's content is read and written.
    pub(super) fn told(
        &mut self,
        body: &Body,
        frame: &Frame,
        (has_receiver, member): (bool, Member),
        arguments: &[Value],
        caller: (CloneId, usize),
    ) -> Result<Vec<Outcome>, Stuck> {
        let program = self.context.program;
        let result = program.result_type(member.descriptor);
        if let Some(outcomes) = self.by_handle(body, frame, member, arguments)? {
            return Ok(outcomes);
        }
        let elsewhere = self.unfollowed(frame, result);
        let receiver = arguments.first().copied().filter(|_| has_receiver);
        if self.is_dynamic(member) && arguments.iter().any(|value| self.can_act(*value)) {
            return Err(self.dynamic(caller.0, frame.at, body));
        }
        let Some((actions, guard)) = self.summary(member, receiver) else {
            let pieces = self.unknown(has_receiver, member, arguments)?;
            return Ok(vec![self.returns(body, frame, pieces, result, &[elsewhere])]);
        };
        if has_receiver && let Some(outcomes) = self.read_or_swap(body, frame, member, arguments) {
            if actions.contains(&Action::Keeps(1)) {
                self.escapes_unless_other(arguments.get(2).copied().unwrap_or(Value::Any))?;
            }
            return Ok(outcomes);
        }
        let arguments = &arguments.iter().map(|value| value.unless_found()).collect::<Vec<_>>()[..];
        let value = |subject: Subject| match subject {
            Subject::This if has_receiver => arguments[0],
            Subject::This => Value::Any,
            Subject::Argument(index) => arguments.get(index + usize::from(has_receiver)).copied().unwrap_or(Value::Any),
        };
        let mut pieces = Vec::new();
        let mut results = Vec::new();
        let mut after = frame.clone();
        let mut refused = None;
        for action in &actions {
            match action {
                Action::Reads(subject) => pieces.extend(content(value(*subject)).map(Step::Read).map(Piece::One)),
                Action::Writes(subject) => {
                    pieces.extend(content(value(*subject)).map(Step::Write).map(Piece::One));
                    if let Value::Place(place) = value(*subject) {
                        self.notes_storing(value(*subject));
                        after.forget_found(place);
                    }
                }
                Action::Keeps(argument) => self.escapes_unless_other(value(Subject::Argument(*argument)))?,
                Action::Calls { whom, method, when: When::OtherThread } if self.threads_of.is_some() => {
                    let task = value(*whom);
                    self.hands_over(frame, task);
                    let clones = self.started(task, method.as_deref(), caller)?;
                    let steps: Vec<Step> = clones.into_iter().map(Step::Start).collect();
                    pieces.extend((!steps.is_empty()).then_some(Piece::Perhaps(steps)));
                }
                Action::Calls { whom, method, when } => {
                    let steps = self.called(value(*whom), method.as_deref(), *when, caller)?;
                    pieces.extend((!steps.is_empty()).then_some(Piece::Any(steps)));
                }
                Action::Returns(subject) => results.push(value(*subject)),
                Action::Views(subject) => results.push(match value(*subject) {
                    // What wraps the object calls its methods, which lock it: `Collections.unmodifiableMap(this)`.
                    object @ Value::Place(PlaceId::OBJECT) if *subject != Subject::This => {
                        self.assume(
                            "what wraps the object (`Collections.unmodifiableMap(this)`) is not compared with it",
                        );
                        object
                    }
                    Value::Place(place) | Value::View(place) => Value::View(place),
                    lambda @ Value::Lambda(_) => lambda,
                    _ => Value::Any,
                }),
                Action::Acquires | Action::Tries => {
                    if let Some((lock, mode)) = self.explicit(value(Subject::This)) {
                        refused = (*action == Action::Tries).then(|| after.clone());
                        pieces.push(Piece::One(Step::Acquire(lock, mode)));
                        if !after.opens(Open::Explicit(lock, mode)) {
                            return Err(self.not_nested(caller.0, frame.at, body));
                        }
                    }
                }
                Action::Releases => {
                    if let Some((lock, mode)) = self.explicit(value(Subject::This)) {
                        let has_own = self.clones[caller.0.index()].own_lock.is_some();
                        let step = match after.closes(Open::Explicit(lock, mode)) {
                            Some(Closed::Own) => Step::Release(lock, mode),
                            Some(Closed::OfCaller(number)) if !has_own => Step::Close(lock, mode, number),
                            Some(Closed::OfCaller(_)) | None => return Err(self.not_nested(caller.0, frame.at, body)),
                        };
                        pieces.push(Piece::One(step));
                    }
                }
                Action::ReadLock | Action::WriteLock => {
                    let lock = self.explicit(value(Subject::This));
                    let is_read = *action == Action::ReadLock;
                    results.push(lock.map_or(Value::Any, |(lock, _)| Value::Side(lock, is_read)));
                }
                Action::Condition => {
                    let lock = self.explicit(value(Subject::This));
                    results.push(lock.map_or(Value::Any, |(lock, _)| Value::Condition(lock)));
                }
                Action::Awaits => {
                    pieces.push(match value(Subject::This) {
                        Value::Condition(lock) => Piece::One(Step::Wait(lock)),
                        // Its lock is one that is held; which one is not known.
                        _ => {
                            self.assume(CONDITIONS);
                            Piece::Perhaps(frame.open.iter().filter_map(|open| open.waits()).collect())
                        }
                    });
                }
                Action::Waits | Action::Blocks => {}
            }
        }
        match guard {
            Guard::None => {}
            Guard::Operations => self.make_atomic(&mut pieces, value(Subject::This)),
            Guard::Monitor => self.make_synchronized(&mut pieces, value(Subject::This)),
        }
        if results.is_empty() && self.is_held(frame, member, value(Subject::This)) {
            results.push(Value::Int(1));
        }
        if results.is_empty() {
            // A copy knows nobody.
            let is_copy =
                program.text(member.name) == "clone" && program.text(member.descriptor) == "()Ljava/lang/Object;";
            results.push(if is_copy { Value::Foreign } else { elsewhere });
        }
        let may_be_interrupted =
            |action: &Action| matches!(action, Action::Calls { .. } | Action::Awaits | Action::Waits);
        let does_before_it_throws = actions.iter().any(may_be_interrupted);
        let Some(refused) = refused else {
            let mut outcome = self.returned(body, frame, &after, pieces, result, &results);
            if !does_before_it_throws {
                outcome.next.retain(|next| !matches!(next, Next::Throw(_)));
            }
            return Ok(vec![outcome]);
        };
        // `tryLock` tells by its result.
        Ok(vec![
            self.returned(body, frame, &after, pieces, result, &[Value::Int(1)]),
            self.returned(body, frame, &refused, Vec::new(), result, &[Value::Int(0)]),
        ])
    }

    /// A call after which other locks are open than before; if it throws, it has not changed them.
    fn returned(
        &self,
        body: &Body,
        before: &Frame,
        after: &Frame,
        pieces: Vec<Piece>,
        result: Option<Type>,
        values: &[Value],
    ) -> Outcome {
        let mut outcome = self.returns(body, after, pieces, result, values);
        if before.open != after.open || before.closed != after.closed {
            // Locks do not throw, but for one that the thread does not hold.
            outcome.next.remove(0);
        }
        outcome
    }

    /// The accesses of one operation of a concurrent collection or an atomic, in a lock that only they take.
    pub(super) fn make_atomic(&self, pieces: &mut Vec<Piece>, receiver: Value) {
        let (Value::Place(place) | Value::View(place)) = receiver else { return };
        let lock = Lock::Content(place);
        let accesses = |piece: &Piece| matches!(piece, Piece::One(Step::Read(_) | Step::Write(_)));
        // What it calls in between is not part of it: a function is called before a new value is set, and again if that fails.
        let from = pieces.iter().rposition(|piece| !accesses(piece)).map_or(0, |last| last + 1);
        // A write by itself cannot come between the parts of another operation; a read may as well.
        let is_write = |piece: &Piece| matches!(piece, Piece::One(Step::Write(_)));
        if pieces.len() - from > 1 || pieces[from..].iter().any(is_write) {
            pieces.insert(from, Piece::One(Step::Acquire(lock, Mode::Write)));
            pieces.push(Piece::One(Step::Release(lock, Mode::Write)));
        }
    }

    /// What an operation does that holds its object's monitor.
    fn make_synchronized(&self, pieces: &mut Vec<Piece>, receiver: Value) {
        match receiver {
            Value::Place(place) if self.is_stable(place) && !pieces.is_empty() => {
                let lock = Lock::Monitor(place);
                pieces.insert(0, Piece::One(Step::Acquire(lock, Mode::Write)));
                pieces.push(Piece::One(Step::Release(lock, Mode::Write)));
            }
            // Another object may be there the next time: operations do not interrupt each other.
            receiver => self.make_atomic(pieces, receiver),
        }
    }

    /// The class of which an object is that the followed one holds, if all are that its last field holds.
    fn held(&self, receiver: Option<Value>) -> Option<&str> {
        let Value::Place(place) = receiver? else { return None };
        if let ([_], Some(_)) = (self.places.path(place), self.places.element(place)) {
            return None;
        }
        self.context.facts.held(*self.places.path(place).last()?, self.context.program)
    }

    /// What the table says of a method, looked for in the class of which the receiver certainly is, in the one that code names and in its supertypes.
    pub(super) fn summary(&self, member: Member, receiver: Option<Value>) -> Option<(Vec<Action>, Guard)> {
        let super::follow::Context { program, summaries, .. } = self.context;
        let [name, descriptor] = [member.name, member.descriptor].map(|name| program.text(name));
        let find_in = |class: &str| {
            let found = summaries.find(class, name, descriptor)?;
            Some((found.actions.to_vec(), found.guard))
        };
        let find = |class: Name| {
            // Arrays have the methods of all objects.
            let class = program.text(class);
            find_in(if class.starts_with('[') { "java/lang/Object" } else { class })
        };
        self.held(receiver).and_then(find_in).or_else(|| find(member.class)).or_else(|| {
            let class = program.named(member.class)?;
            let supertypes = program.supertypes(class).into_iter().flat_map(|class| {
                let class = program.class(class);
                [class.name].into_iter().chain(class.superclass).chain(class.interfaces.iter().copied())
            });
            supertypes.into_iter().find_map(find)
        })
    }

    /// A method of which nothing is known.
    fn unknown(&mut self, has_receiver: bool, member: Member, arguments: &[Value]) -> Result<Vec<Piece>, Stuck> {
        let program = self.context.program;
        let mut pieces = Vec::new();
        for (index, value) in arguments.iter().enumerate() {
            match value {
                Value::Place(place) | Value::View(place) if has_receiver && index == 0 => {
                    let location = Location::Content(*place);
                    self.guessed.insert(location);
                    let mut both = [Step::Read(location), Step::Write(location)].map(Piece::One).into();
                    // Whether it is safe by itself is for its own class to say.
                    self.make_atomic(&mut both, *value);
                    self.assume("methods of classes that are not there, and not in the table, are not interrupted by each other");
                    pieces.extend(both);
                }
                Value::Place(_) | Value::View(_) => {
                    self.shares(*value);
                    let [class, name] = [member.class, member.name].map(|name| program.text(name).replace('/', "."));
                    self.assume(&format!("{class}.{name}, which is not there, does nothing to its arguments"));
                }
                value => {
                    self.escapes(*value)?;
                    pieces.extend(self.run_by_unknown(*value)?);
                }
            }
        }
        Ok(pieces)
    }

    fn escapes_unless_other(&mut self, value: Value) -> Result<(), Stuck> {
        if self.can_act(value) { self.escapes(value) } else { Ok(()) }
    }

    /// What a call by a method of the table does.
    fn called(
        &mut self,
        whom: Value,
        method: Option<&str>,
        when: When,
        caller: (CloneId, usize),
    ) -> Result<Vec<Step>, Stuck> {
        let clones = match (whom, method) {
            (Value::Lambda(lambda), _) => self.run_lambda(lambda, 8)?,
            (Value::Place(PlaceId::OBJECT), Some(name)) => self.run_named(whom, self.class, &[name])?,
            (Value::Object(object), name) => {
                let names = name.as_slice();
                let class = self.objects.object(object).class;
                self.run_named(whom, class, if names.is_empty() { &FUNCTIONS } else { names })?
            }
            (Value::Place(place) | Value::View(place), Some(_)) => {
                return Ok(vec![Step::Read(Location::Content(place))]);
            }
            _ => Vec::new(),
        };
        if when == When::OtherThread {
            self.threads.extend(clones);
            return Ok(Vec::new());
        }
        let mut steps = Vec::new();
        for clone in clones {
            steps.push(Step::Call(clone, Exit::Any));
            // What it gives is asked for to be read: an iterator, a set of keys.
            let values = self.results(clone, caller)?;
            steps.extend(
                values
                    .into_iter()
                    .filter(|value| *value != Value::Place(PlaceId::OBJECT))
                    .filter_map(content)
                    .map(Step::Read),
            );
        }
        Ok(steps)
    }

    /// An object's methods of these names, with other objects as arguments.
    pub(super) fn run_named(&mut self, receiver: Value, class: ClassId, names: &[&str]) -> Result<Vec<CloneId>, Stuck> {
        let program = self.context.program;
        let names: Vec<Name> = names.iter().filter_map(|name| program.name(name)).collect();
        let mut found: Vec<MethodId> = Vec::new();
        for class in program.superclasses(class).collect::<Vec<ClassId>>() {
            for method in program.class(class).methods() {
                let declared = program.method(method);
                let is_same = |known: &MethodId| {
                    let known = program.method(*known);
                    (known.name, known.descriptor) == (declared.name, declared.descriptor)
                };
                let is_new = !found.iter().any(is_same);
                if names.contains(&declared.name) && declared.has_code() && !declared.flags.is_static() && is_new {
                    found.push(method);
                }
            }
        }
        found.retain(|method| self.follows(*method));
        found.into_iter().map(|method| self.clone_of(method, self.with_others(method, vec![receiver]))).collect()
    }

    /// These values as the first arguments, and other objects as the rest.
    pub(super) fn with_others(&self, method: MethodId, mut arguments: Vec<Value>) -> Vec<Value> {
        let program = self.context.program;
        let declared = program.method(method);
        let count = program.method_type(declared.descriptor).map_or(0, |types| types.parameters.len());
        arguments.resize(count + usize::from(!declared.flags.is_static()), Value::Any);
        arguments
    }

    /// What a lambda runs, with other objects as the arguments that it does not have yet; lambdas in lambdas up to a depth.
    pub(super) fn run_lambda(&mut self, lambda: LambdaId, depth: usize) -> Result<Vec<CloneId>, Stuck> {
        let Lambda { implementation, captured } = self.lambdas[lambda.0 as usize].clone();
        if depth == 0 {
            return Ok(Vec::new());
        }
        let (kind, arguments) = lambda_call(implementation.kind, captured);
        let Some(kind) = kind else { return Ok(Vec::new()) };
        match self.chosen(kind, implementation.member, &arguments)? {
            Run::Methods(methods, _) => {
                let with_code: Vec<_> = methods.into_iter().filter(|method| self.follows(*method)).collect();
                with_code
                    .into_iter()
                    .map(|method| self.clone_of(method, self.with_others(method, arguments.clone())))
                    .collect()
            }
            Run::Outside => {
                self.assume("methods of the library that are referred to as values do nothing to the object");
                Ok(Vec::new())
            }
        }
    }

    /// A call of a lambda.
    fn call_lambda(
        &mut self,
        body: &Body,
        frame: Frame,
        lambda: LambdaId,
        given: &[Value],
        result: Option<Type>,
        caller: (CloneId, usize),
    ) -> Result<Vec<Outcome>, Stuck> {
        let Lambda { implementation, captured } = self.lambdas[lambda.0 as usize].clone();
        let (kind, arguments) =
            lambda_call(implementation.kind, captured.into_iter().chain(given.iter().copied()).collect());
        if let Some(kind) = kind
            && let Run::Methods(methods, _) = self.chosen(kind, implementation.member, &arguments)?
        {
            let mut outcomes = Vec::new();
            for method in methods {
                if self.follows(method) {
                    let clone = self.clone_of(method, self.with_others(method, arguments.clone()))?;
                    outcomes.extend(self.runs(body, &frame, clone, result, caller)?);
                }
            }
            if !outcomes.is_empty() {
                return Ok(outcomes);
            }
        }
        self.assume("methods of the library that are referred to as values do nothing to the object");
        Ok(vec![self.returns(body, &frame, Vec::new(), result, &[Value::Any])])
    }

    /// A call site: a lambda, or strings that are joined.
    pub(super) fn invoke_dynamic(
        &mut self,
        body: &Body,
        mut frame: Frame,
        site: CallSiteId,
        arguments: Vec<Value>,
        caller: (CloneId, usize),
    ) -> Result<Vec<Outcome>, Stuck> {
        let site = body.code.call_site(site);
        let arguments: Vec<Value> = arguments.into_iter().map(Value::unless_found).collect();
        let acts = arguments.iter().any(|value| self.can_act(*value));
        match site.action {
            // What it is given is what it gives, perhaps wrapped.
            CallSiteAction::Other(_) if acts && self.context.program.text(site.name) == "cast" => {
                arguments.iter().try_for_each(|value| self.escapes(*value))?;
                frame.stack.extend(arguments.first());
                Ok(goes_on(body, frame))
            }
            CallSiteAction::Other(_) if acts => Err(self.dynamic(caller.0, frame.at, body)),
            CallSiteAction::RecordMethod => {
                let pieces = self.components_read(&arguments);
                let result = self.context.program.result_type(site.descriptor);
                Ok(vec![self.returns(body, &frame, pieces, result, &[Value::Any])])
            }
            CallSiteAction::Lambda { implementation, .. } => {
                arguments.iter().for_each(|value| self.shares(*value));
                let can_act = arguments.iter().any(|value| self.can_act(*value)) || self.touches(implementation.member);
                let value = if can_act || self.threads_of.is_some() {
                    self.lambda(Lambda { implementation, captured: arguments })
                } else {
                    Value::Any
                };
                frame.stack.push(value);
                Ok(goes_on(body, frame))
            }
            CallSiteAction::Concatenation => {
                let mut steps = Vec::new();
                for value in arguments {
                    steps.extend(self.called(value, Some("toString"), When::Now, caller)?);
                }
                frame.stack.push(Value::Any);
                let mut outcomes = goes_on(body, frame);
                outcomes[0].pieces.extend((!steps.is_empty()).then_some(Piece::Any(steps)));
                Ok(outcomes)
            }
            CallSiteAction::PatternSwitch | CallSiteAction::Other(_) => {
                let result = self.context.program.result_type(site.descriptor);
                frame.stack.extend(result.map(|_| Value::Any));
                Ok(goes_on(body, frame))
            }
        }
    }
}

impl Follower<'_> {
    /// `equals`, `hashCode` and `toString` as the compiler makes them for a record ask each component for the same: of a list that it holds they read
    /// the elements.
    fn components_read(&mut self, arguments: &[Value]) -> Vec<Piece> {
        let program = self.context.program;
        let mut pieces = Vec::new();
        for _ in arguments.iter().filter(|value| **value == Value::Place(PlaceId::OBJECT)) {
            for field in program.class(self.class).fields() {
                let declared = program.field(field);
                let is_held = !declared.flags.is_static()
                    && program.field_type(declared.descriptor).is_some_and(|of| self.may_hold(of));
                if is_held && let Some(held) = self.places.field(PlaceId::OBJECT, field) {
                    pieces.push(Piece::One(Step::Read(Location::Content(held))));
                }
            }
        }
        pieces
    }

    /// Why a class is not followed whose methods are looked up when the program runs.
    fn dynamic(&self, id: CloneId, at: InstructionIndex, body: &Body) -> Stuck {
        let method = self.context.program.method_name(self.clones[id.index()].method);
        Stuck::Dynamic { method, line: body.code.line(at).unwrap_or(0).into() }
    }

    /// Whether a call does what it does by a name that is looked up when the program runs, as Groovy calls without `@CompileStatic`. Casts and
    /// comparisons are none of these.
    fn is_dynamic(&self, member: Member) -> bool {
        const RUNTIME: &str = "org/codehaus/groovy/runtime/";
        const STARTS: [&str; 4] = ["call", "get", "invoke", "set"];
        let [class, name] = [member.class, member.name].map(|name| self.context.program.text(name));
        let starts = || STARTS.iter().any(|start| name.starts_with(start));
        let is_one = |class: &str| ["callsite/CallSite", "InvokerHelper", "ScriptBytecodeAdapter"].contains(&class);
        class.strip_prefix(RUNTIME).is_some_and(is_one) && starts()
    }
}

/// How a method handle calls its method, with what arguments.
fn lambda_call(kind: HandleKind, mut arguments: Vec<Value>) -> (Option<InvokeKind>, Vec<Value>) {
    let kind = match kind {
        HandleKind::InvokeVirtual => Some(InvokeKind::Virtual),
        HandleKind::InvokeInterface => Some(InvokeKind::Interface),
        HandleKind::InvokeSpecial => Some(InvokeKind::Special),
        HandleKind::InvokeStatic => Some(InvokeKind::Static),
        HandleKind::NewInvokeSpecial => {
            arguments.insert(0, Value::Any);
            Some(InvokeKind::Special)
        }
        HandleKind::GetField | HandleKind::GetStatic | HandleKind::PutField | HandleKind::PutStatic => None,
    };
    (kind, arguments)
}

impl Follower<'_> {
    /// Whether a method gives the lock of a condition up.
    fn is_awaiting(&self, member: Member) -> bool {
        self.context.program.text(member.class).starts_with(LOCKS)
            && self.summary(member, None).is_some_and(|(actions, _)| actions.contains(&Action::Awaits))
    }
}

fn is_waiting(name: &str, descriptor: &str) -> bool {
    name == "wait" && ["()V", "(J)V", "(JI)V"].contains(&descriptor)
}
