//! What a row of the library table does to a state and to followed objects.
//!
//! Actions are done in the order in which the row has them. An access to the content of a followed object is an access to its location; of an object of the library
//! that the unit has made, to the contents of what it keeps. Rows of atomic classes are one step, for which a lock stands that all of them hold; what they call runs
//! outside of it, unless the row says `inside`.

use super::bulk::any_of;
use super::calls::{Call, Ending, settled};
use super::context::{ContextId, Piece};
use super::dispatch::Target;
use super::interpreter::{Execution, Here, Interpreter, Kind, Made};
use super::objects::What;
use super::state::{Open, State};
use crate::isolate::graph::{Exit, Step};
use crate::isolate::value::{Location, Lock, RegionId, Value};
use crate::isolate::{Assumption, Coarsening, Stuck};
use crate::model::Mode;
use java::ir::Variable;
use java::library::{Action, Guard, Row, Side, Source, Subject, Thread};
use java::points_to::{Field, ObjectId};
use java::{InvokeKind, MethodId};
use std::collections::BTreeSet;
use std::rc::Rc;

/// A row while it is executed.
struct Doing<'a, 'r> {
    call: &'a Call<'a>,
    row: Row<'r>,
    after: Option<usize>,
    state: State,
    /// What the result may be; nothing if no action says.
    results: Vec<Value>,
    /// Where it may throw on the way.
    thrown: Vec<(Option<usize>, State)>,
    /// The lock that makes it one step, if it is held now.
    step: Option<Lock>,
    /// The receiver's monitor, if its class holds it.
    monitor: Option<Open>,
    /// Whether the action looks at a whole content, element by element.
    is_bulk: bool,
    /// The receiver by the rows that hold for it from now on.
    became: Option<Value>,
    /// Of functions that run inside of the step, the followed objects that they get.
    choice: BTreeSet<RegionId>,
}

