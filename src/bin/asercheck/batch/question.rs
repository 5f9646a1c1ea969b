//! The queries that are asked of a model, in a form that can be sent to a worker.

use asercheck::Limits;
use asercheck::model::Model;
use asercheck::query::{Property, Query, Selection, SelectionError};
use phases::UnitMode;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Number of queries of a model up to which all are listed; also the largest number of queries about deadlocks.
const MANY: usize = 100_000;

/// A file of automata.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutomatonText {
    /// Its name.
    pub path: String,
    /// Its content.
    pub text: String,
}

/// Patterns and automata, and the bindings of their parameters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Whether patterns require one unit of both threads, or only of the first.
    pub both_units: bool,
    /// Numbers of patterns.
    pub patterns: Vec<usize>,
    /// Automata.
    pub automata: Vec<AutomatonText>,
    /// Whether data races are asked for.
    pub races: bool,
    /// Whether deadlocks are asked for.
    pub deadlocks: bool,
    /// Only these locations.
    pub locations: Option<Vec<String>>,
    /// Only these locks.
    pub locks: Option<Vec<String>>,
    /// Only these processes.
    pub processes: Option<Vec<String>>,
}

/// The reason why a question does not fit a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuestionError {
    /// A text holds no automata. A runner checks this before it sends the text.
    Automata(String),
    /// Two automata have the same name, so that their results would be mixed up.
    SameName(String),
    /// The model does not have a selected name.
    Selection(SelectionError),
    /// There are more queries about deadlocks than a batch lists.
    ManyDeadlocks,
}

/// The queries of a batch about one model.
#[derive(Clone, Debug, Default)]
pub(super) struct ListedQueries {
    /// Always in the same order.
    pub(super) queries: Vec<Query>,
    /// For each of them, whether nothing in the model can violate it.
    pub(super) trivial: Vec<bool>,
    /// The number of further queries of that kind, which are too many to be listed.
    pub(super) unlisted: usize,
}

impl fmt::Display for QuestionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Automata(path) => write!(f, "{path} holds no automata"),
            Self::SameName(name) => write!(f, "two automata have the name `{name}`; a batch tells them by their names"),
            Self::Selection(error) => error.fmt(f),
            Self::ManyDeadlocks => {
                write!(f, "there are more than {MANY} cycles of locks with processes; name some of them")
            }
        }
    }
}

impl std::error::Error for QuestionError {}

impl Question {
    /// Returns the unit mode of the patterns.
    pub fn units(&self) -> UnitMode {
        if self.both_units { UnitMode::Both } else { UnitMode::First }
    }

    /// Returns the patterns and automata.
    ///
    /// # Errors
    /// If the text of an automaton is wrong, or its name is taken.
    pub fn properties(&self) -> Result<Vec<Arc<Property>>, QuestionError> {
        let mut properties = Property::all_patterns(self.units());
        properties.retain(|property| property.pattern().is_some_and(|own| self.patterns.contains(&own.number())));
        for AutomatonText { path, text } in &self.automata {
            let automata = phases::parse(text).map_err(|_| QuestionError::Automata(path.clone()))?;
            for property in automata.into_iter().map(Property::of_automaton) {
                if properties.iter().any(|other| other.label() == property.label()) {
                    return Err(QuestionError::SameName(property.label().to_string()));
                }
                properties.push(Arc::new(property));
            }
        }
        let is_taken = |property: &&Arc<Property>| self.asks_built_in() && Property::is_built_in(property.label());
        if let Some(property) = properties.iter().find(is_taken) {
            return Err(QuestionError::SameName(property.label().to_string()));
        }
        if self.races {
            properties.push(Arc::new(Property::race()));
        }
        Ok(properties)
    }

    fn asks_built_in(&self) -> bool {
        self.races || self.deadlocks
    }

    /// Returns the queries; of more than 100,000 only those that the model could violate.
    ///
    /// # Errors
    /// If the selection does not fit the model, or there are too many queries about deadlocks.
    pub(super) fn queries(&self, model: &Model) -> Result<ListedQueries, QuestionError> {
        let selection = Selection {
            locations: self.locations.clone(),
            locks: self.locks.clone(),
            processes: self.processes.clone(),
        };
        let properties = self.properties()?;
        let asked = if self.deadlocks {
            selection.ask_with_deadlocks(model, &properties)
        } else {
            selection.ask(model, &properties)
        };
        let asked = asked.map_err(QuestionError::Selection)?;
        let count = asked.count();
        let mut queries: Vec<_> = if count <= MANY { asked.all().collect() } else { asked.possible().collect() };
        let mut trivial: Vec<_> = queries.iter().map(|query| asked.is_trivial(query)).collect();
        let unlisted = count - queries.len();
        let deadlocks: Vec<_> = asked.deadlocks(&Limits::default()).into_iter().flatten().take(MANY + 1).collect();
        if deadlocks.len() > MANY {
            return Err(QuestionError::ManyDeadlocks);
        }
        trivial.resize(trivial.len() + deadlocks.len(), false);
        queries.extend(deadlocks);
        Ok(ListedQueries { queries, trivial, unlisted })
    }
}
