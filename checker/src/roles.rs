//! Actions of automata, and when an instruction performs them.

use crate::ops::{BodyId, LocationId, LockId, Op, SomeUse, Use};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Action {
    Access {
        write: bool,
        location: LocationId,
        atomic: bool,
    },
    Begin,
    End,
    Wants {
        wanted: SomeUse,
        holding: Option<SomeUse>,
    },
    Start(BodyId),
    /// Accesses, begins and ends; after `forbid` only.
    All,
    /// After `forbid` only.
    Step,
}

/// A process with its actions: for each phase those that are forbidden, and its own event; without one the phase ends
/// with a tick.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Role {
    pub process: BodyId,
    /// The first phase in which the participant is present, from 1.
    pub first: usize,
    pub phases: Vec<(Vec<Action>, Option<Action>)>,
}

/// The state in which a participant is before an instruction.
pub(crate) struct Moment {
    pub op: Op,
    /// Whether a unit is open before it, and after it.
    pub unit: (bool, bool),
    /// The uses of the invariant's locks that are held.
    pub held: Vec<Use>,
}

impl Moment {
    /// The use of a lock that is held.
    pub fn held_use(&self, lock: LockId) -> Option<Use> {
        self.held.iter().find(|held| held.lock == lock).copied()
    }
}

impl Action {
    /// Whether an instruction can perform an action, in a suitable state.
    pub fn can_be(self, op: Op) -> bool {
        match (self, op) {
            (Action::Access { write: false, location, .. }, Op::Read(of)) => of == location,
            (Action::Access { write: true, location, .. }, Op::Write(of)) => of == location,
            (Action::Wants { wanted, .. }, Op::Want(one) | Op::WantBack(one)) => wanted.includes(one),
            (Action::Start(process), Op::Start(of)) => of == process,
            (Action::Begin | Action::All, Op::Begin) | (Action::End | Action::All, Op::End) => true,
            (Action::All, Op::Read(_) | Op::Write(_)) => true,
            (Action::Step, op) => op != Op::Skip,
            _ => false,
        }
    }

    /// Whether an instruction performs an action.
    pub fn is_performed(self, at: &Moment) -> bool {
        let is_in_state = match (self, at.op) {
            (Action::Access { atomic, .. }, _) => !atomic || at.unit.0,
            (Action::Begin | Action::All, Op::Begin) => !at.unit.0,
            (Action::End | Action::All, Op::End) => !at.unit.1,
            (Action::Wants { wanted, holding }, _) => {
                let is_held = |some: SomeUse| at.held_use(some.lock).is_some_and(|held| some.includes(held));
                at.held_use(wanted.lock).is_none() && holding.is_none_or(is_held)
            }
            _ => true,
        };
        self.can_be(at.op) && is_in_state
    }
}

impl Role {
    /// The forbidden actions of a phase.
    pub fn forbidden(&self, phase: usize) -> &[Action] {
        &self.phases[phase - 1].0
    }

    /// The own event of a phase.
    pub fn own(&self, phase: usize) -> Option<Action> {
        self.phases[phase - 1].1
    }

    /// Whether an instruction is forbidden.
    pub fn forbids(&self, phase: usize, at: &Moment) -> bool {
        self.forbidden(phase).iter().any(|action| action.is_performed(at))
    }

    /// All actions that the role names.
    pub fn actions(&self) -> impl Iterator<Item = Action> {
        self.phases.iter().flat_map(|(forbidden, own)| forbidden.iter().copied().chain(*own))
    }
}
