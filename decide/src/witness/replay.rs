//! Checks witnesses: every step must be possible in the model, and the steps must drive the automaton to its end.

use super::call_lengths::{CallLengths, Moment, may_forbid_wanting};
use super::interpreter::{Thread, process_name};
use super::ownership::{Ownership, Refusal};
use super::step::{Action, Step, Witness};
use eml::model::{LocationId, LockId, Mode, Model, Multiplicity, Operation, ProcessId};
use phases::{Access, Automaton, LocationParameter, LockParameter, Performed, ThreadParameter};
use rustc_hash::FxHashMap;
use std::convert::Infallible;
use std::fmt;

/// A step as automata see it.
type Act = phases::Step<LocationId, LockId>;

/// The claim of a witness: the violated automaton, its bindings, and the model.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    /// The model.
    pub model: &'a Model,
    /// The automaton that is driven to its accepting state.
    pub automaton: &'a Automaton,
    /// The names of the locations that are bound to its parameters.
    pub locations: &'a [String],
    /// The names of the locks that are bound to its parameters.
    pub locks: &'a [String],
    /// The names of the processes that are bound to its threads.
    pub processes: &'a [String],
}

/// The reason why a witness is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayError {
    /// The number of the wrong step, from 1; `None` if the error is not in a step.
    pub step: Option<usize>,
    /// The kind of the error.
    pub kind: ReplayErrorKind,
}

/// The kinds of errors in a witness.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayErrorKind {
    /// The model does not have this name.
    UnknownName(String),
    /// The number of locations or processes differs from that of the automaton's parameters, or one is bound twice.
    Binding,
    /// The first threads are not instances of the processes that are bound to the automaton's threads.
    Threads,
    /// Two threads have the same name.
    SameThread(String),
    /// More threads run from the start than the process has instances.
    TooManyInstances(String),
    /// There is no thread with this index.
    NoSuchThread(usize),
    /// The thread was not started yet.
    NotRunning,
    /// The thread cannot do this now.
    Impossible,
    /// The lock is held by another thread.
    LockHeld {
        /// The lock.
        lock: String,
        /// Its owner.
        owner: String,
    },
    /// The lock is not held by the thread that releases it or waits.
    LockNotHeld(String),
    /// The thread holds the lock in read mode and acquires it in write mode, for which it would wait for ever.
    Upgrade(String),
    /// The started thread runs already.
    StartedTwice(String),
    /// The number of the event is not that of the automaton's present phase, or the step does not take its transition.
    WrongEvent,
    /// The automaton does not allow the step in this phase.
    Forbidden,
    /// The step has `returns` without `steps` or the other way round, or it is no call.
    NoCall,
    /// The call cannot return while the other threads wait: it would need locks that they hold, or actions that the
    /// automaton forbids.
    CannotReturn,
    /// The call has another number of steps.
    WrongSteps {
        /// The number of its shortest execution.
        expected: u64,
    },
    /// There are steps after the last transition.
    AfterTheEnd,
    /// The last transition is not taken.
    NotAccepted,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(step) = self.step {
            write!(f, "step {step}: ")?;
        }
        match &self.kind {
            ReplayErrorKind::UnknownName(name) => write!(f, "the model has no `{name}`"),
            ReplayErrorKind::Binding => f.write_str("the locations or processes do not fit the automaton's parameters"),
            ReplayErrorKind::Threads => {
                f.write_str("the first threads are not instances of the processes of the query")
            }
            ReplayErrorKind::SameThread(name) => write!(f, "two threads are called `{name}`"),
            ReplayErrorKind::TooManyInstances(name) => write!(f, "`{name}` has fewer instances"),
            ReplayErrorKind::NoSuchThread(thread) => write!(f, "there is no thread {thread}"),
            ReplayErrorKind::NotRunning => f.write_str("the thread has not been started"),
            ReplayErrorKind::Impossible => f.write_str("the thread cannot do this now"),
            ReplayErrorKind::LockHeld { lock, owner } => write!(f, "`{lock}` is held by `{owner}`"),
            ReplayErrorKind::LockNotHeld(lock) => write!(f, "`{lock}` is not held by the thread"),
            ReplayErrorKind::Upgrade(lock) => write!(f, "the thread holds `{lock}` in read mode only"),
            ReplayErrorKind::StartedTwice(name) => write!(f, "`{name}` is already running"),
            ReplayErrorKind::WrongEvent => f.write_str("the step does not take the transition of its event"),
            ReplayErrorKind::Forbidden => f.write_str("the automaton forbids this in its phase"),
            ReplayErrorKind::NoCall => f.write_str("`returns` and `steps` must occur together, on a call"),
            ReplayErrorKind::CannotReturn => f.write_str("the call cannot return while the other threads wait"),
            ReplayErrorKind::WrongSteps { expected } => write!(f, "the call takes {expected} steps"),
            ReplayErrorKind::AfterTheEnd => f.write_str("the automaton has already accepted"),
            ReplayErrorKind::NotAccepted => f.write_str("the automaton is not driven to its accepting state"),
        }
    }
}

