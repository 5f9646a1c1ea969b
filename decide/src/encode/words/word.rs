//! Local words: what one process has to do in a query, phase by phase.
//!
//! A query asks each process for a path that takes its own transitions in order and lets the others take theirs at any
//! time. All that this depends on is a *local word*: per phase, what the process must not do and whether it is the one
//! that ends the phase.

use crate::encode::flow::{Instants, Label};
use crate::semantics::{Act, ModelAction};
use eml::model::{LocationId, LockId, ProcessId};
use phases::{ActionKind, ForbiddenAction, LockUse, Turn};

/// What a process does to end a phase, where `L` is a location, or nothing for an access to any of some locations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum LocalAction<L = LocationId> {
    /// An action of the automaton.
    Act(ActionKind<L, LockId>),
    /// It starts an instance of the process, one that takes part.
    Start(ProcessId),
}

impl LocalAction {
    /// The location that is accessed.
    pub(crate) fn location(&self) -> Option<LocationId> {
        match self {
            Self::Act(ActionKind::Access { location, .. }) => Some(*location),
            _ => None,
        }
    }

    /// Whether a step along an edge with this label, of a process with these instants, is this action.
    pub(crate) fn is_done_by(&self, label: &Label, instants: &Instants) -> bool {
        match (self, label) {
            (Self::Act(ActionKind::Wants { wanted, holding }), Label::Wants(id)) => {
                means(*wanted, *holding, instants.get(*id))
            }
            (Self::Act(wanted), Label::Act(performed)) => wanted.means(performed),
            (Self::Start(wanted), Label::Start(started)) => wanted == started,
            _ => false,
        }
    }

    /// The action without its location.
    pub(crate) fn kind(&self) -> LocalAction<()> {
        match self {
            Self::Act(action) => LocalAction::Act(action.map_location(|_| ())),
            Self::Start(process) => LocalAction::Start(*process),
        }
    }
}

/// What a process may do while a phase lasts.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Allowed {
    /// Nothing: it has not been started yet.
    Nothing,
    /// Everything but this.
    AllBut(Vec<ForbiddenAction<ModelAction>>),
}

impl Allowed {
    /// Whether a step along an edge with this label, of a process with these instants, is allowed.
    pub(crate) fn allows_label(&self, label: &Label, instants: &Instants) -> bool {
        match label {
            Label::Silent => *self != Self::Nothing,
            Label::Act(action) => self.allows(Some(action)),
            Label::Wants(id) => self.permits(instants.get(*id)),
            Label::Plain | Label::Lock(_) | Label::Start(_) | Label::Call(_) | Label::Return => self.allows(None),
        }
    }

    /// Whether the process must stay where it is.
    pub(crate) fn stops(&self) -> bool {
        matches!(self, Self::AllBut(forbidden) if forbidden.contains(&ForbiddenAction::Step))
    }

    /// Whether a step of the model is allowed.
    pub(crate) fn permits(&self, step: &Act) -> bool {
        match self {
            Self::Nothing => false,
            Self::AllBut(forbidden) => forbidden.iter().all(|one| !one.forbids(step, |action| action.is_done_by(step))),
        }
    }

    /// Whether a step is allowed: an access or a boundary of a unit, or, for `None`, any other but an instant of
    /// wanting.
    fn allows(&self, performed: Option<&ModelAction>) -> bool {
        match self {
            Self::Nothing => false,
            Self::AllBut(forbidden) => forbidden.iter().all(|one| match one {
                ForbiddenAction::Step => false,
                ForbiddenAction::Every => performed.is_none(),
                ForbiddenAction::One(action) => performed.is_none_or(|performed| !action.means(performed)),
            }),
        }
    }
}

/// One phase of a local word.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct LocalPhase {
    pub(crate) allowed: Allowed,
    pub(crate) turn: Turn<LocalAction>,
}

/// The part of one process in a query: all phases but the accepting state, in which nothing has to happen any more.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct LocalWord(pub(crate) Vec<LocalPhase>);

impl LocalWord {
    /// How many phases there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The locations that the process accesses to end phases, in order.
    pub(crate) fn locations(&self) -> Vec<LocationId> {
        let own = self.0.iter().filter_map(|phase| match &phase.turn {
            Turn::Own(action) => action.location(),
            Turn::Tick => None,
        });
        own.collect()
    }

    /// Whether the process itself ends the last phase, by an access.
    pub(crate) fn ends_with_access(&self) -> bool {
        self.0.last().is_some_and(|last| matches!(&last.turn, Turn::Own(action) if action.location().is_some()))
    }

    /// How many phases there are up to the last that the process itself ends.
    pub(crate) fn own_phases(&self) -> usize {
        self.0.iter().rposition(|phase| phase.turn != Turn::Tick).map_or(0, |last| last + 1)
    }
}

/// Whether an action of the automaton means this instant.
pub(super) fn means(wanted: LockUse<LockId>, holding: Option<LockUse<LockId>>, instant: &Act) -> bool {
    ModelAction::Wants { wanted, holding }.is_done_by(instant)
}
