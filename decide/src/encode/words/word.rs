//! Local words: the part of one process in a query, phase by phase.
//!
//! A query requires from each process a path that takes its own transitions in order and lets the others take theirs at
//! any time. This depends only on a *local word*: for each phase, the steps that the process must not make, and whether
//! the process itself ends the phase.

use crate::encode::flow::{Instants, Label};
use crate::semantics::{Act, ModelAction};
use eml::model::{LocationId, LockId, ProcessId};
use phases::{ActionKind, ForbiddenAction, LockUse, Turn};

/// The step by which a process ends a phase. `L` is a location, or `()` for an access to any of several locations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum LocalAction<L = LocationId> {
    /// An action of the automaton.
    Act(ActionKind<L, LockId>),
    /// The start of an instance that takes part in the scenario.
    Start(ProcessId),
}

impl LocalAction {
    /// The location of the access.
    pub(crate) fn location(&self) -> Option<LocationId> {
        match self {
            Self::Act(ActionKind::Access { location, .. }) => Some(*location),
            _ => None,
        }
    }

    /// Whether an edge with this label, in a process with these instants, does this action.
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

/// The steps that a process may make during a phase.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Allowed {
    /// No step: the process has not been started yet.
    Nothing,
    /// All steps but these.
    AllBut(Vec<ForbiddenAction<ModelAction>>),
}

impl Allowed {
    /// Whether a step along an edge with this label, in a process with these instants, is allowed.
    pub(crate) fn allows_label(&self, label: &Label, instants: &Instants) -> bool {
        match label {
            Label::Silent => *self != Self::Nothing,
            Label::Act(action) => self.allows(Some(action)),
            Label::Wants(id) => self.permits(instants.get(*id)),
            Label::Plain | Label::Lock(_) | Label::Start(_) | Label::Call(_) | Label::Return => self.allows(None),
        }
    }

    /// Whether all steps are forbidden.
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

    /// Whether a step is allowed: an access or a boundary of a unit, or, for `None`, any other step except an instant
    /// of wanting.
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

/// The part of one process in a query: all phases except the accepting state, in which nothing has to happen.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct LocalWord(pub(crate) Vec<LocalPhase>);

impl LocalWord {
    /// The number of phases.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// The locations of the accesses by which the process ends phases, in order.
    pub(crate) fn locations(&self) -> Vec<LocationId> {
        let own = self.0.iter().filter_map(|phase| match &phase.turn {
            Turn::Own(action) => action.location(),
            Turn::Tick => None,
        });
        own.collect()
    }

    /// Whether the process ends the last phase by an access.
    pub(crate) fn ends_with_access(&self) -> bool {
        self.0.last().is_some_and(|last| matches!(&last.turn, Turn::Own(action) if action.location().is_some()))
    }

    /// The number of phases up to the last one that the process ends.
    pub(crate) fn own_phases(&self) -> usize {
        self.0.iter().rposition(|phase| phase.turn != Turn::Tick).map_or(0, |last| last + 1)
    }
}

/// Whether an action of the automaton matches this instant.
pub(super) fn means(wanted: LockUse<LockId>, holding: Option<LockUse<LockId>>, instant: &Act) -> bool {
    ModelAction::Wants { wanted, holding }.is_done_by(instant)
}
