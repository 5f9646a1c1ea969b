//! Effects of library methods, as rows of the library table describe them, on a state and on followed objects.
//!
//! Actions are applied in the row's order. An access to the content of a followed object is an access to its location;
//! for a library object that the unit has made, to the contents of the objects that it keeps. Rows of atomic classes
//! are one step, represented by a lock that all of them hold; functions that they call run outside of it, unless the
//! row says `inside`.

use super::access::Access;
use super::traversals::any_of;
use crate::exec::context::Steps;
use crate::exec::execution::{Call, CallExit, Execution, Position};
use crate::exec::interpreter::{Interpreter, MadeKind, MadeObject};
use crate::exec::state::{HeldLock, State};
use crate::facts::argument_flows::argument_place;
use crate::facts::objects::ObjectKind;
use crate::graph::Step;
use crate::value::{Lock, RegionId, Value};
use crate::{Assumption, Rule, Stuck};
use eml::model::Mode;
use java::ir::Variable;
use java::library::{Action, Attribute, Guard, Row, Source, Subject, Thread};
use java::points_to::ObjectId;
use java::{InvokeKind, MethodId};
use std::collections::BTreeSet;

/// A library call while its row is applied.
pub(super) struct RowCall<'a, 'r> {
    pub(super) call: &'a Call<'a>,
    pub(super) row: Row<'r>,
    pub(super) after: Option<usize>,
    pub(super) state: State,
    /// The possible results; empty if no action names one.
    pub(super) results: Vec<Value>,
    /// Intermediate states in which it may throw.
    pub(super) thrown: Vec<(Option<usize>, State)>,
    /// The lock of the atomic step, if it is held now.
    pub(super) step: Option<Lock>,
    /// The receiver's monitor, if the class holds it in its methods.
    pub(super) monitor: Option<HeldLock>,
    /// Whether the action visits a whole content, element by element.
    pub(super) is_traversal: bool,
    /// Whether the action is an access to the position of an iterator or buffer.
    pub(super) is_position: bool,
    /// Whether it visits the content by one call of a method of the visited object.
    pub(super) is_at_once: bool,
    /// The receiver after a reclassification.
    pub(super) reclassified: Option<Value>,
    /// The followed objects that functions inside of the step get, in this case.
    pub(super) choice: BTreeSet<RegionId>,
    /// The program methods that ran as functions.
    pub(super) ran: BTreeSet<MethodId>,
    /// The steps of loops of the row.
    pub(super) loops: Loops,
}

/// Loops of one row that run functions.
///
/// **Invariant.** If a row runs functions in several loops, one thread may run them in any order: for each element, the
/// library queries an iterator, runs the functions of a stream, and calls its terminal function. Each action of a row
/// is a loop of its own; after them comes one loop of all their steps ([`Interpreter::run_interleaved`]). *Why it
/// suffices.* Any sequence of the steps is an execution of that last loop, as each loop before it may have no round.
#[derive(Debug, Default)]
pub(super) struct Loops {
    /// The number of loops with calls.
    pub(super) count: usize,
    pub(super) steps: Vec<Step>,
}

impl Loops {
    pub(super) fn add(&mut self, steps: impl IntoIterator<Item = Step>) {
        self.count += 1;
        self.steps.extend(steps);
    }
}

