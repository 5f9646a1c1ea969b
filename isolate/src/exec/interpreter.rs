//! The abstract interpreter: method contexts, their states, and the worklist.
//!
//! Each state is executed by [`super::transfer`] until control splits, joins or leaves the method; each successor is a
//! state again. When a context gets a new exit, the states that call it are executed again. The result is the least
//! fixpoint; its step trees become control-flow graphs in [`crate::translation::flows`].

use super::callback_stack::CallbackStack;
use super::context::{Context, ContextId, Point, StateIndex, StepTree};
use super::execution::{Call, CallExit, Execution, Position};
use super::memo::Memo;
use super::notes::{CasLocations, LockUses, Notes, Threads};
use super::numbers::SymbolicIndices;
use super::state::{HeldLock, State};
use super::worklist::{Size, Worklist};
use crate::facts::subject_facts::SubjectFacts;
use crate::value::{Lock, MadeId, RegionId, Value};
use crate::{Assumption, Coarsening, Stuck};
use indexmap::IndexSet;
use java::ir::{BlockId, Statement, Variable};
use java::points_to::Field;
use java::{ClassId, MethodId};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::ops::Deref;
use std::rc::Rc;

/// The kind of an object that a unit has made.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum MadeKind {
    /// An object of exactly this program class.
    Object(ClassId),
    /// A lambda or method reference of this implementation.
    Lambda(java::Handle),
    /// An object of the library, of this class.
    Library(Box<str>),
}

/// An object that a unit has made, with the values of its unchanging fields; for a library object, with the values that
/// it keeps.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct MadeObject {
    pub(crate) kind: MadeKind,
    pub(crate) fields: Vec<(Field, Value)>,
}

/// What library code does. The effects of its rows stand above the machine, which calls them by this trait.
pub(crate) trait LibraryCode {
    /// Executes a call as the rows of a class describe it; returns its exits.
    ///
    /// # Errors
    /// If the subject cannot be analysed.
    fn call(
        &self,
        machine: &mut Interpreter<'_>,
        execution: &mut Execution,
        at: Position<'_>,
        before: (Option<usize>, &State),
        class: &str,
        call: &Call<'_>,
    ) -> Result<Vec<CallExit>, Stuck>;

    /// Executes a call of an unknown method; returns its exits.
    ///
    /// # Errors
    /// If the subject cannot be analysed.
    fn call_unknown(
        &self,
        machine: &mut Interpreter<'_>,
        execution: &mut Execution,
        at: Position<'_>,
        before: (Option<usize>, &State),
        call: &Call<'_>,
    ) -> Result<Vec<CallExit>, Stuck>;

    /// Executes a constructor of a library class on a new object, which a variable holds; returns its exits.
    ///
    /// # Errors
    /// If the subject cannot be analysed.
    fn construct(
        &self,
        machine: &mut Interpreter<'_>,
        execution: &mut Execution,
        at: Position<'_>,
        state: State,
        call: &Call<'_>,
        made: (Value, Variable),
    ) -> Result<Vec<CallExit>, Stuck>;

    /// Calls a method of this name on a value, as library code does; returns the last branch.
    ///
    /// # Errors
    /// If the subject cannot be analysed.
    fn call_named(
        &self,
        machine: &mut Interpreter<'_>,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        place: (Value, Option<Variable>),
        name: &str,
    ) -> Result<Option<usize>, Stuck>;
}

/// The state of the interpretation of one subject.
pub(crate) struct Interpreter<'p> {
    facts: SubjectFacts<'p>,
    /// The effects of library code.
    pub(crate) library: &'static dyn LibraryCode,
    pub(crate) indices: SymbolicIndices,
    pub(crate) made: IndexSet<MadeObject, FxBuildHasher>,
    pub(crate) contexts: Vec<Context>,
    ids: FxHashMap<(MethodId, Vec<Value>), ContextId>,
    worklist: Worklist,
    size: Size,
    /// The contexts that other threads run.
    pub(crate) threads: Threads,
    /// What the result depends on.
    pub(crate) notes: Notes,
    /// The uses of locks that are no monitors.
    pub(crate) locks: LockUses,
    /// The locations that some method compares and sets.
    pub(crate) cas: CasLocations,
    /// The context that is being executed.
    pub(crate) current: Option<ContextId>,
    /// The open library calls and calls by references within the present step.
    pub(crate) callback_stack: CallbackStack,
    /// Answers to earlier queries.
    pub(crate) memo: Memo,
}

