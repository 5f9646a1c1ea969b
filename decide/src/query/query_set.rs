//! The queries of a selection: their number, the trivial ones among them, and the others one at a time.
//!
//! A model can have far more queries than accesses: pairs of its locations times pairs of its processes. Most of them
//! are trivial (see [`abilities`](super::abilities)), so they are counted without being made.

use super::abilities::{Abilities, Bound, needs};
use super::atomic_sets::common_sets;
use super::instances::{count_bindings, has_instances};
use super::named_bindings::NamedBindings;
use super::possible_bindings::PossibleBindings;
use super::property::Property;
use super::sequences::{Sequences, count_locations};
use super::thread_candidates::ThreadCandidates;
use super::{Deadlocks, Query};
use eml::model::{InstanceBound, LocationId, LockId, Model, ProcessId};
use limits::{Cancellation, Limits};
use phases::Automaton;
use std::borrow::Cow;
use std::sync::Arc;

/// The queries of a selection, made on demand.
#[derive(Debug)]
pub struct QuerySet<'m> {
    model: &'m Model,
    properties: Vec<Arc<Property>>,
    named: NamedBindings,
    abilities: Abilities,
    asks_deadlocks: bool,
}

impl<'m> QuerySet<'m> {
    pub(super) fn new(
        model: &'m Model,
        properties: Vec<Arc<Property>>,
        named: NamedBindings,
        asks_deadlocks: bool,
    ) -> Self {
        Self { model, properties, named, abilities: Abilities::new(model), asks_deadlocks }
    }

