//! The requirements of products on their semirings: weights for lock operations and for steps between phases.

use super::step_effect::{OwnEffect, StepEffect};
use crate::encode::flow::NodeLocks;
use eml::model::LocationId;
use limits::StopReason;
use lockhist::Operation;
use wpds::{Semiring, Traceable};

/// A semiring whose weights abstract paths that cross phases.
pub(crate) trait LockWeights: Semiring<Stop = StopReason> + Traceable {
    /// Whether steps between phases depend on the held locks; see [`at`](Self::at).
    const NEEDS_HELD: bool = false;

    /// From now on steps between phases are at nodes with these locks; at any node, if none are given.
    fn at(&mut self, _held: Option<NodeLocks>) {}

    /// The empty path from the beginning of a process, in the first phase: [`one`](Semiring::one), or a smaller weight
    /// for which no lock is held before.
    fn start(&mut self) -> Self::Weight {
        self.one()
    }

    /// One operation in a phase.
    fn operation(&mut self, phase: usize, operation: Operation) -> Self::Weight;

    /// The step from one phase to the next.
    ///
    /// # Errors
    /// If a limit of the semiring is reached.
    fn boundary(&mut self, phase: usize) -> Result<Self::Weight, StopReason>;

    /// The step from one phase to the next, by an access to this location. A semiring that does not distinguish
    /// locations treats it like any other step.
    ///
    /// # Errors
    /// If a limit of the semiring is reached.
    fn access(&mut self, phase: usize, location: LocationId) -> Result<Self::Weight, StopReason>;

    /// The last step of all, after which no history is kept; by an access to this location if it is one.
    ///
    /// # Errors
    /// If a limit of the semiring is reached.
    fn end(&mut self, phase: usize, location: Option<LocationId>) -> Result<Self::Weight, StopReason>;

    /// The number of parts of which the weights made so far consist, as a mark to return to.
    fn mark(&self) -> usize {
        0
    }

    /// Forgets all weights made since the mark, except these, which are returned under new names.
    fn settle(&mut self, _mark: usize, results: Vec<Self::Weight>) -> Vec<Self::Weight> {
        results
    }

    /// An estimate of the bytes taken by the weights, as far as it grows with their number.
    fn size(&self) -> usize {
        0
    }

    /// Reports units of work.
    ///
    /// # Errors
    /// If a limit of the semiring is reached.
    fn work_of(&self, units: usize) -> Result<(), StopReason>;

    /// The element without its last phase, if nothing happens in that phase.
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
