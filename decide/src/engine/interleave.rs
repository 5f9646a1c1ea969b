//! The interleaving search: it executes the semantics of the model.
//!
//! A global state consists of the instances, each with its node, call stack, locks with their counts, open units and
//! role (the thread of the automaton that it plays), and of the phase of the automaton. All states are visited breadth
//! first, so a violation comes with a shortest interleaving. The stacks, the number of started instances and the number
//! of states are bounded; the answer is `Safe` only if no bound was met.
//!
//! A thread that takes a lock passes the instant of wanting it first. If the automaton has events for wanting, this
//! instant is a step of its own, after which other threads can act; otherwise it cannot be distinguished from the
//! acquisition.
//!
//! This engine is the oracle of all others and shares nothing with the encoding but the call graph. It omits only two
//! things: a branching point is passed in one step with the node before it, and processes do not run that are neither
//! bound to a thread of the automaton nor can, directly or not, start such a process, unless [`Bounds::everyone`] is
//! set.

use super::interface::{Decide, EngineKind, Task};
use super::{Bounds, Decision, Failure, Sharing};
use crate::query::Query;
use crate::semantics::{Act, Effect, LockChange, ThreadState};
use crate::witness::{InterleavedStep, Interleaving, LocalStep};
use eml::model::{Model, Multiplicity, NodeId, Operation, ProcessId};
use indexmap::IndexMap;
use limits::{Meter, StopReason};
use phases::{LocationParameter, LockParameter, Performed, ThreadParameter};
use rustc_hash::FxBuildHasher;

/// An instance in a global state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Instance {
    process: ProcessId,
    /// The thread of the automaton that it plays, if any.
    role: Option<usize>,
    thread: ThreadState,
    /// Whether it stands right before the acquisition of a lock, after the instant of wanting it.
    wants: bool,
}

/// A global state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    instances: Vec<Instance>,
    /// The state of the automaton.
    phase: usize,
}

/// The origin of a state when it was first reached: the state before, the place of the instance that acted, its step,
/// and the place of the instance that the step started.
type Origin = Option<(usize, usize, LocalStep, Option<usize>)>;

/// The states in the order in which they were found.
type States = IndexMap<State, Origin, FxBuildHasher>;

/// The engine; it keeps nothing between queries.
#[derive(Debug)]
pub(super) struct Interleave<'m> {
    model: &'m Model,
    bounds: Bounds,
}

impl<'m> EngineKind<'m> for Interleave<'m> {
    const NAME: &'static str = "interleave";
    const SHARING: Sharing = Sharing::Nothing;

    fn start(task: Task<'_, 'm>, _meter: &Meter) -> Result<Self, StopReason> {
        Ok(Self { model: task.model, bounds: task.bounds })
    }
}

impl Decide for Interleave<'_> {
    fn decide(&mut self, query: &Query, meter: &Meter) -> Result<Decision, Failure> {
        decide(self.model, query, &self.bounds, meter)
    }
}

/// Searches for an interleaving that violates the query.
fn decide(model: &Model, query: &Query, bounds: &Bounds, meter: &Meter) -> Result<Decision, Failure> {
    let takes_part = participants(model, query, bounds.everyone, meter)?;
    let mut search = Search { model, query, bounds, meter, takes_part, met_bound: false };
    let mut states = States::default();
    states.insert(search.start(), None);
    let accepting = query.property.automaton().phases().len();
    let mut next = 0;
    while let Some((state, _)) = states.get_index(next) {
        if state.phase == accepting {
            return Ok(Decision::Violation(search.interleaving(&states, next)));
        }
        let successors = search.successors(state)?;
        meter.work_of(1 + successors.len())?;
        for (state, thread, step, starts) in successors {
            states.entry(state).or_insert(Some((next, thread, step, starts)));
        }
        if states.len() > bounds.states {
            return Ok(Decision::Bound);
        }
        next += 1;
    }
    Ok(if search.met_bound { Decision::Bound } else { Decision::Safe })
}

/// Returns for each process whether its instances take part.
fn participants(model: &Model, query: &Query, everyone: bool, meter: &Meter) -> Result<Vec<bool>, StopReason> {
    let mut takes_part: Vec<_> = (0..model.processes().len())
        .map(|index| everyone || query.processes.contains(&ProcessId::new(index)))
        .collect();
    // A process takes part if it can start one that does. The processes that it can start are over-approximated: those
    // of all procedures that it can call.
    let all = model.call_graph().started_by(model.processes(), |reached| meter.work_of(reached))?;
    loop {
        meter.work_of(1 + takes_part.len())?;
        let next: Vec<_> = (0..takes_part.len())
            .map(|index| takes_part[index] || all[index].iter().any(|started| takes_part[started.index()]))
            .collect();
        if next == takes_part {
            return Ok(takes_part);
        }
        takes_part = next;
    }
}

struct Search<'a> {
    model: &'a Model,
    query: &'a Query,
    bounds: &'a Bounds,
    meter: &'a Meter,
    takes_part: Vec<bool>,
    met_bound: bool,
}

/// A successor: the state, the place of the instance that acted, its step, and the place of the instance that the step
/// started.
type Successor = (State, usize, LocalStep, Option<usize>);

