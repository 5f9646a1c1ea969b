//! Persistent sets: the threads that have to be explored in a state.
//!
//! A set of threads is *closed* in a state if the steps of these threads pass everything that the others can do as long
//! as none of these threads moves (see [`effects`](super::effects)). The enabled steps of a closed set are a persistent
//! set (000, section 4). This is Algorithm 2-LD of 000 (section 6), with the relation of its figure 3 for acquisitions:
//!
//! - of a free lock: every thread that may take it in a mode that excludes this one is added (`owner ∈ {free, θ1}`);
//! - of a lock held by others: one of the holders is added, since the step stays impossible until it acts (`owner =
//!   θ2`);
//! - releases, `wait` and the rest interfere with no thread; `notify` does not exist.
//!
//! The operations of other threads come from [`future_operations`](super::future_operations). Those for which a thread
//! needs a lock that the thread of the step holds cannot come first. Accesses interfere with those that they do not
//! pass, in the phases that can be reached while the set does not move.
//!
//! # No proviso
//!
//! Persistent sets preserve deadlocks. If a control point matters, a search in a cyclic state space can ignore some
//! thread for ever (the ignoring problem of 000, section 4). Here every set contains a thread for which the automaton
//! waits in this phase or a later one, or all threads that can start it. So each run that drives the automaton to its
//! end contains a step of the set. The first of these can come first in the run, and the rest is a shorter run. By
//! induction on the length the search finds one. If a closed set that has to move has no enabled step, there is no such
//! run from this state, unless the bound on stacks cuts off a step of a thread of the set: then the bound is met.

use super::effects::{Phase, Role};
use super::global_state::State;
use super::local_states::{LocalId, StepId};
use super::reduction::{SearchReduction, SearchReductions};
use super::system::System;
use crate::semantics::LockChange;
use limits::StopReason;

/// The threads that are explored in a state.
#[derive(Clone, Debug)]
pub(super) struct ChosenThreads {
    /// Their places.
    pub(super) places: Vec<usize>,
    /// Whether it is a single thread whose steps are invisible.
    pub(super) is_invisible: bool,
}

