//! Events of a confirmation, for progress.

use audit::{Confirmation, Finding};

/// An event of a confirmation.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// The findings are known; none has run yet.
    Started {
        /// The number of findings.
        findings: usize,
    },
    /// This number of schedules was forced since the last event of this kind of the same worker.
    Schedules(usize),
    /// A finding has its answer.
    Answered {
        /// The class of the finding.
        class: &'e str,
        /// The finding, without its answer.
        finding: &'e Finding,
        /// The answer.
        confirmation: &'e Confirmation,
    },
}