/// The facts are read without a prefix.
impl<'p> Deref for Interpreter<'p> {
    type Target = SubjectFacts<'p>;

    fn deref(&self) -> &Self::Target {
        &self.facts
    }
}

impl<'p> Interpreter<'p> {
    /// Creates the interpreter of a subject, without states.
    pub(crate) fn new(facts: SubjectFacts<'p>, library: &'static dyn LibraryCode, most_states: usize) -> Self {
        Self {
            facts,
            library,
            indices: SymbolicIndices::default(),
            made: IndexSet::default(),
            contexts: Vec::new(),
            ids: FxHashMap::default(),
            worklist: Worklist::default(),
            size: Size { states: 0, steps: 0, most_states },
            threads: Threads::default(),
            notes: Notes::default(),
            locks: LockUses::default(),
            cas: CasLocations::default(),
            current: None,
            callback_stack: CallbackStack::default(),
            memo: Memo::default(),
        }
    }

    /// Notes an assumption.
    pub(crate) fn assume(&mut self, assumption: Assumption) {
        self.notes.assumptions.insert(assumption);
    }

    /// Notes a loss of precision at a call or method.
    pub(crate) fn coarsen(&mut self, what: Coarsening, of: String) {
        self.notes.coarsened.insert((what, of));
    }