impl Interpreter<'_> {
    /// What the table says of a call on an object of a class.
    pub(super) fn row(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        after: Option<usize>,
        state: &State,
        class: &str,
        call: &Call<'_>,
    ) -> Result<Vec<Ending>, Stuck> {
        let found = self.heap.row(class, call.member).or_else(|| self.heap.row_of_member(call.member));
        let Some(row) = found else { return self.unknown(execution, at, after, state, call) };
        let new = || Doing {
            call,
            row,
            after,
            state: state.clone(),
            results: Vec::new(),
            thrown: Vec::new(),
            step: None,
            monitor: None,
            is_bulk: false,
            became: None,
            choice: BTreeSet::new(),
        };
        let mut doing = new();
        let mut endings = Vec::new();
        if row.traits.reflects {
            self.assume(Assumption::Reflected(self.called_name(call)));
        }
        let is_lock = row.actions.iter().any(|action| matches!(action, Action::Acquires(_) | Action::Releases(_)));
        if row.traits.throws && !is_lock {
            endings.push((after, state.clone(), None));
        }
        if let Some(handled) = self.special_row(execution, at, after, state, &doing.row, call)? {
            endings.extend(handled);
            return Ok(endings);
        }
        self.calls_behind_default(execution, at, &mut doing, class)?;
        doing.after = self.calls_behind_view(execution, at, doing.after, &row, call)?;
        self.enters_monitor(execution, at, &mut doing);
        // What runs functions inside of its step is one step for each key: its accesses happen together, after the functions.
        let is_function =
            |action: &&Action| matches!(action, Action::Calls(_) | Action::Runs(_) | Action::Traverses { .. });
        let choices = if row.traits.inside { self.choices(at, &doing)? } else { vec![BTreeSet::new()] };
        for choice in choices {
            let locks: Vec<Lock> = choice.iter().map(|region| Lock::Operations(self.regions.alias(*region))).collect();
            let mut doing = Doing { after: doing.after, choice, monitor: doing.monitor, ..new() };
            for lock in &locks {
                doing.after = execution.does(doing.after, Piece::One(Step::Acquire(*lock, Mode::Write)), at.line());
            }
            if row.traits.inside {
                for action in row.actions.iter().filter(is_function) {
                    self.act(execution, at, &mut doing, action)?;
                }
            }
            for action in row.actions.iter().filter(|action| !row.traits.inside || !is_function(action)) {
                self.act(execution, at, &mut doing, action)?;
            }
            self.leaves_step(execution, at, &mut doing);
            for lock in locks.iter().rev() {
                doing.after = execution.does(doing.after, Piece::One(Step::Release(*lock, Mode::Write)), at.line());
            }
            self.leaves_monitor(execution, at, &mut doing);
            endings.extend(self.endings(at, doing));
        }
        Ok(endings)
    }

    /// The followed objects that functions may get which run inside of a step: each choice is a way of its own, as the step is one for the object that is found under its key.
    fn choices(&mut self, at: Here<'_>, doing: &Doing<'_, '_>) -> Result<Vec<BTreeSet<RegionId>>, Stuck> {
        let mut found = BTreeSet::from([BTreeSet::new()]);
        for action in doing.row.actions {
            let Action::Calls(call) = action else { continue };
            let Some(subject) = call.whom.subject().filter(|_| call.thread == Thread::Caller) else { continue };
            let place = (Self::value_of(doing.call, subject), Self::variable_of(doing.call, subject));
            let contexts = match call.whom {
                Source::Itself(_) => self.function_contexts(at, doing, place, call.method.as_deref())?,
                _ => continue,
            };
            for context in contexts {
                let (_, values) = self.method_of(context);
                found.extend(self.decided_arguments(values).into_iter().map(|(_, regions)| regions));
            }
        }
        Ok(found.into_iter().collect())
    }

    /// A default method of an interface of the library, on an object of a given class: it may call whatever the class has of the interface; one that
    /// only reads, what only reads.
    fn calls_behind_default(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        doing: &mut Doing<'_, '_>,
        class: &str,
    ) -> Result<(), Stuck> {
        let called = self.heap.program.text(doing.call.member.name);
        let value = Self::value_of(doing.call, Subject::This);
        let of_variable = || Self::variable_of(doing.call, Subject::This);
        let is_given = match value {
            Value::Region(region) => self.is_given(region),
            Value::Made(made) => matches!(self.made(made).kind, Kind::Object(_)),
            _ => of_variable().is_some_and(|variable| self.may_be_given(at, variable)),
        };
        if !is_given || doing.call.kind == InvokeKind::Static || !self.heap.library.is_interface(class) {
            return Ok(());
        }
        let is_writing = doing.row.writes(Subject::This);
        let library = self.heap.library;
        let all = library.supertypes(class).chain([class]).flat_map(|class| library.rows(class));
        let is_called = |(name, row): &(&str, Row<'_>)| {
            *name != called
                && !["*", "equals", "hashCode", "toString"].contains(name)
                && (is_writing || !row.writes(Subject::This))
        };
        let names: BTreeSet<&str> = all.filter(is_called).map(|(name, _)| name).collect();
        for name in names {
            let place = (value, Self::variable_of(doing.call, Subject::This));
            doing.after = self.calls_named(execution, at, doing.after, place, name)?;
        }
        Ok(())
    }

    /// Whether a variable may hold an object of a given class.
    fn may_be_given(&self, at: Here<'_>, variable: Variable) -> bool {
        let objects = self.heap.variable(self.contexts[at.id.index()].method, variable);
        objects.into_iter().any(|object| matches!(self.heap.what(object), What::Given(_)))
    }

    /// How a row ends, with each result that it may have.
    fn endings(&mut self, at: Here<'_>, doing: Doing<'_, '_>) -> Vec<Ending> {
        let Doing { call, row, after, state, mut results, thrown, .. } = doing;
        if results.is_empty() {
            results.push(if row.is_nothing() { Value::Any } else { self.loaded(at, &state, call.to) });
        }
        results.sort_unstable();
        results.dedup();
        let mut endings: Vec<Ending> = results.into_iter().map(|value| (after, state.clone(), Some(value))).collect();
        let is_lock = row.actions.iter().any(|action| matches!(action, Action::Acquires(_) | Action::Releases(_)));
        if !row.traits.never_throws && !row.traits.pure && !is_lock {
            endings.push((after, state, None));
        }
        endings.extend(thrown.into_iter().map(|(after, state)| (after, state, None)));
        endings
    }

    /// The receiver's monitor is held by all that a synchronized class does.
    fn enters_monitor(&mut self, execution: &mut Execution, at: Here<'_>, doing: &mut Doing<'_, '_>) {
        if doing.call.kind == InvokeKind::Static {
            return;
        }
        let lock = match doing.call.values.first() {
            Some(Value::Locked(region)) => self.monitor(Value::Region(*region)),
            Some(value) if doing.row.guard() == Guard::Monitor => self.monitor(*value),
            _ => None,
        };
        if let Some(lock) = lock {
            doing.after = execution.does(doing.after, Piece::One(Step::Acquire(lock, Mode::Write)), at.line());
            doing.monitor = Some(Open::Monitor(lock));
        }
    }

    fn leaves_monitor(&mut self, execution: &mut Execution, at: Here<'_>, doing: &mut Doing<'_, '_>) {
        if let Some(Open::Monitor(lock)) = doing.monitor.take() {
            doing.after = execution.does(doing.after, Piece::One(Step::Release(lock, Mode::Write)), at.line());
        }
    }

    /// The step of an atomic class begins before its first access.
    fn enters_step(&mut self, execution: &mut Execution, at: Here<'_>, doing: &mut Doing<'_, '_>, region: RegionId) {
        let is_atomic = doing.row.guard() == Guard::Operations || self.is_view_of_atomic(doing, region);
        if doing.step.is_some() || !is_atomic || self.is_making(at) {
            return;
        }
        let lock = Lock::Operations(self.regions.alias(region));
        doing.after = execution.does(doing.after, Piece::One(Step::Acquire(lock, Mode::Write)), at.line());
        doing.step = Some(lock);
    }

    /// Whether a row without a guard of its own is one of a view of an atomic object.
    fn is_view_of_atomic(&self, doing: &Doing<'_, '_>, region: RegionId) -> bool {
        let is_atomic = |object: ObjectId| match self.heap.what(object) {
            What::Library(class) => self.heap.library.attributes(class).guard() == Guard::Operations,
            _ => false,
        };
        let info = &self.regions.regions[region.index()];
        let of_region = |object: &ObjectId| match self.heap.what(*object) {
            What::View(base, _) => is_atomic(base),
            _ => false,
        };
        let is_view = !info.objects.is_empty() && info.objects.iter().all(of_region);
        let bases = &self.regions.aliases[info.alias.index()].objects;
        let is_value_view = doing.call.values.first() == Some(&Value::View(region));
        doing.row.guard() == Guard::None
            && (is_view || (is_value_view && !bases.is_empty() && bases.iter().all(|base| is_atomic(*base))))
    }

    fn leaves_step(&mut self, execution: &mut Execution, at: Here<'_>, doing: &mut Doing<'_, '_>) {
        if let Some(lock) = doing.step.take() {
            doing.after = execution.does(doing.after, Piece::One(Step::Release(lock, Mode::Write)), at.line());
        }
    }

    /// What a subject of an action is.
    fn value_of(call: &Call<'_>, subject: Subject) -> Value {
        let place = Self::place_of(call, subject);
        place.and_then(|place| call.values.get(place).copied()).unwrap_or(Value::Any)
    }

    fn place_of(call: &Call<'_>, subject: Subject) -> Option<usize> {
        let has_receiver = call.kind != InvokeKind::Static;
        match subject {
            Subject::This => has_receiver.then_some(0),
            Subject::Argument(argument) => Some(argument.index() + usize::from(has_receiver)),
        }
    }

    /// The variable in which a subject stands.
    fn variable_of(call: &Call<'_>, subject: Subject) -> Option<Variable> {
        call.variables?.get(Self::place_of(call, subject)?).copied()
    }

    /// One action of a row.
    fn act(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        doing: &mut Doing<'_, '_>,
        action: &Action,
    ) -> Result<(), Stuck> {
        let value = |subject: Subject| Self::value_of(doing.call, subject);
        doing.is_bulk = super::bulk::is_bulk(&doing.row, action);
        match action {
            Action::Reads(subject) | Action::ReadsAll(subject) => {
                let contents = self.contents_of(value(*subject));
                self.accesses(execution, at, doing, &contents, &[Access::Read]);
                if matches!(action, Action::ReadsAll(_)) {
                    let place = (value(*subject), Self::variable_of(doing.call, *subject));
                    let inner = self.deep_steps(at, place);
                    doing.after = any_of(execution, at, doing.after, inner);
                }
            }
            Action::ReadsPosition(subject) | Action::WritesPosition(subject) => {
                // The position of a view is its own; of what a field holds, it counts as content.
                let is_read = matches!(action, Action::ReadsPosition(_));
                if let Value::Region(region) = value(*subject)
                    && !self.is_of_client(region)
                {
                    let access = if is_read { Access::Read } else { Access::Write };
                    self.accesses(execution, at, doing, &[region], &[access]);
                }
            }
            Action::Clones(subject) => self.clones(execution, at, doing, *subject),
            Action::ClassOf(subject) => {
                let class = match value(*subject) {
                    Value::Region(region) => self.regions.regions[region.index()].class,
                    _ => None,
                };
                let exact = class.filter(|class| self.heap.program.class(*class).flags.is_final());
                doing.results.push(exact.map_or(Value::Any, |class| Value::Class(self.heap.program.class(class).name)));
            }
            Action::Finds => {
                let value = self.loaded(at, &doing.state, doing.call.to);
                doing.results.push(value);
            }
            Action::Writes(subject) | Action::Replaces(subject) => {
                let contents = self.own_contents(value(*subject));
                if contents.is_empty() {
                    doing.after = self.changes_another(execution, at, doing.after);
                }
                self.accesses(execution, at, doing, &contents, &[Access::Write]);
            }
            Action::Traverses { whom, method } => {
                let mut contents = self.contents_of(value(*whom));
                contents.retain(|region| !self.is_given(*region));
                self.accesses(execution, at, doing, &contents, &[Access::Read]);
                self.traverses(execution, at, doing, *whom, method.as_deref())?;
            }
            Action::Gets => {
                let contents = self.own_contents(value(Subject::This));
                self.accesses(execution, at, doing, &contents, &[Access::Read]);
            }
            Action::Sets(_) => {
                let contents = self.own_contents(value(Subject::This));
                if contents.is_empty() {
                    doing.after = self.changes_another(execution, at, doing.after);
                }
                self.accesses(execution, at, doing, &contents, &[Access::Write]);
            }
            Action::GetsAndSets(_) | Action::ComparesAndSets(_) => {
                let contents = self.own_contents(value(Subject::This));
                if contents.is_empty() {
                    doing.after = self.changes_another(execution, at, doing.after);
                }
                self.accesses(execution, at, doing, &contents, &[Access::Read, Access::Write]);
            }
            Action::UpdatesBy(function) => {
                let subject = Subject::Argument(*function);
                self.runs_function(execution, at, doing, Source::Itself(subject), None, (Thread::Caller, false))?;
                let contents = self.own_contents(Self::value_of(doing.call, Subject::This));
                self.accesses(execution, at, doing, &contents, &[Access::Read, Access::Write]);
            }
            Action::Returns(subject) => {
                let became = doing.became.filter(|_| *subject == Subject::This);
                doing.results.push(became.unwrap_or_else(|| value(*subject)));
            }
            Action::Views(view) => {
                let value = value(view.of);
                let result = self.view(at, doing, value, view.guard == java::library::ViewGuard::Shared);
                doing.results.push(result);
            }
            Action::Gives(subject) => {
                let value = value(*subject);
                let given = self.given_from(at, doing, value);
                doing.results.push(given);
            }
            Action::Yields => {
                let value = self.loaded(at, &doing.state, doing.call.to);
                doing.results.push(value);
            }
            Action::Makes(making) => {
                let sources: Vec<Source> = making.holds.to_vec();
                let class = match &making.class {
                    java::library::MadeClass::Exact(class) => Some(class.clone()),
                    java::library::MadeClass::Declared | java::library::MadeClass::Any => None,
                };
                let made = self.makes_of_library(at, doing, &sources, class);
                doing.results.push(made);
            }
            Action::Later { whom, .. } => {
                // What keeps it says so, or the result does.
                let made = self.makes_of_library(at, doing, &[*whom, Source::Itself(Subject::This)], None);
                if doing.results.is_empty() && doing.call.to.is_some() {
                    doing.results.push(made);
                }
            }
            Action::Keeps { .. } | Action::KeepsNothing => {}
            Action::Calls(call) => {
                let how = (call.thread, call.once);
                self.runs_function(execution, at, doing, call.whom, call.method.as_deref(), how)?;
            }
            Action::Runs(run) => self.runs_content(execution, at, doing, run.whom, (run.thread, run.once))?,
            Action::Joins { whom, certain } => self.joins(execution, at, doing, *whom, *certain),
            Action::AwaitsLatch { .. } | Action::AwaitsBarrier { .. } | Action::CountsDown | Action::Blocks => {}
            Action::Acquires(side) | Action::Tries { side, .. } => {
                self.acquires(execution, at, doing, *side, matches!(action, Action::Tries { .. }))?;
            }
            Action::Releases(side) => self.releases(execution, at, doing, *side)?,
            Action::Converts(_) => self.converts(execution, at, doing)?,
            Action::ReadLock | Action::WriteLock => {
                let lock = self.lock_object(value(Subject::This));
                let is_write = matches!(action, Action::WriteLock);
                doing.results.push(lock.map_or(Value::Any, |lock| Value::Side(lock, is_write)));
            }
            Action::Condition => {
                let lock = self.explicit(value(Subject::This));
                doing.results.push(lock.map_or(Value::Any, |(lock, _)| Value::Condition(lock)));
            }
            Action::Awaits => self.awaits(execution, at, doing),
            Action::Waits { whom, entered } => {
                if let Some(lock) = self.monitor(value(*whom)) {
                    self.waits(execution, at, doing, lock, *entered);
                }
            }
            Action::Optimistic | Action::Validates => {}
            Action::Permit(_) | Action::JoinsStarted | Action::Holds(_) | Action::Enumerates(_) => {}
            Action::Becomes(class) => {
                if let Value::Made(made) = value(Subject::This)
                    && matches!(self.made(made).kind, Kind::Library(_))
                {
                    let fields = self.made(made).fields.clone();
                    doing.became = Some(self.make(Made { kind: Kind::Library(class.clone()), fields }));
                }
            }
            Action::Names { .. } => {}
        }
        Ok(())
    }

    /// The monitor is given up and entered again; a row that enters it itself leaves it afterwards.
    fn waits(&mut self, execution: &mut Execution, at: Here<'_>, doing: &mut Doing<'_, '_>, lock: Lock, entered: bool) {
        if !entered {
            // A thread that does not hold the monitor is refused.
            doing.thrown.push((doing.after, doing.state.clone()));
        }
        let [enter, leave] = [Step::Acquire(lock, Mode::Write), Step::Release(lock, Mode::Write)];
        let steps = match entered {
            true => vec![enter, Step::Wait(lock), leave],
            false => vec![Step::Wait(lock)],
        };
        for step in steps {
            doing.after = execution.does(doing.after, Piece::One(step), at.line());
        }
    }

    /// Accesses to contents, one after the other.
    fn accesses(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        doing: &mut Doing<'_, '_>,
        contents: &[RegionId],
        accesses: &[Access],
    ) {
        for region in contents {
            self.enters_step(execution, at, doing, *region);
            self.accesses_content(execution, at, doing, (*region, accesses));
            let only_reads = accesses == [Access::Read] && !doing.row.actions.iter().any(is_call);
            if (doing.is_bulk || doing.row.traits.several) && self.is_unguarded(*region) {
                let steps = self.steps_of(*region, accesses);
                doing.after = execution.does(doing.after, Piece::Perhaps(steps), at.line());
            } else if doing.row.traits.several && !only_reads {
                self.leaves_step(execution, at, doing);
                self.enters_step(execution, at, doing, *region);
                self.accesses_content(execution, at, doing, (*region, accesses));
            }
        }
        if doing.row.traits.several {
            self.leaves_step(execution, at, doing);
        }
    }

    /// The content of a region is accessed.
    fn accesses_content(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        doing: &mut Doing<'_, '_>,
        (region, accesses): (RegionId, &[Access]),
    ) {
        for access in accesses {
            for location in self.content_locations(region) {
                doing.after = match access {
                    Access::Read => self.reads(execution, at, doing.after, location),
                    Access::Write => self.writes(execution, at, doing.after, location),
                };
            }
        }
    }

    /// Accesses to a content, as steps of which one is done; none where nobody else has the object.
    pub(super) fn steps_of(&mut self, region: RegionId, accesses: &[Access]) -> Vec<Step> {
        let locations = self.content_locations(region);
        let step = |access: &Access, location| match access {
            Access::Read => Step::Read(location),
            Access::Write => Step::Write(location),
        };
        accesses.iter().flat_map(|access| locations.iter().map(move |location| step(access, *location))).collect()
    }

    /// The content of a region is read.
    pub(super) fn reads_content(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        after: Option<usize>,
        region: RegionId,
    ) -> Option<usize> {
        let mut after = after;
        for location in self.content_locations(region) {
            after = self.reads(execution, at, after, location);
        }
        after
    }

    /// The regions whose content is accessed with a value's: of an object that the unit has made, what it keeps.
    pub(super) fn contents_of(&self, value: Value) -> Vec<RegionId> {
        let mut found = BTreeSet::new();
        let mut open = vec![value];
        while let Some(value) = open.pop() {
            match value {
                Value::Region(region) | Value::View(region) | Value::Locked(region) => drop(found.insert(region)),
                Value::Made(made) if matches!(self.made(made).kind, Kind::Library(_)) => {
                    open.extend(self.made(made).fields.iter().map(|(_, value)| *value));
                }
                _ => {}
            }
        }
        found.into_iter().collect()
    }

    /// The region whose content is that of a value itself.
    fn own_contents(&self, value: Value) -> Vec<RegionId> {
        value.region().into_iter().collect()
    }

    /// Another object with the same content.
    fn view(&mut self, at: Here<'_>, doing: &Doing<'_, '_>, value: Value, is_locked: bool) -> Value {
        match value {
            // What wraps an object of a given class calls its methods.
            Value::Region(region) if self.is_given(region) => Value::Region(region),
            Value::Region(region) if is_locked => Value::Locked(region),
            Value::Locked(region) => Value::Locked(region),
            Value::Region(region) | Value::View(region) => Value::View(region),
            Value::Made(_) | Value::Null => value,
            _ => self.loaded(at, &doing.state, doing.call.to),
        }
    }

    /// Whether a region is an object that a client has made: the position of its iterator is for the client to guard.
    fn is_of_client(&self, region: RegionId) -> bool {
        let objects = &self.regions.regions[region.index()].objects;
        objects.iter().all(|object| matches!(self.heap.what(*object), What::External(_)))
    }

    /// Whether a region is of a given class, so that its methods have code.
    pub(super) fn is_given(&self, region: RegionId) -> bool {
        self.regions.regions[region.index()].class.is_some() || region == RegionId::SUBJECT
    }

    /// Something in the content of a value.
    fn given_from(&mut self, at: Here<'_>, doing: &Doing<'_, '_>, value: Value) -> Value {
        match value {
            Value::Region(region) | Value::View(region) | Value::Locked(region) => {
                self.held_in_content(&doing.state, region, at, doing.call.to)
            }
            Value::Made(made) if self.made(made).fields.len() == 1 => {
                let value = self.made(made).fields[0].1;
                match value {
                    Value::Region(region) | Value::View(region) | Value::Locked(region)
                        if self.made(made).fields[0].0 == Field::Captured(255) =>
                    {
                        self.held_in_content(&doing.state, region, at, doing.call.to)
                    }
                    _ => self.loaded(at, &doing.state, doing.call.to),
                }
            }
            _ => self.loaded(at, &doing.state, doing.call.to),
        }
    }

    /// A new object of the library that keeps these.
    fn makes_of_library(
        &mut self,
        at: Here<'_>,
        doing: &Doing<'_, '_>,
        sources: &[Source],
        class: Option<Box<str>>,
    ) -> Value {
        let mut fields = Vec::new();
        let mut is_known = true;
        for (number, source) in (0_u16..).zip(sources) {
            if let Source::Itself(subject) = source {
                let value = settled(Self::value_of(doing.call, *subject));
                if self.is_kept_exactly(value) {
                    fields.push((Field::Captured(number), value));
                } else {
                    is_known &= !self.may_run_something(at, Self::variable_of(doing.call, *subject));
                }
            }
        }
        if fields.is_empty() || !is_known || self.is_too_deep(&fields) {
            return self.loaded(at, &doing.state, doing.call.to);
        }
        let program = self.heap.program;
        let declared = match program.result_type(doing.call.member.descriptor) {
            Some(java::Type::Class(name)) => program.text(name),
            _ => program.text(doing.call.member.class),
        };
        let class = class.unwrap_or_else(|| declared.into());
        self.make(Made { kind: Kind::Library(class), fields })
    }

    /// Whether what an object of the library keeps is known by the value alone.
    fn is_kept_exactly(&self, value: Value) -> bool {
        self.is_relevant(value) || matches!(value, Value::Made(_))
    }

    /// Whether what a variable may hold runs given methods when it is used as a function. An object of the library that
    /// keeps such a thing among others is known by the pointer analysis only: it would be forgotten what this one runs.
    fn may_run_something(&self, at: Here<'_>, variable: Option<Variable>) -> bool {
        let Some(variable) = variable else { return false };
        let objects = self.heap.variable(self.contexts[at.id.index()].method, variable);
        let runs = |object: &ObjectId| match self.heap.what(*object) {
            What::Lambda => true,
            What::Given(class) => !self.heap.named_methods(class, None).is_empty(),
            What::External(of) => {
                let of_given = self.heap.points.class_of(of).is_some();
                of_given || !self.heap.given_back(self.heap.points.type_name(of)).is_empty()
            }
            What::Library(_) | What::Array | What::View(..) | What::Class(_) | What::Literal(_) | What::Value(_) => {
                false
            }
        };
        self.library_closure(objects).iter().any(runs)
    }

    /// The constructor of a class of the library is called.
    pub(super) fn construct_of_library(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        state: State,
        call: &Call<'_>,
        (made, _): (Value, Variable),
    ) -> Result<Vec<Ending>, Stuck> {
        let class = self.heap.program.text(call.member.class).to_string();
        let endings = self.row(execution, at, at.after, &state, &class, call)?;
        let mut fields = Vec::new();
        let mut is_known = true;
        for (number, value) in (0_u8..).zip(call.values.iter().skip(1)) {
            let value = settled(*value);
            if !self.is_kept_by_constructor(&class, call, number) {
                continue;
            }
            if self.is_kept_exactly(value) {
                fields.push((Field::Captured(number.into()), value));
            } else {
                let variable = call.variables.and_then(|variables| variables.get(usize::from(number) + 1).copied());
                is_known &= !self.may_run_something(at, variable);
            }
        }
        let kept = match fields.is_empty() || !is_known || self.is_too_deep(&fields) {
            true => Value::Other,
            false => self.make(Made { kind: Kind::Library(class.into()), fields }),
        };
        let mut constructed = Vec::new();
        for (after, mut state, value) in endings {
            if value.is_some() && !matches!(made, Value::This(_)) {
                state.replace(made, kept);
            }
            constructed.push((after, state, value.map(|_| Value::Any)));
        }
        Ok(constructed)
    }

    /// Whether a constructor keeps an argument itself, and not only what it holds.
    fn is_kept_by_constructor(&self, class: &str, call: &Call<'_>, number: u8) -> bool {
        let Some(row) = self.heap.row(class, call.member) else { return true };
        let is_it = |subject: &Subject| matches!(subject, Subject::Argument(it) if it.index() == usize::from(number));
        let keeps = row.actions.iter().any(|action| match action {
            Action::Keeps { what: Source::Itself(subject), .. }
            | Action::Later { whom: Source::Itself(subject), .. } => is_it(subject),
            Action::Views(view) => is_it(&view.of),
            _ => false,
        });
        keeps || row.takes_all(true)
    }

    /// Whether objects that were made hold each other deeper than is told apart.
    fn is_too_deep(&self, fields: &[(Field, Value)]) -> bool {
        let mut level: Vec<Value> = fields.iter().map(|(_, value)| *value).collect();
        for _ in 0..4 {
            level = level
                .into_iter()
                .filter_map(|value| match value {
                    Value::Made(made) => Some(self.made(made).fields.iter().map(|(_, value)| *value)),
                    _ => None,
                })
                .flatten()
                .collect();
            if level.is_empty() {
                return false;
            }
        }
        true
    }

    /// The methods of a given class show what it holds: they are called.
    fn traverses(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        doing: &mut Doing<'_, '_>,
        whom: Subject,
        method: Option<&str>,
    ) -> Result<(), Stuck> {
        let value = Self::value_of(doing.call, whom);
        let is_given = match value {
            Value::Region(region) => self.is_given(region),
            Value::Made(made) => matches!(self.made(made).kind, Kind::Object(_)),
            _ => false,
        };
        if is_given {
            for name in java::library::TRAVERSAL.into_iter().chain(method) {
                let place = (value, Self::variable_of(doing.call, whom));
                doing.after = self.calls_named(execution, at, doing.after, place, name)?;
            }
        }
        Ok(())
    }

    /// A function that is given is run.
    fn runs_function(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        doing: &mut Doing<'_, '_>,
        whom: Source,
        method: Option<&str>,
        how: (Thread, bool),
    ) -> Result<(), Stuck> {
        let Some(subject) = whom.subject() else {
            return self.runs_any(execution, at, doing, method, how);
        };
        let value = Self::value_of(doing.call, subject);
        let variable = Self::variable_of(doing.call, subject);
        let mut inner = Vec::new();
        if let (Source::Itself(_), Some(name), (Thread::Caller, _)) = (whom, method, how) {
            doing.after = self.library_method(execution, at, doing.after, value, name);
            let compared = ((value, variable), name);
            inner = self.compared_steps(at, (doing.call, &doing.row), compared);
        }
        if let (Source::Content(_) | Source::Any | Source::Yielded | Source::Value, Some(name)) = (whom, method) {
            inner = self.inner_steps(at, (value, variable), name);
        }
        let contexts = match whom {
            Source::Itself(_) => self.function_contexts(at, doing, (value, variable), method)?,
            Source::Content(_) | Source::Any | Source::Yielded | Source::Value => {
                self.content_contexts(at, doing, (value, variable), method)?
            }
        };
        self.runs_contexts(execution, at, doing, (contexts, inner), how)
    }

    /// Anything that the call moves may be run.
    fn runs_any(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        doing: &mut Doing<'_, '_>,
        method: Option<&str>,
        how: (Thread, bool),
    ) -> Result<(), Stuck> {
        let mut contexts = Vec::new();
        for place in 0..doing.call.values.len() {
            let value = doing.call.values[place];
            let variable = doing.call.variables.and_then(|variables| variables.get(place).copied());
            contexts.extend(self.function_contexts(at, doing, (value, variable), method)?);
            contexts.extend(self.content_contexts(at, doing, (value, variable), method)?);
        }
        self.runs_contexts(execution, at, doing, (contexts, Vec::new()), how)
    }

    /// A function is run here, at most once.
    pub(super) fn runs_value(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        after: Option<usize>,
        (value, variable): (Value, Option<Variable>),
    ) -> Result<Option<usize>, Stuck> {
        let objects: Vec<ObjectId> = match (value, variable) {
            (Value::Any | Value::Other | Value::Foreign | Value::Derived, Some(variable)) => {
                self.heap.variable(self.contexts[at.id.index()].method, variable)
            }
            _ => Vec::new(),
        };
        let contexts = self.contexts_of(value, &objects, None)?;
        Ok(self.runs_all(execution, at, after, contexts))
    }

    /// The targets of a function, or of a method of this name, of a value.
    fn named_targets(&mut self, value: Value, method: Option<&str>) -> Vec<Target> {
        let class = match value {
            Value::Made(made) => match self.made(made).kind.clone() {
                Kind::Lambda(handle) => {
                    let is_of_all = method.is_some_and(|name| ["equals", "hashCode", "toString"].contains(&name));
                    let captured = self.made(made).fields.iter().map(|(_, value)| *value).collect();
                    return if is_of_all { Vec::new() } else { vec![super::dispatch::lambda_target(handle, captured)] };
                }
                Kind::Object(class) => Some(class),
                Kind::Library(_) => None,
            },
            Value::Region(region) => {
                let info = &self.regions.regions[region.index()];
                if info.class.is_none() {
                    let objects = self.regions.aliases[info.alias.index()].objects.clone();
                    let mut targets: Vec<Target> =
                        objects.into_iter().flat_map(|object| self.named_targets_of(object, method)).collect();
                    targets.sort_unstable();
                    targets.dedup();
                    return targets;
                }
                info.class
            }
            _ => None,
        };
        class.map(|class| self.methods_named(class, method)).unwrap_or_default()
    }

    fn methods_named(&self, class: java::ClassId, method: Option<&str>) -> Vec<Target> {
        let methods = self.heap.named_methods(class, method);
        methods.into_iter().map(Target::Method).collect()
    }

    /// The same of an abstract object.
    fn named_targets_of(&mut self, object: ObjectId, method: Option<&str>) -> Vec<Target> {
        match self.heap.what(object) {
            What::Lambda => {
                let is_it = method.is_none_or(|name| self.heap.may_run(object, name));
                if is_it { self.lambda_of(object).into_iter().collect() } else { Vec::new() }
            }
            What::Given(class) => {
                let find = |this: &Self| this.methods_named(class, method);
                self.named(object, method, find).to_vec()
            }
            What::External(of) => {
                let back = self.heap.given_back(self.heap.points.type_name(of)).to_vec();
                let back = back.into_iter().filter(|back| matches!(self.heap.what(*back), What::Lambda));
                let is_it = |back: &ObjectId| method.is_none_or(|name| self.heap.may_run(*back, name));
                let back: Vec<ObjectId> = back.filter(is_it).collect();
                let lambdas: Vec<Target> = back.into_iter().filter_map(|back| self.lambda_of(back)).collect();
                let is_universal = self.heap.is_universal_text(self.heap.points.type_name(of));
                let Some(class) = self.heap.points.class_of(of).filter(|_| !is_universal) else { return lambdas };
                let find = |this: &Self| {
                    let program = this.heap.program;
                    let subtypes = program.subtypes(class).into_iter();
                    let classes = subtypes.filter(|class| !program.class(*class).flags.is_interface());
                    classes.flat_map(|class| this.methods_named(class, method)).collect()
                };
                let mut targets: Vec<Target> = self.named(object, method, find).to_vec();
                targets.extend(lambdas);
                targets.sort_unstable();
                targets.dedup();
                targets
            }
            What::Library(_) | What::Array | What::View(..) | What::Class(_) | What::Literal(_) | What::Value(_) => {
                Vec::new()
            }
        }
    }

    /// The methods of an abstract object of given classes, found once.
    fn named(
        &mut self,
        object: ObjectId,
        method: Option<&str>,
        find: impl FnOnce(&Self) -> Vec<Target>,
    ) -> Rc<[Target]> {
        let key = (object, method.map(Box::from));
        if let Some(known) = self.memo.named.get(&key) {
            return known.clone();
        }
        let mut found = find(self);
        found.sort_unstable();
        found.dedup();
        self.memo.named.entry(key).or_insert(found.into()).clone()
    }

    /// Functions in the content of a value are run, and those that they keep.
    fn runs_content(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        doing: &mut Doing<'_, '_>,
        whom: Subject,
        how: (Thread, bool),
    ) -> Result<(), Stuck> {
        let value = Self::value_of(doing.call, whom);
        let variable = Self::variable_of(doing.call, whom);
        let contents = self.contents_of(value);
        self.accesses(execution, at, doing, &contents, &[Access::Read]);
        let contexts = self.content_contexts(at, doing, (value, variable), None)?;
        self.runs_contexts(execution, at, doing, (contexts, Vec::new()), how)
    }

    /// Contexts are run, and what open references among the arguments may run: here, any number of times, or by another thread.
    fn runs_contexts(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        doing: &mut Doing<'_, '_>,
        (mut contexts, mut inner): (Vec<ContextId>, Vec<Step>),
        (thread, is_once): (Thread, bool),
    ) -> Result<(), Stuck> {
        contexts.extend(self.open_contexts(at, doing.call)?);
        inner.extend(self.reference_steps(at, doing.call));
        contexts.sort_unstable();
        contexts.dedup();
        // What is called of inner objects comes in any order with what the functions do: before and behind them, unless all
        // are steps of one loop.
        let is_loop = thread == Thread::Caller && !is_once && !doing.row.traits.inside;
        if contexts.is_empty() || !is_loop {
            doing.after = any_of(execution, at, doing.after, inner.clone());
        }
        if contexts.is_empty() {
            return Ok(());
        }
        if thread != Thread::Caller {
            let serial = (thread == Thread::Serial).then(|| Self::value_of(doing.call, Subject::This));
            let serial = serial.and_then(|executor| self.lock_object(executor));
            let steps = self.starts(&contexts, serial);
            if !steps.is_empty() {
                let piece = if is_once { Piece::Perhaps(steps) } else { Piece::Any(steps) };
                doing.after = execution.does(doing.after, piece, at.line());
            }
            return Ok(());
        }
        self.leaves_step(execution, at, doing);
        if doing.row.traits.inside {
            self.runs_inside(execution, at, doing, contexts)?;
            doing.after = any_of(execution, at, doing.after, inner);
            return Ok(());
        }
        for context in &contexts {
            self.contexts[context.index()].callers.insert(at.caller());
        }
        let mut steps = Vec::new();
        for context in contexts {
            if self.contexts[context.index()].effects.len() > 1 {
                return Err(self.not_nested(at));
            }
            steps.push(Step::Call(context, Exit::Any));
        }
        doing.after = match is_once {
            true => {
                let after = execution.does(doing.after, Piece::Perhaps(steps), at.line());
                any_of(execution, at, after, inner)
            }
            false => any_of(execution, at, doing.after, steps.into_iter().chain(inner).collect()),
        };
        Ok(())
    }

    /// Functions run for one key at a time: who gets an object from under a key has it alone, as far as others get it in the same way. The step is held around them.
    fn runs_inside(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        doing: &mut Doing<'_, '_>,
        contexts: Vec<ContextId>,
    ) -> Result<(), Stuck> {
        let mut steps = Vec::new();
        for context in contexts {
            let (method, values) = self.method_of(context);
            for (values, regions) in self.decided_arguments(values) {
                if regions != doing.choice || !self.must_enter(method, &values) {
                    continue;
                }
                let callee = self.context_of(method, values)?;
                self.contexts[callee.index()].callers.insert(at.caller());
                steps.push(Step::Call(callee, Exit::Any));
            }
        }
        if !steps.is_empty() {
            doing.after = execution.does(doing.after, Piece::Perhaps(steps), at.line());
        }
        Ok(())
    }

    /// All cases of the undecided arguments, with the regions that they are.
    fn decided_arguments(&mut self, values: Vec<Value>) -> Vec<(Vec<Value>, BTreeSet<RegionId>)> {
        let mut cases = vec![(values, BTreeSet::new())];
        loop {
            let undecided = cases[0].0.iter().find_map(|value| match value {
                Value::Open(of, number) => Some((*of, *number)),
                _ => None,
            });
            let Some((of, number)) = undecided else { return cases };
            let options = self.options(of);
            let decided = cases.into_iter().flat_map(|(values, regions)| {
                options.clone().into_iter().map(move |option| {
                    let replace = |value: &Value| if *value == Value::Open(of, number) { option } else { *value };
                    let region = match option {
                        Value::Region(region) if !Self::is_subject(option) => Some(region),
                        _ => None,
                    };
                    (values.iter().map(replace).collect(), regions.iter().copied().chain(region).collect())
                })
            });
            cases = decided.collect();
        }
    }

    /// The contexts that run a function.
    fn function_contexts(
        &mut self,
        at: Here<'_>,
        doing: &Doing<'_, '_>,
        (value, variable): (Value, Option<Variable>),
        method: Option<&str>,
    ) -> Result<Vec<ContextId>, Stuck> {
        let objects: Vec<ObjectId> = match (value, variable) {
            (Value::Any | Value::Other | Value::Foreign | Value::Derived | Value::Static(_), Some(variable)) => {
                self.heap.variable(self.contexts[at.id.index()].method, variable)
            }
            _ => Vec::new(),
        };
        // What an object of the library runs is what it keeps.
        let (of_library, mut others): (Vec<ObjectId>, Vec<ObjectId>) =
            objects.into_iter().partition(|object| self.heap.is_of_library(*object));
        others.extend(self.library_closure(of_library));
        let is_of_library = match value {
            Value::Made(made) => matches!(self.made(made).kind, Kind::Library(_)),
            Value::Region(region) => !self.is_given(region),
            _ => false,
        };
        if is_of_library {
            return self.kept_contexts(at, doing, (value, variable), method);
        }
        self.contexts_of(value, &others, method)
    }

    /// The contexts that a method of an object of the library runs: of what it keeps, as the method's rows say. An object that is used as a function runs all that it keeps.
    fn kept_contexts(
        &mut self,
        at: Here<'_>,
        doing: &Doing<'_, '_>,
        (value, variable): (Value, Option<Variable>),
        method: Option<&str>,
    ) -> Result<Vec<ContextId>, Stuck> {
        let rows: Vec<Row<'_>> = method.iter().flat_map(|name| self.rows_named(value, name)).collect();
        if rows.is_empty() {
            return self.content_contexts(at, doing, (value, variable), None);
        }
        let mut names: BTreeSet<Option<Box<str>>> = BTreeSet::new();
        for action in rows.iter().flat_map(|row| row.actions) {
            match action {
                Action::Runs(run) if run.whom == Subject::This && run.thread == Thread::Caller => {
                    names.insert(None);
                }
                Action::Calls(call) if call.thread == Thread::Caller => match call.whom {
                    Source::Content(Subject::This) | Source::Any => drop(names.insert(call.method.clone())),
                    _ => {}
                },
                _ => {}
            }
        }
        let mut found = Vec::new();
        for name in names {
            found.extend(self.content_contexts(at, doing, (value, variable), name.as_deref())?);
        }
        Ok(found)
    }

    /// The rows of this name of a value of the library.
    fn rows_named(&self, value: Value, name: &str) -> Vec<Row<'_>> {
        let classes: Vec<&str> = match value {
            Value::Made(made) => match &self.made(made).kind {
                Kind::Library(class) => vec![&**class],
                Kind::Object(_) | Kind::Lambda(_) => Vec::new(),
            },
            Value::Region(region) | Value::View(region) | Value::Locked(region) => {
                let objects = &self.regions.regions[region.index()].objects;
                let class = |object: &ObjectId| match self.heap.what(*object) {
                    What::Library(class) | What::View(_, class) => Some(class),
                    _ => None,
                };
                objects.iter().filter_map(class).collect()
            }
            _ => Vec::new(),
        };
        classes.into_iter().flat_map(|class| self.heap.library.find_all(class, name)).collect()
    }

    /// The contexts that run functions in the content of a value, and in the contents of objects of the library there.
    fn content_contexts(
        &mut self,
        at: Here<'_>,
        doing: &Doing<'_, '_>,
        (value, variable): (Value, Option<Variable>),
        method: Option<&str>,
    ) -> Result<Vec<ContextId>, Stuck> {
        let mut found = Vec::new();
        let mut objects: Vec<ObjectId> = Vec::new();
        let mut open = vec![value];
        let mut is_first = true;
        let is_pipeline = |class: &str| class.starts_with("java/util/stream/");
        let mut sources: Vec<(Value, Vec<ObjectId>)> = Vec::new();
        let mut behind: BTreeSet<String> = BTreeSet::new();
        while let Some(value) = open.pop() {
            match value {
                Value::Made(made) if matches!(self.made(made).kind, Kind::Library(_)) => {
                    if let Kind::Library(class) = &self.made(made).kind {
                        behind.extend(self.calls_behind_function(class));
                        if is_pipeline(class) {
                            sources.extend(self.made(made).fields.iter().map(|(_, value)| (*value, Vec::new())));
                        }
                    }
                    open.extend(self.made(made).fields.iter().map(|(_, value)| *value).collect::<Vec<_>>());
                }
                Value::Region(region) | Value::View(region) | Value::Locked(region) => {
                    if self.is_given(region) && !is_first {
                        found.extend(self.contexts_of(value, &[], method)?);
                    }
                    objects.extend(self.field_objects(region, Field::Content));
                }
                value @ Value::Made(_) => found.extend(self.contexts_of(value, &[], method)?),
                Value::Any | Value::Other | Value::Foreign | Value::Derived | Value::Static(_) if is_first => {
                    let of = variable.map(|variable| self.heap.variable(self.contexts[at.id.index()].method, variable));
                    for object in of.into_iter().flatten() {
                        objects.extend(self.heap.field(object, Field::Content));
                    }
                }
                _ => {}
            }
            is_first = false;
        }
        let _ = doing;
        let objects = self.library_closure(objects);
        found.extend(self.contexts_of(Value::Any, &objects, method)?);
        for object in &objects {
            if let What::Library(class) = self.heap.what(*object) {
                behind.extend(self.calls_behind_function(class));
                if is_pipeline(class) {
                    sources.push((Value::Any, self.heap.field(*object, Field::Content)));
                }
            }
        }
        // A stream of an object of a given class is traversed when it is used.
        for (source, held) in sources {
            for name in java::library::TRAVERSAL {
                found.extend(self.contexts_of(source, &held, Some(name))?);
            }
        }
        for name in &behind {
            found.extend(self.contexts_of(Value::Any, &objects, Some(name))?);
        }
        if let Some(name) = method {
            found.extend(self.contexts_kept_inside(&objects, name)?);
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The contexts that a method of this name runs of objects of the library, each of which is a function with this
    /// method: a comparator runs the function that gives its keys, whatever that function's method is called.
    fn contexts_kept_inside(&mut self, objects: &[ObjectId], name: &str) -> Result<Vec<ContextId>, Stuck> {
        let mut found = Vec::new();
        for object in objects {
            let is_it = match self.heap.what(*object) {
                What::Library(class) | What::View(_, class) | What::Value(class) => {
                    self.heap.library.function(class) == Some(name)
                }
                _ => false,
            };
            if is_it {
                let kept = self.library_closure(self.heap.field(*object, Field::Content));
                found.extend(self.contexts_of(Value::Any, &kept, None)?);
            }
        }
        Ok(found)
    }

    /// The methods that a function of the library calls of what it gets when it is run: a sorted stream compares.
    fn calls_behind_function(&self, class: &str) -> Vec<String> {
        let library = self.heap.library;
        let Some(function) = library.function(class) else { return Vec::new() };
        let actions = library.find_all(class, function).flat_map(|row| row.actions);
        let named = actions.filter_map(|action| match action {
            Action::Calls(call) if call.whom.subject().is_none() => call.method.as_deref().map(str::to_string),
            _ => None,
        });
        named.collect()
    }

    /// Objects with those in the contents of the objects of the library among them.
    pub(super) fn library_closure(&self, objects: Vec<ObjectId>) -> Vec<ObjectId> {
        let mut found: BTreeSet<ObjectId> = BTreeSet::new();
        let mut open = objects;
        while let Some(object) = open.pop() {
            if found.insert(object) && self.heap.is_of_library(object) {
                open.extend(self.heap.field(object, Field::Content));
            }
        }
        found.into_iter().collect()
    }

    /// The contexts that run functions: the value itself, or abstract objects.
    pub(super) fn contexts_of(
        &mut self,
        value: Value,
        objects: &[ObjectId],
        method: Option<&str>,
    ) -> Result<Vec<ContextId>, Stuck> {
        let value = match value {
            Value::Made(_) | Value::Region(_) => value,
            _ => Value::Any,
        };
        let key = (value, self.sets.id(objects.to_vec()), method.map(Box::from), self.is_in_foreign());
        if let Some(known) = self.memo.contexts.get(&key) {
            return Ok(known.to_vec());
        }
        let mut found = self.own_contexts(value, objects, method)?;
        if let (true, Some(name)) = (found.is_empty(), method) {
            found = self.inherited_contexts(value, objects, name)?;
        }
        self.memo.contexts.insert(key, found.as_slice().into());
        Ok(found)
    }

    /// The same but for methods that the objects have from the library.
    pub(super) fn own_contexts(
        &mut self,
        value: Value,
        objects: &[ObjectId],
        method: Option<&str>,
    ) -> Result<Vec<ContextId>, Stuck> {
        let mut targets: Vec<(Target, Value)> = Vec::new();
        match value {
            Value::Made(_) | Value::Region(_) => {
                targets.extend(self.named_targets(value, method).into_iter().map(|target| (target, value)));
            }
            _ => {}
        }
        for object in objects {
            let receiver = match self.may_be_followed(*object) {
                true => Value::Open(self.sets.id(vec![*object]), 7000),
                false => Value::Any,
            };
            if let Some(name) = method.filter(|name| self.may_be_own(*object, name)) {
                self.assume(Assumption::NotAmongAny(format!("`{name}`")));
            }
            let of = self.named_targets_of(*object, method);
            targets.extend(of.into_iter().map(|target| (target, receiver)));
        }
        let mut contexts = Vec::new();
        for (target, receiver) in targets {
            match target {
                Target::Method(method) => {
                    let is_static = self.heap.program.method(method).flags.is_static();
                    let receiver = (!is_static).then_some(receiver);
                    contexts.extend(self.context_with_unknown(method, receiver.into_iter().collect())?.iter());
                }
                Target::Lambda(lambda) => {
                    for method in self.heap.methods_of_reference(lambda.kind, lambda.member()) {
                        contexts.extend(self.context_with_unknown(method, lambda.captured.clone())?.iter());
                    }
                }
                Target::Row(_) | Target::Unknown | Target::Client => {}
            }
        }
        contexts.sort_unstable();
        contexts.dedup();
        Ok(contexts)
    }

    /// The context of a method of which the first arguments are known, and the others are what the pointer analysis says.
    pub(in crate::isolate) fn context_with_unknown(
        &mut self,
        method: MethodId,
        values: Vec<Value>,
    ) -> Result<Rc<[ContextId]>, Stuck> {
        let key = (method, values);
        if let Some(known) = self.memo.with_unknown.get(&key) {
            return Ok(known.clone());
        }
        let found: Rc<[ContextId]> = self.find_with_unknown(method, key.1.clone())?.into();
        self.memo.with_unknown.insert(key, found.clone());
        Ok(found)
    }

    fn find_with_unknown(&mut self, method: MethodId, mut values: Vec<Value>) -> Result<Vec<ContextId>, Stuck> {
        let Some(code) = self.method(method) else {
            return Err(Stuck::Damaged { method: self.heap.program.method_name(method) });
        };
        for (number, parameter) in (0_u32..).zip(&*code.body.parameters).skip(values.len()) {
            let objects = self.heap.variable(method, *parameter);
            let is_followed = objects.iter().any(|object| self.may_be_followed(*object));
            values.push(if is_followed { Value::Open(self.sets.id(objects), 2000 + number) } else { Value::Any });
        }
        values.truncate(code.body.parameters.len());
        if self.is_left_out(method) {
            return Ok(Vec::new());
        }
        let mut contexts = Vec::new();
        for values in self.with_decided_receiver(method, values) {
            if self.must_enter(method, &values) {
                contexts.push(self.context_of(method, values)?);
            }
        }
        Ok(contexts)
    }

    /// The receiver of an instance method is decided before it is entered: a synchronized method locks it.
    pub(in crate::isolate) fn with_decided_receiver(
        &mut self,
        method: MethodId,
        values: Vec<Value>,
    ) -> Vec<Vec<Value>> {
        let is_static = self.heap.program.method(method).flags.is_static();
        match values.first() {
            Some(Value::Open(of, number)) if !is_static => {
                let (of, number) = (*of, *number);
                let replaced = |option: Value| {
                    values.iter().map(|value| if *value == Value::Open(of, number) { option } else { *value }).collect()
                };
                self.options(of).into_iter().map(replaced).collect()
            }
            _ => vec![values],
        }
    }

    /// A method of this name of a value is called, as library code does.
    pub(super) fn calls_named(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        after: Option<usize>,
        (value, variable): (Value, Option<Variable>),
        name: &str,
    ) -> Result<Option<usize>, Stuck> {
        let objects: Vec<ObjectId> = match (value, variable) {
            (Value::Any | Value::Other | Value::Foreign | Value::Derived, Some(variable)) => {
                self.heap.variable(self.contexts[at.id.index()].method, variable)
            }
            _ => Vec::new(),
        };
        let contexts = self.contexts_of(value, &objects, Some(name))?;
        if contexts.is_empty() {
            return Ok(self.library_method(execution, at, after, value, name));
        }
        Ok(self.runs_all(execution, at, after, contexts))
    }

    /// A method of which nothing is known: it may read and write all that it is given and all that is reached from it, and run all that it is given.
    pub(super) fn unknown(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        after: Option<usize>,
        state: &State,
        call: &Call<'_>,
    ) -> Result<Vec<Ending>, Stuck> {
        let mut steps = Vec::new();
        let mut contexts = Vec::new();
        let found = self.heap.program.resolve_method(call.member).found();
        if found.is_some_and(|method| self.heap.program.method(method).flags.is_native()) {
            self.assume(Assumption::Native(self.called_name(call)));
        }
        for (place, value) in call.values.iter().enumerate() {
            let contents = self.contents_of(*value);
            for region in contents.into_iter().filter(|region| !self.is_given(*region)).collect::<Vec<_>>() {
                let location = self.content_location(region);
                steps.extend([Step::Read(location), Step::Write(location)]);
            }
            if !matches!(value, Value::Region(RegionId::SUBJECT)) {
                let variable = call.variables.and_then(|variables| variables.get(place).copied());
                let objects = match (value, variable) {
                    (Value::Any | Value::Other | Value::Foreign, Some(variable)) => {
                        self.heap.variable(self.contexts[at.id.index()].method, variable)
                    }
                    _ => Vec::new(),
                };
                contexts.extend(self.contexts_of(*value, &objects, None)?);
            }
        }
        if !steps.is_empty() || !contexts.is_empty() {
            let method = self.called_name(call);
            self.coarsen(Coarsening::Row, method.clone());
            self.assume(Assumption::WithoutRow(method));
        }
        for context in &contexts {
            self.contexts[context.index()].callers.insert(at.caller());
        }
        steps.extend(contexts.iter().map(|context| Step::Call(*context, Exit::Any)));
        let started = self.starts(&contexts, None);
        steps.extend(started);
        for step in &steps {
            if let Step::Read(location) | Step::Write(location) = step {
                self.notes_guess(*location);
            }
        }
        let after = self.changes_another(execution, at, after);
        let after = match steps.is_empty() {
            true => after,
            false => execution.does(after, Piece::Any(steps), at.line()),
        };
        let value = self.loaded(at, state, call.to);
        Ok(vec![(after, state.clone(), Some(value)), (after, state.clone(), None)])
    }

    /// A lock is acquired, perhaps.
    fn acquires(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        doing: &mut Doing<'_, '_>,
        side: Side,
        _is_try: bool,
    ) -> Result<(), Stuck> {
        // It may throw before it has the lock, if it may throw at all.
        if doing.row.traits.throws {
            doing.thrown.push((doing.after, doing.state.clone()));
        }
        let Some((lock, mode)) = self.side(Self::value_of(doing.call, Subject::This), side) else { return Ok(()) };
        doing.after = execution.does(doing.after, Piece::One(Step::Acquire(lock, mode)), at.line());
        if !doing.state.opens(Open::Explicit(lock, mode)) {
            return Err(self.not_nested(at));
        }
        Ok(())
    }

    /// A side of a lock.
    pub(super) fn side(&self, value: Value, side: Side) -> Option<(Lock, Mode)> {
        let (lock, mode) = self.explicit(value)?;
        Some(match side {
            Side::Own => (lock, mode),
            Side::Read => (lock, Mode::Read),
            Side::Write | Side::Either => (lock, Mode::Write),
        })
    }

    /// A lock is released.
    fn releases(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        doing: &mut Doing<'_, '_>,
        side: Side,
    ) -> Result<(), Stuck> {
        let Some((lock, mut mode)) = self.side(Self::value_of(doing.call, Subject::This), side) else {
            self.renamed.by(Self::value_of(doing.call, Subject::This));
            doing.thrown.push((doing.after, doing.state.clone()));
            return Ok(());
        };
        if side == Side::Either {
            let held = doing.state.open.iter().rev().find_map(|open| match open {
                Open::Explicit(held, mode) if *held == lock => Some(*mode),
                _ => None,
            });
            mode = held.unwrap_or(mode);
        }
        let has_own = self.contexts[at.id.index()].own_lock.is_some();
        let step = match doing.state.closes(Open::Explicit(lock, mode), self.mode.overlaps) {
            Some(super::locks::Closed::Own) => Step::Release(lock, mode),
            Some(super::locks::Closed::OfCaller(number)) if !has_own => {
                self.notes_release(lock);
                Step::ReleaseForCaller(lock, mode, number)
            }
            Some(super::locks::Closed::OfCaller(_)) | None => return Err(self.not_nested(at)),
        };
        doing.after = execution.does(doing.after, Piece::One(step), at.line());
        Ok(())
    }

    /// A stamped lock's other side is held from now on, or what was held.
    fn converts(&mut self, _: &mut Execution, at: Here<'_>, doing: &mut Doing<'_, '_>) -> Result<(), Stuck> {
        match self.explicit(Self::value_of(doing.call, Subject::This)) {
            Some(_) => Err(self.not_nested(at)),
            None => Ok(()),
        }
    }

    /// A condition gives its lock up; one that is not known may give up any that is held.
    fn awaits(&mut self, execution: &mut Execution, at: Here<'_>, doing: &mut Doing<'_, '_>) {
        match Self::value_of(doing.call, Subject::This) {
            Value::Condition(lock) => {
                doing.after = execution.does(doing.after, Piece::One(Step::Wait(lock)), at.line());
            }
            _ => {
                let held: Vec<Step> = doing
                    .state
                    .open
                    .iter()
                    .filter_map(|open| match open {
                        Open::Explicit(lock, Mode::Write) => Some(Step::Wait(*lock)),
                        Open::Explicit(_, Mode::Read) | Open::Monitor(_) | Open::Silent => None,
                    })
                    .collect();
                if !held.is_empty() {
                    doing.after = execution.does(doing.after, Piece::Perhaps(held), at.line());
                }
            }
        }
    }

    /// A copy reads all fields and the content of what it is a copy of; it is another object.
    fn clones(&mut self, execution: &mut Execution, at: Here<'_>, doing: &mut Doing<'_, '_>, subject: Subject) {
        match Self::value_of(doing.call, subject) {
            Value::Region(region) => {
                for field in self.changing_fields(region) {
                    let location = self.field_location(region, field);
                    doing.after = self.reads(execution, at, doing.after, location);
                }
                if !self.is_given(region) {
                    self.accesses(execution, at, doing, &[region], &[Access::Read]);
                }
                doing.results.push(Value::Other);
            }
            Value::View(region) => {
                self.accesses(execution, at, doing, &[region], &[Access::Read]);
                doing.results.push(Value::Other);
            }
            _ => {
                let value = self.loaded(at, &doing.state, doing.call.to);
                doing.results.push(if matches!(value, Value::Open(..)) { Value::Other } else { value });
            }
        }
    }

    /// The changing fields of a region of a given class.
    fn changing_fields(&self, region: RegionId) -> Vec<java::FieldId> {
        let program = self.heap.program;
        let Some(class) = self.regions.regions[region.index()].class else { return Vec::new() };
        let fields = program.superclasses(class).flat_map(|class| program.class(class).fields());
        fields.filter(|field| !program.field(*field).flags.is_static() && !self.heap.is_unchanging(*field)).collect()
    }

    /// The thread waits until others have ended.
    fn joins(
        &mut self,
        execution: &mut Execution,
        at: Here<'_>,
        doing: &mut Doing<'_, '_>,
        whom: Source,
        certain: bool,
    ) {
        let _ = whom;
        if self.mode.is_program && certain {
            doing.after = execution.does(doing.after, Piece::One(Step::Join), at.line());
        }
    }

    /// A location that is accessed as nothing is known of a method.
    fn notes_guess(&mut self, location: Location) {
        self.guessed.insert(location);
    }
}

/// Whether an action runs what is given.
fn is_call(action: &Action) -> bool {
    matches!(action, Action::Calls(_) | Action::Runs(_) | Action::Traverses { .. })
}

/// An access to a content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    Read,
    Write,
}
