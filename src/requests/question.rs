//! The properties that are asked, and the reasons why nothing is.

use crate::model::{Loaded, Model, Warning};
use crate::phases::UnitMode;
use crate::query::{Property, QuerySet};
use std::fmt;
use std::sync::Arc;

/// The kinds of properties that are asked.
#[derive(Clone, Debug)]
pub struct Question {
    /// Numbers of patterns.
    pub patterns: Vec<usize>,
    /// Whether data races are asked for.
    pub races: bool,
    /// Whether deadlocks are asked for.
    pub deadlocks: bool,
    /// Automata of the user.
    pub automata: Vec<Arc<Property>>,
    /// The unit mode of the patterns.
    pub units: UnitMode,
}

/// A name by which verdicts could not be told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameTaken {
    /// An automaton has the name of a built-in property.
    BuiltIn(String),
    /// Two automata have this name.
    Twice(String),
}

impl fmt::Display for NameTaken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn(name) => {
                write!(f, "an automaton has the name `{name}`, by which the tool's own is reported")
            }
            Self::Twice(name) => write!(f, "two automata have the name `{name}`, by which verdicts are told apart"),
        }
    }
}

impl std::error::Error for NameTaken {}

impl Question {
    /// Returns the properties: the patterns, the automata, and races. Deadlocks are no property of their own.
    ///
    /// # Errors
    /// If two of them have one name.
    pub fn properties(&self) -> Result<Vec<Arc<Property>>, NameTaken> {
        let mut properties = Property::all_patterns(self.units);
        let is_asked = |property: &Arc<Property>| {
            property.pattern().is_some_and(|pattern| self.patterns.contains(&pattern.number()))
        };
        properties.retain(is_asked);
        properties.extend(self.automata.iter().cloned());
        let is_taken = |property: &&Arc<Property>| {
            let label = property.label();
            (self.races && label == "race") || (self.deadlocks && Property::threads_of_deadlock(label).is_some())
        };
        if let Some(property) = properties.iter().find(is_taken) {
            return Err(NameTaken::BuiltIn(property.label().to_string()));
        }
        let mut sorted: Vec<_> = properties.iter().map(|property| property.label()).collect();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(NameTaken::Twice(twice[0].to_string()));
        }
        if self.races {
            properties.push(Arc::new(Property::race()));
        }
        Ok(properties)
    }

    /// The kinds that are asked.
    pub fn kinds(&self) -> Kinds {
        let Self { patterns, races, deadlocks, automata, .. } = self;
        Kinds { patterns: !patterns.is_empty(), races: *races, deadlocks: *deadlocks, automata: !automata.is_empty() }
    }
}

/// Whether something is asked, of each kind.
#[derive(Clone, Copy, Debug)]
pub struct Kinds {
    /// Patterns.
    pub patterns: bool,
    /// Data races.
    pub races: bool,
    /// Deadlocks.
    pub deadlocks: bool,
    /// Automata of the user.
    pub automata: bool,
}

impl Kinds {
    /// Returns the reasons why no interleaving of the model can violate any query, if there is a simple reason for each
    /// kind that is asked.
    pub fn vacuous(self, loaded: &Loaded) -> Option<String> {
        let first = |excludes: fn(&Warning) -> bool| {
            let warning = loaded.warnings.iter().find(|warning| excludes(warning));
            warning.map(|warning| warning.diagnostic().message().to_string())
        };
        let kinds = [
            (self.patterns, first(Warning::is_about_patterns)),
            (self.races, first(Warning::excludes_races)),
            (self.deadlocks, first(Warning::excludes_deadlocks).or_else(|| few_locks(&loaded.model))),
            (self.automata, first(|warning| *warning == Warning::NoProcess)),
        ];
        let mut reasons: Vec<_> =
            kinds.into_iter().filter(|(is_asked, _)| *is_asked).map(|(_, reason)| reason).collect();
        reasons.dedup();
        let reasons: Option<Vec<String>> = reasons.into_iter().collect();
        reasons.map(|reasons| reasons.join("; "))
    }
}

/// Returns the reason if there are fewer than the two locks that a deadlock needs.
fn few_locks(model: &Model) -> Option<String> {
    (model.locks().len() < 2).then(|| "the model has fewer than two locks".to_string())
}

/// Returns the reason why no interleaving can violate any query about parts of the model that are selected by name, if
/// no query is left that accesses could violate, and no cycle of locks.
pub fn nothing_named(asked: &QuerySet<'_>, deadlocks: bool, has_cycles: impl FnOnce() -> bool) -> Option<String> {
    let is_empty = asked.possible().next().is_none() && !(deadlocks && has_cycles());
    is_empty.then(|| match deadlocks {
        true => "what is named is in no cycle of locks".into(),
        false => "no accesses and units of work of what is named can make a violation".into(),
    })
}

/// Returns the error if no query fits the selection; this proves nothing.
pub fn nothing_asked(properties: &[Arc<Property>]) -> String {
    let labels: Vec<_> = properties.iter().map(|property| property.label()).collect();
    format!(
        "nothing to decide: the model has not enough locations of one atomic set, or instances of processes, that bind to the \
         parameters of {} as selected",
        labels.join(", ")
    )
}
