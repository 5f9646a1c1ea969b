//! Runs of an automaton on a word of steps: the steps that take its transitions.

use crate::automaton::{
    Access, ActionKind, Automaton, Event, ForbiddenAction, LocationParameter, LockParameter, LockUse, Mode, Phase,
    ThreadParameter,
};

/// A step of a thread, over some types of locations and locks.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step<L = Option<LocationParameter>, K = LockParameter> {
    /// It accesses a location.
    Access {
        /// Read or write.
        access: Access,
        /// The location.
        location: L,
        /// Whether the access is inside a unit of work.
        in_unit: bool,
    },
    /// It begins an outermost unit of work.
    Begin,
    /// It ends an outermost unit of work.
    End,
    /// It is about to acquire a lock that it does not hold, or to reacquire one after a wait. If this happens right
    /// before the acquisition, in the same phase, the step may be left out.
    Wants {
        /// The lock; `None` if it is bound to no parameter.
        lock: Option<K>,
        /// The mode in which it wants the lock.
        mode: Mode,
        /// The locks that it holds at this time and that are bound to parameters; write mode if it holds a lock in both
        /// modes.
        held: Vec<(K, Mode)>,
    },
    /// Anything else: an operation on a lock, a call, a return, a start.
    Other,
}

/// A step with its thread; `None` for a thread that is bound to no parameter. A location that is bound to no parameter
/// is `None` as well.
pub type Performed = (Option<ThreadParameter>, Step);

impl<L, K> Step<L, K> {
    /// The same step over other locations and locks; locks for which the function returns none are left out.
    pub fn map<M, J>(self, location: impl FnOnce(L) -> M, lock: impl Fn(K) -> Option<J>) -> Step<M, J> {
        match self {
            Self::Access { access, location: at, in_unit } => Step::Access { access, location: location(at), in_unit },
            Self::Begin => Step::Begin,
            Self::End => Step::End,
            Self::Wants { lock: wanted, mode, held } => Step::Wants {
                lock: wanted.and_then(&lock),
                mode,
                held: held.into_iter().filter_map(|(held, mode)| Some((lock(held)?, mode))).collect(),
            },
            Self::Other => Step::Other,
        }
    }
}

impl<L: PartialEq, K: PartialEq> ActionKind<L, K> {
    /// Whether the step performs this action.
    pub fn is_done_by(&self, step: &Step<L, K>) -> bool {
        match (self, step) {
            (Self::Begin, Step::Begin) | (Self::End, Step::End) => true,
            (
                Self::Access { access, location, in_unit },
                Step::Access { access: done, location: at, in_unit: inside },
            ) => access == done && location == at && (*inside || !in_unit),
            (Self::Wants { wanted, holding }, Step::Wants { lock: Some(lock), mode, held }) => {
                let holds = |own: &LockUse<K>| held.iter().any(|(lock, mode)| own.means(lock, *mode));
                wanted.means(lock, *mode) && holding.as_ref().is_none_or(holds)
            }
            _ => false,
        }
    }
}

impl<A> ForbiddenAction<A> {
    /// Whether the step is forbidden; `is` returns whether it performs an action.
    pub fn forbids<L, K>(&self, step: &Step<L, K>, is: impl FnOnce(&A) -> bool) -> bool {
        match self {
            Self::One(action) => is(action),
            Self::Every => matches!(step, Step::Access { .. } | Step::Begin | Step::End),
            Self::Step => true,
        }
    }
}

impl Event {
    /// Whether the step can take this transition.
    pub fn matches(&self, (thread, step): &Performed) -> bool {
        *thread == Some(self.thread) && self.action.map_location(Some).is_done_by(step)
    }
}

impl Phase {
    /// Whether the phase does not loop on the step.
    pub fn forbids(&self, (thread, step): &Performed) -> bool {
        self.forbidden.iter().any(|one| {
            (one.thread.is_none() || one.thread == *thread)
                && one.action.forbids(step, |action| action.map_location(Some).is_done_by(step))
        })
    }
}

impl Automaton {
    /// Returns the positions in the word of the steps that take the transitions, in order; `None` if the automaton does
    /// not accept the word with its last step. Among several runs, returns the one with the latest positions.
    /// `O(length of the word * number of phases)`.
    pub fn run(&self, word: &[Performed]) -> Option<Vec<usize>> {
        let takes = |place: usize, phase: usize| self.phases[phase].event.matches(&word[place]);
        let stays = |place: usize, phase: usize| !self.phases[phase].forbids(&word[place]);
        self.run_by(word.len(), takes, stays)
    }

    /// The same for a word of this length that is known only by two predicates on position and phase: whether the step
    /// can take the transition of the phase, and whether the phase can loop on it. A position may represent several
    /// actions that take no transition.
    pub fn run_by(
        &self,
        length: usize,
        takes: impl Fn(usize, usize) -> bool,
        stays: impl Fn(usize, usize) -> bool,
    ) -> Option<Vec<usize>> {
        let accepting = self.phases.len();
        // reached[at(place, state)]: whether the steps before the position can lead to the state.
        let at = |place: usize, state: usize| place * (accepting + 1) + state;
        let mut reached = vec![false; at(length + 1, 0)];
        reached[0] = true;
        for place in 0..length {
            for state in 0..accepting {
                if reached[at(place, state)] {
                    reached[at(place + 1, state)] |= stays(place, state);
                    reached[at(place + 1, state + 1)] |= takes(place, state);
                }
            }
        }
        let mut places = vec![0; accepting];
        let (mut place, mut state) = (length, accepting);
        while state > 0 {
            place = place.checked_sub(1)?;
            let stepped = reached[at(place, state - 1)] && takes(place, state - 1);
            let stayed = state < accepting && reached[at(place, state)] && stays(place, state);
            if stepped {
                state -= 1;
                places[state] = place;
            } else if !stayed {
                return None;
            }
        }
        Some(places)
    }
}
