//! The limits of the abstract interpretation of a class: the time and the memory of a query.

use decide::Reason;
use limits::{Deadline, Limits};
use std::cell::Cell;

/// Number of checks of the time per check of the memory.
const CHECKS: u32 = 256;

/// Checks the limits during the interpretation of one class.
pub struct SubjectLimits<'l> {
    limits: &'l Limits,
    until: Option<Deadline>,
    looks: Cell<u32>,
    reason: Cell<Option<Reason>>,
}

impl<'l> SubjectLimits<'l> {
    /// Starts the time.
    pub fn new(limits: &'l Limits) -> Self {
        let until = limits.timeout.and_then(|all| Deadline::after(limits.clock, all));
        Self { limits, until, looks: Cell::new(0), reason: Cell::new(None) }
    }

    /// Whether a limit is met, or the run is ended.
    pub fn is_over(&self) -> bool {
        if self.until.is_some_and(Deadline::is_over) {
            self.reason.set(Some(Reason::Timeout));
        } else if self.limits.memory.is_some_and(|memory| self.is_time_to_look() && used() > memory) {
            self.reason.set(Some(Reason::Memory));
        }
        self.reason.get().is_some() || self.limits.cancellation.is_cancelled()
    }

    fn is_time_to_look(&self) -> bool {
        self.looks.set(self.looks.get().wrapping_add(1));
        self.looks.get().is_multiple_of(CHECKS)
    }

    /// The end of the time, for the queries about the class on the same thread.
    pub fn until(&self) -> Option<Deadline> {
        self.until
    }

    /// The limit that was met, if any.
    pub fn reason(&self) -> Option<Reason> {
        self.reason.get()
    }
}

/// Divisor of the memory limit: the part that each class may allocate in any case.
const PART: u64 = 4;

/// The limits of a class that begins now. Memory that previous classes have freed is reused, but not always returned to
/// the system, so the process may already occupy the whole limit. Therefore a class may always allocate a part of the
/// limit on top of the present memory of the process.
pub fn beginning_now(limits: &Limits) -> Limits {
    let more = |memory: u64| memory.max(used().saturating_add(memory / PART));
    limits.clone().with_memory(limits.memory.map(more))
}

fn used() -> u64 {
    limits::resident_memory()
}
