//! Program mode: the program starts its threads itself.

use super::super::exits::Variant;
use super::super::flow::Step;
use super::super::ids::ContextId;
use super::super::isolated::{Isolated, NotIsolated};
use super::super::names::method_name;
use super::super::reachability::steps;
use super::super::units::Units;
use super::assembly::Queries;
use super::emitter::Emitter;
use super::input::{Input, ProgramRun};
use eml::model::{Multiplicity, Operation, ProcedureId, ProcessId};
use std::collections::BTreeSet;

/// Builds the model of program mode.
///
/// # Errors
/// If there is no model.
pub(crate) fn emit_program(input: Input<'_>, run: ProgramRun) -> Result<Isolated, NotIsolated> {
    let mut emitter = Emitter::new(input);
    let ProgramRun { main, single, alone } = run;
    let started = emitter.acting_threads();
    if !emitter.accesses_subject[main.index()] || started.is_empty() {
        return Err(NotIsolated::NothingToViolate(emitter.input.assumptions, None));
    }
    emitter.alone = alone;
    let roots: Vec<ContextId> = [main].into_iter().chain(started).collect();
    emitter.declare(&roots);
    let threads: Vec<Thread> = roots.into_iter().enumerate().map(|(at, id)| emitter.thread(id, at == 0)).collect();
    emitter.started = threads[1..].iter().map(|thread| (thread.context, thread.process)).collect();
    emitter.add_graphs()?;
    emitter.add_atomic_set()?;
    threads.iter().for_each(|thread| emitter.add_thread_body(thread));
    let is_single = |at: usize, thread: &Thread| at == 0 || single.contains(&thread.context);
    let single = threads.iter().enumerate().filter(|(at, thread)| is_single(*at, thread));
    let single: BTreeSet<ProcessId> = single.map(|(_, thread)| thread.process).collect();
    let processes = || threads.iter().map(|thread| thread.process);
    let pairs = processes().flat_map(|one| processes().map(move |other| [one, other]));
    let queries = Queries {
        pairs: pairs.filter(|[one, other]| one != other || !single.contains(one)).collect(),
        equivalent: Vec::new(),
        runs: threads.iter().map(|thread| (thread.context, thread.process)).collect(),
        others: threads[0].process,
    };
    emitter.finish(queries, Vec::new())
}

/// A thread of the program.
struct Thread {
    context: ContextId,
    process: ProcessId,
    body: ProcedureId,
}

impl Emitter<'_> {
    /// Returns the contexts of started threads that access the subject.
    fn acting_threads(&self) -> BTreeSet<ContextId> {
        let started = self.input.contexts.iter().flat_map(steps).filter_map(|step| match step {
            Step::Start(context) => Some(context),
            _ => None,
        });
        started.filter(|context| self.accesses_subject[context.index()]).collect()
    }

    /// Declares the process of a thread.
    fn thread(&mut self, context: ContextId, is_main: bool) -> Thread {
        let method = method_name(self.input.program, self.input.contexts[context.index()].method);
        let title = if is_main { "main thread".to_string() } else { format!("thread of {method}") };
        let position = self.position(context, 0);
        let name = self.distinct_process(&title);
        let (process, body) = self.builder.process(name, Multiplicity::Single, position);
        Thread { context, process, body }
    }

    /// Adds the body of the process of a thread.
    fn add_thread_body(&mut self, thread: &Thread) {
        let Thread { context, body, .. } = *thread;
        // A task may be a method of the subject itself: `counter::add`.
        let role = self.input.roles[context.index()];
        let is_unit = self.input.units == Units::Calls && role.gets_object && role.is_own;
        let position = self.position(context, 0);
        let run = self.add_call(body, Variant::whole(context), is_unit, position);
        let back = self.builder.node(body, Operation::Return, position);
        self.builder.edge(run[1], back);
    }
}
