//! Events of a confirmation, for progress.

use audit::Confirmation;

/// An event of a confirmation.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// The tests that may give objects are known; none has run yet, and no finding.
    Testing {
        /// The number of tests.
        tests: usize,
    },
    /// A test has run.
    Tested {
        /// Whether it gives objects.
        gives: bool,
    },
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
        /// Its unit.
        unit: &'e str,
        /// The answer.
        confirmation: &'e Confirmation,
    },
    /// A difference of methods that no finding has.
    Observed {
        /// The class.
        class: &'e str,
        /// The difference.
        confirmation: &'e Confirmation,
    },
}
