//! The selected bindings of the parameters: all, or the named ones.

use super::instances::has_instances;
use super::named_bindings::NamedBindings;
use super::query_set::QuerySet;
use super::{Property, Query};
use eml::model::{LocationId, LockId, Model, ProcessId};
use phases::Automaton;
use std::fmt;
use std::sync::Arc;

/// The selected bindings of the parameters.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Only these locations, in parameter order; otherwise all choices of different locations of one atomic set.
    pub locations: Option<Vec<String>>,
    /// Only these locks, in parameter order; otherwise all choices of different locks.
    pub locks: Option<Vec<String>>,
    /// Only these processes, in parameter order; otherwise all that the numbers of instances allow.
    pub processes: Option<Vec<String>>,
}

/// A selection that does not fit the model or any of the automata.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SelectionError {
    /// The model has no such location.
    UnknownLocation(String),
    /// The model has no such lock.
    UnknownLock(String),
    /// The model has no such process.
    UnknownProcess(String),
    /// A location is named twice.
    SameLocation(String),
    /// A lock is named twice.
    SameLock(String),
    /// There are fewer instances of the process than parameters that it is bound to.
    TooFewInstances(String),
    /// None of the automata has as many location parameters as there are named locations.
    LocationCount(usize),
    /// None of the automata has as many lock parameters as there are named locks.
    LockCount(usize),
    /// None of the automata has as many thread parameters as there are named processes.
    ProcessCount(usize),
}

impl fmt::Display for SelectionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownLocation(name) => write!(f, "the model has no location `{name}`"),
            Self::UnknownLock(name) => write!(f, "the model has no lock `{name}`"),
            Self::UnknownProcess(name) => write!(f, "the model has no process `{name}`"),
            Self::SameLocation(name) => {
                write!(f, "the location `{name}` is named twice; parameters are bound to different locations")
            }
            Self::SameLock(name) => {
                write!(f, "the lock `{name}` is named twice; parameters are bound to different locks")
            }
            Self::TooFewInstances(name) => {
                write!(f, "the process `{name}` has fewer instances than the parameters that it is bound to")
            }
            Self::LocationCount(1) => f.write_str("no selected automaton is about one location"),
            Self::LocationCount(count) => write!(f, "no selected automaton is about {count} locations"),
            Self::LockCount(1) => f.write_str("no selected automaton is about one lock"),
            Self::LockCount(count) => write!(f, "no selected automaton is about {count} locks"),
            Self::ProcessCount(1) => f.write_str("no selected automaton is about one process"),
            Self::ProcessCount(count) => write!(f, "no selected automaton is about {count} processes"),
        }
    }
}

impl std::error::Error for SelectionError {}

impl Selection {
    /// The selected queries: in the order of the properties, then of the declarations of locations, then of processes.
    ///
    /// They include trivial ones, which nothing in the model can violate; [`ask`](Self::ask) separates these without
    /// making them.
    ///
    /// # Errors
    /// If something is named that the model does not have, or that no property can be bound to.
    pub fn queries(&self, model: &Model, properties: &[Arc<Property>]) -> Result<Vec<Query>, SelectionError> {
        Ok(self.ask(model, properties)?.all().collect())
    }