impl Interpreter<'_> {
    /// Executes a call as the table describes it for an object of a class. A call that adds a value to a growing map
    /// has two cases: it adds the value, or it finds one.
    pub(super) fn row(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        state: &State,
        class: &str,
        call: &Call<'_>,
    ) -> Result<Vec<CallExit>, Stuck> {
        if let Some(call_exits) = self.map_swap_exits(execution, at, (after, state), call) {
            return Ok(call_exits);
        }
        let Some(region) = self.growing_map(call) else {
            if let Some(location) = self.swapped_map(call) {
                return self.map_read_exits(execution, at, (after, state), (class, location), call);
            }
            let (after, state) = self.disown_stored(execution, at, (after, state.clone()), call);
            let mut call_exits = self.plain_row(execution, at, after, &state, class, call)?;
            let taken = self.taken(at, &state, call);
            for (_, _, value) in call_exits.iter_mut().filter(|_| !taken.is_empty()) {
                *value = value.map(|value| if matches!(value, Value::Open(..)) { Value::Other } else { value });
            }
            for region in taken {
                let (after, state) = self.own(execution, at, (after, state.clone()), region);
                let exits = self.plain_row(execution, at, after, &state, class, call)?;
                let is_own = |(_, _, value): &CallExit| matches!(value, Some(Value::Open(..)));
                let own = exits.into_iter().filter(is_own);
                call_exits.extend(own.map(|(after, state, _)| (after, state, Some(Value::Region(region)))));
            }
            return Ok(call_exits);
        };
        let location = self.content_location(region);
        let begun = self.begin_setting(execution, at, after, location);
        let mut call_exits = self.plain_row(execution, at, begun, state, class, call)?;
        let gives_null = self.heap.program.text(call.member.name) == "putIfAbsent";
        for (after, _, value) in &mut call_exits {
            *after = self.end_setting(execution, at, *after, location);
            *value = value.map(|value| if gives_null { Value::Null } else { value });
        }
        let read = self.one_step(execution, at, after, location, &[Step::Read(location)]);
        let read = self.find_set(execution, at, read, location);
        let found = self.content_value(state, region, at, call.to);
        call_exits.push((read, state.clone(), Some(found)));
        Ok(call_exits)
    }

    pub(super) fn plain_row(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        state: &State,
        class: &str,
        call: &Call<'_>,
    ) -> Result<Vec<CallExit>, Stuck> {
        let found = self.heap.row(class, call.member).or_else(|| self.heap.row_of_member(call.member));
        let Some(row) = found else { return self.unknown(execution, at, after, state, call) };
        let new = || RowCall {
            call,
            row,
            after,
            state: state.clone(),
            results: Vec::new(),
            thrown: Vec::new(),
            step: None,
            monitor: None,
            is_traversal: false,
            is_position: false,
            is_at_once: false,
            reclassified: None,
            choice: BTreeSet::new(),
            ran: BTreeSet::new(),
            loops: Loops::default(),
        };
        let mut row_call = new();
        let mut call_exits = Vec::new();
        if row.traits.reflects {
            self.assume(Assumption::Reflected(format!("`{}`", self.called_name(call))));
        }
        let is_lock = row.actions.iter().any(|action| matches!(action, Action::Acquires(_) | Action::Releases(_)));
        if row.traits.throws && !is_lock {
            call_exits.push((after, state.clone(), None));
        }
        if let Some(handled) = self.conditional_exits(execution, at, after, state, &row_call.row, call)? {
            call_exits.extend(handled);
            return Ok(call_exits);
        }
        self.add_calls_of_default_method(execution, at, &mut row_call, class)?;
        row_call.after = self.add_calls_of_view(execution, at, row_call.after, &row, call)?;
        self.enter_monitor(execution, at, &mut row_call);
        // A row that runs functions inside of its step is one step for each key: its accesses happen together, after
        // the functions.
        let owner = self.function_owner(&row_call);
        for choice in self.choices(at, &row_call)? {
            let held = choice.iter().copied().chain(owner);
            let locks: Vec<Lock> = held.map(|region| Lock::Functions(self.regions.alias(region))).collect();
            let mut row_call = RowCall { after: row_call.after, choice, monitor: row_call.monitor, ..new() };
            for lock in &locks {
                row_call.after =
                    execution.add_steps(row_call.after, Steps::One(Step::Acquire(*lock, Mode::Write)), at.line());
            }
            if row.traits.inside {
                for action in row.actions.iter().filter(|action| is_call(action)) {
                    self.apply_action(execution, at, &mut row_call, action)?;
                }
            }
            for action in row.actions.iter().filter(|action| !row.traits.inside || !is_call(action)) {
                self.apply_action(execution, at, &mut row_call, action)?;
            }
            self.run_callbacks(execution, at, &mut row_call)?;
            self.run_interleaved(execution, at, &mut row_call);
            self.leave_step(execution, at, &mut row_call);
            for lock in locks.iter().rev() {
                row_call.after =
                    execution.add_steps(row_call.after, Steps::One(Step::Release(*lock, Mode::Write)), at.line());
            }
            self.leave_monitor(execution, at, &mut row_call);
            call_exits.extend(self.call_exits(at, row_call));
        }
        Ok(call_exits)
    }

    /// Adds the calls that a default method of a library interface makes on a program object: it may call every method
    /// that the class has from the interface; a default method that only reads calls only methods that read.
    fn add_calls_of_default_method(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        row_call: &mut RowCall<'_, '_>,
        class: &str,
    ) -> Result<(), Stuck> {
        let called = self.heap.program.text(row_call.call.member.name);
        let value = Self::value_of(row_call.call, Subject::This);
        let of_variable = || Self::variable_of(row_call.call, Subject::This);
        let is_given = match value {
            Value::Region(region) => self.is_program_object(region),
            Value::Made(made) => matches!(self.made(made).kind, MadeKind::Object(_)),
            _ => of_variable().is_some_and(|variable| self.may_be_program_object(at, variable)),
        };
        if !is_given || row_call.call.kind == InvokeKind::Static || !self.heap.library.is_interface(class) {
            return Ok(());
        }
        let is_writing = row_call.row.writes(Subject::This);
        let library = self.heap.library;
        let all = library.supertypes(class).chain([class]).flat_map(|class| library.rows(class));
        let is_called = |(name, row): &(&str, Row<'_>)| {
            *name != called
                && !["*", "equals", "hashCode", "toString"].contains(name)
                // Interface calls cannot reach `<init>`, `clone`, `finalize`.
                && !["<init>", "clone", "finalize"].contains(name)
                && (is_writing || !row.writes(Subject::This))
        };
        let names: BTreeSet<&str> = all.filter(is_called).map(|(name, _)| name).collect();
        for name in names {
            let place = (value, Self::variable_of(row_call.call, Subject::This));
            row_call.after = self.call_named(execution, at, row_call.after, place, name)?;
        }
        Ok(())
    }

    /// Whether a variable may hold a program object.
    fn may_be_program_object(&self, at: Position<'_>, variable: Variable) -> bool {
        let objects = self.heap.variable(self.contexts[at.id.index()].method, variable);
        objects.into_iter().any(|object| matches!(self.heap.kind_of(object), ObjectKind::Program(_)))
    }

    /// The exits of a row, one for each possible result.
    pub(super) fn call_exits(&mut self, at: Position<'_>, row_call: RowCall<'_, '_>) -> Vec<CallExit> {
        let RowCall { call, row, after, state, mut results, thrown, .. } = row_call;
        if results.is_empty() {
            results.push(if row.is_nothing() { Value::Any } else { self.assigned_value(at, &state, call.to) });
        }
        results.sort_unstable();
        results.dedup();
        let mut call_exits: Vec<CallExit> =
            results.into_iter().map(|value| (after, state.clone(), Some(value))).collect();
        let is_lock = row.actions.iter().any(|action| matches!(action, Action::Acquires(_) | Action::Releases(_)));
        if !row.traits.never_throws && !row.traits.pure && !is_lock {
            call_exits.push((after, state, None));
        }
        call_exits.extend(thrown.into_iter().map(|(after, state)| (after, state, None)));
        call_exits
    }

    /// Whether a value is a program object whose library superclass has no state of its own, so that the accesses of
    /// that class's methods are those of the methods that they call.
    fn is_without_library_state(&self, value: Value) -> bool {
        let class = match value {
            Value::Region(RegionId::SUBJECT) => Some(self.mode.class),
            Value::Region(region) => self.regions.regions[region.index()].class,
            _ => None,
        };
        let above = class.and_then(|class| self.heap.library_superclass(class));
        above.is_some_and(|above| self.heap.library.attributes(above).has(Attribute::Stateless))
    }

    /// Whether the accesses of a row to its receiver are omitted.
    pub(super) fn omits_accesses(&self, row_call: &RowCall<'_, '_>) -> bool {
        self.named_library_class(row_call.call.member).is_some_and(|of| self.omits_row(&row_call.row, of))
    }

    /// Whether the state of a future that a row accesses is no data, by [`CommutingChanges`](Rule::CommutingChanges): a
    /// task runs once, and who asks for its result waits for it. If the nest asks whether it is done, it is data.
    fn omits_result_of_task(&self, row_call: &RowCall<'_, '_>) -> bool {
        const FUTURE: &str = "java/util/concurrent/Future";
        let member = row_call.call.member;
        self.heap.modality.omits(Rule::CommutingChanges)
            && ["run", "get", "join", "set", "setException"].contains(&self.heap.program.text(member.name))
            && self.named_library_class(member).is_some_and(|of| self.heap.library.is_subtype(of, FUTURE))
            && !self.is_asked(FUTURE)
    }

    /// Acquires the receiver's monitor, if the class is synchronized.
    fn enter_monitor(&mut self, execution: &mut Execution, at: Position<'_>, row_call: &mut RowCall<'_, '_>) {
        if row_call.call.kind == InvokeKind::Static {
            return;
        }
        let lock = match row_call.call.values.first() {
            Some(Value::Locked(region)) if !row_call.row.traits.unguarded => self.monitor(Value::Region(*region)),
            Some(value) if row_call.row.guard() == Guard::Monitor => self.monitor(*value),
            _ => None,
        };
        if let Some(lock) = lock {
            row_call.after =
                execution.add_steps(row_call.after, Steps::One(Step::Acquire(lock, Mode::Write)), at.line());
            row_call.monitor = Some(HeldLock::Monitor(lock));
        }
    }

    fn leave_monitor(&mut self, execution: &mut Execution, at: Position<'_>, row_call: &mut RowCall<'_, '_>) {
        if let Some(HeldLock::Monitor(lock)) = row_call.monitor.take() {
            row_call.after =
                execution.add_steps(row_call.after, Steps::One(Step::Release(lock, Mode::Write)), at.line());
        }
    }

    /// Begins the step of an atomic class before its first access.
    pub(super) fn enter_step(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        row_call: &mut RowCall<'_, '_>,
        region: RegionId,
    ) {
        let is_atomic = row_call.row.guard() == Guard::Operations || self.is_view_of_atomic(row_call, region);
        if row_call.step.is_some() || !is_atomic || self.is_unobserved(at) {
            return;
        }
        let lock = Lock::Operations(self.regions.alias(region));
        row_call.after = execution.add_steps(row_call.after, Steps::One(Step::Acquire(lock, Mode::Write)), at.line());
        row_call.step = Some(lock);
    }

    /// Whether a row without a guard of its own accesses the content of an atomic object by a view. The position of an
    /// iterator is its own, and has no guard.
    fn is_view_of_atomic(&self, row_call: &RowCall<'_, '_>, region: RegionId) -> bool {
        let is_atomic = |object: ObjectId| match self.heap.kind_of(object) {
            ObjectKind::Library(class) => self.heap.library.attributes(class).guard() == Guard::Operations,
            _ => false,
        };
        let info = &self.regions.regions[region.index()];
        let of_region = |object: &ObjectId| match self.heap.kind_of(*object) {
            ObjectKind::View(base, _) => is_atomic(base),
            _ => false,
        };
        let is_view = !info.objects.is_empty() && info.objects.iter().all(of_region);
        let bases = &self.regions.aliases[info.alias.index()].objects;
        let is_value_view = row_call.call.values.first() == Some(&Value::View(region));
        row_call.row.guard() == Guard::None
            && !row_call.is_position
            && (is_view || (is_value_view && !bases.is_empty() && bases.iter().all(|base| is_atomic(*base))))
    }

    pub(super) fn leave_step(&mut self, execution: &mut Execution, at: Position<'_>, row_call: &mut RowCall<'_, '_>) {
        if let Some(lock) = row_call.step.take() {
            row_call.after =
                execution.add_steps(row_call.after, Steps::One(Step::Release(lock, Mode::Write)), at.line());
        }
    }

    /// The value of an action's subject.
    pub(super) fn value_of(call: &Call<'_>, subject: Subject) -> Value {
        let place = argument_place(subject, call.kind);
        place.and_then(|place| call.values.get(place).copied()).unwrap_or(Value::Any)
    }

    /// The variable of an action's subject.
    pub(super) fn variable_of(call: &Call<'_>, subject: Subject) -> Option<Variable> {
        call.variables?.get(argument_place(subject, call.kind)?).copied()
    }

    /// Applies one action of a row.
    fn apply_action(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        row_call: &mut RowCall<'_, '_>,
        action: &Action,
    ) -> Result<(), Stuck> {
        let value = |subject: Subject| Self::value_of(row_call.call, subject);
        let is_omitted = self.is_without_library_state(value(Subject::This))
            || self.omits_accesses(row_call)
            || self.omits_result_of_task(row_call)
            || self.puts_back(at, row_call.call);
        if is_access(action) && is_omitted {
            return Ok(());
        }
        // The state of an object whose changes commute is none of its elements.
        let is_traversal = super::traversals::is_traversal(&row_call.row, action) || self.reads_array(row_call, action);
        row_call.is_traversal = !row_call.row.traits.commutes && is_traversal;
        row_call.is_position = matches!(action, Action::ReadsPosition(_) | Action::WritesPosition(_));
        row_call.is_at_once = matches!(action, Action::Traverses { at_once: true, .. });
        match action {
            Action::Reads(subject) | Action::ReadsAll(subject) => {
                let contents = self.contents_of(value(*subject));
                self.assume_lock_state(row_call, *subject);
                self.add_accesses(execution, at, row_call, &contents, &[Access::Read]);
                if matches!(action, Action::ReadsAll(_)) {
                    let place = (value(*subject), Self::variable_of(row_call.call, *subject));
                    let inner = self.deep_steps(at, place);
                    row_call.after = any_of(execution, at, row_call.after, inner);
                }
            }
            Action::ReadsPosition(subject) | Action::WritesPosition(subject) => {
                // The position of a view is its own; the position of an object in a field counts as content.
                let is_read = matches!(action, Action::ReadsPosition(_));
                if let Value::Region(region) = value(*subject)
                    && !self.is_of_client(region)
                {
                    let access = if is_read { Access::Read } else { Access::Write };
                    self.add_accesses(execution, at, row_call, &[region], &[access]);
                }
            }
            Action::Clones(subject) => self.clone_object(execution, at, row_call, *subject),
            Action::ClassOf(subject) => {
                let class = match value(*subject) {
                    Value::Region(region) => self.regions.regions[region.index()].class,
                    _ => None,
                };
                let exact = class.filter(|class| self.heap.program.class(*class).flags.is_final());
                row_call
                    .results
                    .push(exact.map_or(Value::Any, |class| Value::Class(self.heap.program.class(class).name)));
            }
            Action::Finds => {
                let value = self.assigned_value(at, &row_call.state, row_call.call.to);
                row_call.results.push(value);
            }
            Action::Writes(subject) | Action::Replaces(subject) => {
                let contents = self.own_contents(value(*subject));
                if contents.is_empty() {
                    row_call.after = self.add_unfollowed_change(execution, at, row_call.after);
                }
                self.add_accesses(execution, at, row_call, &contents, &[Access::Write]);
            }
            Action::Traverses { whom, method, .. } => {
                let mut contents = self.contents_of(value(*whom));
                contents.retain(|region| !self.is_program_object(*region));
                self.add_accesses(execution, at, row_call, &contents, &[Access::Read]);
                self.traverse(execution, at, row_call, *whom, method.as_deref())?;
            }
            Action::Gets => {
                let contents = self.own_contents(value(Subject::This));
                self.add_accesses(execution, at, row_call, &contents, &[Access::Read]);
            }
            Action::Sets(_) => {
                let contents = self.own_contents(value(Subject::This));
                if contents.is_empty() {
                    row_call.after = self.add_unfollowed_change(execution, at, row_call.after);
                }
                self.add_accesses(execution, at, row_call, &contents, &[Access::Write]);
            }
            Action::GetsAndSets(_) | Action::ComparesAndSets(_) => {
                let contents = self.own_contents(value(Subject::This));
                if contents.is_empty() {
                    row_call.after = self.add_unfollowed_change(execution, at, row_call.after);
                }
                self.add_accesses(execution, at, row_call, &contents, &[Access::Read, Access::Write]);
            }
            Action::UpdatesBy(function) => {
                let subject = Subject::Argument(*function);
                self.run_function(execution, at, row_call, Source::Itself(subject), None, (Thread::Caller, false))?;
                let contents = self.own_contents(Self::value_of(row_call.call, Subject::This));
                self.add_accesses(execution, at, row_call, &contents, &[Access::Read, Access::Write]);
            }
            Action::Returns(subject) => {
                let reclassified = row_call.reclassified.filter(|_| *subject == Subject::This);
                row_call.results.push(reclassified.unwrap_or_else(|| value(*subject)));
            }
            Action::Views(view) => {
                let value = value(view.of);
                let result = self.view(at, row_call, value, view.guard == java::library::ViewGuard::Shared);
                row_call.results.push(result);
            }
            Action::Gives(subject) => {
                let value = value(*subject);
                let given = self.element_of(at, row_call, value);
                row_call.results.push(given);
            }
            Action::Yields => {
                let value = self.assigned_value(at, &row_call.state, row_call.call.to);
                row_call.results.push(value);
            }
            Action::Makes(making) => {
                let sources: Vec<Source> = making.holds.to_vec();
                let class = match &making.class {
                    java::library::MadeClass::Exact(class) => Some(class.clone()),
                    java::library::MadeClass::Declared | java::library::MadeClass::Any => None,
                };
                let made = self.new_library_object(at, row_call, &sources, class);
                row_call.results.push(made);
            }
            Action::Later { whom, .. } => {
                // Another action says what keeps it, or the result keeps it.
                let made = self.new_library_object(at, row_call, &[*whom, Source::Itself(Subject::This)], None);
                if row_call.results.is_empty() && row_call.call.to.is_some() {
                    row_call.results.push(made);
                }
            }
            Action::Keeps { .. } | Action::KeepsNothing => {}
            Action::Calls(call) if self.omits_call(row_call, call) => {}
            Action::Calls(call) => {
                let how = (call.thread, call.once);
                self.run_function(execution, at, row_call, call.whom, call.method.as_deref(), how)?;
            }
            Action::Runs(run) if self.omits_run(row_call, run.thread) => {}
            Action::Runs(run) => self.run_contents(execution, at, row_call, run.whom, (run.thread, run.once))?,
            Action::Joins { certain, .. } => self.join_threads(execution, at, row_call, *certain),
            Action::AwaitsLatch { certain: true } => self.await_latch(execution, at, row_call),
            Action::CountsDown => self.note_count_down(row_call),
            Action::AwaitsLatch { .. } | Action::AwaitsBarrier { .. } | Action::Blocks => {}
            Action::Acquires(side) | Action::Tries { side, .. } => {
                self.acquire_lock(execution, at, row_call, *side)?;
            }
            Action::Releases(side) => self.release_lock(execution, at, row_call, *side)?,
            Action::Converts(_) => self.convert_lock(execution, at, row_call)?,
            Action::ReadLock | Action::WriteLock => {
                let lock = self.lock_object(value(Subject::This));
                let is_write = matches!(action, Action::WriteLock);
                row_call.results.push(lock.map_or(Value::Any, |lock| Value::Side(lock, is_write)));
            }
            Action::Condition => {
                let lock = self.explicit(value(Subject::This));
                row_call.results.push(lock.map_or(Value::Any, |(lock, _)| Value::Condition(lock)));
            }
            Action::Awaits => self.await_condition(execution, at, row_call),
            Action::Waits { whom, entered } => {
                let known = self.monitor(value(*whom));
                self.wait_on_unknown(execution, at, row_call, *whom, known);
                if let Some(lock) = known {
                    self.wait_on_monitor(execution, at, row_call, lock, *entered);
                }
            }
            Action::Optimistic | Action::Validates => {}
            Action::Permit(permit) => {
                let contents = self.own_contents(value(Subject::This));
                self.add_accesses(execution, at, row_call, &contents, self.accesses_of_permit(*permit));
            }
            Action::JoinsStarted | Action::Holds(_) | Action::Enumerates(_) => {}
            Action::Becomes(class) => {
                if let Value::Made(made) = value(Subject::This)
                    && matches!(self.made(made).kind, MadeKind::Library(_))
                {
                    let fields = self.made(made).fields.clone();
                    row_call.reclassified =
                        Some(self.make(MadeObject { kind: MadeKind::Library(class.clone()), fields }));
                }
            }
            Action::Names { .. } => {}
        }
        Ok(())
    }

    /// Whether functions that a row runs itself or on other threads are not run on other threads, by
    /// [`OwnThread`](Rule::OwnThread).
    fn omits_run(&self, row_call: &RowCall<'_, '_>, thread: Thread) -> bool {
        let runs_here = |action: &Action| matches!(action, Action::Runs(run) if run.thread == Thread::Caller);
        thread != Thread::Caller
            && self.heap.modality.omits(Rule::OwnThread)
            && row_call.row.actions.iter().any(runs_here)
    }

    /// Whether one of two calls of a function is omitted, by [`OwnThread`](Rule::OwnThread): if a row may call it and
    /// may let another thread call it, an executor does the second, and others do the first.
    fn omits_call(&self, row_call: &RowCall<'_, '_>, call: &java::library::Call) -> bool {
        if !self.heap.modality.omits(Rule::OwnThread) {
            return false;
        }
        let class = self.heap.program.text(row_call.call.member.class);
        let is_async = self.heap.program.text(row_call.call.member.name).ends_with("Async");
        let is_executor = is_async || self.heap.library.attributes(class).has(java::library::Attribute::Executor);
        let is_own = call.thread == Thread::Caller;
        let is_other_way = |action: &Action| match action {
            Action::Calls(other) => {
                (other.thread == Thread::Caller) != is_own && (other.whom, &other.method) == (call.whom, &call.method)
            }
            _ => false,
        };
        // A stage hands its function to an executor.
        let starts = |action: &Action| matches!(action, Action::Calls(other) if other.thread != Thread::Caller);
        let hands_over = is_async && is_own && call.method.as_deref() == Some("execute");
        is_own == is_executor && row_call.row.actions.iter().any(is_other_way)
            || hands_over && row_call.row.actions.iter().any(starts)
    }

    /// Releases the monitor and enters it again; if the row enters it itself, it exits it afterwards.
    fn wait_on_monitor(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        row_call: &mut RowCall<'_, '_>,
        lock: Lock,
        entered: bool,
    ) {
        if !entered {
            // The call throws if the thread does not hold the monitor.
            row_call.thrown.push((row_call.after, row_call.state.clone()));
        }
        if !entered {
            row_call.after = self.add_wait(execution, at, row_call.after, lock);
            return;
        }
        for step in [Step::Acquire(lock, Mode::Write), Step::Wait(lock), Step::Release(lock, Mode::Write)] {
            row_call.after = execution.add_steps(row_call.after, Steps::One(step), at.line());
        }
    }
}

/// Whether an action runs functions.
pub(super) fn is_call(action: &Action) -> bool {
    matches!(action, Action::Calls(_) | Action::Runs(_) | Action::Traverses { .. })
}

/// Whether an action may run functions more than once.
pub(super) fn is_repeated_call(action: &Action) -> bool {
    is_call(action) && !matches!(action, Action::Calls(call) if call.once)
}

/// Whether an action only accesses the content of the receiver.
pub(super) fn is_access(action: &Action) -> bool {
    matches!(action, Action::Reads(Subject::This) | Action::Writes(Subject::This) | Action::Replaces(Subject::This))
}
