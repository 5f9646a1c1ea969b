//! Automata whose edges may read nothing and may lead into control states, as automata of this crate.

use crate::automaton::{Automaton, Goal, Origin};
use crate::index::{Control, Inner, Symbol};
use std::collections::{BTreeMap, BTreeSet};

/// A state of a file: a control state, or another one by the number of its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum FileState {
    Control(Control),
    Other(u32),
}

/// An automaton as it stands in the file.
#[derive(Clone, Debug, Default)]
pub(super) struct FileAutomaton {
    /// Without a symbol, an edge reads nothing.
    pub(super) edges: Vec<(FileState, Option<Symbol>, FileState)>,
    pub(super) accepting: BTreeSet<FileState>,
}

impl FileAutomaton {
    /// Returns an automaton of the same language. A state into which an edge leads becomes an inner state, with the
    /// number that `inner` gives it; a control state also stays one, since saturation adds edges to control states.
    pub(super) fn converted(&self, mut inner: impl FnMut(FileState) -> Inner) -> Automaton {
        let mut empty: BTreeMap<FileState, Vec<FileState>> = BTreeMap::new();
        let mut reading: BTreeMap<FileState, Vec<(Symbol, FileState)>> = BTreeMap::new();
        for (from, symbol, to) in &self.edges {
            match symbol {
                Some(symbol) => reading.entry(*from).or_default().push((*symbol, *to)),
                None => empty.entry(*from).or_default().push(*to),
            }
        }
        let sources: BTreeSet<FileState> = self.edges.iter().map(|(from, ..)| *from).collect();
        let closures: BTreeMap<_, _> = sources.iter().map(|state| (*state, closure(&empty, *state))).collect();
        let edges = |state: FileState| -> BTreeSet<(Symbol, FileState)> {
            let all = closures.get(&state).into_iter().flatten();
            all.flat_map(|state| reading.get(state).into_iter().flatten()).copied().collect()
        };
        let edges: BTreeMap<_, _> = sources.iter().map(|state| (*state, edges(*state))).collect();
        let accepts = |state: FileState| {
            let mut reached = closures.get(&state).into_iter().flatten();
            self.accepting.contains(&state) || reached.any(|state| self.accepting.contains(state))
        };
        let entered: BTreeSet<FileState> = edges.values().flatten().map(|(_, to)| *to).collect();
        let mut automaton = Automaton::new();
        for (from, edges) in &edges {
            let control = if let FileState::Control(control) = from { Some(Origin::Control(*control)) } else { None };
            let twin = entered.contains(from).then(|| Origin::Inner(inner(*from)));
            for origin in control.into_iter().chain(twin) {
                for (symbol, to) in edges {
                    if accepts(*to) {
                        automaton.edge(origin, *symbol, Goal::Final);
                    }
                    if closures.contains_key(to) {
                        automaton.edge(origin, *symbol, Goal::Inner(inner(*to)));
                    }
                }
            }
        }
        for state in self.accepting.union(&sources).filter(|state| accepts(**state)) {
            if let FileState::Control(control) = state {
                automaton.accept_empty(*control);
            }
        }
        automaton
    }
}

/// The states that are reached from a state without reading, with the state itself.
fn closure(empty: &BTreeMap<FileState, Vec<FileState>>, state: FileState) -> BTreeSet<FileState> {
    let (mut found, mut waiting) = (BTreeSet::from([state]), vec![state]);
    while let Some(state) = waiting.pop() {
        waiting.extend(empty.get(&state).into_iter().flatten().filter(|next| found.insert(**next)));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_without_symbols_and_into_control_states_are_resolved() {
        let (p, q, end) =
            (FileState::Control(Control::new(0)), FileState::Control(Control::new(1)), FileState::Other(0));
        let [a, b] = [0, 1].map(Symbol::new);
        let edges = vec![(p, Some(a), q), (q, Some(b), q), (q, None, end)];
        let automaton = FileAutomaton { edges, accepting: BTreeSet::from([end]) };
        let automaton = automaton.converted(|state| Inner::new(if state == q { 7 } else { 8 }));
        let [p, q] = [0, 1].map(|number| Origin::Control(Control::new(number)));
        let twin = Inner::new(7);
        let expected = [p, q, Origin::Inner(twin)].map(|from| {
            let symbol = if from == p { a } else { b };
            [(from, symbol, Goal::Final), (from, symbol, Goal::Inner(twin))]
        });
        assert_eq!(automaton.edges(), expected.concat());
        assert_eq!(automaton.accepting(), [Control::new(1)]);
    }
}
