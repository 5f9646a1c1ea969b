//! What is asked of a model: how many queries, which of them are trivial, and the others one at a time.
//!
//! A model can have far more queries than it has accesses: pairs of its locations times pairs of its processes. Most of them are
//! trivial (see [`abilities`](super::abilities)), so they are counted without being made.

use super::abilities::{Abilities, Bound, needs};
use super::instances::{count_bindings, has_instances};
use super::property::Property;
use super::sequences::{Sequences, count_locations};
use super::{Deadlocks, Query};
use crate::limits::Limits;
use crate::model::{InstanceBound, LocationId, LockId, Model, ProcessId};
use phases::{Action, ActionKind, Automaton};
use std::borrow::Cow;
use std::sync::Arc;

/// What the parameters of all automata are bound to, where it is named.
#[derive(Clone, Debug, Default)]
pub(super) struct Named {
    pub(super) locations: Option<Vec<LocationId>>,
    pub(super) locks: Option<Vec<LockId>>,
    pub(super) processes: Option<Vec<ProcessId>>,
}

/// Queries that are selected but not made.
#[derive(Debug)]
pub struct Asked<'m> {
    model: &'m Model,
    properties: Vec<Arc<Property>>,
    named: Named,
    abilities: Abilities,
    asks_deadlocks: bool,
}

impl<'m> Asked<'m> {
    pub(super) fn new(model: &'m Model, properties: Vec<Arc<Property>>, named: Named, asks_deadlocks: bool) -> Self {
        Self { model, properties, named, abilities: Abilities::new(model), asks_deadlocks }
    }

