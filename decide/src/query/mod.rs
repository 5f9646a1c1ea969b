//! Queries: an automaton, with the locations, locks and processes that are bound to its parameters.

mod abilities;
mod atomic_sets;
mod automata;
mod deadlocks;
mod exclusions;
mod instances;
mod named_bindings;
mod possible_bindings;
mod property;
mod query_set;
mod selection;
mod sequences;
mod thread_candidates;

pub use automata::{AutomatonError, automata_of, load_automata};
pub use deadlocks::Deadlocks;
pub(crate) use instances::max_instances;
pub use property::Property;
pub use query_set::QuerySet;
pub use selection::{Selection, SelectionError};

use eml::model::{LocationId, LockId, Model, ProcessId};
use instances::has_instances;
use std::fmt;
use std::sync::Arc;

/// One question about a model: can its automaton be driven to its accepting state?
///
/// Invariant: there is a location for each location parameter and a lock for each lock parameter, all different, and a
/// process for each thread parameter. Each process has as many instances as it occurs times. All of them belong to the
/// model for which the query was made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Query {
    pub(crate) property: Arc<Property>,
    pub(crate) locations: Vec<LocationId>,
    pub(crate) locks: Vec<LockId>,
    pub(crate) processes: Vec<ProcessId>,
}

/// The bindings of the parameters of an automaton, each in the order of the parameters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bindings {
    /// A location for each location parameter.
    pub locations: Vec<LocationId>,
    /// A lock for each lock parameter.
    pub locks: Vec<LockId>,
    /// A process for each thread parameter; different parameters stand for different instances.
    pub processes: Vec<ProcessId>,
}

/// An error in bindings.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QueryError {
    /// The automaton has another number of location parameters.
    LocationCount {
        /// The number of parameters.
        expected: usize,
        /// The number of locations.
        given: usize,
    },
    /// The automaton has another number of lock parameters.
    LockCount {
        /// The number of parameters.
        expected: usize,
        /// The number of locks.
        given: usize,
    },
    /// The automaton has another number of thread parameters.
    ProcessCount {
        /// The number of parameters.
        expected: usize,
        /// The number of processes.
        given: usize,
    },
    /// The model has no such location.
    UnknownLocation(LocationId),
    /// The model has no such lock.
    UnknownLock(LockId),
    /// The model has no such process.
    UnknownProcess(ProcessId),
    /// A location is bound to two parameters.
    SameLocation(String),
    /// A lock is bound to two parameters.
    SameLock(String),
    /// There are fewer instances of the process than parameters that it is bound to.
    TooFewInstances(String),
}

impl Query {
    /// Binds the parameters of an automaton to locations, locks and processes of a model. The locations need not be in
    /// one atomic set.
    ///
    /// ```
    /// use decide::query::{Bindings, Property, Query, QueryError};
    /// use eml::model;
    /// use phases::UnitMode;
    ///
    /// let model = model::from_text("m.eml", "shared x; process P { write x; } process Q { atomic { read x; } }")?.model;
    /// let [p, q] = ["P", "Q"].map(|name| model.process_named(name).unwrap());
    /// let x = model.location_named("x").unwrap();
    /// let pattern = &Property::all_patterns(UnitMode::Both)[0];
    /// let of = |processes| Bindings { locations: vec![x], processes, ..Bindings::default() };
    /// assert!(Query::new(&model, pattern.clone(), of(vec![q, p])).is_ok());
    /// let twice = Query::new(&model, pattern.clone(), of(vec![p, p]));
    /// assert_eq!(twice, Err(QueryError::TooFewInstances("P".into())));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If they do not fit the automaton or the model.
    pub fn new(model: &Model, property: Arc<Property>, bindings: Bindings) -> Result<Self, QueryError> {
        let Bindings { locations, locks, processes } = bindings;
        let automaton = property.automaton();
        let (expected, given) = (automaton.locations().len(), locations.len());
        if expected != given {
            return Err(QueryError::LocationCount { expected, given });
        }
        let (expected, given) = (automaton.locks().len(), locks.len());
        if expected != given {
            return Err(QueryError::LockCount { expected, given });
        }
        let (expected, given) = (automaton.threads().len(), processes.len());
        if expected != given {
            return Err(QueryError::ProcessCount { expected, given });
        }
        for (place, location) in locations.iter().enumerate() {
            if location.index() >= model.locations().len() {
                return Err(QueryError::UnknownLocation(*location));
            }
            if locations[..place].contains(location) {
                return Err(QueryError::SameLocation(model.location(*location).name().to_string()));
            }
        }
        for (place, lock) in locks.iter().enumerate() {
            if lock.index() >= model.locks().len() {
                return Err(QueryError::UnknownLock(*lock));
            }
            if locks[..place].contains(lock) {
                return Err(QueryError::SameLock(model.lock(*lock).name().to_string()));
            }
        }
        for process in &processes {
            if process.index() >= model.processes().len() {
                return Err(QueryError::UnknownProcess(*process));
            }
            if !has_instances(model, &processes, *process) {
                return Err(QueryError::TooFewInstances(model.process(*process).name().to_string()));
            }
        }
        Ok(Self { property, locations, locks, processes })
    }

