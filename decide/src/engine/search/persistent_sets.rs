//! Persistent sets: which threads need to be asked in a state.
//!
//! A set of threads is *closed* in a state if nothing that the others can do, as long as none of these threads moves,
//! is such that a step of these threads does not pass it (see [`effects`](super::effects)). The enabled steps of a
//! closed set are a persistent set (000, section 4). This is Algorithm 2-LD of 000 (section 6), with the relation of
//! its figure 3 for acquisitions:
//!
//! - of a free lock: whoever may take it in a mode that excludes this one is added (`owner ∈ {free, θ1}`);
//! - of a lock that others hold: one that holds it is added, since before it acts the step stays impossible
//!   (`owner = θ2`);
//! - releases, `wait` and the rest meet nobody; `notify` does not exist.
//!
//! What others may do comes from [`future_operations`](super::future_operations); what they do holding a lock that the thread of the step
//! holds cannot come first. Accesses meet those that they do not pass, in the phases that can be reached while the set
//! does not move.
//!
//! # No proviso
//!
//! Persistent sets preserve deadlocks; where a control point matters a search in a cyclic state space can ignore some
//! thread for ever (the ignoring problem of 000, section 4). Here every set contains a thread for which the automaton
//! waits in this phase or a later one, or all that can start it. So each run that drives the automaton to its end
//! contains a step of the set, the first of which can come first in the run, and the rest is a shorter run. By
//! induction on its length the search finds one. If the enabled steps of a closed set that has to move are none, there
//! is no such run from this state, unless a thread of the set could go on but for the bound on stacks: then the bound
//! is met.

use super::effects::{Phase, Role};
use super::global_state::State;
use super::local_states::{LocalId, StepId};
use super::reduction::{SearchReduction, SearchReductions};
use super::system::System;
use crate::semantics::LockChange;
use limits::StopReason;

/// The threads that are asked in a state.
#[derive(Clone, Debug)]
pub(super) struct ChosenThreads {
    /// Their places.
    pub(super) places: Vec<usize>,
    /// Whether it is one thread whose steps are invisible.
    pub(super) is_invisible: bool,
}

impl System<'_> {
    /// The places of the threads that need to be asked in a state; with `symmetry` one of each local state.
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

    /// A thread that has to go on before the others are asked, and the reductions by which it has; where switches are
    /// counted only the thread that acted last.
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

    /// The threads of a role, or all that can still start one.
    fn who_has_to_move(&mut self, state: &State, role: Role) -> Vec<usize> {
        let own = state.threads.iter().position(|thread| self.locals.role(*thread) == Some(role));
        if let Some(place) = own {
            return vec![place];
        }
        let process = self.locals.effects.process_of(role);
        let mut starts = |thread: &LocalId| self.futures.can_start(&self.locals, *thread, Some(process));
        let places = state.threads.iter().enumerate();
        places.filter(|(_, thread)| starts(thread)).map(|(place, _)| place).collect()
    }

    /// Whether some phase that is to come waits for what nobody can do any more.
    fn is_dead_end(&mut self, state: &State) -> bool {
        (state.phase..self.accepting()).any(|phase| {
            let role = self.locals.effects.awaited(phase);
            let movers = self.who_has_to_move(state, role);
            let may_advance = |place: &usize| self.futures.can_advance(&self.locals, state.threads[*place], phase);
            !movers.iter().any(may_advance)
        })
    }

    /// The closed set with the fewest enabled steps; an empty one if the automaton cannot be driven to its end.
    fn smallest_closed(&mut self, state: &State) -> Result<Vec<usize>, StopReason> {
        let mut smallest: Option<(usize, Vec<usize>)> = None;
        let mut seen: Vec<Role> = Vec::new();
        for phase in state.phase..self.accepting() {
            let role = self.locals.effects.awaited(phase);
            if seen.contains(&role) {
                continue;
            }
            seen.push(role);
            let seed = self.who_has_to_move(state, role);
            let closed = self.closed(state, seed)?;
            let enabled = self.count_enabled(state, &closed);
            if smallest.as_ref().is_none_or(|(least, _)| enabled < *least) {
                smallest = Some((enabled, closed));
            }
        }
        let Some((enabled, closed)) = smallest else { return Ok(Vec::new()) };
        // What such a thread would do beyond the bound on stacks belongs to the set, too, and is not looked at.
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

    /// The smallest closed set with these threads.
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

    /// For a step that is impossible now: a thread that has to act before it becomes possible, if it is not in the set.
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
