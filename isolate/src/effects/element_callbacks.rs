//! Element callbacks: methods that the library calls on elements, such as `hashCode` when a collector fills a set.
//!
//! Methods that a row calls on its own arguments and contents are found by their values. But the elements of a stream
//! are results of functions, and comparators and collectors call methods of elements that no argument of the call
//! holds.
//!
//! **Definition.** The *callbacks* are the methods `equals`, `hashCode`, `compareTo`, `compare` and `toString`, the
//! methods by which containers are traversed, and, where a stream runs, all functions. All functions count as well if
//! an argument of the call may be a program object whose class extends a library class: the objects passed to that
//! class's constructor are in none of its fields. A row *moves* objects if it runs its arguments, calls methods of
//! arbitrary objects, or calls a library object or such a program object.
//!
//! **Invariant.** If a row moves objects, then it runs each callback that the pointer analysis finds at the call, with
//! parameters by the pointer analysis, unless the row has run the method already. *Why it suffices.* The pointer
//! analysis tracks all moved objects and the calls that rows of any depth make on them. It does not distinguish calls
//! of one statement, so it may run more methods than possible, which is coarser.

use super::access::Access;
use super::rows::RowCall;
use crate::exec::execution::{Execution, Position};
use crate::exec::interpreter::{Interpreter, MadeKind};
use crate::facts::objects::ObjectKind;
use crate::graph::Step;
use crate::value::Value;
use crate::{Rule, Stuck};
use java::library::{Action, Attribute, Source, Subject, TRAVERSAL, Target, Thread};
use java::points_to::ObjectId;
use java::{ClassId, MethodId};

/// The methods that all objects have, and those that compare.
const CALLBACKS: [&str; 5] = ["equals", "hashCode", "compareTo", "compare", "toString"];

