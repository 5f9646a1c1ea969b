//! What queries ask about: named phase automata.

use phases::{Automaton, Pattern, UnitMode, patterns};
use std::sync::Arc;

/// A phase automaton, or several with the same parameters of which one has to accept, under the name by which reports call it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    label: String,
    pattern: Option<usize>,
    automaton: Automaton,
    subjects: Subjects,
    /// Each of the automata as a property of its own; none if there is only one.
    cases: Vec<Arc<Property>>,
}

/// Which locations a property is asked about, unless they are named.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Subjects {
    /// All sequences of different ones of one atomic set.
    Related,
    /// Each that is written.
    Written,
}

impl Property {
    /// One of the fourteen patterns; its label is its number.
    pub fn of_pattern(pattern: &Pattern, units: UnitMode) -> Self {
        let number = pattern.number();
        let automaton = pattern.automaton(units).clone();
        Self { label: number.to_string(), pattern: Some(number), ..Self::of_automaton(automaton) }
    }

    /// All fourteen patterns in order.
    pub fn all_patterns(units: UnitMode) -> Vec<Arc<Self>> {
        patterns::all().iter().map(|pattern| Arc::new(Self::of_pattern(pattern, units))).collect()
    }

    /// An automaton of the user's; its label is its name.
    pub fn of_automaton(automaton: Automaton) -> Self {
        let label = automaton.name().to_string();
        Self { label, pattern: None, automaton, subjects: Subjects::Related, cases: Vec::new() }
    }

    /// A data race: thread 1 writes a location and thread 2 accesses it at the same time. Its label is `race`. It is asked about
    /// every location that is written.
    pub fn race() -> Self {
        let cases = phases::races().iter().map(|automaton| Arc::new(Self::of_automaton(automaton.clone())));
        Self { subjects: Subjects::Written, ..Self::any_of(RACE, cases.collect()) }
    }

    /// Several automata with the same parameters, one of which has to accept; there is one at least.
    pub(super) fn any_of(label: &str, cases: Vec<Arc<Self>>) -> Self {
        let automaton = cases[0].automaton.clone();
        let cases = if cases.len() > 1 { cases } else { Vec::new() };
        Self { label: label.to_string(), pattern: None, automaton, subjects: Subjects::Related, cases }
    }

    /// A pattern's number, or the automaton's name.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// Which of the fourteen patterns it is, if any.
    pub fn pattern(&self) -> Option<&'static Pattern> {
        patterns::pattern(self.pattern?)
    }

    /// Whether it is a data race.
    pub fn is_race(&self) -> bool {
        self.subjects == Subjects::Written
    }

    /// The automaton; if there are several the first, which has the parameters of all.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// All its automata: a query is violated if one of them accepts.
    pub fn automata(&self) -> impl Iterator<Item = &Automaton> {
        let single = self.cases.is_empty().then_some(&self.automaton);
        single.into_iter().chain(self.cases.iter().map(|case| &case.automaton))
    }

    /// Each of its automata as a property of its own, if there are several.
    pub(super) fn cases(&self) -> &[Arc<Self>] {
        &self.cases
    }

    pub(super) fn subjects(&self) -> Subjects {
        self.subjects
    }
}

/// How reports call data races.
pub(super) const RACE: &str = "race";
