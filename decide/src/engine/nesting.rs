//! Scenarios whose processes violate the nesting of locks.
//!
//! A process that waits for a lock below another one that it holds releases locks in an order that the engines cannot
//! follow. So they omit the rest of its paths (see `encode/clone.rs`). Each interleaving that they find is one of the
//! model. If they find none, they look once more for one in which the locks that are waited for in this way (the
//! *buried* locks) are always free. This only adds interleavings, and the remaining locks are nested. So if there is
//! still none, the model has none; otherwise the answer is not known.

use super::violation::interleaving;
use super::{Decision, Failure, Unsupported, any_of};
use crate::encode::{Arrangement, Encoder, Scenario};
use crate::query::Query;
use crate::witness::LocalPath;
use eml::model::LockId;
use limits::Meter;

/// The result of an engine for a scenario and a set of contended locks.
pub(super) enum Attempt {
    /// The scenario cannot be carried out. This is certain only if the list of buried locks, which are waited for below
    /// another lock, is empty.
    Infeasible(Vec<LockId>),
    /// The scenario can be carried out by these paths of the participants.
    Paths(Vec<LocalPath>),
    /// The engine cannot decide it.
    Unsupported(Unsupported),
}

impl Attempt {
    /// The scenario cannot be carried out, and no process omits any path.
    pub(super) const IMPOSSIBLE: Self = Self::Infeasible(Vec::new());

    /// Whether the scenario cannot be carried out by any path.
    pub(super) fn is_certainly_infeasible(&self) -> bool {
        matches!(self, Self::Infeasible(buried) if buried.is_empty())
    }
}

/// Decides a query, one scenario after the other; `attempt` decides a scenario for a set of contended locks.
pub(super) fn decide<'m, E>(
    engine: &mut E,
    encoder: impl Fn(&mut E) -> &mut Encoder<'m>,
    query: &Query,
    meter: &Meter,
    mut attempt: impl FnMut(&mut E, &Scenario, &Arrangement) -> Result<Attempt, Failure>,
) -> Result<Decision, Failure> {
    let mut scenarios = encoder(engine).scenarios(query);
    if let Some(alone) = scenarios.threads_alone(meter)? {
        let attempt = |engine: &mut E, arrangement: &_| attempt(engine, &alone, arrangement);
        if is_impossible(engine, &encoder, &alone, meter, attempt)? {
            return Ok(Decision::Safe);
        }
    }
    any_of(
        engine,
        |_| Ok(scenarios.next(meter)?),
        |engine, scenario| {
            let attempt = |engine: &mut E, arrangement: &_| attempt(engine, &scenario, arrangement);
            carry_out(engine, &encoder, &scenario, meter, attempt)
        },
    )
}

/// Whether it is certain that a scenario cannot be carried out; `attempt` decides it for a set of contended locks.
pub(super) fn is_impossible<'m, E>(
    engine: &mut E,
    encoder: impl Fn(&mut E) -> &mut Encoder<'m>,
    scenario: &Scenario,
    meter: &Meter,
    attempt: impl FnOnce(&mut E, &Arrangement) -> Result<Attempt, Failure>,
) -> Result<bool, Failure> {
    if scenario.is_too_long() {
        return Ok(false);
    }
    let Some(arrangement) = encoder(engine).arrangement(scenario, &[], meter)? else { return Ok(false) };
    Ok(attempt(engine, &arrangement)?.is_certainly_infeasible())
}

/// Decides a single scenario; `attempt` decides it for a set of contended locks.
pub(super) fn carry_out<'m, E>(
    engine: &mut E,
    encoder: impl Fn(&mut E) -> &mut Encoder<'m>,
    scenario: &Scenario,
    meter: &Meter,
    mut attempt: impl FnMut(&mut E, &Arrangement) -> Result<Attempt, Failure>,
) -> Result<Decision, Failure> {
    if scenario.is_too_long() {
        return Ok(Decision::Unsupported(Unsupported::ManyPhases));
    }
    let Some(arrangement) = encoder(engine).arrangement(scenario, &[], meter)? else {
        return Ok(Decision::Unsupported(Unsupported::ManyLocks));
    };
    match attempt(engine, &arrangement)? {
        Attempt::Paths(paths) => interleaving(encoder(engine), scenario, paths, meter).map(Decision::Violation),
        Attempt::Unsupported(reason) => Ok(Decision::Unsupported(reason)),
        Attempt::Infeasible(buried) if buried.is_empty() => Ok(Decision::Safe),
        Attempt::Infeasible(buried) => {
            let Some(wider) = encoder(engine).arrangement(scenario, &buried, meter)? else {
                return Ok(Decision::Unsupported(Unsupported::ManyLocks));
            };
            match attempt(engine, &wider)? {
                Attempt::Infeasible(buried) if buried.is_empty() => Ok(Decision::Safe),
                Attempt::Infeasible(_) | Attempt::Paths(_) | Attempt::Unsupported(_) => {
                    Ok(Decision::Unsupported(Unsupported::Nesting))
                }
            }
        }
    }
}