    /// The queries about deadlocks, if they are asked: they come after all others, and are not counted before they are made. Of these
    /// limits each query may use as much for being made.
    pub fn deadlocks(&self, limits: &Limits) -> Option<Deadlocks<'m>> {
        self.asks_deadlocks.then(|| Deadlocks::new(self.model, self.named.clone(), limits.clone()))
    }

    /// Whether deadlocks are asked.
    pub fn asks_deadlocks(&self) -> bool {
        self.asks_deadlocks
    }

    /// Whether all processes are asked about, not only those that are named.
    pub fn has_all_processes(&self) -> bool {
        self.named.processes.is_none()
    }

    /// The locations that are asked about, if they are named.
    pub fn named_locations(&self) -> Option<&[LocationId]> {
        self.named.locations.as_deref()
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// The properties to which what is named binds, in order.
    pub fn properties(&self) -> &[Arc<Property>] {
        &self.properties
    }

    /// How many queries there are but those about deadlocks, the trivial ones counted; or the greatest number.
    pub fn count(&self) -> usize {
        self.properties.iter().fold(0, |sum, property| sum.saturating_add(self.count_of(property)))
    }

    /// How many queries of a property there are, the trivial ones counted; or the greatest number.
    pub fn count_of(&self, property: &Property) -> usize {
        let automaton = property.automaton();
        let locations = match &self.named.locations {
            Some(_) => 1,
            None if property.is_race() => self.written().len(),
            None => count_locations(self.model, automaton.locations().len()),
        };
        let locks = match &self.named.locks {
            Some(_) => 1,
            None => (0..automaton.locks().len())
                .fold(1, |ways: usize, taken| ways.saturating_mul(self.model.locks().len().saturating_sub(taken))),
        };
        let processes = match &self.named.processes {
            Some(_) => 1,
            None => count_bindings(self.model, automaton.threads().len()),
        };
        locations.saturating_mul(locks).saturating_mul(processes)
    }

    /// All queries: in the order of the properties, then of the locations' declarations, then of the locks', then of the
    /// processes'.
    pub fn all(&self) -> impl Iterator<Item = Query> {
        let named = self.named.processes.as_deref();
        self.properties.iter().flat_map(move |property| self.bind(property, None, named))
    }

    /// The queries that are not trivial, in the same order. The time for each is in proportion to the accesses that the model has, not to
    /// its locations and processes, unless locations are accessed by processes that do not fit together.
    pub fn possible(&self) -> impl Iterator<Item = Query> {
        let named = self.named.processes.as_deref();
        self.properties.iter().flat_map(move |property| self.bind_possible(property, named))
    }

    /// The queries that are not trivial with these processes as threads, in the same order; none of properties about another number of
    /// threads, and none at all if one of the processes has fewer instances. The other processes of the model take no time.
    pub fn possible_of<'a>(&'a self, processes: &'a [ProcessId]) -> impl Iterator<Item = Query> + 'a {
        let has_all = processes.iter().all(|process| has_instances(self.model, processes, *process));
        let fits = move |property: &&Arc<Property>| has_all && property.automaton().threads().len() == processes.len();
        self.properties.iter().filter(fits).flat_map(move |property| self.bind_possible(property, Some(processes)))
    }

    /// Whether nothing in the model can violate the query, so that it is safe.
    pub fn is_trivial(&self, query: &Query) -> bool {
        let bound = Bound { locations: &query.locations, locks: &query.locks };
        let is_possible = |automaton: Cow<'_, Automaton>| {
            let mut threads = needs(&automaton).into_iter().zip(&query.processes);
            threads.all(|(needs, process)| self.abilities.are_met_by(*process, &needs, bound))
        };
        !query.property.automata().any(is_possible)
    }

    /// The queries of a property that are possible.
    fn bind_possible<'a>(
        &'a self,
        property: &'a Arc<Property>,
        named: Option<&'a [ProcessId]>,
    ) -> impl Iterator<Item = Query> + 'a {
        self.bind(property, Some(Possible::new(self, property, named)), named)
    }

    /// The queries of a property, all or only those that are possible; with these processes as threads, if they are named.
    fn bind<'a>(
        &'a self,
        property: &'a Arc<Property>,
        possible: Option<Possible>,
        named: Option<&'a [ProcessId]>,
    ) -> impl Iterator<Item = Query> + 'a {
        let possible = possible.map(Arc::new);
        self.locations(property, possible.clone()).flat_map(move |locations| {
            let (possible, locations) = (possible.clone(), locations);
            self.locks(property).flat_map(move |locks| {
                let able = possible.as_ref().map(|possible| possible.able(self, &locations, &locks, named));
                let (locations, query_locks) = (locations.clone(), locks);
                self.processes(property, able, named).map(move |processes| Query {
                    property: property.clone(),
                    locations: locations.clone(),
                    locks: query_locks.clone(),
                    processes,
                })
            })
        })
    }

    /// The choices of locations: the ones that are named, or all that the property is about.
    fn locations(
        &self,
        property: &Property,
        possible: Option<Arc<Possible>>,
    ) -> Box<dyn Iterator<Item = Vec<LocationId>> + '_> {
        if let Some(named) = &self.named.locations {
            return Box::new(std::iter::once(named.clone()));
        }
        let length = property.automaton().locations().len();
        let candidates: Vec<Vec<LocationId>> = match possible {
            Some(possible) => possible.locations.clone(),
            None if property.is_race() => vec![self.written(); length],
            None => vec![self.all_locations().collect(); length],
        };
        Box::new(Sequences::new(length, move |chosen: &[LocationId]| self.related(chosen, &candidates[chosen.len()])))
    }

    fn all_locations(&self) -> impl Iterator<Item = LocationId> + use<> {
        (0..self.model.locations().len()).map(LocationId::new)
    }

    /// The locations that a process that can run writes.
    fn written(&self) -> Vec<LocationId> {
        let runs = |process: &ProcessId| self.model.instance_bound(*process) != InstanceBound::Zero;
        self.all_locations().filter(|location| self.abilities.writers(*location).iter().any(runs)).collect()
    }

    /// Those of some locations, which are in order, that are different from the chosen ones and in one set with all of them.
    fn related(&self, chosen: &[LocationId], candidates: &[LocationId]) -> Vec<LocationId> {
        let Some(first) = chosen.first() else { return candidates.to_vec() };
        let is_common = |set: &&u32| chosen.iter().all(|one| self.model.sets_of(*one).binary_search(set).is_ok());
        let common: Vec<u32> = self.model.sets_of(*first).iter().filter(is_common).copied().collect();
        let members = || common.iter().flat_map(|set| self.model.atomic_sets()[*set as usize].members());
        let mut next: Vec<LocationId> = if members().count() < candidates.len() {
            members().filter(|member| candidates.binary_search(member).is_ok()).copied().collect()
        } else {
            let is_related = |next: &&LocationId| self.model.sets_of(**next).iter().any(|set| common.contains(set));
            candidates.iter().filter(is_related).copied().collect()
        };
        next.sort_unstable();
        next.dedup();
        next.retain(|next| !chosen.contains(next));
        next
    }

    /// The choices of different locks.
    fn locks(&self, property: &Property) -> Box<dyn Iterator<Item = Vec<LockId>> + '_> {
        if let Some(named) = &self.named.locks {
            return Box::new(std::iter::once(named.clone()));
        }
        let all = (0..self.model.locks().len()).map(LockId::new);
        let others = move |chosen: &[LockId]| all.clone().filter(|lock| !chosen.contains(lock)).collect();
        Box::new(Sequences::new(property.automaton().locks().len(), others))
    }

    /// The choices of processes of which each has enough instances: the ones that are named, or all; of those that are able, if these
    /// are given.
    fn processes<'a>(
        &'a self,
        property: &Property,
        able: Option<Able>,
        named: Option<&'a [ProcessId]>,
    ) -> Box<dyn Iterator<Item = Vec<ProcessId>> + 'a> {
        let length = property.automaton().threads().len();
        let all: Box<dyn Iterator<Item = Vec<ProcessId>> + 'a> = match (named, &able) {
            (Some(named), _) => Box::new(std::iter::once(named.to_vec())),
            (None, Some(able)) => {
                let threads = able.threads();
                Box::new(Sequences::new(length, move |chosen: &[ProcessId]| {
                    self.with_instances(chosen, threads[chosen.len()].iter().copied())
                }))
            }
            (None, None) => Box::new(Sequences::new(length, move |chosen: &[ProcessId]| {
                self.with_instances(chosen, (0..self.model.processes().len()).map(ProcessId::new))
            })),
        };
        match able {
            Some(able) => Box::new(all.filter(move |processes| able.has(processes))),
            None => all,
        }
    }

    /// The processes that can do all of these actions as a thread, in order; only the one that is named, if they are.
    fn able(&self, thread: usize, needs: &[Action], bound: Bound<'_>, named: Option<&[ProcessId]>) -> Vec<ProcessId> {
        match named {
            Some(named) => {
                let process = named.get(thread).copied();
                process.filter(|process| self.abilities.are_met_by(*process, needs, bound)).into_iter().collect()
            }
            None => self.abilities.able(needs, bound),
        }
    }

    fn with_instances(&self, chosen: &[ProcessId], next: impl Iterator<Item = ProcessId>) -> Vec<ProcessId> {
        next.filter(|next| has_instances(self.model, &[chosen, &[*next]].concat(), *next)).collect()
    }
}

