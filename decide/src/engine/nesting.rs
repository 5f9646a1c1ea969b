//! What a scenario says whose processes break the nesting of locks.
//!
//! A process that waits for a lock over which it holds another one gives locks back in an order that the engines cannot
//! follow, so they leave out what follows (see `encode/clone.rs`). Interleavings that they find are interleavings all
//! the same. If they find none, they look once more with other locks: those that are waited for so are taken to be free
//! always. This only adds interleavings, and the locks that are left are nested. So if there is none then either, there
//! is none. Otherwise it is not known.

use super::violation::interleaving;
use super::{Decision, Failure, Unsupported, any_of};
use crate::encode::{Arrangement, Encoder, Scenario};
use crate::query::Query;
use crate::witness::LocalPath;
use eml::model::LockId;
use limits::Meter;

/// What an engine finds out about a scenario with some contended locks.
pub(super) enum Attempt {
    /// It cannot be carried out; the locks for which that is not sure, since they are waited for while they are buried.
    Infeasible(Vec<LockId>),
    /// These paths of the participants carry it out.
    Paths(Vec<LocalPath>),
    /// The engine cannot decide it.
    Unsupported(Unsupported),
}

impl Attempt {
    /// It cannot be carried out, and none of the processes leaves anything out.
    pub(super) const IMPOSSIBLE: Self = Self::Infeasible(Vec::new());
}

/// Decides a query, one of its scenarios after the other, where `attempt` finds out whether a scenario can be carried
/// out with some contended locks.
pub(super) fn decide<'m, E>(
    engine: &mut E,
    encoder: impl Fn(&mut E) -> &mut Encoder<'m>,
    query: &Query,
    meter: &Meter,
    mut attempt: impl FnMut(&mut E, &Scenario, &Arrangement) -> Result<Attempt, Failure>,
) -> Result<Decision, Failure> {
    let mut scenarios = encoder(engine).scenarios(query);
    any_of(
        engine,
        |_| Ok(scenarios.next(meter)?),
        |engine, scenario| {
            let attempt = |engine: &mut E, arrangement: &_| attempt(engine, &scenario, arrangement);
            carry_out(engine, &encoder, &scenario, meter, attempt)
        },
    )
}

/// Decides whether a scenario can be carried out, where `attempt` finds that out for some contended locks.
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
