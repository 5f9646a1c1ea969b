//! Finite automata that accept sets of configurations.
//!
//! An automaton reads the configuration `<p, g1 ... gn>` from the control state `p`. Saturation requires that no
//! transition of its initial automaton leads into a control state.

use crate::index::{Control, Inner, Symbol};

/// A state of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A control state.
    Control(Control),
    /// The mid-state of a forward saturation for pushes to this control state and symbol: between their two symbols.
    Middle(Control, Symbol),
    /// An inner state of the initial automaton.
    Inner(Inner),
    /// The final state, which no transition leaves.
    Final,
}

/// The target of a transition of an [`Automaton`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Goal {
    /// An inner state.
    Inner(Inner),
    /// The final state.
    Final,
}

/// The source of a transition of an [`Automaton`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A control state.
    Control(Control),
    /// An inner state.
    Inner(Inner),
}

/// A finite automaton over configurations, without weights.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Automaton {
    edges: Vec<(Origin, Symbol, Goal)>,
    accepting: Vec<Control>,
}

impl Automaton {
    /// Returns the automaton that accepts nothing.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a transition.
    pub fn edge(&mut self, from: Origin, symbol: Symbol, to: Goal) {
        self.edges.push((from, symbol, to));
    }

    /// Lets the automaton accept the control state with the empty stack.
    pub fn accept_empty(&mut self, control: Control) {
        self.accepting.push(control);
    }

    /// The transitions, in the order in which they were added.
    pub fn edges(&self) -> &[(Origin, Symbol, Goal)] {
        &self.edges
    }

    /// The control states that are accepted with the empty stack.
    pub fn accepting(&self) -> &[Control] {
        &self.accepting
    }
}