impl std::error::Error for ReplayError {}

/// Executes a witness on the model alone, step by step, and checks that its last step drives the automaton to its
/// accepting state. Linear in the number of steps as long as positions distinguish the branches; otherwise a step costs
/// at most the number of nodes of one function.
///
/// # Errors
/// The first error of the witness.
pub fn replay(subject: &Subject<'_>, witness: &Witness) -> Result<(), ReplayError> {
    let Ok(replayed) = replay_watched(subject, witness, |_| Ok::<(), Infallible>(()));
    replayed
}

/// Like [`replay`], but calls `watch` after each step with the amount of work: one for the step and one for each
/// examined node.
///
/// # Errors
/// The error of `watch`, which ends the replay.
pub(crate) fn replay_watched<E>(
    subject: &Subject<'_>,
    witness: &Witness,
    mut watch: impl FnMut(usize) -> Result<(), E>,
) -> Result<Result<(), ReplayError>, E> {
    let whole = |kind| ReplayError { step: None, kind };
    let mut machine = match Machine::new(subject, witness) {
        Ok(machine) => machine,
        Err(kind) => return Ok(Err(whole(kind))),
    };
    for (number, step) in witness.steps.iter().enumerate() {
        if let Err(kind) = machine.step(step) {
            return Ok(Err(ReplayError { step: Some(number + 1), kind }));
        }
        watch(1 + machine.examined(step.thread))?;
    }
    let is_accepted = machine.phase == subject.automaton.phases().len();
    Ok(if is_accepted { Ok(()) } else { Err(whole(ReplayErrorKind::NotAccepted)) })
}

struct Machine<'a> {
    subject: &'a Subject<'a>,
    names: &'a [String],
    /// The numbers of the threads, by their names.
    places: FxHashMap<&'a str, usize>,
    /// The running threads.
    threads: Vec<Option<Thread>>,
    ownership: Ownership,
    /// For each thread, whether its instant of wanting the next lock was written down.
    wanting: Vec<bool>,
    /// Whether the automaton mentions wanting locks: only then the held locks matter to it.
    sees_wanting: bool,
    /// The state of the automaton.
    phase: usize,
    /// The lengths of calls that are one step.
    lengths: CallLengths,
}

impl<'a> Machine<'a> {
    fn new(subject: &'a Subject<'a>, witness: &'a Witness) -> Result<Self, ReplayErrorKind> {
        let model = subject.model;
        let automaton = subject.automaton;
        let fits = subject.locations.len() == automaton.locations().len()
            && subject.locks.len() == automaton.locks().len()
            && subject.processes.len() == automaton.threads().len();
        if !fits {
            return Err(ReplayErrorKind::Binding);
        }
        for name in subject.locations {
            model.location_named(name).ok_or_else(|| ReplayErrorKind::UnknownName(name.clone()))?;
        }
        for name in subject.locks {
            model.lock_named(name).ok_or_else(|| ReplayErrorKind::UnknownName(name.clone()))?;
        }
        let names = &witness.threads;
        let bound = subject
            .processes
            .iter()
            .enumerate()
            .all(|(place, process)| names.get(place).is_some_and(|name| process_name(name) == process));
        if !bound {
            return Err(ReplayErrorKind::Threads);
        }
        let processes = model.processes().iter().enumerate();
        let known: FxHashMap<_, _> =
            processes.map(|(number, process)| (process.name(), ProcessId::new(number))).collect();
        let mut threads = Vec::with_capacity(names.len());
        let mut places: FxHashMap<&str, usize> = FxHashMap::default();
        let mut instances = vec![0; model.processes().len()];
        for (place, name) in names.iter().enumerate() {
            if places.insert(name, place).is_some() {
                return Err(ReplayErrorKind::SameThread(name.clone()));
            }
            let process = known.get(process_name(name)).copied();
            let process = process.ok_or_else(|| ReplayErrorKind::UnknownName(process_name(name).to_string()))?;
            threads.push((!model.process(process).is_started()).then(|| Thread::new(model, process)));
            instances[process.index()] += 1;
            check_instances(model, process, instances[process.index()])?;
        }
        Ok(Self {
            subject,
            names,
            places,
            threads,
            ownership: Ownership::default(),
            wanting: vec![false; names.len()],
            sees_wanting: automaton.speaks_of_wanting(),
            phase: 0,
            lengths: CallLengths::default(),
        })
    }

