//! The global transition system of a query: the possible steps of all threads together.
//!
//! An *edge* of a state is a step of one thread, with the invisible steps after it if transitions are composed. This
//! module computes the edges of each thread; [`persistent_sets`](super::persistent_sets) chooses the threads to
//! explore.

use super::composed_transitions::{Composer, End};
use super::effects::{Phase, Role};
use super::future_operations::FutureOperations;
use super::global_state::State;
use super::interference::Interference;
use super::local_states::{LocalId, LocalState, LocalStates, StepId};
use super::locking_discipline::{Discipline, ObjectId};
use super::options::SearchOptions;
use super::reduction::SearchReduction;
use super::statistics::{Counts, Savings};
use super::visibility::Visibility;
use crate::engine::Bounds;
use crate::query::Query;
use crate::semantics::LockChange;
use eml::model::{LockId, Mode, Model, Multiplicity, ProcessId};
use limits::{Meter, StopReason};
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// A transition of one thread.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    /// The local state of the thread that acts.
    pub(super) mover: LocalId,
    /// The executed steps.
    pub(super) steps: Box<[StepId]>,
    /// The local state of the started thread.
    pub(super) started: Option<LocalId>,
    /// The local state of the thread after the edge.
    pub(super) to: LocalId,
    pub(super) phase: Phase,
}

/// The transition system, with all memoized results.
#[derive(Debug)]
pub(super) struct System<'a> {
    pub(super) locals: LocalStates<'a>,
    pub(super) futures: FutureOperations,
    pub(super) composer: Composer,
    pub(super) interference: Interference,
    pub(super) options: SearchOptions,
    pub(super) bounds: Bounds,
    pub(super) meter: &'a Meter,
    pub(super) counts: Counts,
    /// Whether a bound cut off a part of the system.
    pub(super) met_bound: bool,
}

impl<'a> System<'a> {
    /// Creates the system of a query. The objects in `violated` are known to violate the discipline, if one is assumed.
    pub(super) fn new(
        model: &'a Model,
        query: &'a Query,
        (options, bounds): (&SearchOptions, &Bounds),
        violated: FxHashSet<ObjectId>,
        meter: &'a Meter,
    ) -> Result<Self, StopReason> {
        let mut locals = LocalStates::new(model, query, bounds.stack, meter)?;
        let futures = FutureOperations::new(&mut locals, meter)?;
        let discipline = options.optimistic.then(|| Discipline::new(&mut locals, &futures, violated));
        let composer = Composer::new(Visibility::new(&locals, &futures, options.reductions, discipline));
        Ok(Self {
            locals,
            futures,
            composer,
            interference: Interference::default(),
            options: options.clone(),
            bounds: *bounds,
            meter,
            counts: Counts::default(),
            met_bound: false,
        })
    }

    /// Whether a reduction is on. While a discipline is checked, the reductions that preserve only acceptance are off.
    pub(super) fn has(&self, reduction: SearchReduction) -> bool {
        let keeps_all =
            !matches!(reduction, SearchReduction::Persistent | SearchReduction::DeadEnds | SearchReduction::Idle);
        self.options.reductions.has(reduction) && (keeps_all || !self.options.optimistic)
    }

    /// Returns an object that violates the assumed discipline, and the local state of the thread.
    pub(super) fn violation(&self) -> Option<(ObjectId, LocalId)> {
        self.composer.visibility().discipline()?.violation()
    }

    pub(super) fn accepting(&self) -> Phase {
        self.locals.effects.accepting()
    }

    /// Returns the initial state: instances of the processes that run from the start. The first ones are bound to
    /// roles.
    pub(super) fn start(&mut self) -> State {
        let threads = self.begin();
        self.settled(State { phase: 0, threads, active: None })
    }

    /// Returns the threads that run from the start.
    pub(super) fn begin(&mut self) -> Vec<LocalId> {
        let model = self.locals.model;
        let mut threads = Vec::new();
        for (index, process) in model.processes().iter().enumerate() {
            if process.is_started() || !self.locals.takes_part[index] {
                continue;
            }
            let id = ProcessId::new(index);
            // Enough instances to be bound to roles, or to begin the chain of starts that leads to one.
            let roles = self.locals.effects.roles();
            let count = match process.multiplicity() {
                Multiplicity::Single => 1,
                Multiplicity::Times(count) => (count as usize).min(roles),
                Multiplicity::Many => roles,
            };
            let mut own: Vec<_> = self.locals.effects.roles_of(id).map(Some).collect();
            own.resize(count.max(own.len()), None);
            own.truncate(count);
            threads.extend(own.into_iter().map(|role| self.locals.start(id, role)));
        }
        threads
    }

