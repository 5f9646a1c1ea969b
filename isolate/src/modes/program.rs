//! A program with its own threads: it begins at `main`, and threads are what it starts.
//!
//! An allocation of the subject's class makes the subject's object, or another one; while its constructor runs nobody
//! else has it. A static field that never changes holds the object in one model, and not in another, for all loads of
//! it.
//!
//! Besides calls on the object, bodies of methods of other classes are units of work if they do something to it that
//! depends on what they found there, in a second model ([`super::super::interpret`], `dependence`). What `main` does
//! where no thread is left is done alone ([`super::joins`]).

use super::super::graph::reachability::{accesses, contexts_with};
use super::super::graph::{ContextId, MethodContext, ProgramRun, Step, Units, UnitsOf, emit_program, reduce};
use super::super::interpret::{FinalJoins, Interpreter, Point, assumption_texts};
use super::super::value::{RegionId, Value};
use super::joins::completing;
use super::{Analysis, Extent, Followed, Isolated, LockMode, NotIsolated, Subject, in_any_lock_mode, roles};
use crate::Main;
use crate::graph::Input;
use java::FieldId;
use std::collections::BTreeSet;

/// The models of one object of a subject's class, or of its static fields, in a program that begins at `main`.
///
/// # Errors
/// If there is none, for the reason that is given.
pub fn isolate_main(
    analysis: Analysis<'_>,
    subject: &Subject,
    main: Main,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Vec<Isolated>, NotIsolated> {
    let mut models = Vec::new();
    let mut is_reached = false;
    let mut unbroken = BTreeSet::new();
    let start = (Extent::whole(super::super::MOST_STATES), true, None);
    let followed = Followed::new(analysis.heap(), subject, is_cancelled).map_err(NotIsolated::Stuck)?;
    let first = followed.interpreter(subject, start, is_cancelled);
    let holders: Vec<FieldId> = if first.mode.is_static { Vec::new() } else { holders(&first) };
    for holder in holders.into_iter().map(Some).chain([None]) {
        let with = |locks| with_holder(&followed, subject, (main, holder, locks), is_cancelled);
        let found = in_any_lock_mode(with)?;
        models.extend(found.models);
        is_reached |= found.is_reached;
        unbroken.extend(found.unbroken);
    }
    match models.is_empty() {
        true if is_reached => Err(NotIsolated::NothingToViolate(unbroken)),
        true => Err(NotIsolated::NotReached),
        false => Ok(models),
    }
}

/// The static fields that never change and may hold the object.
fn holders(interpreter: &Interpreter<'_>) -> Vec<FieldId> {
    let program = interpreter.heap.program;
    let fields = program.classes().flat_map(|(_, class)| class.fields());
    let is_holder = |field: &FieldId| {
        let objects = || interpreter.heap.points.static_field(*field).iter().collect::<Vec<_>>();
        program.field(*field).flags.is_static() && interpreter.is_holder(*field, &objects())
    };
    fields.filter(is_holder).collect()
}

/// What came of a program for one way in which the subject's object is held.
struct Found {
    models: Vec<Isolated>,
    /// Whether some thread that was followed accesses the object.
    is_reached: bool,
    /// What it rests on that nothing can be violated, where there is no model.
    unbroken: BTreeSet<String>,
}

fn with_holder(
    followed: &Followed<'_>,
    subject: &Subject,
    (main, holder, locks): (Main, Option<FieldId>, LockMode),
    is_cancelled: &dyn Fn() -> bool,
) -> Result<Found, NotIsolated> {
    let stuck = NotIsolated::Stuck;
    let start =
        || followed.interpreter(subject, (Extent::whole(super::super::MOST_STATES), true, holder), is_cancelled);
    let mut interpreter = start();
    interpreter.mode.has_indices = locks.has_indices;
    interpreter.mode.overlaps = locks.overlaps;
    let arguments = interpreter.with_unknown(main.method(), Vec::new()).map_err(stuck)?;
    let first = interpreter.context_of(main.method(), arguments).map_err(stuck)?;
    interpreter.run().map_err(stuck)?;
    let mut threads: BTreeSet<ContextId> = interpreter.started.iter().copied().chain([first]).collect();
    let mut first = first;
    while let Some(wrong) = interpreter.wrong_semaphores(threads.iter().copied()) {
        interpreter = start();
        interpreter.mode.has_indices = locks.has_indices;
        interpreter.mode.overlaps = locks.overlaps;
        interpreter.rejected_locks = wrong;
        let arguments = interpreter.with_unknown(main.method(), Vec::new()).map_err(stuck)?;
        first = interpreter.context_of(main.method(), arguments).map_err(stuck)?;
        interpreter.run().map_err(stuck)?;
        threads = interpreter.started.iter().copied().chain([first]).collect();
    }
    let (first, threads) = (first, threads);
    if let Some((_, holds)) = interpreter.exit_with_aliased_lock(threads.iter().copied()) {
        return Err(stuck(holds));
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
    // What a thread runs is a unit of work if it is a method of the subject.
    let is_unit = |id: &ContextId| roles[id.index()].is_own && roles[id.index()].gets_object;
    let roots: BTreeSet<ContextId> = threads.iter().copied().filter(is_unit).collect();
    let units = UnitsOf { roles: &roles, units: &[Units::Calls, Units::Bodies], roots: &roots };
    reduce(&mut contexts, units, is_cancelled).map_err(stuck)?;
    interpreter.assume_representatives(&contexts);
    let run = ProgramRun { main: first, single, alone: alone(&contexts, first) };
    let has_bodies = contexts.iter().any(|context| context.is_unit_body);
    let (mut models, mut unbroken) = (Vec::new(), BTreeSet::new());
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
            is_partial: false,
            is_cancelled,
        };
        match emit_program(input, run.clone()) {
            Ok(model) => models.push(model),
            Err(NotIsolated::NothingToViolate(assumptions)) => unbroken.extend(assumptions),
            Err(other) => return Err(other),
        }
    }
    Ok(Found { models, is_reached, unbroken })
}

