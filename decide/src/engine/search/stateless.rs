//! Search without stored states: only those on the path to the current state are kept.
//!
//! Algorithm SSS of Stoller (000, figure 2), with composed transitions IF-SSS: a depth-first search with persistent
//! sets and sleep sets, which avoid one interleaving for each order of steps that can be swapped. A state on the
//! current path is not explored again: a shortest run that drives the automaton to its end visits no state twice, and
//! for each run left out by the sets there is another one of the same length. So the search ends on every finite system
//! and needs no iterative deepening (SSS_cyc).

use super::global_state::State;
use super::local_states::StepId;
use super::outcome::SearchOutcome;
use super::reduction::SearchReduction;
use super::sleep_sets::Sleep;
use super::system::{Edge, System};
use super::witness::Trace;
use limits::StopReason;
use rustc_hash::FxHashSet;

/// A state on the path, with its remaining work.
struct Frame {
    state: State,
    asleep: Sleep,
    is_invisible: bool,
    /// Steps of threads at these places, the next one last.
    steps: Vec<(usize, StepId)>,
    /// The edges of the last step that were not explored yet.
    edges: Vec<(usize, Edge)>,
    /// The last step, which sleeps once all its edges are explored.
    taken: Option<StepId>,
}

/// A search without stored states.
pub(super) struct Stateless<'s, 'a> {
    system: &'s mut System<'a>,
    path: Vec<Frame>,
    on_path: FxHashSet<State>,
}

impl<'s, 'a> Stateless<'s, 'a> {
    pub(super) fn new(system: &'s mut System<'a>) -> Self {
        Self { system, path: Vec::new(), on_path: FxHashSet::default() }
    }

    /// Searches until all states are visited, the automaton accepts, or a bound is met.
    pub(super) fn run(mut self) -> Result<SearchOutcome, StopReason> {
        let start = self.system.start();
        self.enter(start, Sleep::new())?;
        let ended = self.go_on();
        self.system.counts.locals = self.system.locals.len() as u64;
        ended
    }

    fn go_on(&mut self) -> Result<SearchOutcome, StopReason> {
        while let Some(frame) = self.path.last_mut() {
            if let Some((_, from)) = self.system.violation() {
                let states = self.path.iter().map(|frame| frame.state.clone());
                return Ok(SearchOutcome::Undisciplined(Trace::new(states.collect()), from));
            }
            let Some((place, edge)) = frame.edges.pop() else {
                if !self.next_step()? {
                    self.leave();
                }
                continue;
            };
            self.system.meter.work_of(1 + frame.state.threads.len())?;
            self.system.counts.transitions += 1;
            let after = self.system.after(&frame.state, place, &edge);
            if after.phase == self.system.accepting() {
                let states = self.path.iter().map(|frame| frame.state.clone()).chain([after]);
                return Ok(SearchOutcome::Accepted(Trace::new(states.collect())));
            }
            if self.system.counts.states >= self.system.bounds.states as u64 {
                return Ok(SearchOutcome::Full);
            }
            let asleep = match self.system.has(SearchReduction::Sleep) {
                true => self.system.asleep_after(&frame.asleep, &frame.state, &edge, &after),
                false => Sleep::new(),
            };
            if !self.on_path.contains(&after) {
                self.enter(after, asleep)?;
            }
        }
        Ok(SearchOutcome::Exhausted)
    }

    /// Enters a state.
    fn enter(&mut self, state: State, asleep: Sleep) -> Result<(), StopReason> {
        self.system.counts.states += 1;
        let chosen = self.system.chosen(&state)?;
        let mut steps = Vec::new();
        for place in &chosen.places {
            let thread = state.threads[*place];
            steps.extend(self.system.locals.steps(thread).map(|step| (*place, step)));
            self.system.met_bound |= self.system.locals.is_cut(thread);
        }
        steps.reverse();
        self.on_path.insert(state.clone());
        let is_invisible = chosen.is_invisible;
        self.path.push(Frame { state, asleep, is_invisible, steps, edges: Vec::new(), taken: None });
        Ok(())
    }

    fn leave(&mut self) {
        if let Some(frame) = self.path.pop() {
            self.on_path.remove(&frame.state);
        }
    }

    /// Prepares the next step of the current state; returns false if there is none.
    fn next_step(&mut self) -> Result<bool, StopReason> {
        let Some(frame) = self.path.last_mut() else { return Ok(false) };
        let sleeps = self.system.has(SearchReduction::Sleep) && !frame.is_invisible;
        frame.asleep.extend(frame.taken.take().filter(|_| sleeps));
        while let Some((place, step)) = frame.steps.pop() {
            if sleeps && frame.asleep.contains(&step) {
                self.system.counts.saved.save(SearchReduction::Sleep, 1);
                continue;
            }
            let mut edges = Vec::new();
            self.system.edges(&frame.state, place, step, &mut edges)?;
            if !edges.is_empty() {
                frame.edges = edges.into_iter().rev().map(|edge| (place, edge)).collect();
                frame.taken = Some(step);
                return Ok(true);
            }
        }
        Ok(false)
    }
}
