//! The effects of steps on the automaton of a query, and which effects can be swapped.
//!
//! The automaton is an object shared by all threads. A step executed in a phase leaves the phase unchanged, unless the
//! phase forbids it, and may take the transition to the next phase, if it is the event for which the phase waits. So
//! the *effect* of a step is a relation on phases, and the automaton cannot distinguish steps with the same relation.
//! In a language without data, accesses depend on each other in this way only. The effects replace the values of
//! objects in the dependency relations of Stoller (000, section 4).
//!
//! A step `a` *passes* a step `b` of another thread in a phase if everything that `b` and then `a` can do, `a` and then
//! `b` can do as well: `b ; a` is contained in `a ; b`. Two steps that pass each other are independent. The searches
//! for an accepting run need only passing: a run in which `b` comes right before `a` stays a run, with the same length
//! and end, if `a` comes first.

use crate::query::Query;
use crate::semantics::Act;
use eml::model::{LocationId, LockId, ProcessId};
use indexmap::IndexSet;
use phases::{LocationParameter, LockParameter, Performed, ThreadParameter};
use rustc_hash::{FxBuildHasher, FxHashMap};

/// A phase of the automaton by its number; the accepting one is the last.
pub(super) type Phase = usize;

/// The role of an instance: the thread of the automaton that it plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Role(pub(super) usize);

/// An effect; equal ids stand for equal relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct EffectId(u32);

impl EffectId {
    /// The effect of a step that the automaton does not notice.
    pub(super) const NONE: Self = Self(0);
}

/// The possible outcomes of a step in one phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Moves {
    /// Whether the phase can stay as it is.
    stays: bool,
    /// Whether the transition to the next phase can be taken.
    advances: bool,
}

impl Moves {
    const STAYS: Self = Self { stays: true, advances: false };
}

/// All effects of the steps of a model.
#[derive(Clone, Debug)]
pub(super) struct Effects<'q> {
    query: &'q Query,
    relations: IndexSet<Box<[Moves]>, FxBuildHasher>,
    known: FxHashMap<(Option<Role>, Act), EffectId>,
    /// For two effects and each phase: the first phase from there on in which the first effect does not pass the
    /// second.
    conflicts: FxHashMap<(EffectId, EffectId), Box<[Phase]>>,
    /// Whether two effects commute in every phase.
    commuting: FxHashMap<(EffectId, EffectId), bool>,
}

impl<'q> Effects<'q> {
    pub(super) fn new(query: &'q Query) -> Self {
        let mut relations = IndexSet::default();
        relations.insert(vec![Moves::STAYS; query.property.automaton().phases().len()].into());
        let (known, conflicts, commuting) = (FxHashMap::default(), FxHashMap::default(), FxHashMap::default());
        Self { query, relations, known, conflicts, commuting }
    }

    /// Returns the accepting phase.
    pub(super) fn accepting(&self) -> Phase {
        self.query.property.automaton().phases().len()
    }

    /// Whether wanting a lock is a step of its own.
    pub(super) fn speaks_of_wanting(&self) -> bool {
        self.query.property.automaton().speaks_of_wanting()
    }

    /// Returns the roles that instances of a process can play.
    pub(super) fn roles_of(&self, process: ProcessId) -> impl Iterator<Item = Role> {
        let bound = self.query.processes.iter().enumerate().filter(move |(_, bound)| **bound == process);
        bound.map(|(role, _)| Role(role))
    }

    /// Returns the process of a role.
    pub(super) fn process_of(&self, role: Role) -> ProcessId {
        self.query.processes[role.0]
    }

    /// Returns the number of roles.
    pub(super) fn roles(&self) -> usize {
        self.query.processes.len()
    }

    /// Returns the role for whose event a phase waits.
    pub(super) fn awaited(&self, phase: Phase) -> Role {
        Role(self.query.property.automaton().phases()[phase].event.thread.index())
    }

    /// Returns the effect of an act of a thread.
    pub(super) fn of(&mut self, role: Option<Role>, act: &Act) -> EffectId {
        let key = (role, act.clone());
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let performed = self.performed(role, act.clone());
        let moves = self
            .query
            .property
            .automaton()
            .phases()
            .iter()
            .map(|phase| Moves { stays: !phase.forbids(&performed), advances: phase.event.matches(&performed) });
        let effect = EffectId(self.relations.insert_full(moves.collect()).0 as u32);
        self.known.insert(key, effect);
        effect
    }

    fn performed(&self, role: Option<Role>, act: Act) -> Performed {
        let location = |at: LocationId| self.query.locations.iter().position(|own| *own == at);
        let lock = |at: LockId| self.query.locks.iter().position(|own| *own == at);
        let act = act.map(|at| location(at).map(LocationParameter::new), |at| lock(at).map(LockParameter::new));
        (role.map(|role| ThreadParameter::new(role.0)), act)
    }

