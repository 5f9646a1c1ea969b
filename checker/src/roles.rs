//! Actions of automata, and when an instruction performs them.

use crate::model::{BodyId, LocationId, LockId, Mode, Op};

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
        lock: LockId,
        mode: Option<Mode>,
        holding: Option<(LockId, Option<Mode>)>,
    },
    Start(BodyId),
    /// Accesses, begins and ends.
    All,
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
pub(crate) struct Moment<'a> {
    pub op: Op,
    /// Whether a unit is open before it, and after it.
    pub unit: (bool, bool),
    /// The mode in which the participant holds a lock.
    pub mode: &'a dyn Fn(LockId) -> Option<Mode>,
}

impl Action {
    /// Whether an instruction performs an action; `All` and `Step` stand after `forbid` only.
    pub fn is_performed(self, at: &Moment<'_>) -> bool {
        match (self, at.op) {
            (Action::Access { atomic, .. }, op) => self.can_be(op) && (!atomic || at.unit.0),
            (Action::Begin, Op::Begin) => !at.unit.0,
            (Action::End, Op::End) => !at.unit.1,
            (Action::Wants { lock, holding, .. }, op) => {
                let holds = |(lock, mode): (LockId, Option<Mode>)| {
                    (at.mode)(lock).is_some_and(|held| mode.is_none_or(|mode| mode == held))
                };
                self.can_be(op) && (at.mode)(lock).is_none() && holding.is_none_or(holds)
            }
            (Action::Start(_), op) => self.can_be(op),
            (Action::All, Op::Begin) => !at.unit.0,
            (Action::All, Op::End) => !at.unit.1,
            (Action::All, op) => matches!(op, Op::Access(..)),
            (Action::Step, op) => op != Op::Skip,
            _ => false,
        }
    }

    /// Whether an instruction can perform an action, in a suitable state.
    fn can_be(self, op: Op) -> bool {
        match (self, op) {
            (Action::Access { write, location, .. }, op) => op == Op::Access(write, location),
            (Action::Wants { lock, mode, .. }, Op::Acquire(of, its)) => of == lock && mode.is_none_or(|it| it == its),
            (Action::Wants { lock, mode, .. }, Op::Resume(of)) => of == lock && mode != Some(Mode::Read),
            (Action::Start(process), op) => op == Op::Start(process),
            _ => false,
        }
    }

    /// The instructions that can perform an event.
    pub fn instructions(self) -> Vec<Op> {
        match self {
            Action::Access { write, location, .. } => vec![Op::Access(write, location)],
            Action::Begin => vec![Op::Begin],
            Action::End => vec![Op::End],
            Action::Start(process) => vec![Op::Start(process)],
            Action::Wants { lock, mode, .. } => {
                let ops = [Op::Acquire(lock, Mode::Write), Op::Resume(lock), Op::Acquire(lock, Mode::Read)];
                match mode {
                    None => ops.to_vec(),
                    Some(Mode::Write) => ops[..2].to_vec(),
                    Some(Mode::Read) => ops[2..].to_vec(),
                }
            }
            Action::All | Action::Step => Vec::new(),
        }
    }
}

impl Role {
    /// The forbidden actions of a phase.
    pub fn forbidden(&self, phase: usize) -> &[Action] {
        self.phases.get(phase - 1).map_or(&[], |(forbidden, _)| forbidden)
    }

    /// The own event of a phase.
    pub fn own(&self, phase: usize) -> Option<Action> {
        self.phases.get(phase - 1).and_then(|(_, own)| *own)
    }

    /// Whether an instruction is forbidden; forbidden `wants` has no effect.
    pub fn forbids(&self, phase: usize, at: &Moment<'_>) -> bool {
        let applies = |action: &Action| !matches!(action, Action::Wants { .. }) && action.is_performed(at);
        self.forbidden(phase).iter().any(applies)
    }

    /// The locks that the own events name.
    pub fn wanted(&self) -> impl Iterator<Item = LockId> {
        let locks = |action| match action {
            Action::Wants { lock, holding, .. } => vec![lock, holding.map_or(lock, |(held, _)| held)],
            _ => Vec::new(),
        };
        self.phases.iter().filter_map(|(_, own)| *own).flat_map(locks)
    }

    /// All actions that the role names.
    pub fn actions(&self) -> impl Iterator<Item = Action> {
        self.phases.iter().flat_map(|(forbidden, own)| forbidden.iter().copied().chain(*own))
    }
}
