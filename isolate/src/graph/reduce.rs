//! The sequence of all reductions of graphs.

use super::context::MethodContext;
use super::effect_free_iterations::drop_effect_free_iterations;
use super::purpose::Purpose;
use super::quotient::quotients;
use super::stuck::Stuck;
use super::units::UnitsOf;

/// Reduces the graphs of all contexts: removes effect-free iterations, then takes bisimulation quotients. The numbers
/// of nodes change. For deadlocks, iterations stay, since they may acquire locks.
///
/// # Errors
/// If it is cancelled.
pub(crate) fn reduce(
    contexts: &mut [MethodContext],
    units: UnitsOf<'_>,
    purpose: Purpose,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<(), Stuck> {
    if purpose == Purpose::Violations {
        drop_effect_free_iterations(contexts, units, is_cancelled)?;
    }
    quotients(contexts, is_cancelled)
}