    /// The number of losses of precision by kind; each call and each method counts once.
    pub(crate) fn coarse(&self) -> BTreeMap<&'static str, usize> {
        let mut counts = BTreeMap::new();
        for (what, _) in &self.notes.coarsened {
            *counts.entry(what.name()).or_default() += 1;
        }
        let deep = self.regions.count_deep();
        if deep > 0 {
            counts.insert(Coarsening::Deep.name(), deep);
        }
        counts
    }

    /// Executes states until the worklist is empty.
    ///
    /// # Errors
    /// If the subject cannot be analysed, or the run was cancelled.
    pub(crate) fn run(&mut self) -> Result<(), Stuck> {
        while let Some((context, state)) = self.worklist.pop() {
            if (self.is_cancelled)() {
                return Err(Stuck::Cancelled);
            }
            self.current = Some(context);
            let tree = self.execute(context, state)?;
            self.current = None;
            let before = std::mem::replace(&mut self.contexts[context.index()].trees[state], tree);
            self.size.replace(&before, &self.contexts[context.index()].trees[state]);
            if self.size.has_too_many_steps(0) && !self.mode.is_cut_short {
                return Err(self.too_large(self.contexts[context.index()].method));
            }
        }
        Ok(())
    }

    /// Whether the worklist is empty.
    pub(crate) fn is_done(&self) -> bool {
        self.worklist.is_empty()
    }

    /// Enqueues the states that call a context.
    pub(super) fn requeue_callers(&mut self, callee: ContextId) {
        let mut callers: Vec<_> = self.contexts[callee.index()].callers.iter().copied().collect();
        callers.sort_unstable();
        for caller in callers {
            self.worklist.push(caller);
        }
    }

    /// Enqueues states whose result may depend on a new fact.
    pub(super) fn requeue(&mut self, states: impl IntoIterator<Item = (ContextId, StateIndex)>) {
        for state in states {
            self.worklist.push(state);
        }
    }

    /// The context of a method with these arguments.
    ///
    /// # Errors
    /// If the code is damaged or missing, or there are too many states.
    pub(crate) fn context_of(&mut self, method: MethodId, arguments: Vec<Value>) -> Result<ContextId, Stuck> {
        let mut arguments = self.canonical(arguments);
        if let Some(receiver) = arguments.first_mut() {
            *receiver = self.as_holder(method, *receiver);
        }
        let key = (method, arguments);
        if let Some(known) = self.ids.get(&key) {
            return Ok(*known);
        }
        self.has_room(method)?;
        let damaged = || Stuck::Damaged { method: self.heap.program.method_name(method) };
        let Some(code) = self.method(method) else { return Err(damaged()) };
        if code.catches_errors {
            self.assume(Assumption::NoErrors);
        }
        let (method, arguments) = key;
        let own_lock = self.own_lock(method, &arguments);
        let id = ContextId(u32::try_from(self.contexts.len()).expect("the number of states is bounded"));
        let mut first = State::default();
        for (variable, value) in code.body.parameters.iter().zip(&arguments) {
            first.set(*variable, *value);
        }
        // The monitor of a new object may become a lock of the model while it is held.
        let is_synchronized = self.heap.program.method(method).flags.is_synchronized();
        if let (true, None, Some(this)) = (is_synchronized, own_lock, code.body.parameters.first()) {
            first.acquire(HeldLock::Unmodelled(*this));
        }
        self.contexts.push(Context::new(method, arguments.clone(), code, own_lock));
        self.ids.insert((method, arguments), id);
        self.state(id, Point { block: BlockId::ENTRY, index: 0 }, first)?;
        Ok(id)
    }

    /// Arguments as contexts distinguish them: ints only if they are 0 or 1; unresolved values are numbered in order.
    fn canonical(&self, arguments: Vec<Value>) -> Vec<Value> {
        let mut numbers: Vec<(u32, u32)> = Vec::new();
        let mut fresh = 0;
        let canonical = |value| match value {
            Value::Int(number) if !(0..=1).contains(&number) => Value::Any,
            Value::Open(of, number) => {
                let known = numbers.iter().find(|(old, _)| *old == number).map(|(_, new)| *new);
                let new = known.unwrap_or_else(|| {
                    fresh += 1;
                    numbers.push((number, fresh - 1));
                    fresh - 1
                });
                Value::Open(of, new)
            }
            value => value,
        };
        arguments.into_iter().map(canonical).collect()
    }

    /// The lock of a synchronized method.
    fn own_lock(&mut self, method: MethodId, arguments: &[Value]) -> Option<Lock> {
        let program = self.heap.program;
        let declared = program.method(method);
        if !declared.flags.is_synchronized() {
            return self.lock_of_task(method, arguments);
        }
        match declared.flags.is_static() {
            true => Some(Lock::Class(program.class(declared.class).name)),
            false => self.monitor(arguments.first().copied().unwrap_or(Value::Any)),
        }
    }

    /// The number of a state of a context; a new state is enqueued.
    pub(crate) fn state(&mut self, id: ContextId, point: Point, state: State) -> Result<StateIndex, Stuck> {
        self.state_after_round(id, point, state, false)
    }

    /// The number of a state of a context, like [`Self::state`]. If `is_unchanged`, the state is at a loop head, after
    /// a round in which no live variable has changed. Then a known state without the record that the round made tests
    /// is used instead: the thread might as well reach the head for the first time.
    pub(super) fn state_after_round(
        &mut self,
        id: ContextId,
        point: Point,
        mut state: State,
        is_unchanged: bool,
    ) -> Result<StateIndex, Stuck> {
        let context = &mut self.contexts[id.index()];
        let live = context.code.live(point);
        state.retain(|variable| live.binary_search(&variable).is_ok());
        let terms = &context.code.terms;
        state.retain_relations(|pair| terms.is_live(pair, &live));
        state.retain_loads(|term| terms.is_live((term, term), &live));
        if is_unchanged && state.has_tested_derived {
            let mut before = state.clone();
            before.has_tested_derived = false;
            let before = Rc::new(before);
            if let Some(known) = context.numbers.get(&(point, before)) {
                return Ok(*known);
            }
        }
        let state = Rc::new(state);
        if let Some(known) = context.numbers.get(&(point, state.clone())) {
            return Ok(*known);
        }
        self.has_room(self.contexts[id.index()].method)?;
        let context = &mut self.contexts[id.index()];
        let number = context.states.len();
        context.states.push((point, state.clone()));
        context.trees.push(StepTree::new());
        context.numbers.insert((point, state), number);
        self.worklist.push((id, number));
        self.size.states += 1;
        Ok(number)
    }

    /// Fails if the limit of states is reached.
    fn has_room(&self, method: MethodId) -> Result<(), Stuck> {
        match self.size.has_room() {
            true => Ok(()),
            false => Err(self.too_large(method)),
        }
    }

    /// The error that a limit was reached in this method.
    pub(super) fn too_large(&self, method: MethodId) -> Stuck {
        Stuck::TooLarge { method: self.heap.program.method_name(method) }
    }

    fn execute(&mut self, id: ContextId, number: StateIndex) -> Result<StepTree, Stuck> {
        let (point, state) = self.contexts[id.index()].states[number].clone();
        let code = self.contexts[id.index()].code.clone();
        let mut execution = Execution {
            tree: StepTree::new(),
            current: point,
            successors: FxHashSet::default(),
            worklist: vec![(None, point, (*state).clone())],
        };
        let mut steps = 0_usize;
        while let Some((after, point, mut state)) = execution.worklist.pop() {
            steps += 1;
            // One statement may have thousands of targets.
            if steps.is_multiple_of(16) && (self.is_cancelled)() {
                return Err(Stuck::Cancelled);
            }
            if self.size.has_too_many_steps(execution.tree.len()) {
                let too_large = self.too_large(self.contexts[id.index()].method);
                self.unless_cut_short(Err(too_large))?;
                break;
            }
            let statement = code.block(point).statements.get(point.index as usize);
            state.is_published = state.is_published || self.is_published_at(id, point, statement);
            let (is_published, is_discarded) = (state.is_published, state.optimistic.iter().any(|read| !read.is_valid));
            let at = Position { id, number, code: &code, point, after, is_published, is_discarded };
            execution.current = point;
            let outside =
                statement.filter(|_| self.is_outside_class(id)).map(|it| (it, state.clone(), execution.tree.len()));
            let done = self.execute_point(&mut execution, at, statement, state);
            self.unless_cut_short(done)?;
            if let Some((statement, known, before)) = outside {
                self.note_dependence(at, &known, statement, &execution.tree[before..]);
            }
        }
        Ok(execution.tree)
    }

    /// Executes a statement, or the end of a block.
    fn execute_point(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        statement: Option<&Statement>,
        state: State,
    ) -> Result<(), Stuck> {
        if self.acquire_named_monitor(execution, at, &state)? {
            return Ok(());
        }
        match statement {
            Some(statement) => self.statement(execution, at, statement, state),
            None => self.end(execution, at, state),
        }
    }

    /// The description of an object that the unit has made.
    pub(crate) fn made(&self, id: MadeId) -> &MadeObject {
        &self.made[id.0 as usize]
    }

    /// The value of an object that the unit makes, interned.
    pub(crate) fn make(&mut self, made: MadeObject) -> Value {
        let (index, _) = self.made.insert_full(made);
        Value::Made(MadeId(u32::try_from(index).expect("the number of states is bounded")))
    }

    /// Whether a value may lead to a followed object.
    pub(crate) fn is_relevant(&self, value: Value) -> bool {
        match value {
            Value::Any
            | Value::Other
            | Value::Foreign
            | Value::Null
            | Value::Int(_)
            | Value::Class(_)
            | Value::Literal(_)
            | Value::Derived => false,
            Value::Static(_) | Value::Holder(_) | Value::Held(_) => false,
            Value::Number(_) | Value::Element(..) => true,
            Value::Made(made) => self.made(made).fields.iter().any(|(_, value)| self.is_relevant(*value)),
            Value::Region(RegionId::SUBJECT) => true,
            Value::Fresh(_) | Value::This(_) => false,
            Value::Region(_) | Value::View(_) | Value::Locked(_) | Value::Open(..) => true,
            Value::Found(..) | Value::Side(..) | Value::Condition(_) => true,
        }
    }
}
