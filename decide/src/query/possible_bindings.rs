//! The nontrivial bindings, found without examining all others.
//!
//! Parameters are bound one after the other, first locations, then locks. A partial binding is *closed* if one of these
//! conditions shows that it has no possible completion. Then no more parameters are bound:
//!
//! - No automaton has different instances for all its threads, such that the process of each can do the actions of its
//!   thread with the bound parameters, and with each other parameter alone at some location of the atomic set or at
//!   some lock.
//! - No atomic set contains all its locations and a different one for each unbound parameter.
//!
//! All parts of possible bindings are open. The converse does not hold: a process may be able to do its actions only at
//! different locations each. So the work in vain has no bound, and it can be cancelled. So can be the preparation,
//! which looks at each location and atomic set. Nothing can be concluded from the bindings that are missing then.

use super::abilities::{Abilities, Bound, needs};
use super::atomic_sets::common_sets;
use super::instances::max_instances;
use super::property::Property;
use super::thread_candidates::ThreadCandidates;
use crate::locking::can_be_given;
use eml::model::{LocationId, LockId, Model, ProcessId};
use limits::Cancellation;
use phases::{Action, ActionKind};
use rustc_hash::FxHashMap;

/// For each thread, the actions of its transitions.
type Needs = Vec<Vec<Action>>;

/// For each thread and each number of bound parameters, the processes that can do its actions with each of the other
/// parameters alone; none if it has no such actions.
type Later = Vec<Vec<Option<Vec<ProcessId>>>>;

/// The required actions of a property, and the processes that can do them.
#[derive(Debug)]
pub(super) struct PossibleBindings<'a> {
    model: &'a Model,
    abilities: &'a Abilities,
    named: Option<&'a [ProcessId]>,
    cancellation: Cancellation,
    /// One entry for each automaton.
    needs: Vec<Needs>,
    /// For each location parameter, the locations at which some process can do each thread's actions with it, in order.
    locations: Vec<Vec<LocationId>>,
    /// For each atomic set, the unbound parameters, if there are several location parameters.
    sets: FxHashMap<u32, Ahead>,
    /// The unbound lock parameters, for each automaton.
    locks: Vec<Later>,
    lock_count: usize,
}

/// The candidates for unbound parameters in one atomic set.
#[derive(Debug)]
struct Ahead {
    /// For each location parameter, candidates from the set: as many as there are parameters, or all.
    some: Vec<Vec<LocationId>>,
    /// One entry for each automaton.
    later: Vec<Later>,
}

impl<'a> PossibleBindings<'a> {
    pub(super) fn new(
        (model, abilities): (&'a Model, &'a Abilities),
        property: &Property,
        named: Option<&'a [ProcessId]>,
        binds_locations: bool,
        cancellation: Cancellation,
    ) -> Self {
        let needs: Vec<_> = property.automata().map(|automaton| needs(&automaton)).collect();
        let lock_count = property.automaton().locks().len();
        let mut possible = Self {
            model,
            abilities,
            named,
            cancellation,
            needs,
            locations: Vec::new(),
            sets: FxHashMap::default(),
            locks: Vec::new(),
            lock_count,
        };
        if binds_locations {
            let count = property.automaton().locations().len();
            possible.locations = (0..count).map(|place| possible.candidates(place)).collect();
            possible.sets = if count > 1 { possible.all_sets() } else { FxHashMap::default() };
        }
        possible.locks = possible.needs.iter().map(|threads| possible.locks_ahead(threads)).collect();
        possible
    }

    /// The locations to which a parameter can be bound, regarding it alone; in order.
    pub(super) fn locations(&self, place: usize) -> &[LocationId] {
        &self.locations[place]
    }

    fn candidates(&self, place: usize) -> Vec<LocationId> {
        let fits = |threads: &Needs, location: LocationId| {
            threads.iter().enumerate().all(|(thread, needs)| {
                let own = at_location(needs, place);
                own.is_empty() || !self.able_at(thread, &own, place, location).is_empty()
            })
        };
        let all = (0..self.model.locations().len()).map(LocationId::new);
        all.take_while(|_| !self.cancellation.is_cancelled())
            .filter(|location| self.needs.iter().any(|threads| fits(threads, *location)))
            .collect()
    }