impl Search<'_> {
    /// Returns the initial state: instances of the processes that run from the start. The first ones are bound to
    /// threads.
    fn start(&self) -> State {
        let threads = self.query.processes.len();
        let mut instances = Vec::new();
        for (index, process) in self.model.processes().iter().enumerate() {
            let id = ProcessId::new(index);
            if process.is_started() || !self.takes_part[index] {
                continue;
            }
            // Enough instances to be bound to threads, or to begin the chain of starts that leads to one.
            let count = match process.multiplicity() {
                Multiplicity::Single => 1,
                Multiplicity::Times(count) if self.bounds.everyone => count as usize,
                Multiplicity::Times(count) => (count as usize).min(threads),
                Multiplicity::Many => threads,
            };
            let mut roles = (0..threads).filter(|thread| self.query.processes[*thread] == id);
            instances.extend((0..count).map(|_| self.instance(id, roles.next())));
        }
        State { instances, phase: 0 }
    }

    fn instance(&self, process: ProcessId, role: Option<usize>) -> Instance {
        Instance { process, role, thread: ThreadState::start(self.model, process), wants: false }
    }

    fn successors(&mut self, state: &State) -> Result<Vec<Successor>, StopReason> {
        let mut successors = Vec::new();
        for (place, instance) in state.instances.iter().enumerate() {
            for node in instance.thread.ready(self.model, self.meter)? {
                let is_free = instance.wants || !self.automaton().speaks_of_wanting();
                match instance.thread.open.wants(self.model.node(node).operation) {
                    Some(act) if !is_free => self.want(state, place, node, act, &mut successors),
                    Some(_) | None => self.execute(state, place, node, &mut successors),
                }
            }
        }
        Ok(successors)
    }

    fn automaton(&self) -> &phases::Automaton {
        self.query.property.automaton()
    }

    /// Adds all successors by the instant of wanting, before a node that takes a lock.
    fn want(&self, state: &State, place: usize, node: NodeId, act: Act, successors: &mut Vec<Successor>) {
        for phase in self.phases(state, place, act) {
            let mut instances = state.instances.clone();
            instances[place].thread.node = node;
            instances[place].wants = true;
            successors.push((State { instances, phase }, place, LocalStep::Wants(node), None));
        }
    }

    /// Adds all successors by the execution of a node.
    fn execute(&mut self, state: &State, place: usize, node: NodeId, successors: &mut Vec<Successor>) {
        let before = &state.instances[place];
        let is_call = matches!(self.model.node(node).operation, Operation::Call(_));
        if is_call && before.thread.calls.len() >= self.bounds.stack {
            self.met_bound = true;
            return;
        }
        let Effect { lock, act, starts, after } = before.thread.execute(self.model, node);
        let is_possible = match lock {
            LockChange::Nothing | LockChange::Gives(..) | LockChange::Lowers(_) => true,
            LockChange::Never => false,
            LockChange::Takes(lock, mode) => {
                let mut held = state.instances.iter().filter_map(|other| other.thread.open.holds(lock));
                !held.any(|held| held.excludes(mode))
            }
        };
        if !is_possible {
            return;
        }
        // Nothing follows the end of an instance, so it needs no state of its own.
        if after.is_empty() {
            return;
        }
        let phases = self.phases(state, place, act);
        for role in self.roles(state, starts) {
            let started = role.map(|role| self.instance(starts.expect("a start has roles"), role));
            if started.is_some() && state.instances.len() >= self.bounds.instances {
                self.met_bound = true;
                continue;
            }
            for (phase, thread) in phases.iter().flat_map(|phase| after.iter().map(move |thread| (*phase, thread))) {
                let mut instances = state.instances.clone();
                instances[place].thread = thread.clone();
                instances[place].wants = false;
                instances.extend(started.clone());
                let starts = started.is_some().then_some(state.instances.len());
                successors.push((State { instances, phase }, place, LocalStep::Node(node), starts));
            }
        }
    }

    /// Returns the effects of a start: `None` for no new instance, otherwise an instance with its role, if any.
    fn roles(&self, state: &State, started: Option<ProcessId>) -> Vec<Option<Option<usize>>> {
        let Some(process) = started.filter(|process| self.takes_part[process.index()]) else { return vec![None] };
        let taken = |role: usize| state.instances.iter().any(|instance| instance.role == Some(role));
        let free =
            (0..self.query.processes.len()).filter(|role| self.query.processes[*role] == process && !taken(*role));
        free.map(Some).chain([None]).map(Some).collect()
    }

    /// Returns the states of the automaton after a step.
    fn phases(&self, state: &State, place: usize, act: Act) -> Vec<usize> {
        let location = |at| self.query.locations.iter().position(|own| *own == at).map(LocationParameter::new);
        let lock = |at| self.query.locks.iter().position(|own| *own == at).map(LockParameter::new);
        let role = state.instances[place].role;
        let performed: Performed = (role.map(ThreadParameter::new), act.map(location, lock));
        let phase = &self.query.property.automaton().phases()[state.phase];
        let goes_on = phase.event.matches(&performed).then_some(state.phase + 1);
        let stays = (!phase.forbids(&performed)).then_some(state.phase);
        goes_on.into_iter().chain(stays).collect()
    }

    /// Returns the interleaving to a state, with only the instances that act or are bound to threads; bound ones come
    /// first.
    fn interleaving(&self, states: &States, end: usize) -> Interleaving {
        let origins = std::iter::successors(states[end], |origin| states[origin.0]);
        let mut origins: Vec<_> = origins.collect();
        origins.reverse();
        let instances = &states.get_index(end).expect("the end is a state").0.instances;
        let acts = |place: usize| origins.iter().any(|origin| origin.1 == place);
        let mut order: Vec<_> =
            (0..instances.len()).filter(|place| instances[*place].role.is_some() || acts(*place)).collect();
        order.sort_by_key(|place| (instances[*place].role.unwrap_or(usize::MAX), *place));
        let number = |place: usize| order.iter().position(|other| *other == place);
        let steps = origins.iter().filter_map(|(_, place, step, starts)| {
            Some(InterleavedStep { thread: number(*place)?, step: *step, starts: starts.and_then(number) })
        });
        Interleaving::without_calls(order.iter().map(|place| instances[*place].process).collect(), steps.collect())
    }
}
