//! Search with stored states: each state is explored once, or again if fewer steps sleep in it (see
//! [`sleep_sets`](super::sleep_sets)).

use super::global_state::State;
use super::options::SearchOrder;
use super::outcome::SearchOutcome;
use super::reduction::SearchReduction;
use super::sleep_sets::{Sleep, SleepId, SleepSets};
use super::state_store::{IsFull, StateId, StateStore};
use super::system::{Edge, System};
use super::witness::Trace;
use limits::StopReason;
use std::collections::VecDeque;

/// The states that were found but not yet explored, or not yet with so few sleeping steps.
#[derive(Debug, Default)]
struct Frontier {
    waiting: VecDeque<(StateId, u32)>,
    /// For each state, the least number of context switches to it, if switches are counted.
    switches: Vec<u32>,
    /// For each state, its sleeping steps, if there are sleep sets.
    asleep: Vec<SleepId>,
}

/// A search with stored states.
pub(super) struct Stateful<'s, 'a> {
    system: &'s mut System<'a>,
    store: StateStore,
    sleeps: SleepSets,
    frontier: Frontier,
    has_sleep: bool,
}

impl<'s, 'a> Stateful<'s, 'a> {
    pub(super) fn new(system: &'s mut System<'a>) -> Self {
        let has_sleep = system.has(SearchReduction::Sleep) && !system.options.counts_switches();
        let (store, sleeps, frontier) = (StateStore::default(), SleepSets::default(), Frontier::default());
        Self { system, store, sleeps, frontier, has_sleep }
    }

    /// Searches until all states are visited, the automaton accepts, or a bound is met.
    pub(super) fn run(mut self) -> Result<SearchOutcome, StopReason> {
        let start = self.system.start();
        if self.reach(&start, None, Sleep::new(), 0).is_err() {
            return Ok(SearchOutcome::Full);
        }
        let ended = self.go_on();
        self.system.counts.states += self.store.len() as u64;
        self.system.counts.bytes =
            (self.store.memory() + 4 * (self.frontier.asleep.capacity() + self.frontier.switches.capacity())) as u64;
        self.system.counts.locals = self.system.locals.len() as u64;
        ended
    }

    fn go_on(&mut self) -> Result<SearchOutcome, StopReason> {
        while let Some((id, switches)) = self.next() {
            if self.frontier.switches.get(id.index()).is_some_and(|least| *least < switches) {
                continue;
            }
            if let Some(ended) = self.look_at(id, switches)? {
                return Ok(ended);
            }
            if let Some((_, from)) = self.system.violation() {
                return Ok(SearchOutcome::Undisciplined(self.trace(id), from));
            }
            if self.store.len() > self.system.bounds.states {
                return Ok(SearchOutcome::Full);
            }
        }
        Ok(SearchOutcome::Exhausted)
    }

    fn next(&mut self) -> Option<(StateId, u32)> {
        match self.system.options.order {
            SearchOrder::Depth if self.system.options.switches.is_none() => self.frontier.waiting.pop_back(),
            _ => self.frontier.waiting.pop_front(),
        }
    }

    /// Explores all steps of a state that the reductions leave.
    fn look_at(&mut self, id: StateId, switches: u32) -> Result<Option<SearchOutcome>, StopReason> {
        let state = self.store.get(id);
        let mut asleep = match self.has_sleep {
            true => self.sleeps.get(self.frontier.asleep[id.index()]).to_vec(),
            false => Sleep::new(),
        };
        let chosen = self.system.chosen(&state)?;
        let mut edges = Vec::new();
        for place in &chosen.places {
            let thread = state.threads[*place];
            for step in self.system.locals.steps(thread) {
                if !chosen.is_invisible && asleep.contains(&step) {
                    self.system.counts.saved.save(SearchReduction::Sleep, 1);
                    continue;
                }
                edges.clear();
                self.system.edges(&state, *place, step, &mut edges)?;
                for edge in &edges {
                    if let Some(ended) = self.take((id, switches), &state, *place, edge, &asleep)? {
                        return Ok(Some(ended));
                    }
                }
                if self.has_sleep && !edges.is_empty() && !chosen.is_invisible {
                    asleep.push(step);
                }
            }
            self.system.met_bound |= self.system.locals.is_cut(thread);
        }
        Ok(None)
    }

    fn take(
        &mut self,
        (from, switches): (StateId, u32),
        state: &State,
        place: usize,
        edge: &Edge,
        asleep: &Sleep,
    ) -> Result<Option<SearchOutcome>, StopReason> {
        self.system.meter.work_of(1 + state.threads.len())?;
        self.system.counts.transitions += 1;
        let after = self.system.after(state, place, edge);
        let left = match self.has_sleep {
            true => self.system.asleep_after(asleep, state, edge, &after),
            false => Sleep::new(),
        };
        let is_switch = state.active.is_some_and(|active| active != edge.mover);
        let switches = switches + u32::from(is_switch);
        if self.system.options.switches.is_some_and(|most| switches as usize > most) {
            self.system.met_bound = true;
            return Ok(None);
        }
        let is_accepted = after.phase == self.system.accepting();
        let Ok(reached) = self.reach(&after, Some(from), left, switches) else { return Ok(Some(SearchOutcome::Full)) };
        Ok(is_accepted.then(|| SearchOutcome::Accepted(self.trace(reached))))
    }

    /// Records that a state was reached, and queues it if it has to be explored.
    fn reach(
        &mut self,
        state: &State,
        origin: Option<StateId>,
        asleep: Sleep,
        switches: u32,
    ) -> Result<StateId, IsFull> {
        let (id, is_new) = self.store.insert(state, origin)?;
        let counts = self.system.options.counts_switches();
        if is_new {
            if self.has_sleep {
                self.frontier.asleep.push(self.sleeps.intern(&asleep));
            }
            if counts {
                self.frontier.switches.push(switches);
            }
            self.push(id, switches);
            return Ok(id);
        }
        if counts && switches < self.frontier.switches[id.index()] {
            self.frontier.switches[id.index()] = switches;
            self.store.set_origin(id, origin);
            self.push(id, switches);
        }
        if self.has_sleep {
            let known = self.sleeps.get(self.frontier.asleep[id.index()]);
            let common: Sleep = known.iter().filter(|step| asleep.contains(step)).copied().collect();
            if common.len() < known.len() {
                self.frontier.asleep[id.index()] = self.sleeps.intern(&common);
                self.push(id, switches);
            }
        }
        Ok(id)
    }

    /// Queues a state at its place in the order.
    fn push(&mut self, id: StateId, switches: u32) {
        let is_near = self.frontier.waiting.front().is_some_and(|(_, nearest)| switches <= *nearest);
        match self.system.options.counts_switches() && is_near {
            true => self.frontier.waiting.push_front((id, switches)),
            false => self.frontier.waiting.push_back((id, switches)),
        }
    }

    /// Returns the path to a state.
    fn trace(&self, end: StateId) -> Trace {
        let mut states: Vec<_> = std::iter::successors(Some(end), |id| self.store.origin(*id)).collect();
        states.reverse();
        Trace::new(states.into_iter().map(|id| self.store.get(id)).collect())
    }
}
