//! Queries: an automaton together with the locations and processes that are bound to its parameters.

mod automata;
mod enumerate;
mod property;

pub use automata::{AutomatonError, load_automata};
pub(crate) use enumerate::max_instances;
pub use enumerate::{Selection, SelectionError};
pub use property::Property;

use crate::model::{LocationId, ProcessId};
use std::sync::Arc;

/// One question about a model: can its automaton be driven to its accepting state?
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    /// The automaton.
    pub property: Arc<Property>,
    /// A location for each location parameter, all different.
    pub locations: Vec<LocationId>,
    /// A process for each thread parameter; different parameters stand for different instances.
    pub processes: Vec<ProcessId>,
}
