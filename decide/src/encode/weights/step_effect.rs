//! What a step of a product does to histories.

use eml::model::LocationId;
use lockhist::Operation;

/// What a step means for the histories: first ticks, then something of the process's own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct StepEffect {
    pub(crate) ticks: usize,
    pub(crate) own: OwnEffect,
}

/// What of its own a process does in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OwnEffect {
    /// Nothing that matters.
    Nothing,
    /// An operation on a lock.
    Operation(Operation),
    /// It ends the phase, by an access to this location if it is one.
    Step(Option<LocationId>),
    /// It ends the last phase, likewise.
    End(Option<LocationId>),
}