    /// The same query with another process as its first thread.
    ///
    /// # Errors
    /// If that process does not fit.
    pub fn with_first_process(&self, model: &Model, process: ProcessId) -> Result<Self, QueryError> {
        let mut bindings = Bindings {
            locations: self.locations.clone(),
            locks: self.locks.clone(),
            processes: self.processes.clone(),
        };
        bindings.processes.first_mut().into_iter().for_each(|first| *first = process);
        Self::new(model, self.property.clone(), bindings)
    }

    /// The automaton.
    pub fn property(&self) -> &Arc<Property> {
        &self.property
    }

    /// A location for each location parameter, all different.
    pub fn locations(&self) -> &[LocationId] {
        &self.locations
    }

    /// Its parts, which are queries of one automaton each, made one at a time. It is violated if one of them is.
    pub(crate) fn cases(&self) -> impl Iterator<Item = Self> {
        let single = self.property.is_single().then(|| self.clone());
        let several = self.property.cases().map(|case| Self { property: case, ..self.clone() });
        single.into_iter().chain(several)
    }

    /// The cases of these queries that come after this query, if it is a case of one of them.
    pub(crate) fn cases_after<'q>(&self, queries: &'q [Self]) -> Option<impl Iterator<Item = Self> + use<'q>> {
        queries.iter().enumerate().find_map(|(place, query)| {
            let mut rest = query.has_bindings_of(self).then(|| query.cases())?;
            rest.find(|case| case == self)?;
            Some(rest.chain(queries[place + 1..].iter().flat_map(Self::cases)))
        })
    }

    /// Whether the parameters have the same bindings as those of another query.
    fn has_bindings_of(&self, other: &Self) -> bool {
        self.processes == other.processes && self.locations == other.locations && self.locks == other.locks
    }

    /// A lock for each lock parameter, all different.
    pub fn locks(&self) -> &[LockId] {
        &self.locks
    }

    /// A process for each thread parameter; different parameters stand for different instances.
    pub fn processes(&self) -> &[ProcessId] {
        &self.processes
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LocationCount { expected, given } => {
                write!(f, "the automaton has {expected} location parameters, but {given} locations are given")
            }
            Self::LockCount { expected, given } => {
                write!(f, "the automaton has {expected} lock parameters, but {given} locks are given")
            }
            Self::ProcessCount { expected, given } => {
                write!(f, "the automaton has {expected} thread parameters, but {given} processes are given")
            }
            Self::UnknownLocation(id) => write!(f, "the model has no location with number {}", id.index()),
            Self::UnknownLock(id) => write!(f, "the model has no lock with number {}", id.index()),
            Self::UnknownProcess(id) => write!(f, "the model has no process with number {}", id.index()),
            Self::SameLocation(name) => write!(f, "the location `{name}` is bound to two parameters"),
            Self::SameLock(name) => write!(f, "the lock `{name}` is bound to two parameters"),
            Self::TooFewInstances(name) => {
                write!(f, "the process `{name}` has fewer instances than the parameters that it is bound to")
            }
        }
    }
}

impl std::error::Error for QueryError {}

#[cfg(test)]
mod tests {
    use super::*;
    use phases::UnitMode;

    #[test]
    fn bindings_fit_the_automaton_and_the_model() {
        let text =
            "shared x, y; process P * 2 { atomic { read x; write y; } } process Q { write x; } process R { start S; }
            process S { }";
        let model = eml::model::from_text("m.eml", text).expect("a model").model;
        let pattern = |number: usize| Property::all_patterns(UnitMode::Both)[number - 1].clone();
        let ask = |number, locations: &[usize], processes: &[usize]| {
            let locations = locations.iter().copied().map(LocationId::new).collect();
            let processes = processes.iter().copied().map(ProcessId::new).collect();
            Query::new(&model, pattern(number), Bindings { locations, processes, ..Bindings::default() })
        };
        assert!(ask(1, &[0], &[0, 0]).is_ok() && ask(12, &[1, 0], &[1, 0]).is_ok() && ask(1, &[0], &[3, 2]).is_ok());
        assert_eq!(ask(1, &[0, 1], &[0, 0]), Err(QueryError::LocationCount { expected: 1, given: 2 }));
        assert_eq!(ask(12, &[0], &[0, 0]), Err(QueryError::LocationCount { expected: 2, given: 1 }));
        assert_eq!(ask(1, &[0], &[0]), Err(QueryError::ProcessCount { expected: 2, given: 1 }));
        assert_eq!(ask(12, &[1, 1], &[0, 0]), Err(QueryError::SameLocation("y".into())));
        assert_eq!(ask(1, &[2], &[0, 0]), Err(QueryError::UnknownLocation(LocationId::new(2))));
        assert_eq!(ask(1, &[0], &[0, 4]), Err(QueryError::UnknownProcess(ProcessId::new(4))));
        assert_eq!(ask(1, &[0], &[1, 1]), Err(QueryError::TooFewInstances("Q".into())));
        assert_eq!(ask(1, &[0], &[3, 3]), Err(QueryError::TooFewInstances("S".into())));
    }