    /// The number of nodes examined for the last step of a thread.
    fn examined(&self, thread: usize) -> usize {
        self.threads.get(thread).and_then(Option::as_ref).map_or(0, |thread| thread.examined)
    }

    fn step(&mut self, step: &Step) -> Result<(), ReplayErrorKind> {
        let thread = self.threads.get_mut(step.thread).ok_or(ReplayErrorKind::NoSuchThread(step.thread))?;
        let thread = thread.as_mut().ok_or(ReplayErrorKind::NotRunning)?;
        match (step.returns, step.steps, step.action) {
            (false, None, _) => {}
            (true, Some(steps), Action::Call) => return self.call(step, steps),
            (true, _, _) | (false, Some(_), _) => return Err(ReplayErrorKind::NoCall),
        }
        if step.action == Action::Wants {
            let (lock, mode) = thread.want(self.subject.model, step).ok_or(ReplayErrorKind::Impossible)?;
            return self.want(step, lock, mode);
        }
        let in_unit = thread.unit_depth > 0;
        let operation = thread.execute(self.subject.model, step).ok_or(ReplayErrorKind::Impossible)?;
        let outermost = !in_unit || thread.unit_depth == 0;
        let access = |access, location| Act::Access { access, location, in_unit };
        let mut act = Act::Other;
        match operation {
            Operation::Acquire(lock, mode) => {
                self.pass_wanting(step.thread, lock, mode)?;
                self.ownership.acquire(step.thread, lock, mode).map_err(|refusal| self.refused(lock, refusal))?;
            }
            Operation::Release(lock, mode) => {
                self.ownership.release(step.thread, lock, mode).map_err(|refusal| self.refused(lock, refusal))?;
            }
            Operation::Wait(lock) => {
                self.ownership.wait(step.thread, lock).map_err(|refusal| self.refused(lock, refusal))?;
            }
            Operation::Resume(lock) => {
                self.pass_wanting(step.thread, lock, Mode::Write)?;
                self.ownership.resume(step.thread, lock).map_err(|refusal| self.refused(lock, refusal))?;
            }
            Operation::Start(process) => self.start(step, process)?,
            Operation::Read(at) => act = access(Access::Read, at),
            Operation::Write(at) => act = access(Access::Write, at),
            Operation::Begin if outermost => act = Act::Begin,
            Operation::End if outermost => act = Act::End,
            Operation::Begin | Operation::End | Operation::Skip | Operation::Call(_) | Operation::Return => {}
        }
        self.wanting[step.thread] = false;
        let performed = performed(self.subject, step.thread, act);
        self.advance(&performed, step.event)
    }

    /// Executes the instant right before a thread takes a lock.
    fn want(&mut self, step: &Step, lock: LockId, mode: Mode) -> Result<(), ReplayErrorKind> {
        if self.wanting[step.thread] || !self.ownership.is_new(step.thread, lock) {
            return Err(ReplayErrorKind::Impossible);
        }
        self.wanting[step.thread] = true;
        let performed = self.wants(step.thread, lock, mode);
        self.advance(&performed, step.event)
    }

    /// Executes the instant right before a thread takes a lock, unless it was written down: then it lies in the same
    /// phase.
    fn pass_wanting(&mut self, thread: usize, lock: LockId, mode: Mode) -> Result<(), ReplayErrorKind> {
        if self.wanting[thread] || !self.ownership.is_new(thread, lock) {
            return Ok(());
        }
        let performed = self.wants(thread, lock, mode);
        self.advance(&performed, None)
    }

