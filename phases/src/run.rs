//! Running an automaton on a word: which actions take its transitions.

use crate::automaton::{Action, ActionKind, Automaton, Event, LocationParameter, Phase, ThreadParameter};

/// An action that was performed, and by whom: `None` for a thread that is bound to no parameter. The location is `None`
/// where it is bound to no parameter; `in_unit` says where the access lies.
pub type Performed = (Option<ThreadParameter>, ActionKind<Option<LocationParameter>>);

fn means(action: Action, performed: &ActionKind<Option<LocationParameter>>) -> bool {
    action.map_location(Some).means(performed)
}

impl Event {
    /// Whether the performed action can take this transition.
    pub fn matches(&self, (thread, action): &Performed) -> bool {
        *thread == Some(self.thread) && means(self.action, action)
    }
}

impl Phase {
    /// Whether the performed action is one that the phase does not loop on.
    pub fn forbids(&self, (thread, action): &Performed) -> bool {
        self.forbidden.iter().any(|one| {
            (one.thread.is_none() || one.thread == *thread) && one.action.is_none_or(|own| means(own, action))
        })
    }
}

impl Automaton {
    /// The places in the word of the actions that take the transitions, in order, the last of which is the end of the
    /// word; `None` if the automaton does not accept the word by its last action. Of several choices the one with the
    /// latest places. `O(length of the word * number of phases)`.
    pub fn run(&self, word: &[Performed]) -> Option<Vec<usize>> {
        let takes = |place: usize, phase: usize| self.phases[phase].event.matches(&word[place]);
        let stays = |place: usize, phase: usize| !self.phases[phase].forbids(&word[place]);
        self.run_by(word.len(), takes, stays)
    }

    /// The same for a word of this length of which it is only known which of its places can take the transition of a phase,
    /// and on which a phase can loop. A place may stand for several actions that take no transition.
    pub fn run_by(
        &self,
        length: usize,
        takes: impl Fn(usize, usize) -> bool,
        stays: impl Fn(usize, usize) -> bool,
    ) -> Option<Vec<usize>> {
        let accepting = self.phases.len();
        // reached[place][state]: whether the actions before the place can lead to the state.
        let mut reached = vec![vec![false; accepting + 1]; length + 1];
        reached[0][0] = true;
        for place in 0..length {
            for state in 0..accepting {
                if reached[place][state] {
                    reached[place + 1][state] |= stays(place, state);
                    reached[place + 1][state + 1] |= takes(place, state);
                }
            }
        }
        let mut places = vec![0; accepting];
        let (mut place, mut state) = (length, accepting);
        while state > 0 {
            place = place.checked_sub(1)?;
            let stepped = reached[place][state - 1] && takes(place, state - 1);
            let stayed = state < accepting && reached[place][state] && stays(place, state);
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
