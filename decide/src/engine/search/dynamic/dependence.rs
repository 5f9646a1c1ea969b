//! What events share, and which of them can be swapped.
//!
//! Two events of different threads are *independent* if they can be swapped wherever they stand next to each other,
//! with the same end: they take no lock from each other, and every outcome of both for the automaton is possible in one
//! order just if it is in the other one, in every phase. An event gives way to another one, too, if it frees a lock
//! that the other one takes: then they are dependent, but no race, since the other one is not possible before. Threads
//! are told apart by who started them, so two starts of a process that can play a thread of the automaton race for it.

use super::super::effects::EffectId;
use super::super::local_states::{LocalId, LocalStates, StepId};
use eml::model::{LockId, Mode, ProcessId};

/// What an event needs and changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Access {
    /// The lock that it takes, or of which it gets a stronger mode.
    takes: Option<(LockId, Mode)>,
    /// The lock that it gives back, or of which it keeps a weaker mode, with the mode that it had.
    gives: Option<(LockId, Mode)>,
    effect: EffectId,
    starts: Option<ProcessId>,
}

impl Access {
    /// Nothing.
    pub(super) const NOTHING: Self = Self { takes: None, gives: None, effect: EffectId::NONE, starts: None };

    /// What a step shares; the automaton does not notice it if this is said.
    pub(super) fn of(locals: &LocalStates<'_>, id: StepId, is_unnoticed: bool) -> Self {
        let step = locals.step(id);
        let (before, after) = (locals.held(step.from), locals.held(step.after));
        let effect = if is_unnoticed { EffectId::NONE } else { step.effect };
        Self {
            takes: first_gained(before, after).or(taken(locals, id)),
            gives: first_gained(after, before),
            effect,
            starts: step.starts,
        }
    }

    /// Whether the order of two events matters, and both orders may be possible.
    pub(super) fn races(&self, other: &Self, locals: &mut LocalStates<'_>) -> bool {
        let contend = excludes(self.takes, other.takes);
        let both_start = self.starts.is_some() && self.starts == other.starts;
        contend || both_start || !locals.effects.commutes(self.effect, other.effect)
    }

    /// Whether a step that is not possible may be so after this one: this one gives back its lock, or the automaton
    /// notices both.
    pub(super) fn may_enable(&self, other: &Self, locals: &mut LocalStates<'_>) -> bool {
        excludes(self.gives, other.takes) || !locals.effects.commutes(self.effect, other.effect)
    }

    /// Whether the order of two events matters.
    pub(super) fn depends(&self, other: &Self, locals: &mut LocalStates<'_>) -> bool {
        excludes(self.gives, other.takes) || excludes(other.gives, self.takes) || self.races(other, locals)
    }
}

/// Whether both are the same lock, in modes that exclude each other.
fn excludes(own: Option<(LockId, Mode)>, other: Option<(LockId, Mode)>) -> bool {
    matches!((own, other), (Some((own, mode)), Some((lock, wanted))) if own == lock && mode.excludes(wanted))
}

/// The first lock that is held afterwards and was not before, or in a weaker mode.
fn first_gained(before: &[(LockId, Mode)], after: &[(LockId, Mode)]) -> Option<(LockId, Mode)> {
    let had = |lock: LockId| before.iter().find(|(own, _)| *own == lock).map(|(_, mode)| *mode);
    after.iter().copied().find(|(lock, mode)| had(*lock) < Some(*mode))
}

/// The lock that a step says that it takes: the last step of a thread leaves no locks behind that could be compared.
fn taken(locals: &LocalStates<'_>, id: StepId) -> Option<(LockId, Mode)> {
    use crate::semantics::LockChange;
    match locals.step(id).lock {
        LockChange::Takes(lock, mode) => Some((lock, mode)),
        LockChange::Nothing | LockChange::Gives(..) | LockChange::Never => None,
    }
}

/// All that a thread in a local state may do next.
pub(super) fn pending(
    locals: &mut LocalStates<'_>,
    id: LocalId,
    is_unnoticed: impl Fn(&mut LocalStates<'_>, StepId) -> bool,
) -> Vec<(StepId, Access)> {
    let steps: Vec<_> = locals.steps(id).collect();
    steps
        .into_iter()
        .map(|step| {
            let is_unnoticed = is_unnoticed(locals, step);
            (step, Access::of(locals, step, is_unnoticed))
        })
        .collect()
}
