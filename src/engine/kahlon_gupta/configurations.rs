//! Regular sets of configurations of one process, as minimal deterministic automata: equal sets have equal ids.
//!
//! An automaton has a start state for each control state from which it accepts something, and reads the stack from the top.

use super::process::{Configuration, Held};
use crate::encode::FlowNode;
use crate::limits::{Meter, StopReason};
use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};

/// An interned set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ConfigurationsId(u32);

/// A state of an automaton.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct State {
    pub(super) accepts: bool,
    /// By the symbols that are read; sorted.
    pub(super) edges: Vec<(FlowNode, usize)>,
}

/// An automaton, deterministic or not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Automaton {
    /// At most one for each control state if it is that of a set.
    pub(super) starts: Vec<(Held, usize)>,
    pub(super) states: Vec<State>,
}

impl Automaton {
    /// Whether a deterministic automaton accepts a configuration.
    pub(super) fn accepts(&self, at: &Configuration) -> bool {
        let start = self.starts.iter().find(|(held, _)| *held == at.held).map(|(_, state)| *state);
        let end = at.stack.iter().rev().try_fold(start, |state, node| {
            let edges = &self.states[state?].edges;
            Some(edges.binary_search_by_key(node, |edge| edge.0).ok().map(|place| edges[place].1))
        });
        end.flatten().is_some_and(|state| self.states[state].accepts)
    }

    /// Whether a set has all configurations of another.
    fn includes(&self, other: &Self, meter: &Meter) -> Result<bool, StopReason> {
        let start = |held: &Held| self.starts.iter().find(|(own, _)| own == held).map(|(_, state)| *state);
        let mut seen: IndexSet<(usize, usize), FxBuildHasher> = IndexSet::default();
        for (held, state) in &other.starts {
            let Some(own) = start(held) else { return Ok(false) };
            seen.insert((own, *state));
        }
        let mut next = 0;
        while let Some((own, other_state)) = seen.get_index(next).copied() {
            let (own, other_state) = (&self.states[own], &other.states[other_state]);
            meter.work_of(1 + other_state.edges.len())?;
            if other_state.accepts && !own.accepts {
                return Ok(false);
            }
            for (node, to) in &other_state.edges {
                let Ok(place) = own.edges.binary_search_by_key(node, |edge| edge.0) else { return Ok(false) };
                seen.insert((own.edges[place].1, *to));
            }
            next += 1;
        }
        Ok(true)
    }

    /// The smallest deterministic automaton with the same starts, whose states accept all that those of this one do.
    fn minimal(&self, meter: &Meter) -> Result<Self, StopReason> {
        self.determinized(meter)?.trimmed().merged(meter)
    }

    /// The subset construction.
    fn determinized(&self, meter: &Meter) -> Result<Self, StopReason> {
        let mut subsets: IndexSet<Vec<usize>, FxBuildHasher> = IndexSet::default();
        let starts = self.starts.iter().map(|(held, state)| (*held, subsets.insert_full(vec![*state]).0)).collect();
        let mut states = Vec::new();
        while let Some(subset) = subsets.get_index(states.len()).cloned() {
            let mut next: FxHashMap<FlowNode, Vec<usize>> = FxHashMap::default();
            for (node, to) in subset.iter().flat_map(|state| &self.states[*state].edges) {
                next.entry(*node).or_default().push(*to);
            }
            meter.work_of(1 + next.len())?;
            let mut edges: Vec<_> =
                next.into_iter().map(|(node, to)| (node, subsets.insert_full(sorted(to)).0)).collect();
            edges.sort_unstable();
            states.push(State { accepts: subset.iter().any(|state| self.states[*state].accepts), edges });
        }
        Ok(Self { starts, states })
    }

    /// Without the edges to where nothing is accepted.
    fn trimmed(mut self) -> Self {
        let mut before = vec![Vec::new(); self.states.len()];
        for (from, state) in self.states.iter().enumerate() {
            state.edges.iter().for_each(|(_, to)| before[*to].push(from));
        }
        let mut live: Vec<_> = self.states.iter().map(|state| state.accepts).collect();
        let mut waiting: Vec<_> = (0..live.len()).filter(|state| live[*state]).collect();
        while let Some(state) = waiting.pop() {
            for from in &before[state] {
                if !std::mem::replace(&mut live[*from], true) {
                    waiting.push(*from);
                }
            }
        }
        self.states.iter_mut().for_each(|state| state.edges.retain(|(_, to)| live[*to]));
        self
    }