    fn wants(&self, thread: usize, lock: LockId, mode: Mode) -> Performed {
        let held = if self.sees_wanting { self.ownership.held_by(thread).collect() } else { Vec::new() };
        performed(self.subject, thread, Act::Wants { lock: Some(lock), mode, held })
    }

    fn refused(&self, lock: LockId, refusal: Refusal) -> ReplayErrorKind {
        let lock = self.subject.model.lock(lock).name().to_string();
        match refusal {
            Refusal::HeldBy(other) => ReplayErrorKind::LockHeld { lock, owner: self.names[other].clone() },
            Refusal::Upgrade => ReplayErrorKind::Upgrade(lock),
            Refusal::NotHeld => ReplayErrorKind::LockNotHeld(lock),
        }
    }

    /// Executes a call and everything up to its return.
    fn call(&mut self, step: &Step, steps: u64) -> Result<(), ReplayErrorKind> {
        let (subject, phase) = (self.subject, self.phase);
        self.advance(&performed(subject, step.thread, Act::Other), step.event)?;
        let thread = self.threads[step.thread].as_mut().ok_or(ReplayErrorKind::NotRunning)?;
        let callee = thread.pass_call(subject.model, step).ok_or(ReplayErrorKind::Impossible)?;
        let called = (callee, thread.unit_depth > 0);
        let taken = self.ownership.held_by_others(step.thread);
        let allows = |act| !subject.automaton.phases()[phase].forbids(&performed(subject, step.thread, act));
        let parameter = (step.thread < subject.processes.len()).then(|| ThreadParameter::new(step.thread));
        let lock = |lock| {
            let name = subject.model.lock(lock).name();
            subject.locks.iter().position(|own| own == name).map(LockParameter::new)
        };
        let may_want = |id| !may_forbid_wanting(&subject.automaton.phases()[phase], parameter, lock(id));
        let moment = Moment { phase, thread: step.thread, taken };
        match self.lengths.of(subject.model, moment, called, &allows, &may_want) {
            None => Err(ReplayErrorKind::CannotReturn),
            Some(expected) if expected != steps => Err(ReplayErrorKind::WrongSteps { expected }),
            Some(_) => Ok(()),
        }
    }

    /// Starts an instance. If it is no thread of the witness, it exists but does nothing.
    fn start(&mut self, step: &Step, process: ProcessId) -> Result<(), ReplayErrorKind> {
        let name = step.object.as_deref().unwrap_or_default();
        if let Some(place) = self.places.get(name).copied() {
            if self.threads[place].is_some() {
                return Err(ReplayErrorKind::StartedTwice(name.to_string()));
            }
            self.threads[place] = Some(Thread::new(self.subject.model, process));
        }
        Ok(())
    }

    /// Moves the automaton, or leaves it in its phase.
    fn advance(&mut self, performed: &Performed, event: Option<usize>) -> Result<(), ReplayErrorKind> {
        let phase = self.subject.automaton.phases().get(self.phase).ok_or(ReplayErrorKind::AfterTheEnd)?;
        if let Some(event) = event {
            if event != self.phase + 1 || !phase.event.matches(performed) {
                return Err(ReplayErrorKind::WrongEvent);
            }
            self.phase += 1;
        } else if phase.forbids(performed) {
            return Err(ReplayErrorKind::Forbidden);
        }
        Ok(())
    }
}

/// A step in terms of the parameters of the automaton.
fn performed(subject: &Subject<'_>, thread: usize, act: Act) -> Performed {
    let location = |at| {
        let name = subject.model.location(at).name();
        subject.locations.iter().position(|own| own == name).map(LocationParameter::new)
    };
    let lock = |at| {
        let name = subject.model.lock(at).name();
        subject.locks.iter().position(|own| own == name).map(LockParameter::new)
    };
    let parameter = (thread < subject.processes.len()).then(|| ThreadParameter::new(thread));
    (parameter, act.map(location, lock))
}

/// Checks that this number of threads of a process can run from the start.
fn check_instances(model: &Model, process: ProcessId, wanted: usize) -> Result<(), ReplayErrorKind> {
    let declared = model.process(process);
    let instances = match declared.multiplicity() {
        _ if declared.is_started() => usize::MAX,
        Multiplicity::Single => 1,
        Multiplicity::Times(count) => count as usize,
        Multiplicity::Many => usize::MAX,
    };
    if wanted <= instances { Ok(()) } else { Err(ReplayErrorKind::TooManyInstances(declared.name().to_string())) }
}
