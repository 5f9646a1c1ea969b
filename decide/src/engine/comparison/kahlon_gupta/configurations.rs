//! Regular sets of configurations of one process, as minimal deterministic automata; equal ids stand for equal sets.
//!
//! An automaton has one start state for each control state with accepted configurations. It reads the stack from the
//! top.

use super::locking_process::{Configuration, ControlState};
use crate::encode::FlowNode;
use indexmap::IndexSet;
use limits::{Meter, StopReason};
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::hash::BuildHasher;

/// An interned set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct ConfigurationsId(pub(super) u32);

/// A state of an automaton.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct State {
    pub(super) accepts: bool,
    /// The successors by the symbol read; sorted.
    pub(super) edges: Vec<(FlowNode, usize)>,
}

/// A finite automaton, deterministic or not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Automaton {
    /// The start states; in the automaton of a set at most one for each control state.
    pub(super) starts: Vec<(ControlState, usize)>,
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

    /// Returns a bit set with a bit for each beginning of a configuration, up to two symbols of the stack; different
    /// beginnings may share a bit. A set includes another one only if it has all bits of the other.
    fn sketch(&self) -> u128 {
        let bit = |beginning: (ControlState, Option<FlowNode>, Option<FlowNode>)| {
            1u128 << (FxBuildHasher.hash_one(beginning) >> (u64::BITS - u128::BITS.ilog2()))
        };
        let mut sketch = 0;
        for (held, start) in &self.starts {
            let State { accepts, edges } = &self.states[*start];
            sketch |= if *accepts { bit((*held, None, None)) } else { 0 };
            for (top, to) in edges {
                let State { accepts, edges } = &self.states[*to];
                sketch |= if *accepts { bit((*held, Some(*top), None)) } else { 0 };
                sketch |= edges.iter().fold(0, |bits, (second, _)| bits | bit((*held, Some(*top), Some(*second))));
            }
        }
        sketch
    }

    /// Whether the set includes the other one. Both automata are deterministic.
    fn includes(&self, other: &Self, meter: &Meter) -> Result<bool, StopReason> {
        let start = |held: &ControlState| self.starts.iter().find(|(own, _)| own == held).map(|(_, state)| *state);
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

    /// Returns the minimal deterministic automaton with the same starts, each of which accepts the same stacks as here.
    fn minimal(&self, meter: &Meter) -> Result<Self, StopReason> {
        self.determinized(meter)?.trimmed(meter)?.merged(meter)
    }

    /// Determinizes the automaton by the subset construction.
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

    /// Removes the edges to states from which nothing is accepted.
    fn trimmed(mut self, meter: &Meter) -> Result<Self, StopReason> {
        let mut before = vec![Vec::new(); self.states.len()];
        for (from, state) in self.states.iter().enumerate() {
            meter.work_of(1 + state.edges.len())?;
            state.edges.iter().for_each(|(_, to)| before[*to].push(from));
        }
        let mut live: Vec<_> = self.states.iter().map(|state| state.accepts).collect();
        let mut waiting: Vec<_> = (0..live.len()).filter(|state| live[*state]).collect();
        while let Some(state) = waiting.pop() {
            meter.work_of(1 + before[state].len())?;
            for from in &before[state] {
                if !std::mem::replace(&mut live[*from], true) {
                    waiting.push(*from);
                }
            }
        }
        self.states.iter_mut().for_each(|state| state.edges.retain(|(_, to)| live[*to]));
        Ok(self)
    }

    /// Merges the equivalent states of a deterministic automaton (Moore's refinement).
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

    /// Returns the part that is reachable from these starts, with its states in breadth-first order. So equivalent
    /// minimal automata become equal.
    fn part(&self, mut starts: Vec<(ControlState, usize)>, meter: &Meter) -> Result<Self, StopReason> {
        starts.sort_unstable();
        let mut order: IndexSet<usize, FxBuildHasher> = starts.iter().map(|(_, state)| *state).collect();
        let mut next = 0;
        while let Some(state) = order.get_index(next) {
            meter.work_of(1 + self.states[*state].edges.len())?;
            order.extend(self.states[*state].edges.iter().map(|(_, to)| *to));
            next += 1;
        }
        let number = |state: &usize| order.get_index_of(state).expect("the walk has met it");
        let states = order.iter().map(|state| {
            let State { accepts, edges } = &self.states[*state];
            State { accepts: *accepts, edges: edges.iter().map(|(node, to)| (*node, number(to))).collect() }
        });
        let states = states.collect();
        meter.check()?;
        Ok(Self { starts: starts.iter().map(|(held, state)| (*held, number(state))).collect(), states })
    }
}

fn sorted(mut subset: Vec<usize>) -> Vec<usize> {
    subset.sort_unstable();
    subset.dedup();
    subset
}

/// The sets of the analysis of one process.
#[derive(Debug, Default)]
pub(super) struct ConfigurationSets {
    sets: IndexSet<Automaton, FxBuildHasher>,
    /// The sketch of each set ([`Automaton::sketch`]).
    sketches: Vec<u128>,
    /// The inclusions decided so far.
    inclusions: FxHashMap<(ConfigurationsId, ConfigurationsId), bool>,
}

impl ConfigurationSets {
    pub(super) fn get(&self, id: ConfigurationsId) -> &Automaton {
        &self.sets[id.0 as usize]
    }