    /// Normalizes a state: retires idle threads and sorts the local states.
    pub(super) fn settled(&mut self, mut state: State) -> State {
        if self.has(SearchReduction::Idle) {
            let phase = state.phase;
            let settled = state.threads.iter().filter_map(|thread| self.settle(*thread, phase));
            state.threads = settled.collect();
        }
        if self.has(SearchReduction::Symmetry) && !state.threads.is_sorted() {
            state.threads.sort_unstable();
            self.counts.saved.save(SearchReduction::Symmetry, 1);
        }
        state
    }

    /// Retires an idle thread: one that holds no lock, for which the automaton does not wait any more, and which starts
    /// no process. None of its steps is needed, and the other threads can do the same if it stays where it is. Returns
    /// `None` if such a thread has no role, since then it can be dropped.
    pub(super) fn settle(&mut self, id: LocalId, phase: Phase) -> Option<LocalId> {
        let role = self.locals.role(id);
        let effects = &self.locals.effects;
        let is_awaited =
            role.is_some_and(|role| (phase..effects.accepting()).any(|phase| effects.awaited(phase) == role));
        if is_awaited || !self.locals.held(id).is_empty() || self.futures.can_start(&self.locals, id, None) {
            return Some(id);
        }
        if !matches!(self.locals.get(id), LocalState::Retired(_)) {
            self.counts.saved.save(SearchReduction::Idle, 1);
        }
        role.map(|role| self.locals.retired(role))
    }

    /// Whether a lock is free for the thread at this place of the state.
    pub(super) fn is_free(&self, state: &State, place: usize, lock: LockId, mode: Mode) -> bool {
        let others = state.threads.iter().enumerate().filter(|(other, _)| *other != place);
        others.into_iter().all(|(_, other)| !self.locals.excludes(*other, lock, mode))
    }

    /// Whether a step is possible, apart from the automaton.
    pub(super) fn is_enabled(&self, state: &State, place: usize, step: StepId) -> bool {
        match self.locals.step(step).lock {
            LockChange::Nothing | LockChange::Gives(..) | LockChange::Lowers(_) => true,
            LockChange::Never => false,
            LockChange::Takes(lock, mode) => self.is_free(state, place, lock, mode),
        }
    }

    /// Adds all edges of a state that begin with this step.
    pub(super) fn edges(
        &mut self,
        state: &State,
        place: usize,
        id: StepId,
        found: &mut Vec<Edge>,
    ) -> Result<(), StopReason> {
        let step = self.locals.step(id);
        let (mover, effect, starts, after) = (step.from, step.effect, step.starts, step.after);
        // A thread violates the discipline by an access that it is about to make, whether or not the access is possible
        // now.
        self.composer.note(&self.locals, mover, effect);
        if !self.is_enabled(state, place, id) {
            return Ok(());
        }
        for role in self.roles(state, starts) {
            let started = role.zip(starts).map(|(role, process)| self.locals.start(process, role));
            if started.is_some() && state.threads.len() >= self.bounds.instances {
                self.met_bound = true;
                continue;
            }
            for phase in self.locals.effects.after(effect, state.phase) {
                for End { local, phase, steps, saved } in self.ends(after, phase)?.iter() {
                    self.counts.saved.add(saved);
                    let steps = std::iter::once(id).chain(steps.iter().copied()).collect();
                    found.push(Edge { mover, steps, started, to: *local, phase: *phase });
                }
            }
        }
        Ok(())
    }

    fn ends(&mut self, local: LocalId, phase: Phase) -> Result<Rc<[End]>, StopReason> {
        if self.has(SearchReduction::Composed) && phase < self.accepting() {
            return self.composer.ends(&mut self.locals, &self.futures, (local, phase), self.meter);
        }
        Ok(Rc::new([End { local, phase, steps: Box::default(), saved: Savings::default() }]))
    }

    /// Returns the effects of a start: `None` for no new instance, otherwise an instance with its role, if any.
    fn roles(&self, state: &State, started: Option<ProcessId>) -> Vec<Option<Option<Role>>> {
        let Some(process) = started else { return vec![None] };
        let is_taken = |role: Role| state.threads.iter().any(|thread| self.locals.role(*thread) == Some(role));
        let free = self.locals.effects.roles_of(process).filter(|role| !is_taken(*role));
        free.map(Some).chain([None]).map(Some).collect()
    }

    /// Returns the state after an edge of the thread at this place.
    pub(super) fn after(&mut self, state: &State, place: usize, edge: &Edge) -> State {
        let mut threads = state.threads.clone();
        threads[place] = edge.to;
        threads.extend(edge.started);
        let active = self.options.counts_switches().then_some(edge.to);
        self.settled(State { phase: edge.phase, threads, active })
    }
}