impl Interpreter<'_> {
    /// Runs the callbacks that the row has not run yet, any number of times.
    pub(super) fn run_callbacks(
        &mut self,
        execution: &mut Execution,
        at: Position<'_>,
        row_call: &mut RowCall<'_, '_>,
    ) -> Result<(), Stuck> {
        let threads = row_call.row.actions.iter().filter_map(|action| match action {
            Action::Calls(call) => Some((call.thread, call.once)),
            Action::Runs(run) => Some((run.thread, run.once)),
            Action::Traverses { .. } | Action::UpdatesBy(_) => Some((Thread::Caller, false)),
            _ => None,
        });
        let mut threads: Vec<(Thread, bool)> = threads.collect();
        threads.sort_unstable_by_key(|(thread, once)| (*thread != Thread::Caller, *once));
        threads.dedup_by_key(|(thread, _)| *thread != Thread::Caller);
        // An executor lets its threads run what it gets, and nothing else.
        let is_executor = row_call.row.attributes.has(Attribute::Executor) && self.heap.modality.omits(Rule::OwnThread);
        if threads.is_empty() || is_executor {
            return Ok(());
        }
        let extends_library = self.has_subclass_of_library(at, row_call);
        if !extends_library && !row_call.row.actions.iter().any(|action| self.moves(at, row_call, action)) {
            return Ok(());
        }
        let runs_stream = self.runs_stream(row_call);
        let runs_all = extends_library || runs_stream;
        let all = self.functions_at(at);
        let program = self.heap.program;
        let is_callback = |function: &MethodId| {
            let declared = program.method(*function);
            let name = program.text(declared.name);
            declared.has_code() && (runs_all || CALLBACKS.contains(&name) || TRAVERSAL.contains(&name))
        };
        let functions = all.iter().copied().filter(is_callback);
        let missed: Vec<MethodId> = functions.filter(|function| !row_call.ran.contains(function)).collect();
        let mut contexts = Vec::new();
        for function in missed {
            contexts.extend(self.context_with_unknown(function, Vec::new())?.iter());
        }
        let mut inner = if runs_stream { self.returned_stream_steps(at, &all) } else { Vec::new() };
        inner.extend(self.steps_on_results(at, row_call, &all));
        // A method that may run here counts as run here; if a stream may be parallel, other threads run it, too.
        threads.truncate(if runs_stream { 2 } else { 1 });
        for how in threads {
            self.run_contexts(execution, at, row_call, (contexts.clone(), inner.clone()), how)?;
        }
        Ok(())
    }

    /// The steps that read the sources of streams that functions return, as for `flatMap`.
    fn returned_stream_steps(&mut self, at: Position<'_>, functions: &[MethodId]) -> Vec<Step> {
        let results =
            functions.iter().flat_map(|function| self.heap.listed(self.heap.points.result(*function)).to_vec());
        let is_stream = |object: &ObjectId| {
            self.heap.library_class(*object).is_some_and(|class| class.starts_with("java/util/stream/"))
        };
        let streams: Vec<ObjectId> = results.filter(is_stream).collect();
        let of = self.heap.library_closure(streams);
        self.reading_steps(at, &of)
    }

    /// The accesses to results of functions in which a row keeps something: a container or array that a function
    /// supplies. The pointer analysis does not say which function supplies it, so only models for proofs have them.
    fn steps_on_results(&mut self, at: Position<'_>, row_call: &RowCall<'_, '_>, functions: &[MethodId]) -> Vec<Step> {
        if self.heap.modality.is_firm() || !self.keeps_in_results(at, row_call) {
            return Vec::new();
        }
        let results = functions.iter().flat_map(|it| self.heap.listed(self.heap.points.result(*it)).to_vec());
        let results: Vec<ObjectId> = results.collect();
        let regions = self.regions_of(&results).into_iter();
        regions.flat_map(|region| self.steps_of(region, &[Access::Read, Access::Write])).collect()
    }

    /// Whether a row, or a library function among the arguments, keeps something in the results of functions.
    fn keeps_in_results(&self, at: Position<'_>, row_call: &RowCall<'_, '_>) -> bool {
        let keeps = |action: &Action| matches!(action, Action::Keeps { target: Target::Yielded, .. });
        if row_call.row.actions.iter().any(keeps) {
            return true;
        }
        let (heap, method) = (&self.heap, self.contexts[at.id.index()].method);
        let variables = row_call.call.variables.unwrap_or_default();
        let arguments = variables.iter().flat_map(|variable| heap.variable(method, *variable)).collect();
        heap.library_closure(arguments).into_iter().any(|object| {
            let class = heap.library_class(object);
            let function = class.and_then(|class| Some((class, heap.library.function(class)?)));
            let rows = function.into_iter().flat_map(|(class, function)| heap.library.find_all(class, function));
            rows.flat_map(|row| row.actions).any(keeps)
        })
    }

    /// Whether an action moves objects.
    fn moves(&self, at: Position<'_>, row_call: &RowCall<'_, '_>, action: &Action) -> bool {
        match action {
            Action::Runs(_) | Action::Traverses { .. } => true,
            Action::UpdatesBy(function) => self.is_of_library_function(at, row_call, Subject::Argument(*function)),
            Action::Calls(call) => match (call.whom, &call.method) {
                (Source::Itself(whom), None) => self.is_of_library_function(at, row_call, whom),
                (Source::Itself(_), Some(_)) => false,
                (Source::Content(_) | Source::Any | Source::Yielded | Source::Value, _) => true,
            },
            _ => false,
        }
    }

    /// Whether a function may be a library object, such as a comparator.
    fn is_of_library_function(&self, at: Position<'_>, row_call: &RowCall<'_, '_>, whom: Subject) -> bool {
        let value = Self::value_of(row_call.call, whom);
        match (value, Self::variable_of(row_call.call, whom)) {
            (Value::Made(made), _) => matches!(self.made(made).kind, MadeKind::Library(_)),
            (Value::Region(region), _) => !self.is_program_object(region),
            (_, Some(variable)) => {
                let held = self.heap.variable(self.contexts[at.id.index()].method, variable);
                held.into_iter().any(|object| self.heap.is_of_library(object))
            }
            (_, None) => false,
        }
    }

    /// Whether an argument of a call may lead to a program object whose class extends a library class; computed once
    /// for each points-to set.
    fn has_subclass_of_library(&mut self, at: Position<'_>, row_call: &RowCall<'_, '_>) -> bool {
        let method = self.contexts[at.id.index()].method;
        let variables = row_call.call.variables.unwrap_or_default();
        variables.iter().any(|variable| {
            let key = self.heap.points.variable(method, *variable).key();
            if let Some(known) = self.memo.extends_library.get(&key) {
                return *known;
            }
            let objects = self.heap.closure_of_variable(method, *variable);
            let found = objects.iter().any(|object| match self.heap.kind_of(*object) {
                ObjectKind::Program(class) => self.extends_library(class),
                _ => false,
            });
            self.memo.extends_library.insert(key, found);
            found
        })
    }

    /// Whether a program class extends a library class that may keep its constructor arguments.
    fn extends_library(&self, class: ClassId) -> bool {
        let superclass = self.heap.library_superclass(class);
        superclass.is_some_and(|name| !["java/lang/Record", "java/lang/Enum"].contains(&name))
    }

    /// Whether the row runs a stream.
    fn runs_stream(&self, row_call: &RowCall<'_, '_>) -> bool {
        let class = self.heap.program.text(row_call.call.member.class);
        class.starts_with("java/util/stream/")
            && row_call.row.actions.iter().any(|action| matches!(action, Action::Runs(_)))
    }
}