fn assumptions(interpreter: &Interpreter<'_>) -> BTreeSet<String> {
    let own = assumption_texts(&interpreter.assumptions).into_iter();
    let held = interpreter
        .mode
        .holder
        .map(|_| "static fields that never change, or that main assigns once, hold different objects".to_string());
    own.chain(held).collect()
}

/// The joins of `main` behind which no thread is left that accesses the subject.
fn joins(interpreter: &Interpreter<'_>, contexts: &[MethodContext], main: ContextId) -> FinalJoins {
    let acting = contexts_with(contexts, accesses, Step::callee);
    let starts = |step: Step| matches!(step, Step::Start(thread) if acting[thread.index()]);
    let starting = contexts_with(contexts, starts, Step::called);
    if interpreter.started.iter().any(|thread| acting[thread.index()] && starting[thread.index()]) {
        return FinalJoins::default();
    }
    let begins = |step: Step| starts(step) || step.called().is_some_and(|callee| starting[callee.index()]);
    let points: BTreeSet<Point> = interpreter.points_with(main, &begins);
    match interpreter.heap.body(contexts[main.index()].method) {
        Some(body) => completing(interpreter, &body, &points),
        None => FinalJoins::default(),
    }
}

/// The nodes of `main` at which no thread is left: on all paths to them there is a join that [completes](FinalJoins),
/// and since then nothing was started.
fn alone(contexts: &[MethodContext], main: ContextId) -> BTreeSet<(ContextId, usize)> {
    let acting = contexts_with(contexts, accesses, Step::callee);
    let starts = |step: Step| matches!(step, Step::Start(thread) if acting[thread.index()]);
    let starting = contexts_with(contexts, starts, Step::called);
    let begins = |step: Step| starts(step) || step.called().is_some_and(|callee| starting[callee.index()]);
    let nodes = &contexts[main.index()].flow.nodes;
    // From what is not alone at the beginning, as far as no join completes.
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
    /// Whether what threads run is run by one thread at a time: the object runs it as a `Thread`; or one statement of
    /// `main` starts it, that is executed once; or a task runs it that is given to one thread only.
    fn runs_alone(&self, id: ContextId, main: ContextId) -> bool {
        self.runs_once(id) || self.is_started_once(id, main) || self.is_task_of_one_thread(id)
    }

    fn is_task_of_one_thread(&self, id: ContextId) -> bool {
        let (_, arguments) = self.method_of(id);
        arguments.first() == Some(&Value::Region(RegionId::SUBJECT)) && self.has_one_thread()
    }
}
