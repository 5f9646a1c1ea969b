//! Threads and the contexts that they run.

use super::context::{ContextId, Point};
use super::dependence::all_steps;
use super::interpreter::Interpreter;
use crate::Assumption;
use crate::graph::{RunsOnce, Step};
use crate::value::{Lock, RegionId, Value};
use java::ir::{Body, Definition, Operation, Uses, Variable};
use java::library::{Action, Attribute, Source, Subject, Thread};
use java::{InvokeKind, MethodId};
use std::collections::BTreeSet;

impl Interpreter<'_> {
    /// Starts these contexts in other threads. A start by `main` itself is not part of a unit.
    pub(crate) fn start_threads(&mut self, contexts: &[ContextId], serial: Option<Lock>) -> Vec<Step> {
        for context in contexts {
            let known = self.threads.serial.entry(*context).or_insert(serial);
            *known = known.filter(|lock| Some(*lock) == serial);
        }
        self.threads.started.extend(contexts.iter().copied());
        let is_main = |id: ContextId| {
            let declared = self.heap.program.method(self.contexts[id.index()].method);
            declared.flags.is_static() && self.heap.program.text(declared.name) == "main"
        };
        let is_mains_own = self.mode.is_program && self.current.is_some_and(is_main);
        if !contexts.is_empty() && !is_mains_own {
            self.assume(Assumption::Started);
        }
        match self.mode.is_program {
            true => contexts.iter().map(|context| Step::Start(*context)).collect(),
            false => Vec::new(),
        }
    }

    /// Whether a context is the `run` method of the subject as a `Thread`, which runs once, or as a `TimerTask`, which
    /// always runs on the timer's thread, and nothing else [runs](crate::facts::thread_runs) the subject: no two
    /// threads run it at the same time.
    pub(crate) fn runs_once(&self, id: ContextId) -> bool {
        let program = self.heap.program;
        let context = &self.contexts[id.index()];
        let declared = program.method(context.method);
        let is_a = |class| program.name(class).is_some_and(|name| program.extends(self.mode.class, name));
        let is_thread = is_a("java/lang/Thread") || is_a("java/util/TimerTask");
        let is_run = [declared.name, declared.descriptor].map(|name| program.text(name)) == ["run", "()V"];
        is_thread
            && is_run
            && context.arguments.first() == Some(&Value::Region(RegionId::SUBJECT))
            && !self.is_run_elsewhere()
    }

    /// Whether at most one thread at a time runs an entry.
    pub(crate) fn entry_multiplicity(&self, id: ContextId) -> RunsOnce {
        let context = &self.contexts[id.index()];
        let is_subject = context.arguments.first() == Some(&Value::Region(RegionId::SUBJECT));
        match self.heap.program.is_constructor(context.method) && is_subject {
            true => RunsOnce::Constructor,
            false if self.runs_once(id) => RunsOnce::Yes,
            false => RunsOnce::No,
        }
    }

    /// The points of a context with a step of this kind.
    pub(crate) fn points_with(&self, id: ContextId, is_such: &dyn Fn(Step) -> bool) -> BTreeSet<Point> {
        let branches = self.contexts[id.index()].trees.iter().flatten();
        let does = |steps: &super::context::Steps| all_steps(steps).any(is_such);
        branches.filter(|branch| branch.steps.as_ref().is_some_and(does)).map(|branch| branch.at).collect()
    }

    /// Whether exactly one statement of `main` starts a thread that runs a context, once, and no other context starts
    /// one.
    pub(crate) fn is_started_once(&self, id: ContextId, main: ContextId) -> bool {
        let starts = |step: Step| step == Step::Start(id);
        let others = (0..self.contexts.len()).filter(|index| *index != main.index());
        let mut others = others.map(|index| ContextId(u32::try_from(index).expect("the number of states is bounded")));
        let points = self.points_with(main, &starts);
        let ([point], true) =
            (&points.into_iter().collect::<Vec<_>>()[..], self.contexts[main.index()].callers.is_empty())
        else {
            return false;
        };
        let is_not_of_subject = others.any(|other| !self.points_with(other, &starts).is_empty());
        let code = &self.contexts[main.index()].code;
        !is_not_of_subject && code.loops.innermost(point.block).is_none() && self.starts_one(&code.body, *point)
    }

    /// Whether a statement starts one thread for its argument: a thread, or one task for an executor.
    fn starts_one(&self, body: &Body, point: Point) -> bool {
        let statement = body.block(point.block).statements.get(point.index as usize);
        let Some(Operation::Invoke { kind, member, .. }) = statement.map(|statement| &statement.operation) else {
            return false;
        };
        let Some(row) = self.heap.row_of_member(*member) else { return false };
        let attributes = self.heap.library.attributes(self.heap.program.text(member.class));
        let is_one = |whom: Source| match whom {
            Source::Itself(Subject::This) => *kind != InvokeKind::Static,
            Source::Itself(Subject::Argument(_)) => {
                attributes.has(Attribute::Executor) || attributes.has(Attribute::Thread)
            }
            _ => false,
        };
        row.actions.iter().all(|action| match action {
            Action::Calls(call) if call.thread != Thread::Caller => is_one(call.whom),
            Action::Runs(run) => run.thread == Thread::Caller,
            _ => true,
        })
    }

    /// Whether each object of the subject's class is run by one thread at most.
    ///
    /// This holds if exactly one statement of the program passes such objects to the library, to a thread's constructor
    /// or to an executor, which runs each task once, and if it stands in the block of the allocation, so that each pass
    /// through the block passes another object. Nothing else uses the object except its constructor. Any number of
    /// threads may run a function object that captures the object, and a collection may pass it to anyone, so both
    /// count as statements that pass it to several threads.
    pub(crate) fn has_one_thread(&self) -> bool {
        let mut is_any = false;
        for (method, declared) in self.heap.program.methods() {
            if !declared.has_code() || !self.heap.points.is_reached(method) {
                continue;
            }
            let Some(body) = self.heap.body(method) else { return false };
            for (block, statements) in body.blocks() {
                for (index, statement) in statements.statements.iter().enumerate() {
                    for given in self.arguments_to_library(method, &statement.operation) {
                        let point = Point { block, index: u32::try_from(index).unwrap_or(u32::MAX) };
                        if is_any || !self.is_run_once(&body, point, given) {
                            return false;
                        }
                        is_any = true;
                    }
                }
            }
        }
        is_any
    }

    /// Whether the task is allocated for this statement and run once.
    fn is_run_once(&self, body: &Body, point: Point, given: Variable) -> bool {
        let statement = &body.block(point.block).statements[point.index as usize];
        let Operation::Invoke { member, .. } = &statement.operation else { return false };
        let attributes = self.heap.library.attributes(self.heap.program.text(member.class));
        let runs_once = attributes.has(Attribute::Executor) || attributes.has(Attribute::Thread);
        runs_once && self.starts_one(body, point) && is_allocated_for(body, point, given)
    }

    /// The arguments of a library call, except the receiver, that may be the subject's object; stores and captures
    /// count as well.
    fn arguments_to_library(&self, method: MethodId, operation: &Operation) -> Vec<Variable> {
        let (arguments, is_given) = match operation {
            Operation::Invoke { kind, member, arguments } => {
                let receivers = usize::from(*kind != InvokeKind::Static);
                let is_given = self.heap.program.resolve_method(*member).found().is_some();
                (&arguments[receivers..], is_given)
            }
            Operation::InvokeDynamic { arguments, .. } => (&arguments[..], false),
            // Others may pass on a stored object.
            Operation::PutField { value, .. }
            | Operation::PutStatic(_, value)
            | Operation::StoreElement { value, .. } => (std::slice::from_ref(value), false),
            _ => return Vec::new(),
        };
        let may_be = |variable: &&Variable| {
            let objects = self.heap.variable(method, **variable);
            objects.into_iter().any(|object| self.may_be_subject(object))
        };
        if is_given { Vec::new() } else { arguments.iter().filter(may_be).copied().collect() }
    }
}

/// Whether a variable holds an object that was allocated before in the same block, and that only its constructor gets
/// besides.
fn is_allocated_for(body: &Body, point: Point, variable: Variable) -> bool {
    let Definition::Statement(id) = body.variable(variable).definition else { return false };
    let is_new = matches!(body.statement(id).operation, Operation::New(_));
    let is_before = id.block == point.block && id.index < point.index;
    is_new && is_before && Uses::new(body).of(variable).len() == 2
}
