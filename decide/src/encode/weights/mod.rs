//! The semirings of the products: sets of segment sequences as diagrams, relations between lock histories as power
//! series, and matrices over word positions with either as entries.

mod diagram;
mod lock_weights;
mod matrices;
mod memo;
mod power_series;
mod segments;
mod slices;
mod step_effect;

pub(crate) use diagram::{DiagramId, Diagrams, SequenceItem, sequence};
pub(crate) use lock_weights::LockWeights;
pub(crate) use matrices::{Crossing, Ends, Matrices, MatrixId};
pub(crate) use power_series::{PowerSeries, metered};
pub(crate) use segments::SegmentId;
pub(crate) use step_effect::{OwnEffect, StepEffect};
