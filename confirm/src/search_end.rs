//! The end of a search, and the answer that follows from it.

use audit::{Confirmation, ConfirmationEffort, Demonstration};

/// The reason why a search ended without a confirmation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchEnd {
    /// There are no more clients and schedules.
    Complete,
    /// The time for all findings is over.
    Time,
    /// The user ended the run.
    Interrupted,
    /// No Java virtual machine could be started, or it was lost.
    NoMachine,
}

impl SearchEnd {
    /// Why a finding was not tried, if the search itself has no reason.
    pub(crate) fn why_not_tried(self) -> &'static str {
        match self {
            Self::Complete => "no client of the class is known",
            Self::Time => "the time was over before a schedule ran",
            Self::Interrupted => "the run was interrupted before a schedule ran",
            Self::NoMachine => "no Java machine could be started",
        }
    }

    /// Why there was no further schedule.
    pub(crate) fn why_not_confirmed(self) -> &'static str {
        match self {
            Self::Complete => "no further client or schedule is known",
            Self::Time => "the time was over",
            Self::Interrupted => "the run was interrupted",
            Self::NoMachine => "the Java machine was lost",
        }
    }
}

/// Returns the answer of a search that ended, with the most frequent reason why a client could not run, if there is
/// one.
pub(crate) fn answer(
    jdk: &str,
    effort: &ConfirmationEffort,
    demonstration: Option<Demonstration>,
    end: SearchEnd,
    obstacle: Option<&str>,
) -> Confirmation {
    let result = demonstration.ok_or_else(|| match (effort.schedules, obstacle) {
        (0, Some(obstacle)) => obstacle.to_string(),
        (0, None) => end.why_not_tried().to_string(),
        (_, Some(obstacle)) => format!("{}; of further clients: {obstacle}", end.why_not_confirmed()),
        (_, None) => end.why_not_confirmed().to_string(),
    });
    Confirmation::new(jdk, effort, result)
}