    /// Whether the first set includes the second.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn includes(
        &mut self,
        first: ConfigurationsId,
        second: ConfigurationsId,
        meter: &Meter,
    ) -> Result<bool, StopReason> {
        meter.work_of(1)?;
        let sketch = |id: ConfigurationsId| self.sketches[id.0 as usize];
        if first == second || sketch(second) & !sketch(first) != 0 {
            return Ok(first == second);
        }
        if let Some(known) = self.inclusions.get(&(first, second)) {
            return Ok(*known);
        }
        let found = self.get(first).includes(self.get(second), meter)?;
        self.inclusions.insert((first, second), found);
        Ok(found)
    }

    /// Returns the set that an automaton accepts; `None` if it accepts nothing. Exponential in the worst case, usually
    /// linear.
    ///
    /// # Errors
    /// If a limit is reached.
    pub(super) fn intern(
        &mut self,
        automaton: &Automaton,
        meter: &Meter,
    ) -> Result<Option<ConfigurationsId>, StopReason> {
        let minimal = automaton.minimal(meter)?;
        self.intern_part(&minimal, minimal.starts.clone(), meter)
    }

    /// Returns the set accepted from each start of an automaton on its own, as [`intern`](Self::intern) does.
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
        starts.map(|start| self.intern_part(&minimal, vec![*start], meter)).collect()
    }

    fn intern_part(
        &mut self,
        minimal: &Automaton,
        mut starts: Vec<(ControlState, usize)>,
        meter: &Meter,
    ) -> Result<Option<ConfigurationsId>, StopReason> {
        let accepts_something = |state: &State| state.accepts || !state.edges.is_empty();
        starts.retain(|(_, state)| accepts_something(&minimal.states[*state]));
        if starts.is_empty() {
            return Ok(None);
        }
        let (index, is_new) = self.sets.insert_full(minimal.part(starts, meter)?);
        if is_new {
            self.sketches.push(self.sets[index].sketch());
        }
        Ok(Some(ConfigurationsId(u32::try_from(index).expect("fewer than 2^32 sets"))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use limits::Limits;
    use proptest::prelude::*;
    use wpds::Control;

    const NODES: usize = 2;
    const HELD: usize = 2;
    const STATES: usize = 4;

    fn held(number: usize) -> ControlState {
        ControlState::of_control(Control::new(number as u32))
    }

    /// Returns all configurations whose stacks have fewer symbols than an automaton without loops has states.
    fn all_configurations() -> Vec<Configuration> {
        let mut stacks = vec![Vec::new()];
        let mut longest = stacks.clone();
        for _ in 1..STATES {
            let longer = |stack: &Vec<FlowNode>| {
                let stack = stack.clone();
                (0..NODES).map(move |node| [&stack[..], &[FlowNode::new(node)]].concat())
            };
            longest = longest.iter().flat_map(longer).collect();
            stacks.extend(longest.iter().cloned());
        }
        let with_locks =
            |number| stacks.iter().map(move |stack| Configuration { held: held(number), stack: stack.clone() });
        (0..HELD).flat_map(with_locks).collect()
    }

    /// Generates automata, not necessarily deterministic, in which edges lead to later states only.
    fn automaton() -> impl Strategy<Value = Automaton> {
        let state = |from: usize| {
            // Edges beyond the last state are removed below.
            let edge = (0..NODES, from + 1..STATES + 1).prop_map(|(node, to)| (FlowNode::new(node), to));
            (any::<bool>(), prop::collection::vec(edge, 0..4))
        };
        let states: Vec<_> = (0..STATES).map(state).collect();
        (states, prop::collection::vec(0..STATES, HELD)).prop_map(|(states, starts)| {
            let states = states.into_iter().map(|(accepts, edges)| {
                let edges = edges.into_iter().filter(|(_, to)| *to < STATES).collect();
                State { accepts, edges }
            });
            let starts = starts.into_iter().enumerate().map(|(number, state)| (held(number), state)).collect();
            Automaton { starts, states: states.collect() }
        })
    }

    /// Whether an automaton that may be nondeterministic accepts a configuration.
    fn may_accept(automaton: &Automaton, at: &Configuration) -> bool {
        let starts = automaton.starts.iter().filter(|(held, _)| *held == at.held).map(|(_, state)| *state);
        let end = at.stack.iter().rev().fold(starts.collect::<Vec<_>>(), |states, node| {
            let edges = states.iter().flat_map(|state| &automaton.states[*state].edges);
            edges.filter(|(own, _)| own == node).map(|(_, to)| *to).collect()
        });
        end.iter().any(|state| automaton.states[*state].accepts)
    }

    proptest! {
        #[test]
        fn sets_contain_the_configurations_that_their_automata_accept(first in automaton(), second in automaton()) {
            let (mut sets, meter) = (ConfigurationSets::default(), Meter::start(&Limits::default()));
            let all = all_configurations();
            let members =
                |automaton: &Automaton| -> Vec<bool> { all.iter().map(|at| may_accept(automaton, at)).collect() };
            let (firsts, seconds) = (members(&first), members(&second));
            let ids = [sets.intern(&first, &meter).unwrap(), sets.intern(&second, &meter).unwrap()];
            for (id, members) in ids.iter().zip([&firsts, &seconds]) {
                prop_assert_eq!(id.is_some(), members.contains(&true));
                let Some(id) = id else { continue };
                let own: Vec<_> = all.iter().map(|at| sets.get(*id).accepts(at)).collect();
                prop_assert_eq!(&own, members);
            }
            let [Some(first), Some(second)] = ids else { return Ok(()) };
            prop_assert_eq!(first == second, firsts == seconds);
            let all_of_second = firsts.iter().zip(&seconds).all(|(first, second)| *first || !second);
            // The second answer comes from the memo.
            for _ in 0..2 {
                prop_assert_eq!(sets.includes(first, second, &meter).unwrap(), all_of_second);
            }
        }
    }
}
