//! From the local paths that an engine found to an interleaving.

use super::Failure;
use crate::encode::Plan;
use crate::model::Model;
use crate::witness::{Interleaving, LocalPath, Part, schedule};

/// An interleaving that carries out a plan by these paths of the participants.
///
/// # Errors
/// If there is none, which would be a fault of the engine.
pub(crate) fn interleaving(model: &Model, plan: &Plan, paths: Vec<LocalPath>) -> Result<Interleaving, Failure> {
    let parts = plan.cast.iter().zip(paths).map(|(participant, path)| Part { process: participant.process, path });
    let parts: Vec<_> = parts.collect();
    let allows =
        |place: usize, phase: usize, action: Option<_>| plan.words[place].0[phase].conduct.allows(action.as_ref());
    schedule(model, &parts, &plan.ends, &allows).ok_or(Failure::Internal("compatible local paths have no interleaving"))
}