    /// The queries about deadlocks, if they are selected. They come after all others, and are not counted before they
    /// are made. Making each query may use these limits.
    pub fn deadlocks(&self, limits: &Limits) -> Option<Deadlocks<'m>> {
        self.asks_deadlocks.then(|| Deadlocks::new(self.model, self.named.clone(), limits.clone()))
    }

    /// Whether deadlocks are selected.
    pub fn asks_deadlocks(&self) -> bool {
        self.asks_deadlocks
    }

    /// Whether all processes are selected, not only named ones.
    pub fn has_all_processes(&self) -> bool {
        self.named.processes.is_none()
    }

    /// The selected locations, if they are named.
    pub fn named_locations(&self) -> Option<&[LocationId]> {
        self.named.locations.as_deref()
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// The properties to which the named bindings apply, in order.
    pub fn properties(&self) -> &[Arc<Property>] {
        &self.properties
    }

    /// The number of queries except those about deadlocks, including trivial ones; or the greatest number.
    pub fn count(&self) -> usize {
        self.properties.iter().fold(0, |sum, property| sum.saturating_add(self.count_of(property)))
    }

    /// The number of queries of a property, including trivial ones; or the greatest number.
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

    /// All queries: in the order of the properties, then of the declarations of locations, of locks, and of processes.
    pub fn all(&self) -> impl Iterator<Item = Query> {
        let named = self.named.processes.as_deref();
        self.properties.iter().flat_map(move |property| self.bind(property, None, named))
    }

    /// The nontrivial queries, in the same order. The time for each is in proportion to the accesses of the model, not
    /// to its locations and processes; the module `possible_bindings` says which work may be in vain.
    pub fn possible(&self) -> impl Iterator<Item = Query> {
        self.possible_until(&Cancellation::default())
    }

    /// The nontrivial queries, until the search is cancelled.
    pub fn possible_until(&self, cancellation: &Cancellation) -> impl Iterator<Item = Query> + use<'_, 'm> {
        let (named, cancellation) = (self.named.processes.as_deref(), cancellation.clone());
        self.properties.iter().flat_map(move |property| self.bind_possible(property, named, &cancellation))
    }

    /// The nontrivial queries with these processes as threads, in the same order. None for properties with another
    /// number of threads, and none at all if one of the processes has fewer instances. The other processes of the model
    /// take no time.
    pub fn possible_of<'a>(&'a self, processes: &'a [ProcessId]) -> impl Iterator<Item = Query> + 'a {
        let has_all = processes.iter().all(|process| has_instances(self.model, processes, *process));
        let fits = move |property: &&Arc<Property>| has_all && property.automaton().threads().len() == processes.len();
        let properties = self.properties.iter().filter(fits);
        properties.flat_map(|property| self.bind_possible(property, Some(processes), &Cancellation::default()))
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

    /// The possible queries of a property.
    fn bind_possible<'a>(
        &'a self,
        property: &'a Arc<Property>,
        named: Option<&'a [ProcessId]>,
        cancellation: &Cancellation,
    ) -> impl Iterator<Item = Query> + use<'a, 'm> {
        let model = (self.model, &self.abilities);
        let binds_locations = self.named.locations.is_none();
        let possible = PossibleBindings::new(model, property, named, binds_locations, cancellation.clone());
        self.bind(property, Some(possible), named)
    }

    /// The queries of a property, all or only the possible ones; with these processes as threads, if they are named.
    fn bind<'a>(
        &'a self,
        property: &'a Arc<Property>,
        possible: Option<PossibleBindings<'a>>,
        named: Option<&'a [ProcessId]>,
    ) -> impl Iterator<Item = Query> + use<'a, 'm> {
        let possible = possible.map(Arc::new);
        self.locations(property, possible.clone()).flat_map(move |locations| {
            let (possible, locations) = (possible.clone(), locations);
            self.locks(property, &locations, possible.clone()).flat_map(move |locks| {
                let able = match &possible {
                    Some(possible) => possible.able(&locations, &locks),
                    None => ThreadCandidates::any(self.model, property.automaton().threads().len(), named),
                };
                let (locations, query_locks) = (locations.clone(), locks);
                able.processes(self.model).map(move |processes| Query {
                    property: property.clone(),
                    locations: locations.clone(),
                    locks: query_locks.clone(),
                    processes,
                })
            })
        })
    }

    /// The choices of locations: the named ones, or all choices for the property.
    fn locations<'a>(
        &'a self,
        property: &Property,
        possible: Option<Arc<PossibleBindings<'a>>>,
    ) -> Box<dyn Iterator<Item = Vec<LocationId>> + 'a> {
        if let Some(named) = &self.named.locations {
            return Box::new(std::iter::once(named.clone()));
        }
        let length = property.automaton().locations().len();
        let Some(possible) = possible else {
            let candidates: Vec<_> = if property.is_race() { self.written() } else { self.all_locations().collect() };
            return Box::new(Sequences::new(length, move |chosen: &[LocationId]| {
                self.related(chosen, &candidates, length)
            }));
        };
        Box::new(Sequences::new(length, move |chosen: &[LocationId]| {
            let mut next = self.related(chosen, possible.locations(chosen.len()), length);
            next.retain(|next| possible.is_open(&[chosen, &[*next]].concat(), &[]));
            next
        }))
    }

    fn all_locations(&self) -> impl Iterator<Item = LocationId> + use<> {
        (0..self.model.locations().len()).map(LocationId::new)
    }

    /// The locations that some process that can run writes.
    fn written(&self) -> Vec<LocationId> {
        let runs = |process: &ProcessId| self.model.instance_bound(*process) != InstanceBound::Zero;
        self.all_locations().filter(|location| self.abilities.writers(*location).iter().any(runs)).collect()
    }

    /// The candidates, which are in order, that are different from the chosen locations and share an atomic set with
    /// all of them that has at least `length` members.
    fn related(&self, chosen: &[LocationId], candidates: &[LocationId], length: usize) -> Vec<LocationId> {
        if chosen.is_empty() {
            let has_enough = |first: &LocationId| length < 2 || !common_sets(self.model, &[*first], length).is_empty();
            return candidates.iter().copied().filter(has_enough).collect();
        }
        let common = common_sets(self.model, chosen, length);
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
    fn locks<'a>(
        &'a self,
        property: &Property,
        locations: &[LocationId],
        possible: Option<Arc<PossibleBindings<'a>>>,
    ) -> Box<dyn Iterator<Item = Vec<LockId>> + 'a> {
        if let Some(named) = &self.named.locks {
            return Box::new(std::iter::once(named.clone()));
        }
        let (length, count) = (property.automaton().locks().len(), self.model.locks().len());
        if length > count {
            return Box::new(std::iter::empty());
        }
        let locations = locations.to_vec();
        Box::new(Sequences::new(length, move |chosen: &[LockId]| {
            let others = (0..count).map(LockId::new).filter(|lock| !chosen.contains(lock));
            let is_open = |next: &LockId| {
                possible.as_ref().is_none_or(|possible| possible.is_open(&locations, &[chosen, &[*next]].concat()))
            };
            others.filter(is_open).collect()
        }))
    }
}
