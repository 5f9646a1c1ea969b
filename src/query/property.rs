//! What queries ask about: named phase automata.

use phases::{Automaton, Pattern, UnitMode, patterns};
use std::sync::Arc;

/// A phase automaton under the name by which reports call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    label: String,
    pattern: Option<usize>,
    automaton: Automaton,
}

impl Property {
    /// One of the fourteen patterns; its label is its number.
    pub fn of_pattern(pattern: &Pattern, units: UnitMode) -> Self {
        let number = pattern.number();
        Self { label: number.to_string(), pattern: Some(number), automaton: pattern.automaton(units).clone() }
    }

    /// All fourteen patterns in order.
    pub fn all_patterns(units: UnitMode) -> Vec<Arc<Self>> {
        patterns::all().iter().map(|pattern| Arc::new(Self::of_pattern(pattern, units))).collect()
    }

    /// An automaton of the user's; its label is its name.
    pub fn of_automaton(automaton: Automaton) -> Self {
        Self { label: automaton.name().to_string(), pattern: None, automaton }
    }

    /// A pattern's number, or the automaton's name.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Which of the fourteen patterns it is, if any.
    pub fn pattern(&self) -> Option<&'static Pattern> {
        patterns::pattern(self.pattern?)
    }

    /// The automaton.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }
}
