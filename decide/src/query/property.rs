//! Properties: named phase automata.

use super::exclusions::combinations;
use crate::locking::ModePairs;
use phases::{Automaton, Exclusion, Pattern, UnitMode, patterns};
use std::borrow::Cow;
use std::sync::Arc;

/// A named phase automaton, or several with the same parameters. The property is violated if one of them accepts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Property {
    label: String,
    kind: Kind,
    /// The only automaton, or the first one.
    automaton: Automaton,
    /// The same with its first two phases fused, if they can be.
    fused: Option<Automaton>,
    cases: Cases,
}

/// The automata of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Cases {
    One,
    /// Two or more, each as a property of its own.
    Listed(Vec<Arc<Property>>),
    /// One for each combination of the modes of a deadlock, made on demand: there can be very many.
    Deadlock(Vec<ModePairs>),
}

/// The maximal number of combinations of modes in one query. A query with more is not called safe.
const COMBINATIONS: usize = 4096;

/// The kind of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// The pattern with this number.
    Pattern(usize),
    /// An automaton of the user.
    Automaton,
    Race,
    Deadlock,
}

/// The name of data races in reports.
const RACE: &str = "race";

/// The name of deadlocks in reports, before the number of threads.
const DEADLOCK: &str = "deadlock";

impl Property {
    /// One of the fourteen patterns; its label is its number.
    pub fn of_pattern(pattern: &Pattern, units: UnitMode) -> Self {
        let number = pattern.number();
        let automaton = pattern.automaton(units).clone();
        Self { label: number.to_string(), kind: Kind::Pattern(number), ..Self::of_automaton(automaton) }
    }

    /// All fourteen patterns in order.
    pub fn all_patterns(units: UnitMode) -> Vec<Arc<Self>> {
        patterns::all().iter().map(|pattern| Arc::new(Self::of_pattern(pattern, units))).collect()
    }

    /// An automaton of the user; its label is its name.
    pub fn of_automaton(automaton: Automaton) -> Self {
        let label = automaton.name().to_string();
        let fused = automaton.fuse_begin();
        Self { label, kind: Kind::Automaton, automaton, fused, cases: Cases::One }
    }

    /// A data race: thread 1 writes a location and thread 2 accesses it at the same time. Its label is `race`. There is
    /// a query for every location that is written.
    pub fn race() -> Self {
        Self { kind: Kind::Race, ..Self::any_of(RACE.to_string(), phases::races().iter().cloned()) }
    }

    /// A deadlock of two or more threads and locks: each thread holds one lock and wants the next, the last one the
    /// first. Each combination has an exclusion for each lock. Its label is `deadlock2`, `deadlock3` and so on.
    ///
    /// # Panics
    /// If there is no combination, or one of fewer than two locks.
    pub fn deadlock(combinations: &[Vec<Exclusion>]) -> Self {
        let automata = combinations.iter().map(|combination| phases::deadlock(combination));
        Self { kind: Kind::Deadlock, ..Self::any_of(format!("{DEADLOCK}{}", combinations[0].len()), automata) }
    }

    /// A deadlock in which thread `i` holds lock `i` and wants lock `i + 1` in one of the pairs of modes `pairs[i]`;
    /// none if the threads never exclude each other.
    pub(super) fn deadlock_of(pairs: Vec<ModePairs>) -> Option<Self> {
        let automaton = phases::deadlock(&combinations(&pairs).next()?);
        let label = format!("{DEADLOCK}{}", pairs.len());
        let is_one = combinations(&pairs).nth(1).is_none();
        let cases = if is_one { Cases::One } else { Cases::Deadlock(pairs) };
        Some(Self { label, kind: Kind::Deadlock, cases, ..Self::of_automaton(automaton) })
    }

    /// A property of one or more automata with the same parameters.
    fn any_of(label: String, automata: impl Iterator<Item = Automaton>) -> Self {
        let cases: Vec<_> = automata.map(|automaton| Arc::new(Self::of_automaton(automaton))).collect();
        let first = Self::clone(&cases[0]);
        let cases = if cases.len() > 1 { Cases::Listed(cases) } else { Cases::One };
        Self { label, cases, ..first }
    }

    /// Whether this is the label of a built-in property: a race or a deadlock.
    pub fn is_built_in(label: &str) -> bool {
        label == RACE || Self::threads_of_deadlock(label).is_some()
    }

    /// The number of threads of a deadlock with this label, if it is one.
    pub fn threads_of_deadlock(label: &str) -> Option<usize> {
        label.strip_prefix(DEADLOCK)?.parse().ok().filter(|threads| *threads >= 2)
    }

    /// The number of a pattern, or the name of an automaton.
    pub fn label(&self) -> &str {
        &self.label
    }

    /// The pattern, if it is one of the fourteen.
    pub fn pattern(&self) -> Option<&'static Pattern> {
        match self.kind {
            Kind::Pattern(number) => patterns::pattern(number),
            Kind::Automaton | Kind::Race | Kind::Deadlock => None,
        }
    }

    /// Whether it is a data race.
    pub fn is_race(&self) -> bool {
        self.kind == Kind::Race
    }

    /// Whether it is a deadlock.
    pub fn is_deadlock(&self) -> bool {
        self.kind == Kind::Deadlock
    }

    /// Whether all its automata are considered, so that a query can be safe.
    pub(crate) fn is_complete(&self) -> bool {
        match &self.cases {
            Cases::One | Cases::Listed(_) => true,
            Cases::Deadlock(pairs) => combinations(pairs).nth(COMBINATIONS).is_none(),
        }
    }

    /// The automaton. If there are several, the first; it has the parameters of all.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// The automaton with one phase fewer, if its first two phases can be fused.
    pub(crate) fn fused_automaton(&self) -> Option<&Automaton> {
        self.fused.as_ref()
    }

    /// All its automata: a query is violated if one of them accepts. Those of deadlocks are made one at a time.
    pub fn automata(&self) -> impl Iterator<Item = Cow<'_, Automaton>> {
        let automata: Box<dyn Iterator<Item = _>> = match &self.cases {
            Cases::One => Box::new(std::iter::once(Cow::Borrowed(&self.automaton))),
            Cases::Listed(cases) => Box::new(cases.iter().map(|case| Cow::Borrowed(&case.automaton))),
            Cases::Deadlock(pairs) => Box::new(deadlocks(pairs).map(Cow::Owned)),
        };
        automata
    }

    /// Whether it has only one automaton.
    pub(super) fn is_single(&self) -> bool {
        self.cases == Cases::One
    }

    /// Each of its automata as a property of its own, if there are several; made one at a time.
    pub(super) fn cases(&self) -> Box<dyn Iterator<Item = Arc<Self>> + '_> {
        match &self.cases {
            Cases::One => Box::new(std::iter::empty()),
            Cases::Listed(cases) => Box::new(cases.iter().cloned()),
            Cases::Deadlock(pairs) => {
                Box::new(deadlocks(pairs).map(|automaton| Arc::new(Self::of_automaton(automaton))))
            }
        }
    }
}

/// The automata of a deadlock, at most as many as are considered.
fn deadlocks(pairs: &[ModePairs]) -> impl Iterator<Item = Automaton> + use<> {
    combinations(pairs).take(COMBINATIONS).map(|combination| phases::deadlock(&combination))
}
