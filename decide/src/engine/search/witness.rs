//! Witnesses: from the states of a run to an interleaving, with the instance that executes each step.
//!
//! A state has the local states, but not the instances to which they belong. The instances are tracked along the run:
//! any instance in the local state from which an edge starts can take the edge, since instances in equal local states
//! are interchangeable.

use super::effects::Role;
use super::global_state::State;
use super::local_states::{LocalId, LocalState, StepId};
use super::system::{Edge, System};
use crate::engine::Failure;
use crate::witness::{InterleavedStep, Interleaving, LocalStep};
use eml::model::{Model, NodeId, ProcessId};
use limits::StopReason;

/// The states of a run, from the initial one on.
#[derive(Clone, Debug)]
pub(super) struct Trace(Vec<State>);

/// An instance along a run.
struct Instance {
    process: ProcessId,
    role: Option<Role>,
    /// Its local state; `None` once it is retired without a role.
    at: Option<LocalId>,
}

/// A step executed by an instance.
struct Executed {
    instance: usize,
    step: StepId,
    starts: Option<usize>,
}

impl Trace {
    pub(super) fn new(states: Vec<State>) -> Self {
        Self(states)
    }

    /// Describes the run in words, and the next position of the thread that violates the locking discipline after it.
    pub(super) fn describe(&self, system: &mut System<'_>, from: LocalId) -> Result<String, Failure> {
        let run = self.interleaving(system)?;
        let model = system.locals.model;
        let mut text = String::from("accesses that no lock protects; a schedule:");
        for InterleavedStep { thread, step, .. } in &run.steps {
            let (LocalStep::Node(node) | LocalStep::Wants(node) | LocalStep::Call(node, _)) = step;
            text += &place(model, run.processes[*thread], *node);
        }
        if let LocalState::Running(running) = system.locals.get(from) {
            let node = running.thread.ready(model, system.meter)?.first().copied().unwrap_or(running.thread.node);
            text += "; then";
            text += &place(model, running.process, node);
        }
        Ok(text)
    }

    /// Returns the interleaving of the run, with only the instances that act or are bound to threads; bound ones come
    /// first.
    pub(super) fn interleaving(&self, system: &mut System<'_>) -> Result<Interleaving, Failure> {
        let mut instances = Vec::new();
        for thread in system.begin() {
            instances.push(instance(system, thread));
        }
        let mut executed = Vec::new();
        for pair in self.0.windows(2) {
            settle(system, &mut instances, &pair[0]);
            let edge = edge_between(system, &pair[0], &pair[1])?.ok_or(Failure::Internal("a run has no edge"))?;
            let mover = instances.iter().position(|instance| instance.at == Some(edge.mover));
            let mover = mover.ok_or(Failure::Internal("no instance can take an edge of a run"))?;
            instances[mover].at = Some(edge.to);
            let started = edge.started.map(|started| {
                instances.push(instance(system, started));
                instances.len() - 1
            });
            for (number, step) in edge.steps.iter().enumerate() {
                let starts = started.filter(|_| number == 0);
                executed.push(Executed { instance: mover, step: *step, starts });
            }
        }
        executed.truncate(accepted_by(system, &executed));
        Ok(written(system, &instances, &executed))
    }
}

/// Describes the position of an instance in words.
fn place(model: &Model, process: ProcessId, node: NodeId) -> String {
    let position = model.node(node).position;
    format!(" {}:{}:{}", model.process(process).name(), position.line, position.column)
}

fn instance(system: &System<'_>, at: LocalId) -> Instance {
    let (process, role) = match system.locals.get(at) {
        LocalState::Running(running) => (running.process, running.role),
        LocalState::Retired(role) => (system.locals.effects.process_of(*role), Some(*role)),
    };
    Instance { process, role, at: Some(at) }
}

/// Retires the instances that are idle in a state.
fn settle(system: &mut System<'_>, instances: &mut [Instance], state: &State) {
    if system.has(super::reduction::SearchReduction::Idle) {
        for instance in instances {
            instance.at = instance.at.and_then(|at| system.settle(at, state.phase));
        }
    }
}

/// Returns an edge that leads from one state to the other.
fn edge_between(system: &mut System<'_>, from: &State, to: &State) -> Result<Option<Edge>, StopReason> {
    let mut edges = Vec::new();
    for (place, thread) in from.threads.iter().enumerate() {
        for step in system.locals.steps(*thread) {
            edges.clear();
            system.edges(from, place, step, &mut edges)?;
            for edge in &edges {
                if system.after(from, place, edge) == *to {
                    return Ok(Some(edge.clone()));
                }
            }
        }
    }
    Ok(None)
}

/// Returns the number of steps after which the automaton can accept. The run may have passed over steps that could have
/// been transitions.
fn accepted_by(system: &System<'_>, executed: &[Executed]) -> usize {
    let effects = &system.locals.effects;
    let mut phases = vec![0];
    for (number, Executed { step, .. }) in executed.iter().enumerate() {
        let effect = system.locals.step(*step).effect;
        phases = phases.into_iter().flat_map(|phase| effects.after(effect, phase)).collect();
        phases.sort_unstable();
        phases.dedup();
        if phases.contains(&effects.accepting()) {
            return number + 1;
        }
    }
    executed.len()
}

fn written(system: &System<'_>, instances: &[Instance], executed: &[Executed]) -> Interleaving {
    let acts = |place: usize| executed.iter().any(|executed| executed.instance == place);
    let mut order: Vec<_> =
        (0..instances.len()).filter(|place| instances[*place].role.is_some() || acts(*place)).collect();
    order.sort_by_key(|place| (instances[*place].role.map_or(usize::MAX, |role| role.0), *place));
    let number = |place: usize| order.iter().position(|other| *other == place);
    let steps = executed.iter().filter_map(|Executed { instance, step, starts }| {
        let step = system.locals.step(*step);
        let local = if step.wants { LocalStep::Wants(step.node) } else { LocalStep::Node(step.node) };
        Some(InterleavedStep { thread: number(*instance)?, step: local, starts: starts.and_then(number) })
    });
    let steps = steps.collect();
    Interleaving::without_calls(order.iter().map(|place| instances[*place].process).collect(), steps)
}