    /// The processes that can do these actions, which have one location parameter, at a location.
    fn able_at(&self, thread: usize, needs: &[Action], place: usize, location: LocationId) -> Vec<ProcessId> {
        // Only this parameter occurs in the actions, so the bindings of the others do not matter.
        let locations = vec![location; place + 1];
        self.able_as(thread, needs, Bound { locations: &locations, locks: &[] })
    }

    /// The processes that can do all of these actions as a thread, in order; only the named one, if processes are
    /// named.
    fn able_as(&self, thread: usize, needs: &[Action], bound: Bound<'_>) -> Vec<ProcessId> {
        match self.named {
            Some(named) => {
                let process = named.get(thread).copied();
                process.filter(|process| self.abilities.are_met_by(*process, needs, bound)).into_iter().collect()
            }
            None => self.abilities.able(needs, bound),
        }
    }

    fn all_sets(&self) -> FxHashMap<u32, Ahead> {
        let sets = self.model.atomic_sets().iter().enumerate();
        let large = sets
            .take_while(|_| !self.cancellation.is_cancelled())
            .filter(|(_, set)| set.members().len() >= self.locations.len());
        large.map(|(number, set)| (number as u32, self.set_ahead(set.members()))).collect()
    }

    fn set_ahead(&self, members: &[LocationId]) -> Ahead {
        let count = self.locations.len();
        let is_candidate = |place: usize| move |own: &LocationId| self.locations[place].binary_search(own).is_ok();
        let own: Vec<Vec<_>> =
            (0..count).map(|place| members.iter().copied().filter(is_candidate(place)).collect()).collect();
        let later = self.needs.iter().map(|threads| {
            let of_thread = |(thread, needs): (usize, &Vec<Action>)| {
                later(count, |place| {
                    let needs = at_location(needs, place);
                    let able = |location: &LocationId| self.able_at(thread, &needs, place, *location);
                    (!needs.is_empty()).then(|| own[place].iter().flat_map(able).collect())
                })
            };
            threads.iter().enumerate().map(of_thread).collect()
        });
        let later = later.collect();
        Ahead { some: own.iter().map(|own| own[..own.len().min(count)].to_vec()).collect(), later }
    }

    fn locks_ahead(&self, threads: &Needs) -> Later {
        let all: Vec<_> = (0..self.model.locks().len()).map(LockId::new).collect();
        let of_thread = |(thread, needs): (usize, &Vec<Action>)| {
            later(self.lock_count, |place| {
                let needs = at_lock(needs, place);
                let able = |lock: &LockId| {
                    let locks = vec![*lock; place + 1];
                    self.able_as(thread, &needs, Bound { locations: &[], locks: &locks })
                };
                (!needs.is_empty()).then(|| all.iter().flat_map(able).collect())
            })
        };
        threads.iter().enumerate().map(of_thread).collect()
    }

    /// Whether the partial binding to these locations and locks is open. If all parameters are bound,
    /// [`able`](Self::able) decides.
    pub(super) fn is_open(&self, locations: &[LocationId], locks: &[LockId]) -> bool {
        let (count, bound) = (self.locations.len().max(locations.len()), Bound { locations, locks });
        if self.cancellation.is_cancelled() {
            return false;
        }
        if locations.len() == count && locks.len() == self.lock_count {
            return true;
        }
        let able: Vec<_> = self.needs.iter().map(|threads| self.able_within(threads, bound)).collect();
        let has_threads = |ahead: Option<&Ahead>| {
            let mut automata = able.iter().enumerate();
            automata.any(|(automaton, able)| self.has_threads(automaton, able, bound, ahead))
        };
        if locations.len() == count {
            return has_threads(None);
        }
        let sets = common_sets(self.model, locations, count);
        let is_open =
            |ahead: &Ahead| has_different(&ahead.some[locations.len()..], locations) && has_threads(Some(ahead));
        sets.iter().filter_map(|set| self.sets.get(set)).any(is_open)
    }

