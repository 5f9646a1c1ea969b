//! The limits of the abstract interpretation of a class: the time and the memory of a query.

use decide::Reason;
use limits::{Deadline, Limits};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// Wall-clock time between two looks at the time and the memory, each of which asks the operating system. The
/// cancellation is checked each time.
const INTERVAL: Duration = Duration::from_millis(1);

/// Checks the limits during the interpretation of one class.
pub struct SubjectLimits<'l> {
    limits: &'l Limits,
    until: Option<Deadline>,
    /// The last look.
    looked: Cell<Option<Instant>>,
    reason: Cell<Option<Reason>>,
}

impl<'l> SubjectLimits<'l> {
    /// Starts the time.
    pub fn new(limits: &'l Limits) -> Self {
        let until = limits.timeout.and_then(|all| Deadline::after(limits.clock, all));
        Self { limits, until, looked: Cell::new(None), reason: Cell::new(None) }
    }

    /// Whether a limit is met, or the run is ended.
    pub fn is_over(&self) -> bool {
        if self.is_time_to_look() {
            if self.until.is_some_and(Deadline::is_over) {
                self.reason.set(Some(Reason::Timeout));
            } else if self.limits.memory.is_some_and(|memory| used() > memory) {
                self.reason.set(Some(Reason::Memory));
            }
        }
        self.reason.get().is_some() || self.limits.cancellation.is_cancelled()
    }

    fn is_time_to_look(&self) -> bool {
        let now = Instant::now();
        let is_time = self.looked.get().is_none_or(|last| now.duration_since(last) >= INTERVAL);
        if is_time {
            self.looked.set(Some(now));
        }
        is_time
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
