//! Program mode: a program begins at `main` and starts its threads itself.
//!
//! An allocation of the subject's class creates the subject's object, or another one; while its constructor runs, no
//! other thread has it. A static field that never changes holds the object in one model, and does not in another one,
//! for all its loads.
//!
//! Besides calls on the object, bodies of methods of other classes are units of work, in a second model, if they act on
//! the object depending on values read from it (`exec::dependence`). At points without other
//! threads `main` runs alone ([`super::joins`]).

use super::super::graph::reachability::{accesses, contexts_with};
use super::super::graph::{ContextId, MethodContext, ProgramRun, Purpose, Step, Units, UnitsOf, emit_program, reduce};
use super::super::value::{RegionId, Value};
use super::joins::final_joins;
use super::{Analysis, Extent, Followed, Isolated, LockMode, NotIsolated, Subject, in_any_lock_mode, roles};
use crate::Main;
use crate::assumption::assumption_texts;
use crate::exec::context::Point;
use crate::exec::interpreter::Interpreter;
use crate::facts::configuration::Configuration;
use crate::graph::{Input, MOST_COPIED};
use crate::translation::flows::FinalJoins;
use java::FieldId;
use std::collections::BTreeSet;

/// Returns the models of one object of a subject's class, or of its static fields, in a program that begins at `main`.
///
/// # Errors
/// If there is no model, with the reason.
pub fn isolate_main(
    analysis: Analysis<'_>,
    subject: &Subject,
    main: Main,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Vec<Isolated>, NotIsolated> {
    let mut models = Vec::new();
    let mut is_reached = false;
    let mut assumptions_without_model = BTreeSet::new();
    let configuration = Configuration::new();
    let extent = Extent::whole(super::super::MAX_STATES, &configuration);
    let followed = Followed::new(analysis.heap(), subject, is_cancelled).map_err(NotIsolated::Stuck)?;
    let first = followed.interpreter(subject, (extent, LockMode::default()), (true, None), is_cancelled);
    let holders: Vec<FieldId> = if first.mode.is_static { Vec::new() } else { holders(&first) };
    for holder in holders.into_iter().map(Some).chain([None]) {
        let with = |locks| with_holder(&followed, subject, (main, holder, locks), is_cancelled);
        let found = in_any_lock_mode(analysis.modality, with)?;
        models.extend(found.models);
        is_reached |= found.is_reached;
        assumptions_without_model.extend(found.assumptions_without_model);
    }
    match models.is_empty() {
        true if is_reached => Err(NotIsolated::NothingToViolate(assumptions_without_model, None)),
        true => Err(NotIsolated::NotReached),
        false => Ok(models),
    }
}

/// Returns the static fields that never change and may hold the object.
fn holders(interpreter: &Interpreter<'_>) -> Vec<FieldId> {
    let program = interpreter.heap.program;
    let fields = program.classes().flat_map(|(_, class)| class.fields());
    let is_holder = |field: &FieldId| {
        let objects = || interpreter.heap.points.static_field(*field).iter().collect::<Vec<_>>();
        program.field(*field).flags.is_static() && interpreter.is_holder(*field, &objects())
    };
    fields.filter(is_holder).collect()
}

/// The result for one case of the static field that holds the subject's object.
struct HolderResult {
    models: Vec<Isolated>,
    /// Whether some analysed thread accesses the object.
    is_reached: bool,
    /// The assumptions of the results without a model, in which nothing can be violated.
    assumptions_without_model: BTreeSet<String>,
}

/// Returns the models for one case: the static field `holder` holds the object, or no such field does.
fn with_holder(
    followed: &Followed<'_>,
    subject: &Subject,
    (main, holder, locks): (Main, Option<FieldId>, LockMode),
    is_cancelled: &dyn Fn() -> bool,
) -> Result<HolderResult, NotIsolated> {
    let stuck = NotIsolated::Stuck;
    let configuration = Configuration::new();
    let start = || {
        let extent = Extent::whole(super::super::MAX_STATES, &configuration);
        followed.interpreter(subject, (extent, locks), (true, holder), is_cancelled)
    };
    let mut interpreter = start();
    let arguments = interpreter.with_unknown(main.method(), Vec::new()).map_err(stuck)?;
    let first = interpreter.context_of(main.method(), arguments).map_err(stuck)?;
    interpreter.run().map_err(stuck)?;
    let mut threads: BTreeSet<ContextId> = interpreter.threads.started.iter().copied().chain([first]).collect();
    let mut first = first;
    while let Some(wrong) = interpreter.wrong_semaphores(threads.iter().copied()) {
        interpreter = start();
        interpreter.locks.rejected = wrong;
        let arguments = interpreter.with_unknown(main.method(), Vec::new()).map_err(stuck)?;
        first = interpreter.context_of(main.method(), arguments).map_err(stuck)?;
        interpreter.run().map_err(stuck)?;
        threads = interpreter.threads.started.iter().copied().chain([first]).collect();
    }
    let (first, threads) = (first, threads);
    if let Some((_, holds)) = interpreter.exit_with_aliased_lock(threads.iter().copied()) {
        return Err(stuck(holds));
    }
    if let Some(misses) = interpreter.misses_lock_of_caller() {
        return Err(stuck(misses));
    }
    match locks.has_indices {
        true => interpreter.check_array_accesses().map_err(stuck)?,
        false => interpreter.check_element_locks().map_err(stuck)?,
    }
    let mut contexts = interpreter.graphs();
    let acting = contexts_with(&contexts, accesses, Step::called);
    interpreter.mark_dependent(&mut contexts, &acting);
    let is_reached = threads.iter().any(|thread| acting[thread.index()]);
    let is_body = contexts[first.index()].is_unit_body;
    let joins = joins(&interpreter, &contexts, first);
    contexts[first.index()] = interpreter.graph_of_main(first, &joins);
    contexts[first.index()].is_unit_body = is_body;
    let single = threads.iter().copied().filter(|id| interpreter.runs_alone(*id, first)).collect();
    let roles = roles(&interpreter, &contexts);
    // The body of a thread is a unit of work if it is a method of the subject.
    let is_unit = |id: &ContextId| roles[id.index()].is_own && roles[id.index()].gets_object;
    let roots: BTreeSet<ContextId> = threads.iter().copied().filter(is_unit).collect();
    let units = UnitsOf { roles: &roles, units: &[Units::Calls, Units::Bodies], roots: &roots };
    reduce(&mut contexts, units, Purpose::Violations, is_cancelled).map_err(stuck)?;
    interpreter.assume_representatives(&contexts);
    let run = ProgramRun { main: first, single, alone: alone(&contexts, first) };
    let has_bodies = contexts.iter().any(|context| context.is_unit_body);
    let (mut models, mut assumptions_without_model) = (Vec::new(), BTreeSet::new());
    for units in [Units::Calls, Units::Bodies] {
        if units == Units::Bodies && !has_bodies {
            continue;
        }
        let input = Input {
            program: followed.heap.program,
            class: subject.class,
            contexts: &contexts,
            roles: &roles,
            naming: &interpreter,
            assumptions: assumptions(&interpreter),
            coarse: interpreter.coarse(),
            units,
            overlaps: interpreter.mode.overlaps,
            purpose: Purpose::Violations,
            most_copied: MOST_COPIED,
            is_cut_short: false,
            is_cancelled,
        };
        match emit_program(input, run.clone()) {
            Ok(model) => models.push(model),
            Err(NotIsolated::NothingToViolate(assumptions, _)) => assumptions_without_model.extend(assumptions),
            Err(other) => return Err(other),
        }
    }
    Ok(HolderResult { models, is_reached, assumptions_without_model })
}

fn assumptions(interpreter: &Interpreter<'_>) -> BTreeSet<String> {
    let own = assumption_texts(&interpreter.notes.assumptions).into_iter();
    let held = interpreter
        .mode
        .holder
        .map(|_| "static fields that never change, or that main assigns once, hold different objects".to_string());
    own.chain(held).collect()
}

/// Returns the joins of `main` after which no thread that accesses the subject is left.
fn joins(interpreter: &Interpreter<'_>, contexts: &[MethodContext], main: ContextId) -> FinalJoins {
    let acting = contexts_with(contexts, accesses, Step::callee);
    let starts = |step: Step| matches!(step, Step::Start(thread) if acting[thread.index()]);
    let starting = contexts_with(contexts, starts, Step::called);
    if interpreter.threads.started.iter().any(|thread| acting[thread.index()] && starting[thread.index()]) {
        return FinalJoins::default();
    }
    let begins = |step: Step| starts(step) || step.called().is_some_and(|callee| starting[callee.index()]);
    let points: BTreeSet<Point> = interpreter.points_with(main, &begins);
    match interpreter.heap.body(contexts[main.index()].method) {
        Some(body) => final_joins(interpreter, &body, &points),
        None => FinalJoins::default(),
    }
}

/// Returns the nodes of `main` at which no thread is left: each path to them has a [final join](FinalJoins), and no
/// start after it.
fn alone(contexts: &[MethodContext], main: ContextId) -> BTreeSet<(ContextId, usize)> {
    let acting = contexts_with(contexts, accesses, Step::callee);
    let starts = |step: Step| matches!(step, Step::Start(thread) if acting[thread.index()]);
    let starting = contexts_with(contexts, starts, Step::called);
    let begins = |step: Step| starts(step) || step.called().is_some_and(|callee| starting[callee.index()]);
    let nodes = &contexts[main.index()].flow.nodes;
    // The nodes reachable from a start without a final join in between.
    let mut accompanied = vec![false; nodes.len()];
    let begin = |node: &usize| begins(nodes[*node].step);
    let mut open: Vec<usize> = (0..nodes.len()).filter(begin).flat_map(|node| nodes[node].next.clone()).collect();
    open.extend((!nodes.is_empty()).then_some(0));
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut accompanied[node], true) && nodes[node].step != Step::Join {
            open.extend(&nodes[node].next);
        }
    }
    let is_alone = |node: &usize| !accompanied[*node] && !begins(nodes[*node].step);
    (0..nodes.len()).filter(is_alone).map(|node| (main, node)).collect()
}

impl Interpreter<'_> {
    /// Whether at most one thread runs a context at a time: the object runs it as a `Thread`; or one statement of
    /// `main`, executed once, starts it; or it is a task of a single thread.
    fn runs_alone(&self, id: ContextId, main: ContextId) -> bool {
        self.runs_once(id) || self.is_started_once(id, main) || self.is_task_of_one_thread(id)
    }

    fn is_task_of_one_thread(&self, id: ContextId) -> bool {
        let (_, arguments) = self.method_of(id);
        arguments.first() == Some(&Value::Region(RegionId::SUBJECT)) && self.has_one_thread()
    }
}
