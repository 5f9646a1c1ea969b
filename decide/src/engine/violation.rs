//! The step from the local paths of a violation to an interleaving.

use super::Failure;
use crate::encode::{Allowed, Encoder, Scenario, with_spawners};
use crate::semantics::Act;
use crate::witness::{Interleaving, LocalPath, Part, schedule};
use limits::Meter;

/// Returns an interleaving that carries out a scenario by these paths of the participants.
///
/// # Errors
/// If there is none, which would be a defect of the engine, or if a limit is reached.
pub(crate) fn interleaving(
    encoder: &Encoder<'_>,
    scenario: &Scenario,
    paths: Vec<LocalPath>,
    meter: &Meter,
) -> Result<Interleaving, Failure> {
    let parts =
        scenario.participants.iter().zip(paths).map(|(participant, path)| Part { process: participant.process, path });
    let allows = |place: usize, phase: usize, act: Option<&Act>| {
        let allowed = &scenario.words[place].0[phase].allowed;
        act.map_or(*allowed != Allowed::Nothing, |act| allowed.permits(act))
    };
    let interleaving = schedule(encoder.model(), parts.collect(), &scenario.ends, &allows, meter)?
        .ok_or(Failure::Internal("compatible local paths have no interleaving"))?;
    with_spawners(encoder.unaided_starts(), &scenario.forest, interleaving, meter)?
        .ok_or(Failure::Internal("a starting thread that acts alone has no run"))
}
