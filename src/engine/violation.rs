//! From the local paths that an engine found to an interleaving.

use super::Failure;
use crate::encode::{ClonedProcess, Operations, Plan, unfold};
use crate::limits::Meter;
use crate::model::Model;
use crate::witness::{Interleaving, Part, schedule};
use std::sync::Arc;

/// An interleaving that carries out a plan, in which each participant does these lock operations.
///
/// # Errors
/// If a limit is reached, or if there is none, which would be a fault of the engine.
pub(crate) fn interleaving(
    model: &Model,
    plan: &Plan,
    found: &[(Arc<ClonedProcess>, Operations)],
    meter: &Meter,
) -> Result<Interleaving, Failure> {
    let mut parts = Vec::new();
    for ((participant, word), (process, operations)) in plan.cast.iter().zip(&plan.words).zip(found) {
        let path = unfold(process, word, operations, meter)?.ok_or(Failure::Internal("a local path has no run"))?;
        parts.push(Part { process: participant.process, path });
    }
    let allows =
        |place: usize, phase: usize, action: Option<_>| plan.words[place].0[phase].conduct.allows(action.as_ref());
    schedule(model, &parts, &plan.ends, &allows).ok_or(Failure::Internal("compatible local paths have no interleaving"))
}
