//! The events of an automaton with bound parameters, and the roles of participants.

use crate::code::Code;
use crate::instructions::{BodyId, Location, Lock};
use eml::syntax::ast::Mode;
use phases::{Access, ActionKind, Automaton, ForbiddenAction, LockUse};

/// A participant of a case: first the threads of the automaton, then instances that start others.
pub(crate) type Participant = usize;

/// An action of a participant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Action {
    Access {
        access: Access,
        location: Location,
        in_unit: bool,
    },
    Begin,
    End,
    Wants {
        lock: Lock,
        mode: Option<Mode>,
        holding: Option<(Lock, Option<Mode>)>,
    },
    /// It starts an instance of this process.
    Start(BodyId),
}

/// Actions that are forbidden in a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Forbidden {
    One(Action),
    /// Accesses, and the boundaries of units.
    Every,
    Step,
}

/// An event, with the actions that are forbidden before it: to one participant, or to all.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Event {
    pub(crate) owner: Participant,
    pub(crate) action: Action,
    pub(crate) forbidden: Vec<(Option<Participant>, Forbidden)>,
}

/// One phase of a role.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct RolePhase {
    /// Sorted, without duplicates.
    pub(crate) forbidden: Vec<Forbidden>,
    /// The own event that ends the phase; none for a tick.
    pub(crate) event: Option<Action>,
}

/// The part of one participant in an automaton.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Role {
    pub(crate) phases: Vec<RolePhase>,
    /// The number of phases at the beginning in which the participant does not exist yet.
    pub(crate) absent: usize,
}

/// Names that a claim binds to parameters; `None` in [`events`] if one of them is not declared.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bound<'a> {
    pub(crate) locations: &'a [String],
    pub(crate) locks: &'a [String],
}

/// The events of an automaton.
pub(crate) fn events(code: &Code, automaton: &Automaton, bound: Bound<'_>) -> Option<Vec<Event>> {
    let lock = |used: LockUse| Some((code.names.lock(bound.locks.get(used.lock.index())?)?, used.mode));
    let action = |action: phases::Action| {
        Some(match action {
            ActionKind::Access { access, location, in_unit } => {
                let name = bound.locations.get(location.index())?;
                Action::Access { access, location: code.names.location(name)?, in_unit }
            }
            ActionKind::Begin => Action::Begin,
            ActionKind::End => Action::End,
            ActionKind::Wants { wanted, holding } => {
                let (wanted, mode) = lock(wanted)?;
                let holding = match holding {
                    Some(held) => Some(lock(held)?),
                    None => None,
                };
                Action::Wants { lock: wanted, mode, holding }
            }
        })
    };
    let phases = automaton.phases().iter().map(|phase| {
        let forbidden = phase.forbidden.iter().map(|one| {
            let forbidden = match one.action {
                ForbiddenAction::One(one) => Forbidden::One(action(one)?),
                ForbiddenAction::Every => Forbidden::Every,
                ForbiddenAction::Step => Forbidden::Step,
            };
            Some((one.thread.map(|thread| thread.index()), forbidden))
        });
        let forbidden = forbidden.collect::<Option<_>>()?;
        Some(Event { owner: phase.event.thread.index(), action: action(phase.event.action)?, forbidden })
    });
    phases.collect()
}

/// The role of a participant that begins to exist after this number of events.
pub(crate) fn role(events: &[Event], participant: Participant, absent: usize) -> Role {
    let phases = events.iter().map(|event| {
        let own = event.forbidden.iter().filter(|(thread, _)| thread.is_none_or(|own| own == participant));
        let mut forbidden: Vec<_> = own.map(|(_, action)| *action).collect();
        forbidden.sort_unstable();
        forbidden.dedup();
        RolePhase { forbidden, event: (event.owner == participant).then_some(event.action) }
    });
    Role { phases: phases.collect(), absent }
}

impl Action {
    /// The locks that it names.
    pub(crate) fn locks(&self) -> impl Iterator<Item = Lock> {
        let (lock, holding) = match *self {
            Self::Wants { lock, holding, .. } => (Some(lock), holding.map(|(held, _)| held)),
            _ => (None, None),
        };
        lock.into_iter().chain(holding)
    }
}

impl Role {
    /// The actions that it names: events and forbidden ones.
    pub(crate) fn actions(&self) -> impl Iterator<Item = &Action> {
        self.phases.iter().flat_map(|phase| {
            let forbidden = phase.forbidden.iter().filter_map(|one| match one {
                Forbidden::One(action) => Some(action),
                Forbidden::Every | Forbidden::Step => None,
            });
            forbidden.chain(&phase.event)
        })
    }
}
