//! The pointer analysis of a run, or the reason why there is none.

use super::panics::caught;
use super::subject_limits::SubjectLimits;
use decide::Reason;
use java::Program;
use java::library::Library;
use java::points_to::{Mode, PointsTo, PointsToError};
use limits::{Clock, Limits};
use std::time::Duration;

/// The time limit of the pointer analysis. Without its result no subject is decided.
const POINTS_TO: Duration = Duration::from_secs(600);

/// The reason why there is no pointer analysis.
#[derive(Clone, Debug)]
pub enum Unanalysed {
    /// A limit of the run was met, or it was cancelled.
    Limit(Reason),
    /// The program is too large.
    TooLarge(PointsToError),
    /// A panic with this message.
    Fault(String),
}

/// Computes the points-to sets of variables and fields. A panic is returned as a fault.
pub fn points_to<'p>(
    program: &'p Program,
    library: &'p Library,
    mode: Mode<'p>,
    limits: &Limits,
) -> Result<PointsTo<'p>, Unanalysed> {
    let limits = &Limits::default().with_cancellation(limits.cancellation.clone()).with_memory(limits.memory);
    let limits = &limits.clone().with_timeout(POINTS_TO).with_clock(Clock::Thread);
    let watch = SubjectLimits::new(limits);
    match caught(|| PointsTo::new(program, library, mode, &|| watch.is_over())) {
        Ok(Ok(points)) => Ok(points),
        Ok(Err(PointsToError::Cancelled)) => Err(Unanalysed::Limit(watch.reason().unwrap_or(Reason::Cancelled))),
        Ok(Err(error @ (PointsToError::TooManyObjects | PointsToError::TooLarge))) => Err(Unanalysed::TooLarge(error)),
        Err(message) => Err(Unanalysed::Fault(message)),
    }
}
