//! Fusion of the first two phases, if the first only waits for the beginning of a unit.
//!
//! Let the first phase forbid nothing and end with `T begin`, and let the second forbid exactly `T end` and end with an
//! access of `T`. Together they accept exactly the words in which this access has a `begin` of `T` before it and no
//! `end` of `T` in between, that is, in which the access is inside a unit of `T`. So both can be replaced by one phase
//! that forbids nothing and ends with this access inside a unit.

use crate::automaton::{Action, ActionKind, Automaton, Event, Forbidden, ForbiddenAction, Phase};

impl Automaton {
    /// Returns an automaton with one phase fewer that accepts the same words, if the first two phases have the form of
    /// the module's documentation.
    pub fn fuse_begin(&self) -> Option<Self> {
        let [first, second, rest @ ..] = &self.phases[..] else { return None };
        let thread = first.event.thread;
        let waits = first.forbidden.is_empty() && first.event.action == Action::Begin;
        let stays = second.forbidden == [Forbidden { thread: Some(thread), action: ForbiddenAction::One(Action::End) }];
        let ActionKind::Access { access, location, .. } = second.event.action else { return None };
        if !waits || !stays || second.event.thread != thread {
            return None;
        }
        let event = Event { thread, action: ActionKind::Access { access, location, in_unit: true } };
        let fused = Phase { name: first.name.clone(), forbidden: Vec::new(), event };
        let phases = std::iter::once(fused).chain(rest.iter().cloned()).collect();
        Some(Self { phases, ..self.clone() })
    }
}