    #[test]
    fn locks_are_bound_to_lock_parameters() {
        let text = "lock a, b; rwlock c; process P { } process Q { }";
        let model = eml::model::from_text("m.eml", text).expect("a model").model;
        let deadlock = Arc::new(Property::of_automaton(phases::deadlock(&[phases::Exclusion::Plain; 2])));
        let processes = vec![ProcessId::new(0), ProcessId::new(1)];
        let ask = |locks: &[usize]| {
            let locks = locks.iter().copied().map(LockId::new).collect();
            let bindings = Bindings { locks, processes: processes.clone(), ..Bindings::default() };
            Query::new(&model, deadlock.clone(), bindings).map(|query| query.locks)
        };
        assert_eq!(ask(&[2, 0]), Ok(vec![LockId::new(2), LockId::new(0)]));
        assert_eq!(ask(&[1]), Err(QueryError::LockCount { expected: 2, given: 1 }));
        assert_eq!(ask(&[1, 1]), Err(QueryError::SameLock("b".into())));
        assert_eq!(ask(&[1, 3]), Err(QueryError::UnknownLock(LockId::new(3))));
        let queries = Selection::default().queries(&model, std::slice::from_ref(&deadlock)).expect("nothing is named");
        assert_eq!(queries.len(), 6 * 2);
        let named =
            |names: [&str; 2]| Selection { locks: Some(names.map(String::from).to_vec()), ..Selection::default() };
        assert_eq!(
            named(["b", "c"]).queries(&model, std::slice::from_ref(&deadlock)).map(|queries| queries.len()),
            Ok(2)
        );
        let wrong = |names| named(names).queries(&model, std::slice::from_ref(&deadlock)).unwrap_err();
        assert_eq!(wrong(["b", "b"]), SelectionError::SameLock("b".into()));
        assert_eq!(wrong(["b", "d"]), SelectionError::UnknownLock("d".into()));
        let patterns = Property::all_patterns(UnitMode::Both);
        assert_eq!(named(["a", "b"]).queries(&model, &patterns), Err(SelectionError::LockCount(2)));
    }

    #[test]
    fn each_case_comes_after_those_before_it() {
        let takes = |outer: &str, inner: &str| {
            let inside = format!("choose {{ sync read {inner} {{ }} }} or {{ sync write {inner} {{ }} }}");
            format!("choose {{ sync read {outer} {{ {inside} }} }} or {{ sync write {outer} {{ {inside} }} }}")
        };
        let [there, back] = [takes("a", "b"), takes("b", "a")];
        let text = format!("rwlock a, b; process P {{ {there} {back} }} process Q {{ {there} {back} }}");
        let model = eml::model::from_text("m.eml", &text).expect("a model").model;
        let asked = Selection::default().ask_with_deadlocks(&model, &[]).expect("nothing is named");
        let queries: Vec<_> = asked.deadlocks(&limits::Limits::default()).expect("they are asked").collect();
        let cases: Vec<_> = queries.iter().flat_map(Query::cases).collect();
        assert_eq!((queries.len(), cases.len()), (2, 8));
        for (place, case) in cases.iter().enumerate() {
            let after: Vec<_> = case.cases_after(&queries).expect("it is one of them").collect();
            assert_eq!(after, cases[place + 1..]);
        }
        assert!(cases[0].cases_after(&queries[1..]).is_none());
    }

    /// The constructor accepts all queries that a selection enumerates.
    #[test]
    fn enumerated_queries_are_accepted() {
        let text = "shared x, y, z; atomicset S { x, y } process P * 2 { } process Q { start R; } process R { }";
        let model = eml::model::from_text("m.eml", text).expect("a model").model;
        let queries =
            Selection::default().queries(&model, &Property::all_patterns(UnitMode::First)).expect("nothing is named");
        assert!(queries.len() > 100);
        for Query { property, locations, locks, processes } in queries {
            assert!(Query::new(&model, property, Bindings { locations, locks, processes }).is_ok());
        }
    }
}
