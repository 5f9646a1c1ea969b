//! Contexts of functions that rows run, and calls of unknown methods.

use crate::exec::context::{ContextId, Steps};
use crate::exec::execution::{Call, CallExit, Execution, Position};
use crate::exec::interpreter::{Interpreter, MadeKind};
use crate::exec::memo::RunKey;
use crate::exec::state::State;
use crate::facts::objects::ObjectKind;
use crate::graph::{Exit, Step};
use crate::value::{RegionId, Value};
use crate::{Assumption, Coarsening, Rule, Stuck};
use java::ir::Variable;
use java::library::{Action, Row, Source, Subject, Thread};
use java::points_to::{Field, ObjectId};
use std::collections::BTreeSet;
use std::rc::Rc;

impl Interpreter<'_> {
    /// The contexts that run a function, or the functions in its content; computed once for each value and variable.
    pub(super) fn contexts_run(
        &mut self,
        at: Position<'_>,
        (value, variable): (Value, Option<Variable>),
        method: Option<&str>,
        in_content: bool,
    ) -> Result<Vec<ContextId>, Stuck> {
        let variable = variable.filter(|_| value.is_as_its_variable());
        let of = variable.map(|variable| (self.contexts[at.id.index()].method, variable));
        let key =
            RunKey { value, variable: of, method: method.map(Box::from), in_content, is_foreign: self.is_in_foreign() };
        if let Some(known) = self.memo.run.get(&key) {
            return Ok(known.to_vec());
        }
        let found = match in_content {
            true => self.content_contexts(at, (value, variable), method)?,
            false => self.function_contexts(at, (value, variable), method)?,
        };
        self.memo.run.insert(key, found.as_slice().into());
        Ok(found)
    }

    /// The contexts that run a function.
    fn function_contexts(
        &mut self,
        at: Position<'_>,
        (value, variable): (Value, Option<Variable>),
        method: Option<&str>,
    ) -> Result<Vec<ContextId>, Stuck> {
        let objects: Vec<ObjectId> = match variable {
            Some(variable) => self.heap.variable(self.contexts[at.id.index()].method, variable),
            None => Vec::new(),
        };
        let others = self.functions_among(objects);
        let is_of_library = match value {
            Value::Made(made) => matches!(self.made(made).kind, MadeKind::Library(_)),
            Value::Region(region) => !self.is_program_object(region),
            _ => false,
        };
        if is_of_library {
            return self.kept_contexts(at, (value, variable), method);
        }
        self.contexts_of(value, &others, method)
    }

    /// The objects that run if these objects run: a library object runs the objects that it keeps.
    pub(super) fn functions_among(&self, objects: Vec<ObjectId>) -> Vec<ObjectId> {
        let (of_library, mut others): (Vec<ObjectId>, Vec<ObjectId>) =
            objects.into_iter().partition(|object| self.heap.is_of_library(*object));
        others.extend(self.heap.library_closure(of_library));
        others
    }

    /// The contexts that a method of a library object runs: methods of the objects that it keeps, as the method's rows
    /// say. A library object that is used as a function runs all objects that it keeps.
    fn kept_contexts(
        &mut self,
        at: Position<'_>,
        (value, variable): (Value, Option<Variable>),
        method: Option<&str>,
    ) -> Result<Vec<ContextId>, Stuck> {
        let rows: Vec<Row<'_>> = method.iter().flat_map(|name| self.rows_named(value, name)).collect();
        if rows.is_empty() {
            return self.content_contexts(at, (value, variable), None);
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
            found.extend(self.content_contexts(at, (value, variable), name.as_deref())?);
        }
        Ok(found)
    }

    /// The rows of this name for a value of the library.
    pub(super) fn rows_named(&self, value: Value, name: &str) -> Vec<Row<'_>> {
        let classes: Vec<&str> = match value {
            Value::Made(made) => match &self.made(made).kind {
                MadeKind::Library(class) => vec![&**class],
                MadeKind::Object(_) | MadeKind::Lambda(_) => Vec::new(),
            },
            Value::Region(region) | Value::View(region) | Value::Locked(region) => {
                let objects = &self.regions.regions[region.index()].objects;
                let class = |object: &ObjectId| match self.heap.kind_of(*object) {
                    ObjectKind::Library(class) | ObjectKind::View(_, class) => Some(class),
                    _ => None,
                };
                objects.iter().filter_map(class).collect()
            }
            _ => Vec::new(),
        };
        classes.into_iter().flat_map(|class| self.heap.library.find_all(class, name)).collect()
    }

    /// The contexts of functions in the content of a value, and in the contents of library objects there.
    fn content_contexts(
        &mut self,
        at: Position<'_>,
        (value, variable): (Value, Option<Variable>),
        method: Option<&str>,
    ) -> Result<Vec<ContextId>, Stuck> {
        let mut found = Vec::new();
        let mut objects: Vec<ObjectId> = Vec::new();
        let mut open = vec![value];
        let mut is_first = true;
        let is_pipeline = |class: &str| class.starts_with("java/util/stream/");
        let mut sources: Vec<(Value, Vec<ObjectId>)> = Vec::new();
        let mut called_names: BTreeSet<String> = BTreeSet::new();
        while let Some(value) = open.pop() {
            match value {
                Value::Made(made) if matches!(self.made(made).kind, MadeKind::Library(_)) => {
                    if let MadeKind::Library(class) = &self.made(made).kind {
                        called_names.extend(self.names_called_by_function(class));
                        if is_pipeline(class) {
                            sources.extend(self.made(made).fields.iter().map(|(_, value)| (*value, Vec::new())));
                        }
                    }
                    open.extend(self.made(made).fields.iter().map(|(_, value)| *value).collect::<Vec<_>>());
                }
                Value::Region(region) | Value::View(region) | Value::Locked(region) => {
                    if self.is_program_object(region) && !is_first {
                        found.extend(self.contexts_of(value, &[], method)?);
                    }
                    objects.extend(self.field_objects(region, Field::Content).iter());
                }
                value @ Value::Made(_) => found.extend(self.contexts_of(value, &[], method)?),
                value if is_first && value.is_as_its_variable() => {
                    let of = variable.map(|variable| self.heap.variable(self.contexts[at.id.index()].method, variable));
                    objects.extend(self.heap.contents_of_all(of.into_iter().flatten()));
                }
                _ => {}
            }
            is_first = false;
        }
        let set = self.sets.id(objects);
        let set = self.closure_of(set);
        let objects: Rc<[ObjectId]> = self.sets.objects(set);
        found.extend(self.contexts_of_set(Value::Any, set, method)?);
        for object in &*objects {
            if let ObjectKind::Library(class) = self.heap.kind_of(*object) {
                called_names.extend(self.names_called_by_function(class));
                if is_pipeline(class) {
                    sources.push((Value::Any, self.heap.field(*object, Field::Content)));
                }
            }
        }
        // Using a stream of a program object traverses the object.
        for (source, held) in sources {
            for name in java::library::TRAVERSAL {
                found.extend(self.contexts_of(source, &held, Some(name))?);
            }
        }
        for name in &called_names {
            found.extend(self.contexts_of_set(Value::Any, set, Some(name))?);
        }
        if let Some(name) = method {
            found.extend(self.kept_function_contexts(&objects, name)?);
        }
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    /// The contexts that run when a method of this name is called on library objects that are functions by this method:
    /// a comparator runs the function that extracts its keys, whatever that function's method is called.
    pub(super) fn kept_function_contexts(&mut self, objects: &[ObjectId], name: &str) -> Result<Vec<ContextId>, Stuck> {
        let mut found = Vec::new();
        for object in objects {
            let is_it = match self.heap.kind_of(*object) {
                ObjectKind::Library(class) | ObjectKind::View(_, class) | ObjectKind::Value(class) => {
                    self.heap.library.function(class) == Some(name)
                }
                _ => false,
            };
            if is_it {
                let kept = self.heap.library_closure(self.heap.field(*object, Field::Content));
                found.extend(self.contexts_of(Value::Any, &kept, None)?);
            }
        }
        Ok(found)
    }

    /// The methods that a library function calls on its arguments when it runs: a sorted stream calls `compare`.
    pub(super) fn names_called_by_function(&self, class: &str) -> Vec<String> {
        let library = self.heap.library;
        let Some(function) = library.function(class) else { return Vec::new() };
        let actions = library.find_all(class, function).flat_map(|row| row.actions);
        let named = actions.filter_map(|action| match action {
            Action::Calls(call) if call.whom.subject().is_none() => call.method.as_deref().map(str::to_string),
            _ => None,
        });
        named.collect()
    }

    /// Calls a method of this name on a value, as library code does.
    pub(super) fn call_named(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
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
        Ok(self.run_any_of(execution, at, after, contexts))
    }

    /// Calls an unknown method: it may read and write its arguments and everything reached from them, and run its
    /// arguments.
    pub(super) fn unknown(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        after: Option<usize>,
        state: &State,
        call: &Call<'_>,
    ) -> Result<Vec<CallExit>, Stuck> {
        let mut steps = Vec::new();
        let mut contexts = Vec::new();
        let found = self.heap.program.resolve_method(call.member).found();
        if found.is_some_and(|method| self.heap.program.method(method).flags.is_native()) {
            self.assume(Assumption::Native(format!("`{}`", self.called_name(call))));
        }
        if self.heap.modality.omits(Rule::UnknownCode) {
            let after = self.add_unfollowed_change(execution, at, after);
            let after = self.read_passed_contents(execution, at, after, call);
            let after = match self.runs_each_once(call) {
                true => {
                    let by_argument = self.callbacks_by_argument(at, call)?;
                    self.run_each_once(execution, at, after, by_argument)
                }
                false => {
                    let contexts = self.callback_contexts(at, call)?;
                    self.run_any_of(execution, at, after, contexts)
                }
            };
            let value = self.assigned_value(at, state, call.to);
            return Ok(vec![(after, state.clone(), Some(value)), (after, state.clone(), None)]);
        }
        for (place, value) in call.values.iter().enumerate() {
            let contents = self.contents_of(*value);
            for region in contents.into_iter().filter(|region| !self.is_program_object(*region)).collect::<Vec<_>>() {
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
            self.assume(Assumption::WithoutRow(format!("`{method}`")));
            self.coarsen(Coarsening::Row, method);
        }
        for context in &contexts {
            self.contexts[context.index()].callers.insert(at.caller());
        }
        steps.extend(contexts.iter().map(|context| Step::Call(*context, Exit::Any)));
        let started = self.start_threads(&contexts, None);
        steps.extend(started);
        for step in &steps {
            if let Step::Read(location) | Step::Write(location) = step {
                self.note_guess(*location);
            }
        }
        let after = self.add_unfollowed_change(execution, at, after);
        let after = match steps.is_empty() {
            true => after,
            false => execution.add_steps(after, Steps::Repeated(steps), at.line()),
        };
        let value = self.assigned_value(at, state, call.to);
        Ok(vec![(after, state.clone(), Some(value)), (after, state.clone(), None)])
    }
}