    /// Returns the locks that the automaton names.
    pub(super) fn named_locks(&self) -> &'q [LockId] {
        &self.query.locks
    }

    fn moves(&self, effect: EffectId, phase: Phase) -> Moves {
        self.relations[effect.0 as usize].get(phase).copied().unwrap_or(Moves::STAYS)
    }

    /// Whether a step with this effect leaves the phase as it is.
    pub(super) fn stays(&self, effect: EffectId, phase: Phase) -> bool {
        self.moves(effect, phase).stays
    }

    /// Returns the phases after a step that is executed in a phase, the greater one first; none if the step is
    /// forbidden.
    pub(super) fn after(&self, effect: EffectId, phase: Phase) -> impl Iterator<Item = Phase> + use<> {
        let Moves { stays, advances } = self.moves(effect, phase);
        advances.then_some(phase + 1).into_iter().chain(stays.then_some(phase))
    }

    /// Whether a step with this effect can end a phase.
    pub(super) fn advances(&self, effect: EffectId, phase: Phase) -> bool {
        self.moves(effect, phase).advances
    }

    /// Whether a step with this effect is allowed in all these phases.
    pub(super) fn is_allowed(&self, effect: EffectId, phases: std::ops::RangeInclusive<Phase>) -> bool {
        phases.into_iter().all(|phase| self.stays(effect, phase))
    }

    /// Whether the automaton does not notice a step with this effect in any of these phases.
    pub(super) fn is_unnoticed(&self, effect: EffectId, phases: std::ops::RangeInclusive<Phase>) -> bool {
        effect == EffectId::NONE || phases.into_iter().all(|phase| self.moves(effect, phase) == Moves::STAYS)
    }

    /// Whether a step with this effect takes no transition, and every phase that allows the step after it allows it, too.
    pub(super) fn is_implied(&self, effect: EffectId, after_it: EffectId) -> bool {
        (0..=self.accepting()).all(|phase| {
            let (own, next) = (self.moves(effect, phase), self.moves(after_it, phase));
            !own.advances && (own.stays || !(next.stays || next.advances))
        })
    }

    /// Returns the last phase that other threads can reach from a phase while no thread with these roles moves: the
    /// first phase that waits for one of them.
    pub(super) fn horizon(&self, phase: Phase, roles: impl Fn(Role) -> bool) -> Phase {
        (phase..self.accepting()).find(|phase| roles(self.awaited(*phase))).unwrap_or(self.accepting())
    }

    /// Whether `a` does not pass `b` in some phase from `first` to `last`.
    pub(super) fn conflicts(&mut self, a: EffectId, b: EffectId, first: Phase, last: Phase) -> bool {
        if a == EffectId::NONE || b == EffectId::NONE {
            return false;
        }
        if let Some(conflicts) = self.conflicts.get(&(a, b)) {
            return conflicts[first] <= last;
        }
        let mut next = Phase::MAX;
        let mut conflicts: Vec<_> = (0..=self.accepting())
            .rev()
            .map(|phase| {
                if !self.passes(a, b, phase) {
                    next = phase;
                }
                next
            })
            .collect();
        conflicts.reverse();
        let found = conflicts[first] <= last;
        self.conflicts.insert((a, b), conflicts.into());
        found
    }

    /// Whether two effects commute in every phase, for all outcomes of both.
    pub(super) fn commutes(&mut self, a: EffectId, b: EffectId) -> bool {
        if a == EffectId::NONE || b == EffectId::NONE {
            return true;
        }
        let key = (a.min(b), a.max(b));
        if let Some(commutes) = self.commuting.get(&key) {
            return *commutes;
        }
        let commutes = (0..=self.accepting()).all(|phase| self.commutes_in(a, b, phase));
        self.commuting.insert(key, commutes);
        commutes
    }

    fn commutes_in(&self, a: EffectId, b: EffectId, phase: Phase) -> bool {
        let does = |effect, phase, advances| {
            let moves = self.moves(effect, phase);
            if advances { moves.advances } else { moves.stays }
        };
        let outcomes = [false, true];
        outcomes.into_iter().all(|of_a| {
            outcomes.into_iter().all(|of_b| {
                let a_first = does(a, phase, of_a) && does(b, phase + usize::from(of_a), of_b);
                let b_first = does(b, phase, of_b) && does(a, phase + usize::from(of_b), of_a);
                a_first == b_first
            })
        })
    }

    /// Whether `b ; a` is contained in `a ; b` in a phase.
    fn passes(&self, a: EffectId, b: EffectId, phase: Phase) -> bool {
        let both = |first, second| {
            let ends = self.after(first, phase).flat_map(move |between| self.after(second, between));
            ends.fold([false; 3], |mut found, end| {
                found[end - phase] = true;
                found
            })
        };
        let (late, early) = (both(b, a), both(a, b));
        late.iter().zip(early).all(|(late, early)| !late || early)
    }
}