    /// Merges states of a deterministic automaton that accept the same (Moore's refinement).
    fn merged(self, meter: &Meter) -> Result<Self, StopReason> {
        let mut classes: Vec<usize> = self.states.iter().map(|state| usize::from(state.accepts)).collect();
        let mut count = 0;
        loop {
            let mut known: FxHashMap<(usize, Vec<(FlowNode, usize)>), usize> = FxHashMap::default();
            let mut next = Vec::with_capacity(classes.len());
            for (state, class) in self.states.iter().zip(&classes) {
                meter.work_of(1 + state.edges.len())?;
                let edges = state.edges.iter().map(|(node, to)| (*node, classes[*to])).collect();
                let number = known.len();
                next.push(*known.entry((*class, edges)).or_insert(number));
            }
            classes = next;
            if known.len() == count {
                break;
            }
            count = known.len();
        }
        let mut states = vec![State::default(); count];
        for (state, class) in self.states.iter().zip(&classes) {
            let edges = state.edges.iter().map(|(node, to)| (*node, classes[*to])).collect();
            states[*class] = State { accepts: state.accepts, edges };
        }
        let starts = self.starts.iter().map(|(held, state)| (*held, classes[*state])).collect();
        Ok(Self { starts, states })
    }

    /// The part that can be reached from these starts, its states in the order in which a breadth-first walk meets them: of
    /// minimal automata the same for all that accept the same.
    fn part(&self, mut starts: Vec<(Held, usize)>) -> Self {
        starts.sort_unstable();
        let mut order: IndexSet<usize, FxBuildHasher> = starts.iter().map(|(_, state)| *state).collect();
        let mut next = 0;
        while let Some(state) = order.get_index(next) {
            order.extend(self.states[*state].edges.iter().map(|(_, to)| *to));
            next += 1;
        }
        let number = |state: &usize| order.get_index_of(state).expect("the walk has met it");
        let states = order.iter().map(|state| {
            let State { accepts, edges } = &self.states[*state];
            State { accepts: *accepts, edges: edges.iter().map(|(node, to)| (*node, number(to))).collect() }
        });
        let states = states.collect();
        Self { starts: starts.iter().map(|(held, state)| (*held, number(state))).collect(), states }
    }
}

fn sorted(mut subset: Vec<usize>) -> Vec<usize> {
    subset.sort_unstable();
    subset.dedup();
    subset
}

/// All sets of an analysis of one process.
#[derive(Debug, Default)]
pub(super) struct ConfigurationSets(IndexSet<Automaton, FxBuildHasher>);

impl ConfigurationSets {
    pub(super) fn get(&self, id: ConfigurationsId) -> &Automaton {
        &self.0[id.0 as usize]
    }

    /// Whether the first set has all configurations of the second.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn includes(
        &self,
        first: ConfigurationsId,
        second: ConfigurationsId,
        meter: &Meter,
    ) -> Result<bool, StopReason> {
        Ok(first == second || self.get(first).includes(self.get(second), meter)?)
    }

    /// The set that an automaton accepts; none if that is nothing. Exponential in the worst case, linear in most.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn intern(
        &mut self,
        automaton: &Automaton,
        meter: &Meter,
    ) -> Result<Option<ConfigurationsId>, StopReason> {
        let minimal = automaton.minimal(meter)?;
        Ok(self.intern_part(&minimal, minimal.starts.clone()))
    }

    /// The same for each start of an automaton on its own.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn intern_each(
        &mut self,
        automaton: &Automaton,
        meter: &Meter,
    ) -> Result<Vec<Option<ConfigurationsId>>, StopReason> {
        let minimal = automaton.minimal(meter)?;
        let starts = minimal.starts.iter();
        Ok(starts.map(|start| self.intern_part(&minimal, vec![*start])).collect())
    }

    fn intern_part(&mut self, minimal: &Automaton, mut starts: Vec<(Held, usize)>) -> Option<ConfigurationsId> {
        let accepts_something = |state: &State| state.accepts || !state.edges.is_empty();
        starts.retain(|(_, state)| accepts_something(&minimal.states[*state]));
        if starts.is_empty() {
            return None;
        }
        let (index, _) = self.0.insert_full(minimal.part(starts));
        Some(ConfigurationsId(u32::try_from(index).expect("fewer than 2^32 sets")))
    }
}