    /// For each thread, the processes that can do all of its actions whose parameters are bound.
    fn able_within(&self, threads: &Needs, bound: Bound<'_>) -> Vec<Vec<ProcessId>> {
        let of_thread = |(thread, needs): (usize, &Vec<Action>)| self.able_as(thread, &within(needs, bound), bound);
        threads.iter().enumerate().map(of_thread).collect()
    }

    /// Whether an automaton has a process for each thread, among those that are able to do the bound actions, and
    /// within the set ahead.
    fn has_threads(&self, automaton: usize, able: &[Vec<ProcessId>], bound: Bound<'_>, ahead: Option<&Ahead>) -> bool {
        let remaining = |(thread, able): (usize, &Vec<ProcessId>)| {
            let locations = ahead.and_then(|ahead| ahead.later[automaton][thread][bound.locations.len()].as_ref());
            let locks = self.locks[automaton][thread][bound.locks.len()].as_ref();
            let can = |process: &&ProcessId| {
                locations.into_iter().chain(locks).all(|later| later.binary_search(*process).is_ok())
            };
            able.iter().filter(can).copied().collect()
        };
        let able: Vec<Vec<_>> = able.iter().enumerate().map(remaining).collect();
        can_be_given(&able, &|process| max_instances(self.model, process))
    }

    /// The candidates for threads if all parameters are bound.
    pub(super) fn able(&self, locations: &[LocationId], locks: &[LockId]) -> ThreadCandidates {
        let bound = Bound { locations, locks };
        let able = |threads: &Needs| {
            let threads = threads.iter().enumerate();
            threads.map(|(thread, needs)| self.able_as(thread, needs, bound)).collect::<Vec<_>>()
        };
        ThreadCandidates(
            self.needs.iter().map(able).filter(|threads| threads.iter().all(|able| !able.is_empty())).collect(),
        )
    }
}

/// For each number of bound parameters out of `count`, the processes that can do the actions with each of the others;
/// `able` returns the processes that can do the actions with one of them, if there are any actions.
fn later(count: usize, able: impl Fn(usize) -> Option<Vec<ProcessId>>) -> Vec<Option<Vec<ProcessId>>> {
    let mut later: Vec<Option<Vec<ProcessId>>> = vec![None];
    for place in (0..count).rev() {
        let before = later.last().cloned().flatten();
        let own = able(place).map(|mut own| {
            own.sort_unstable();
            own.dedup();
            own.retain(|process| before.as_ref().is_none_or(|before| before.binary_search(process).is_ok()));
            own
        });
        later.push(own.or(before));
    }
    later.reverse();
    later
}

/// Whether each parameter can be bound to one of its candidates, all different from each other and from those taken.
fn has_different(candidates: &[Vec<LocationId>], taken: &[LocationId]) -> bool {
    can_be_given(candidates, &|location| Some(usize::from(!taken.contains(&location))))
}

/// The actions on the location parameter at a place.
fn at_location(needs: &[Action], place: usize) -> Vec<Action> {
    let is_on_it = |action: &&Action| action.location().is_some_and(|location| location.index() == place);
    needs.iter().filter(is_on_it).copied().collect()
}

/// The wanted locks of the lock parameter at a place, whatever the other locks are. A thread that holds a lock has
/// acquired it, so no process is left out that could have waited for it.
fn at_lock(needs: &[Action], place: usize) -> Vec<Action> {
    let uses = needs.iter().flat_map(|action| match action {
        ActionKind::Wants { wanted, holding } => [Some(*wanted), *holding],
        ActionKind::Access { .. } | ActionKind::Begin | ActionKind::End => [None, None],
    });
    let own = uses.flatten().filter(|own| own.lock.index() == place);
    own.map(|wanted| ActionKind::Wants { wanted, holding: None }).collect()
}

/// The actions whose parameters are all bound.
fn within(needs: &[Action], bound: Bound<'_>) -> Vec<Action> {
    let is_bound = |action: &&Action| match action {
        ActionKind::Access { location, .. } => location.index() < bound.locations.len(),
        ActionKind::Begin | ActionKind::End => true,
        ActionKind::Wants { wanted, holding } => {
            let mut uses = std::iter::once(wanted).chain(holding);
            uses.all(|own| own.lock.index() < bound.locks.len())
        }
    };
    needs.iter().filter(is_bound).copied().collect()
}