impl System<'_> {
    /// Returns the threads that have to be explored in a state; with `symmetry` one for each local state.
    pub(super) fn chosen(&mut self, state: &State) -> Result<ChosenThreads, StopReason> {
        let mut chosen = self.asked(state)?;
        if self.has(SearchReduction::Symmetry) {
            let all = chosen.places.len();
            let mut seen = Vec::with_capacity(all);
            chosen.places.retain(|place| {
                let thread = state.threads[*place];
                let is_new = !seen.contains(&thread);
                seen.push(thread);
                is_new
            });
            self.counts.saved.save(SearchReduction::Symmetry, (all - chosen.places.len()) as u64);
        }
        Ok(chosen)
    }

    fn asked(&mut self, state: &State) -> Result<ChosenThreads, StopReason> {
        if self.has(SearchReduction::DeadEnds) && self.is_dead_end(state) {
            self.counts.saved.save(SearchReduction::DeadEnds, 1);
            return Ok(ChosenThreads { places: Vec::new(), is_invisible: false });
        }
        if let Some((place, needed)) = self.invisible(state)? {
            self.counts.saved.save(SearchReduction::InvisibleFirst, state.threads.len() as u64 - 1);
            self.counts.saved.save_each(needed);
            return Ok(ChosenThreads { places: vec![place], is_invisible: true });
        }
        let all: Vec<_> = (0..state.threads.len()).collect();
        if !self.has(SearchReduction::Persistent) || self.options.counts_switches() {
            return Ok(ChosenThreads { places: all, is_invisible: false });
        }
        let chosen = self.smallest_closed(state)?;
        if chosen.len() < all.len() {
            let left = all.iter().filter(|place| !chosen.contains(place)).count();
            self.counts.saved.save(SearchReduction::Persistent, left as u64);
        }
        Ok(ChosenThreads { places: chosen, is_invisible: false })
    }

    /// Returns a thread that is explored before the others, and the reductions that allow this. If switches are
    /// counted, only the thread that acted last is possible.
    fn invisible(&mut self, state: &State) -> Result<Option<(usize, SearchReductions)>, StopReason> {
        if !self.has(SearchReduction::InvisibleFirst) && !self.has(SearchReduction::Composed) {
            return Ok(None);
        }
        for (place, thread) in state.threads.iter().enumerate() {
            let may_go = !self.options.counts_switches() || state.active == Some(*thread);
            if !may_go {
                continue;
            }
            let at = (*thread, state.phase);
            if let Some(needed) = self.composer.invisible_by(&mut self.locals, &self.futures, at, self.meter)? {
                return Ok(Some((place, needed)));
            }
        }
        Ok(None)
    }

    /// Returns the thread with a role, or all threads that can still start one.
    fn required_threads(&mut self, state: &State, role: Role) -> Vec<usize> {
        let own = state.threads.iter().position(|thread| self.locals.role(*thread) == Some(role));
        if let Some(place) = own {
            return vec![place];
        }
        let process = self.locals.effects.process_of(role);
        let mut starts = |thread: &LocalId| self.futures.can_start(&self.locals, *thread, Some(process));
        let places = state.threads.iter().enumerate();
        places.filter(|(_, thread)| starts(thread)).map(|(place, _)| place).collect()
    }

    /// Whether some phase to come waits for an act that no thread can do any more.
    fn is_dead_end(&mut self, state: &State) -> bool {
        (state.phase..self.accepting()).any(|phase| {
            let role = self.locals.effects.awaited(phase);
            let movers = self.required_threads(state, role);
            let may_advance = |place: &usize| self.futures.can_advance(&self.locals, state.threads[*place], phase);
            !movers.iter().any(may_advance)
        })
    }

    /// Returns the closed set with the fewest enabled steps; an empty one if the automaton cannot be driven to its end.
    fn smallest_closed(&mut self, state: &State) -> Result<Vec<usize>, StopReason> {
        let mut smallest: Option<(usize, Vec<usize>)> = None;
        let mut seen: Vec<Role> = Vec::new();
        for phase in state.phase..self.accepting() {
            let role = self.locals.effects.awaited(phase);
            if seen.contains(&role) {
                continue;
            }
            seen.push(role);
            let seed = self.required_threads(state, role);
            let closed = self.closed(state, seed)?;
            let enabled = self.count_enabled(state, &closed);
            if smallest.as_ref().is_none_or(|(least, _)| enabled < *least) {
                smallest = Some((enabled, closed));
            }
        }
        let Some((enabled, closed)) = smallest else { return Ok(Vec::new()) };
        // The steps beyond the bound on stacks belong to the set, too, and are not explored.
        self.met_bound |= closed.iter().any(|place| self.locals.is_cut(state.threads[*place]));
        Ok(if enabled == 0 { Vec::new() } else { closed })
    }

    fn count_enabled(&mut self, state: &State, places: &[usize]) -> usize {
        let steps = |place: &usize| {
            let steps = self.locals.steps(state.threads[*place]);
            steps.filter(|step| self.is_enabled(state, *place, *step)).count()
        };
        places.iter().map(steps).sum()
    }

    /// Returns the smallest closed set with these threads.
    fn closed(&mut self, state: &State, seed: Vec<usize>) -> Result<Vec<usize>, StopReason> {
        let mut closed = seed;
        let mut next = 0;
        while let Some(place) = closed.get(next).copied() {
            next += 1;
            let last = self.locals.effects.horizon(state.phase, |role| {
                closed.iter().any(|place| self.locals.role(state.threads[*place]) == Some(role))
            });
            for step in self.locals.steps(state.threads[place]) {
                self.meter.work_of(state.threads.len())?;
                if let Some(added) = self.blocker(state, place, step, &closed) {
                    closed.extend(added);
                    continue;
                }
                for other in 0..state.threads.len() {
                    if !closed.contains(&other) && self.interferes(step, state.threads[other], state.phase, last) {
                        closed.push(other);
                    }
                }
            }
        }
        Ok(closed)
    }

    /// Returns, for a step that is impossible now, a thread that has to act before it becomes possible, or `None`
    /// inside if the set has one. Returns `None` for other steps.
    fn blocker(&self, state: &State, place: usize, step: StepId, closed: &[usize]) -> Option<Option<usize>> {
        let LockChange::Takes(lock, mode) = self.locals.step(step).lock else { return None };
        let holds = |other: &usize| *other != place && self.locals.excludes(state.threads[*other], lock, mode);
        let first = (0..state.threads.len()).find(holds)?;
        let is_in = closed.iter().any(holds);
        Some((!is_in).then_some(first))
    }

    fn interferes(&mut self, step: StepId, other: LocalId, first: Phase, last: Phase) -> bool {
        let Self { interference, locals, futures, .. } = self;
        interference.interferes(locals, futures, (step, other), (first, last))
    }
}
