//! Which queries of a model are asked, in a form that can be sent to a worker.

use crate::model::Model;
use crate::query::{Property, Query, Selection, SelectionError};
use phases::UnitMode;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A file of automata.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AutomatonText {
    /// Its name.
    pub path: String,
    /// What it holds.
    pub text: String,
}

/// Patterns and automata, and what their parameters are bound to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Question {
    /// Whether patterns ask both threads to act in one unit, or the first only.
    pub both_units: bool,
    /// Numbers of patterns.
    pub patterns: Vec<usize>,
    /// Automata.
    pub automata: Vec<AutomatonText>,
    /// Only these locations.
    pub locations: Option<Vec<String>>,
    /// Only these locks.
    pub locks: Option<Vec<String>>,
    /// Only these processes.
    pub processes: Option<Vec<String>>,
}

/// A question that cannot be asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuestionError {
    /// A text is no automata; a runner looks at it before it sends it.
    Automata(String),
    /// Two automata have the same name, so that their results could not be told apart.
    SameName(String),
    /// The model does not have what is named.
    Selection(SelectionError),
}

impl fmt::Display for QuestionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Automata(path) => write!(f, "{path} holds no automata"),
            Self::SameName(name) => write!(f, "two automata have the name `{name}`; a batch tells them by their names"),
            Self::Selection(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for QuestionError {}

impl Question {
    /// The unit mode of the patterns.
    pub fn units(&self) -> UnitMode {
        if self.both_units { UnitMode::Both } else { UnitMode::First }
    }

    /// The patterns and automata.
    ///
    /// # Errors
    /// If an automaton's text is wrong or its name is not its own.
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
        Ok(properties)
    }

    /// All queries, always in the same order.
    ///
    /// # Errors
    /// If there are no such queries.
    pub fn queries(&self, model: &Model) -> Result<Vec<Query>, QuestionError> {
        let selection = Selection {
            locations: self.locations.clone(),
            locks: self.locks.clone(),
            processes: self.processes.clone(),
        };
        selection.queries(model, &self.properties()?).map_err(QuestionError::Selection)
    }
}
