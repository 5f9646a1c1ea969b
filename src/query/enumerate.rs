//! Which queries there are: all bindings of the parameters, or those that are named.

use super::{Property, Query};
use crate::model::{InstanceBound, LocationId, LockId, Model, Multiplicity, ProcessId};
use std::fmt;
use std::sync::Arc;

/// Which bindings of the parameters are asked.
#[derive(Clone, Debug, Default)]
pub struct Selection {
    /// Only these locations, in parameter order; otherwise all choices of different locations of one atomic set.
    pub locations: Option<Vec<String>>,
    /// Only these locks, in parameter order; otherwise all choices of different locks.
    pub locks: Option<Vec<String>>,
    /// Only these processes, in parameter order; otherwise all that the model's instances allow.
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
    /// None of the automata has as many location parameters as there are locations named.
    LocationCount(usize),
    /// None of the automata has as many lock parameters as there are locks named.
    LockCount(usize),
    /// None of the automata has as many thread parameters as there are processes named.
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
            Self::LocationCount(1) => f.write_str("no automaton that is asked is about one location"),
            Self::LocationCount(count) => write!(f, "no automaton that is asked is about {count} locations"),
            Self::LockCount(1) => f.write_str("no automaton that is asked is about one lock"),
            Self::LockCount(count) => write!(f, "no automaton that is asked is about {count} locks"),
            Self::ProcessCount(1) => f.write_str("no automaton that is asked is about one process"),
            Self::ProcessCount(count) => write!(f, "no automaton that is asked is about {count} processes"),
        }
    }
}

impl std::error::Error for SelectionError {}

impl Selection {
    /// The selected queries: in the order of the properties, then of the locations' declarations, then of the processes'.
    ///
    /// # Errors
    /// If something is named that the model does not have, or that binds to no property.
    pub fn queries(&self, model: &Model, properties: &[Arc<Property>]) -> Result<Vec<Query>, SelectionError> {
        let locations = self.named_locations(model, properties)?;
        let locks = self.named_locks(model, properties)?;
        let processes = self.named_processes(model, properties)?;
        let mut queries = Vec::new();
        for property in properties {
            let automaton = property.automaton();
            let own_locations = match &locations {
                Some(named) if named.len() == automaton.locations().len() => vec![named.clone()],
                Some(_) => continue,
                None => location_bindings(model, automaton.locations().len()),
            };
            let own_locks = match &locks {
                Some(named) if named.len() == automaton.locks().len() => vec![named.clone()],
                Some(_) => continue,
                None => lock_bindings(model, automaton.locks().len()),
            };
            let own_processes = match &processes {
                Some(named) if named.len() == automaton.threads().len() => vec![named.clone()],
                Some(_) => continue,
                None => process_bindings(model, automaton.threads().len()),
            };
            let objects =
                own_locations.iter().flat_map(|locations| own_locks.iter().map(move |locks| (locations, locks)));
            for (locations, locks) in objects {
                queries.extend(own_processes.iter().map(|processes| Query {
                    property: property.clone(),
                    locations: locations.clone(),
                    locks: locks.clone(),
                    processes: processes.clone(),
                }));
            }
        }
        Ok(queries)
    }

    fn named_locations(
        &self,
        model: &Model,
        properties: &[Arc<Property>],
    ) -> Result<Option<Vec<LocationId>>, SelectionError> {
        let Some(names) = &self.locations else { return Ok(None) };
        let mut found: Vec<LocationId> = Vec::new();
        for name in names {
            let location = model.location_named(name).ok_or_else(|| SelectionError::UnknownLocation(name.clone()))?;
            if found.contains(&location) {
                return Err(SelectionError::SameLocation(name.clone()));
            }
            found.push(location);
        }
        let fits = properties.iter().any(|property| property.automaton().locations().len() == names.len());
        if fits { Ok(Some(found)) } else { Err(SelectionError::LocationCount(names.len())) }
    }

    fn named_locks(&self, model: &Model, properties: &[Arc<Property>]) -> Result<Option<Vec<LockId>>, SelectionError> {
        let Some(names) = &self.locks else { return Ok(None) };
        let mut found: Vec<LockId> = Vec::new();
        for name in names {
            let lock = model.lock_named(name).ok_or_else(|| SelectionError::UnknownLock(name.clone()))?;
            if found.contains(&lock) {
                return Err(SelectionError::SameLock(name.clone()));
            }
            found.push(lock);
        }
        let fits = properties.iter().any(|property| property.automaton().locks().len() == names.len());
        if fits { Ok(Some(found)) } else { Err(SelectionError::LockCount(names.len())) }
    }

    fn named_processes(
        &self,
        model: &Model,
        properties: &[Arc<Property>],
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
        let fits = properties.iter().any(|property| property.automaton().threads().len() == names.len());
        if fits { Ok(Some(found)) } else { Err(SelectionError::ProcessCount(names.len())) }
    }
}

/// Whether the process can have as many instances as it is named.
pub(super) fn has_instances(model: &Model, named: &[ProcessId], process: ProcessId) -> bool {
    let wanted = named.iter().filter(|own| **own == process).count();
    wanted <= max_instances(model, process).unwrap_or(usize::MAX)
}

/// How many instances a process can have; `None` for any number.
pub(crate) fn max_instances(model: &Model, process: ProcessId) -> Option<usize> {
    let declared = model.process(process);
    match (declared.instance_bound(), declared.multiplicity()) {
        (InstanceBound::Zero, _) => Some(0),
        (InstanceBound::One, _) => Some(1),
        (InstanceBound::Several, Multiplicity::Times(count)) => Some(count as usize),
        (InstanceBound::Several, _) => None,
    }
}

/// All sequences of different locations of one atomic set, in the order of declaration.
fn location_bindings(model: &Model, count: usize) -> Vec<Vec<LocationId>> {
    let all: Vec<_> = (0..model.locations().len()).map(LocationId::new).collect();
    let together = |chosen: &[LocationId], next: LocationId| {
        let mut sets = model.atomic_sets().iter().map(|set| set.members());
        sets.any(|members| members.contains(&next) && chosen.iter().all(|one| members.contains(one)))
    };
    let related = |chosen: &[LocationId], next| !chosen.contains(&next) && together(chosen, next);
    sequences(&all, count, related)
}

/// All sequences of different locks, in the order of declaration.
fn lock_bindings(model: &Model, count: usize) -> Vec<Vec<LockId>> {
    let all: Vec<_> = (0..model.locks().len()).map(LockId::new).collect();
    sequences(&all, count, |chosen, next| !chosen.contains(&next))
}

/// All sequences of processes of which each has enough instances.
fn process_bindings(model: &Model, count: usize) -> Vec<Vec<ProcessId>> {
    let all: Vec<_> = (0..model.processes().len()).map(ProcessId::new).collect();
    sequences(&all, count, |chosen, next| has_instances(model, &[chosen, &[next]].concat(), next))
}

/// All sequences of this length in which each element may follow those before it, in lexicographic order.
fn sequences<T: Copy>(all: &[T], length: usize, may_follow: impl Fn(&[T], T) -> bool) -> Vec<Vec<T>> {
    let mut found = vec![Vec::new()];
    for _ in 0..length {
        let longer = |front: &Vec<T>| {
            let next = all.iter().filter(|next| may_follow(front, **next));
            next.map(|next| [&front[..], &[*next]].concat()).collect::<Vec<_>>()
        };
        found = found.iter().flat_map(longer).collect();
    }
    found
}
