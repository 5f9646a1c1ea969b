//! What the products need of their semirings: weights for lock operations and for the steps between phases.

use super::step_effect::{OwnEffect, StepEffect};
use crate::encode::flow::NodeLocks;
use eml::model::LocationId;
use limits::StopReason;
use lockhist::Operation;
use wpds::{Semiring, Traceable};

/// A semiring whose weights abstract paths that cross phases.
pub(crate) trait LockWeights: Semiring<Stop = StopReason> + Traceable {
    /// Whether it matters for the steps between phases which locks are held; see [`at`](Self::at).
    const NEEDS_HELD: bool = false;

    /// From now on steps between phases are for where these locks are held; for none, anywhere.
    fn at(&mut self, _held: Option<NodeLocks>) {}

    /// One operation in a phase.
    fn operation(&mut self, phase: usize, operation: Operation) -> Self::Weight;

    /// The step from a phase to the next.
    ///
    /// # Errors
    /// If a limit of the semiring is reached.
    fn boundary(&mut self, phase: usize) -> Result<Self::Weight, StopReason>;

    /// The same, by an access to this location; a semiring that does not keep locations apart takes it for any other
    /// step.
    ///
    /// # Errors
    /// If a limit of the semiring is reached.
    fn access(&mut self, phase: usize, location: LocationId) -> Result<Self::Weight, StopReason>;

    /// The last step of all, after which no history is kept, by an access to this location if it is one.
    ///
    /// # Errors
    /// If a limit of the semiring is reached.
    fn end(&mut self, phase: usize, location: Option<LocationId>) -> Result<Self::Weight, StopReason>;

    /// How many parts the weights have that were made, of which all weights are built: a point of time to come back to.
    fn mark(&self) -> usize {
        0
    }

    /// Forgets all weights that were made since the mark, but these, which are returned under their new names.
    fn settle(&mut self, _mark: usize, results: Vec<Self::Weight>) -> Vec<Self::Weight> {
        results
    }

    /// About how many bytes the weights that are kept take, as far as that grows with their number.
    fn size(&self) -> usize {
        0
    }

    /// Reports units of work.
    ///
    /// # Errors
    /// If a limit of the semiring is reached.
    fn work_of(&self, units: usize) -> Result<(), StopReason>;

    /// The element without its last phase, if nothing happens in that.
    fn without_last_phase(&self, element: &Self::Element) -> Option<Self::Element>;

    /// The weight of a rule of a product.
    ///
    /// # Errors
    /// If a limit of the semiring is reached.
    fn of_rule(&mut self, phase: usize, effect: &StepEffect) -> Result<Self::Weight, StopReason> {
        let mut weight = self.one();
        for tick in phase..phase + effect.ticks {
            let boundary = self.boundary(tick)?;
            weight = self.extend(&weight, &boundary)?;
        }
        let phase = phase + effect.ticks;
        let own = match effect.own {
            OwnEffect::Nothing => return Ok(weight),
            OwnEffect::Operation(operation) => self.operation(phase, operation),
            OwnEffect::Step(None) => self.boundary(phase)?,
            OwnEffect::Step(Some(location)) => self.access(phase, location)?,
            OwnEffect::End(location) => self.end(phase, location)?,
        };
        self.extend(&weight, &own)
    }
}
