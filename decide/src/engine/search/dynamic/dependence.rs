//! Dependence of events: the shared objects of events, and which events can be swapped.
//!
//! Two events of different threads are *independent* if they can be swapped wherever they are adjacent, with the same
//! end: neither takes a lock from the other, and in every phase each outcome of both for the automaton is possible in
//! one order iff it is possible in the other. If one event frees a lock that the other one takes, they are dependent
//! but do not race, since the other one is not possible before. Threads are identified by their starters, so two starts
//! of a process that can play a role race for it.

use super::super::effects::EffectId;
use super::super::local_states::{LocalId, LocalStates, StepId};
use eml::model::{LockId, Mode, ProcessId};

/// The shared objects that an event needs and changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Access {
    /// The lock that it takes, or takes in a stronger mode.
    takes: Option<(LockId, Mode)>,
    /// The lock that it releases, or keeps in a weaker mode, with the earlier mode.
    gives: Option<(LockId, Mode)>,
    effect: EffectId,
    starts: Option<ProcessId>,
}

impl Access {
    /// No shared object.
    pub(super) const NOTHING: Self = Self { takes: None, gives: None, effect: EffectId::NONE, starts: None };

    /// Returns the access of a step; `is_unnoticed` says that the automaton does not notice it.
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

    /// Whether two events race: their order matters, and both orders may be possible.
    pub(super) fn races(&self, other: &Self, locals: &mut LocalStates<'_>) -> bool {
        let contend = excludes(self.takes, other.takes);
        let both_start = self.starts.is_some() && self.starts == other.starts;
        contend || both_start || !locals.effects.commutes(self.effect, other.effect)
    }

    /// Whether this event may make an impossible one possible: it releases the lock of the other, or the automaton
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

/// Returns the first lock that is held after and not before, or in a weaker mode before.
fn first_gained(before: &[(LockId, Mode)], after: &[(LockId, Mode)]) -> Option<(LockId, Mode)> {
    let had = |lock: LockId| before.iter().find(|(own, _)| *own == lock).map(|(_, mode)| *mode);
    after.iter().copied().find(|(lock, mode)| had(*lock) < Some(*mode))
}

/// Returns the lock that a step takes by its own account: the last step of a thread has no locks after it to compare.
fn taken(locals: &LocalStates<'_>, id: StepId) -> Option<(LockId, Mode)> {
    use crate::semantics::LockChange;
    match locals.step(id).lock {
        LockChange::Takes(lock, mode) => Some((lock, mode)),
        LockChange::Nothing | LockChange::Gives(..) | LockChange::Lowers(_) | LockChange::Never => None,
    }
}

/// Returns all next steps of a thread in a local state, with their accesses.
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
