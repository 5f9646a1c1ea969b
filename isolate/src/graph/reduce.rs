//! All reductions of graphs, one after the other.

use super::context::MethodContext;
use super::effect_free_iterations::drop_effect_free_iterations;
use super::quotient::quotients;
use super::stuck::Stuck;
use super::units::UnitsOf;

/// Makes the graphs of all contexts smaller: without rounds of loops that have no effect, then by bisimulation. The
/// numbers of nodes change.
///
/// # Errors
/// If it is cancelled.
pub(crate) fn reduce(
    contexts: &mut [MethodContext],
    units: UnitsOf<'_>,
    is_cancelled: &dyn Fn() -> bool,
) -> Result<(), Stuck> {
    drop_effect_free_iterations(contexts, units, is_cancelled)?;
    quotients(contexts, is_cancelled)
}