    /// The selected queries, not made yet. Linear in the size of the model.
    ///
    /// # Errors
    /// If something is named that the model does not have, or that no property can be bound to.
    pub fn ask<'m>(&self, model: &'m Model, properties: &[Arc<Property>]) -> Result<QuerySet<'m>, SelectionError> {
        self.ask_about(model, properties, false)
    }

    /// The selected queries, including deadlocks. The named locks and processes can be those of any rotation of a
    /// cycle.
    ///
    /// # Errors
    /// If something is named that the model does not have, or that no property and no deadlock can be bound to.
    pub fn ask_with_deadlocks<'m>(
        &self,
        model: &'m Model,
        properties: &[Arc<Property>],
    ) -> Result<QuerySet<'m>, SelectionError> {
        self.ask_about(model, properties, true)
    }

    fn ask_about<'m>(
        &self,
        model: &'m Model,
        properties: &[Arc<Property>],
        deadlocks: bool,
    ) -> Result<QuerySet<'m>, SelectionError> {
        let parameters = |count: fn(&Automaton) -> usize| {
            let counts: Vec<_> = properties.iter().map(|property| count(property.automaton())).collect();
            move |named: usize, by_deadlocks: bool| by_deadlocks || counts.contains(&named)
        };
        let is_cycle = |count: usize| deadlocks && count >= 2;
        let fits = parameters(|automaton| automaton.locations().len());
        let locations = self.named_locations(model, |count| fits(count, false))?;
        let fits = parameters(|automaton| automaton.locks().len());
        let locks = self.named_locks(model, |count| fits(count, is_cycle(count)))?;
        let fits = parameters(|automaton| automaton.threads().len());
        let processes = self.named_processes(model, |count| fits(count, is_cycle(count)))?;
        let counts = [locks.as_ref().map(Vec::len), processes.as_ref().map(Vec::len)];
        let has = |named: Option<usize>, count: usize| named.is_none_or(|named| named == count);
        let fits = |property: &&Arc<Property>| {
            let automaton = property.automaton();
            has(locations.as_ref().map(Vec::len), automaton.locations().len())
                && has(counts[0], automaton.locks().len())
                && has(counts[1], automaton.threads().len())
        };
        let properties = properties.iter().filter(fits).cloned().collect();
        let mut cycle = counts.iter().flatten();
        let first = cycle.next().copied().unwrap_or(2);
        let deadlocks = deadlocks && locations.is_none() && first >= 2 && cycle.all(|count| *count == first);
        Ok(QuerySet::new(model, properties, NamedBindings { locations, locks, processes }, deadlocks))
    }

    fn named_locations(
        &self,
        model: &Model,
        fits: impl Fn(usize) -> bool,
    ) -> Result<Option<Vec<LocationId>>, SelectionError> {
        let find = |name: &str| model.location_named(name);
        let errors = [SelectionError::UnknownLocation, SelectionError::SameLocation];
        distinct(self.locations.as_deref(), find, errors, fits, SelectionError::LocationCount)
    }

    fn named_locks(&self, model: &Model, fits: impl Fn(usize) -> bool) -> Result<Option<Vec<LockId>>, SelectionError> {
        let find = |name: &str| model.lock_named(name);
        let errors = [SelectionError::UnknownLock, SelectionError::SameLock];
        distinct(self.locks.as_deref(), find, errors, fits, SelectionError::LockCount)
    }

    fn named_processes(
        &self,
        model: &Model,
        fits: impl Fn(usize) -> bool,
    ) -> Result<Option<Vec<ProcessId>>, SelectionError> {
        let Some(names) = &self.processes else { return Ok(None) };
        let mut found: Vec<ProcessId> = Vec::new();
        for name in names {
            let process = model.process_named(name).ok_or_else(|| SelectionError::UnknownProcess(name.clone()))?;
            found.push(process);
            if !has_instances(model, &found, process) {
                return Err(SelectionError::TooFewInstances(name.clone()));
            }
        }
        if fits(names.len()) { Ok(Some(found)) } else { Err(SelectionError::ProcessCount(names.len())) }
    }
}

/// Resolves names, each of which may occur once. `errors` are for an unknown name and for one that occurs again.
fn distinct<I: PartialEq>(
    names: Option<&[String]>,
    find: impl Fn(&str) -> Option<I>,
    [unknown, same]: [fn(String) -> SelectionError; 2],
    fits: impl Fn(usize) -> bool,
    count: fn(usize) -> SelectionError,
) -> Result<Option<Vec<I>>, SelectionError> {
    let Some(names) = names else { return Ok(None) };
    let mut found = Vec::new();
    for name in names {
        let one = find(name).ok_or_else(|| unknown(name.clone()))?;
        if found.contains(&one) {
            return Err(same(name.clone()));
        }
        found.push(one);
    }
    if fits(names.len()) { Ok(Some(found)) } else { Err(count(names.len())) }
}
