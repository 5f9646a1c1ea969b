//! Interference: steps of a thread that do not pass the operations of another thread.

use super::effects::Phase;
use super::future_operations::FutureOperations;
use super::local_states::{LocalId, LocalStates, StepId};
use crate::semantics::LockChange;
use eml::model::ProcessId;
use rustc_hash::FxHashMap;

/// The memoized answers.
#[derive(Clone, Debug, Default)]
pub(super) struct Interference {
    known: FxHashMap<(StepId, LocalId, u32, u32), bool>,
}

impl Interference {
    /// Whether a step does not pass something that another thread may do first, in the phases from `first` to `last`.
    pub(super) fn interferes(
        &mut self,
        locals: &mut LocalStates<'_>,
        futures: &mut FutureOperations,
        (step, other): (StepId, LocalId),
        (first, last): (Phase, Phase),
    ) -> bool {
        let key = (step, other, first as u32, last as u32);
        if let Some(known) = self.known.get(&key) {
            return *known;
        }
        let ops = futures.of(locals, other);
        let found = ops.iter().any(|op| meets(locals, futures, (step, *op), (first, last)));
        self.known.insert(key, found);
        found
    }
}

/// Whether a step does not pass an operation of another thread in some of the phases from `first` to `last`.
fn meets(
    locals: &mut LocalStates<'_>,
    futures: &FutureOperations,
    (id, op): (StepId, u32),
    (first, last): (Phase, Phase),
) -> bool {
    let op = futures.op(op);
    let step = locals.step(id);
    if op.is_kept_off(locals.held(step.from)) {
        return false;
    }
    let contends = match (step.lock, op.takes) {
        (LockChange::Takes(own, mode), Some((other, wanted))) => own == other && mode.excludes(wanted),
        _ => false,
    };
    let plays = |process: ProcessId| locals.effects.roles_of(process).next().is_some();
    let both_start = step.starts.is_some_and(|process| op.starts == Some(process) && plays(process));
    let effect = step.effect;
    contends || both_start || op.effects.iter().any(|other| locals.effects.conflicts(effect, *other, first, last))
}