/// What has to be done for a property, and which locations can be bound to each of its parameters.
#[derive(Debug)]
struct Possible {
    /// For each automaton what each thread has to do.
    needs: Vec<Vec<Vec<Action>>>,
    /// In order; all locations where a parameter occurs in no transition.
    locations: Vec<Vec<LocationId>>,
}

/// For each automaton which processes can be each thread.
#[derive(Debug)]
struct Able(Vec<Vec<Vec<ProcessId>>>);

impl Possible {
    fn new(asked: &Asked<'_>, property: &Property, named: Option<&[ProcessId]>) -> Self {
        let needs: Vec<_> = property.automata().map(|automaton| needs(&automaton)).collect();
        let candidates = |place: usize| {
            let is_one = |threads: &[Vec<Action>], location| is_candidate(asked, threads, place, location, named);
            let fits = |location: &LocationId| needs.iter().any(|threads| is_one(threads, *location));
            asked.all_locations().filter(fits).collect()
        };
        let locations = match asked.named.locations {
            Some(_) => Vec::new(),
            None => (0..property.automaton().locations().len()).map(candidates).collect(),
        };
        Self { needs, locations }
    }

    fn able(&self, asked: &Asked<'_>, locations: &[LocationId], locks: &[LockId], named: Option<&[ProcessId]>) -> Able {
        let bound = Bound { locations, locks };
        let able = |threads: &Vec<Vec<Action>>| {
            let threads = threads.iter().enumerate();
            threads.map(|(thread, needs)| asked.able(thread, needs, bound, named)).collect::<Vec<_>>()
        };
        Able(self.needs.iter().map(able).filter(|threads| threads.iter().all(|able| !able.is_empty())).collect())
    }
}

/// Whether for each thread some process can do what it has to do with the location parameter at a place, if that is this location.
fn is_candidate(
    asked: &Asked<'_>,
    threads: &[Vec<Action>],
    place: usize,
    location: LocationId,
    named: Option<&[ProcessId]>,
) -> bool {
    // Only the actions on this parameter are looked at, so that it does not matter what the others are bound to.
    let locations = vec![location; place + 1];
    let bound = Bound { locations: &locations, locks: &[] };
    threads.iter().enumerate().all(|(thread, needs)| {
        let is_on_it = |action: &&Action| match action {
            ActionKind::Access { location, .. } => location.index() == place,
            ActionKind::Begin | ActionKind::End | ActionKind::Wants { .. } => false,
        };
        let needs: Vec<_> = needs.iter().filter(is_on_it).copied().collect();
        needs.is_empty() || !asked.able(thread, &needs, bound, named).is_empty()
    })
}

impl Able {
    /// For each thread the processes that can be it for some automaton, in order.
    fn threads(&self) -> Vec<Vec<ProcessId>> {
        let Some(first) = self.0.first() else { return vec![Vec::new(); 1] };
        let all = (0..first.len()).map(|thread| {
            let mut processes: Vec<_> = self.0.iter().flat_map(|threads| &threads[thread]).copied().collect();
            processes.sort_unstable();
            processes.dedup();
            processes
        });
        all.collect()
    }

    /// Whether these can be the threads of one automaton.
    fn has(&self, processes: &[ProcessId]) -> bool {
        self.0
            .iter()
            .any(|threads| threads.iter().zip(processes).all(|(able, process)| able.binary_search(process).is_ok()))
    }
}
