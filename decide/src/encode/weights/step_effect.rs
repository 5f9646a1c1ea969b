//! The effect of a step of a product on histories.

use eml::model::LocationId;
use lockhist::Operation;

/// The effect of a step on histories: first ticks, then an effect of the process itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct StepEffect {
    pub(crate) ticks: usize,
    pub(crate) own: OwnEffect,
}

/// The effect of the process itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OwnEffect {
    /// No effect that matters.
    Nothing,
    /// An operation on a lock.
    Operation(Operation),
    /// The end of a phase, by an access to this location if it is one.
    Step(Option<LocationId>),
    /// The end of the last phase, by an access to this location if it is one.
    End(Option<LocationId>),
}
