//! Functions that rows run: arguments, kept functions, and functions in contents; inside of the step or outside.

use super::access::Access;
use super::rows::{Loops, RowCall};
use super::traversals::any_of;
use crate::exec::context::{ContextId, Steps};
use crate::exec::execution::{Execution, Position};
use crate::exec::interpreter::{Interpreter, MadeKind};
use crate::graph::{Exit, Step};
use crate::value::Value;
use crate::{Rule, Stuck};
use java::ir::Variable;
use java::library::{Action, Source, Subject, Thread};
use java::points_to::ObjectId;

/// The methods by which containers compare keys and elements; keys of the library do not change, by
/// [`Keys`](Rule::Keys).
const KEYS: [&str; 4] = ["hashCode", "equals", "compareTo", "compare"];

impl Interpreter<'_> {
    /// Calls the methods by which a program object is traversed.
    pub(super) fn traverse(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        row_call: &mut RowCall<'_, '_>,
        whom: Subject,
        method: Option<&str>,
    ) -> Result<(), Stuck> {
        let value = match Self::value_of(row_call.call, whom) {
            // A view of a program object is read by the methods of the object.
            Value::View(region) | Value::Locked(region) if self.is_program_object(region) => Value::Region(region),
            value => value,
        };
        let is_given = match value {
            Value::Region(region) => self.is_program_object(region),
            Value::Made(made) => matches!(self.made(made).kind, MadeKind::Object(_)),
            _ => false,
        };
        if is_given {
            for name in java::library::TRAVERSAL.into_iter().chain(method) {
                let contexts = self.contexts_of(value, &[], Some(name))?;
                if contexts.is_empty() {
                    row_call.after = self.library_method(execution, at, row_call.after, value, name);
                    continue;
                }
                row_call.loops.add(contexts.iter().map(|context| Step::Call(*context, Exit::Any)));
                row_call.after = self.run_any_of(execution, at, row_call.after, contexts);
            }
        }
        Ok(())
    }

    /// Runs a function among the arguments, or functions in contents.
    pub(super) fn run_function(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        row_call: &mut RowCall<'_, '_>,
        whom: Source,
        method: Option<&str>,
        how: (Thread, bool),
    ) -> Result<(), Stuck> {
        if whom == Source::Yielded && how.0 != Thread::Caller {
            return self.start_results(execution, at, row_call, method, how);
        }
        let Some(subject) = whom.subject() else {
            return self.run_any(execution, at, row_call, method, how);
        };
        let value = Self::value_of(row_call.call, subject);
        let variable = Self::variable_of(row_call.call, subject);
        let mut inner = Vec::new();
        if let (Source::Itself(_), Some(name), (Thread::Caller, _)) = (whom, method, how) {
            row_call.after = self.library_method(execution, at, row_call.after, value, name);
            let compared = ((value, variable), name);
            inner = self.compared_steps(at, (row_call.call, &row_call.row), compared);
        }
        if let (Source::Content(_) | Source::Any | Source::Yielded | Source::Value, Some(name)) = (whom, method) {
            // The queue that a pool gets is asked for no state.
            let is_omitted = matches!(whom, Source::Content(_)) && self.omits_accesses(row_call)
                || self.heap.modality.omits(Rule::Keys) && KEYS.contains(&name);
            inner = if is_omitted { Vec::new() } else { self.inner_steps(at, (value, variable), name) };
        }
        let of_key = row_call.row.traits.values_of_key.filter(|_| how.0 == Thread::Caller);
        let contexts = match (whom, of_key) {
            (Source::Itself(_), Some(of_key)) => {
                self.run_for_key(execution, at, row_call, ((value, variable), method, of_key))?;
                Vec::new()
            }
            (Source::Itself(_), None) => self.contexts_run(at, (value, variable), method, false)?,
            (Source::Content(_) | Source::Any | Source::Yielded | Source::Value, _) => {
                self.contexts_run(at, (value, variable), method, true)?
            }
        };
        self.run_contexts(execution, at, row_call, (contexts, inner), how)
    }

    /// Starts threads that run the results of functions, such as the threads that a factory makes. Functions that the
    /// row has run already are excluded: the factory gets a worker that runs task after task, not a task.
    fn start_results(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        row_call: &mut RowCall<'_, '_>,
        method: Option<&str>,
        how: (Thread, bool),
    ) -> Result<(), Stuck> {
        let functions = self.functions_at(at);
        let results =
            functions.iter().flat_map(|function| self.heap.listed(self.heap.points.result(*function)).to_vec());
        let objects = self.functions_among(results.collect());
        let mut contexts = self.contexts_of(Value::Any, &objects, method)?;
        contexts.retain(|context| !row_call.ran.contains(&self.contexts[context.index()].method));
        self.run_contexts(execution, at, row_call, (contexts, Vec::new()), how)
    }

    /// Runs any function among the arguments or in their contents.
    pub(super) fn run_any(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        row_call: &mut RowCall<'_, '_>,
        method: Option<&str>,
        how: (Thread, bool),
    ) -> Result<(), Stuck> {
        let mut contexts = Vec::new();
        for place in 0..row_call.call.values.len() {
            let value = row_call.call.values[place];
            let variable = row_call.call.variables.and_then(|variables| variables.get(place).copied());
            contexts.extend(self.contexts_run(at, (value, variable), method, false)?);
            contexts.extend(self.contexts_run(at, (value, variable), method, true)?);
        }
        self.run_contexts(execution, at, row_call, (contexts, Vec::new()), how)
    }

    /// Runs a function here.
    pub(super) fn run_value(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
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
        Ok(self.run_any_of(execution, at, after, contexts))
    }

    /// Whether a pool with one thread runs the functions of a row, by [`OneThread`](Rule::OneThread).
    fn is_one_thread(&self, row_call: &RowCall<'_, '_>, thread: Thread) -> bool {
        let Value::Region(region) = Self::value_of(row_call.call, Subject::This) else { return false };
        thread == Thread::Other
            && self.heap.modality.omits(Rule::OneThread)
            && self.heap.have_one_thread(&self.regions.regions[region.index()].objects)
    }

    /// The executor with one thread that a call gets for its function, by [`OneThread`](Rule::OneThread).
    fn serial_argument(&self, row_call: &RowCall<'_, '_>, thread: Thread) -> Option<Value> {
        let executor = |action: &Action| match action {
            Action::Calls(call) if call.method.as_deref() == Some("execute") => call.whom.subject(),
            _ => None,
        };
        let whom = row_call.row.actions.iter().find_map(executor).filter(|whom| *whom != Subject::This)?;
        let value = Self::value_of(row_call.call, whom);
        let Value::Region(region) = value else { return None };
        let objects = &self.regions.regions[region.index()].objects;
        let is_asked = thread == Thread::Other && self.heap.modality.omits(Rule::OneThread);
        (is_asked && self.heap.have_one_thread(objects)).then_some(value)
    }

    /// Runs the functions in the content of a value, and those that they keep. The library reads the contents that it
    /// visits on the way, such as the list of a stream. For an object that the unit has made, the kept objects are
    /// known; for others, the pointer analysis gives the contents that may be read, any number of times.
    pub(super) fn run_contents(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        row_call: &mut RowCall<'_, '_>,
        whom: Subject,
        how: (Thread, bool),
    ) -> Result<(), Stuck> {
        let value = Self::value_of(row_call.call, whom);
        let variable = Self::variable_of(row_call.call, whom);
        let contents = self.contents_of(value);
        self.add_accesses(execution, at, row_call, &contents, &[Access::Read]);
        let inner = match value {
            Value::Made(_) => Vec::new(),
            _ if how.0 == Thread::Caller => self.deep_steps(at, (value, variable)),
            _ => Vec::new(),
        };
        let contexts = self.contexts_run(at, (value, variable), None, true)?;
        self.run_contexts(execution, at, row_call, (contexts, inner), how)
    }

    /// Runs contexts, and methods that open references among the arguments may run: here, any number of times, or in
    /// another thread.
    pub(super) fn run_contexts(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        row_call: &mut RowCall<'_, '_>,
        (mut contexts, inner): (Vec<ContextId>, Vec<Step>),
        (thread, is_once): (Thread, bool),
    ) -> Result<(), Stuck> {
        contexts.extend(self.open_contexts(at, row_call.call)?);
        contexts.sort_unstable();
        contexts.dedup();
        row_call.ran.extend(contexts.iter().map(|context| self.contexts[context.index()].method));
        // Calls on inner objects come in any order with the functions: before and after them, unless all are steps of
        // one loop.
        let is_loop = thread == Thread::Caller && !is_once;
        if contexts.is_empty() || !is_loop {
            row_call.after = any_of(execution, at, row_call.after, inner.clone());
        }
        if contexts.is_empty() {
            return Ok(());
        }
        let thread = if self.is_one_thread(row_call, thread) { Thread::Serial } else { thread };
        if thread != Thread::Caller {
            let serial = (thread == Thread::Serial).then(|| Self::value_of(row_call.call, Subject::This));
            let serial = serial.or_else(|| self.serial_argument(row_call, thread));
            let serial = serial.and_then(|executor| self.lock_object(executor));
            let steps = self.start_threads(&contexts, serial);
            if !steps.is_empty() {
                let steps = if is_once { Steps::Optional(steps) } else { Steps::Repeated(steps) };
                row_call.after = execution.add_steps(row_call.after, steps, at.line());
            }
            return Ok(());
        }
        self.leave_step(execution, at, row_call);
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
        row_call.after = match is_once {
            true => {
                let after = execution.add_steps(row_call.after, Steps::Optional(steps), at.line());
                any_of(execution, at, after, inner)
            }
            false => {
                let steps: Vec<Step> = steps.into_iter().chain(inner).collect();
                row_call.loops.add(steps.iter().copied());
                any_of(execution, at, row_call.after, steps)
            }
        };
        Ok(())
    }

    /// Runs the steps of several loops in any order. Functions inside of a step run once for each key.
    pub(super) fn run_interleaved(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        row_call: &mut RowCall<'_, '_>,
    ) {
        let Loops { count, steps } = std::mem::take(&mut row_call.loops);
        if count > 1 && !row_call.row.traits.inside {
            self.leave_step(execution, at, row_call);
            row_call.after = any_of(execution, at, row_call.after, steps);
        }
    }
}
