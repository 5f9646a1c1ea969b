//! Finite automata that accept sets of configurations.
//!
//! An automaton reads the configuration `<p, g1 ... gn>` from the control state `p`. No transition leads into a control
//! state, as saturation needs it of the automaton that it begins with.

use crate::index::{Control, Inner, Symbol};

/// A state of an automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Place {
    /// A control state.
    Control(Control),
    /// The state of a forward saturation between the two symbols of the pushes to this control state and symbol.
    Middle(Control, Symbol),
    /// A state of the automaton that was given.
    Inner(Inner),
    /// The final state, which no transition leaves.
    Final,
}

/// Where a transition of a given automaton leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Goal {
    /// A state of its own.
    Inner(Inner),
    /// The final state.
    Final,
}

/// Where a transition of a given automaton begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// A control state.
    Control(Control),
    /// A state of its own.
    Inner(Inner),
}

/// A finite automaton over configurations, without weights.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Automaton {
    edges: Vec<(Origin, Symbol, Goal)>,
    accepting: Vec<Control>,
}

impl Automaton {
    /// The automaton that accepts nothing.
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
