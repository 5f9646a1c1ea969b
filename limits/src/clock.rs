//! By which clock time is counted.
//!
//! A machine that is busy with other things lets a thread wait, which is time by the wall clock and none of the
//! processor. So what is decided within an amount of processor time does not depend on what else the machine does.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// By which clock time is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Clock {
    /// The time that passes.
    #[default]
    Wall,
    /// The time for which a processor works for the thread that asks; the time that passes where the system does not
    /// tell.
    Thread,
}

impl Clock {
    /// The time that this clock shows; all clocks begin somewhere. That of a thread is not to be compared with another
    /// thread's.
    pub fn now(self) -> Duration {
        match self {
            Self::Wall => passed(),
            Self::Thread => of_thread(),
        }
    }
}

/// The time since this was asked first.
fn passed() -> Duration {
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed()
}

#[cfg(target_os = "linux")]
fn of_thread() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::try_from(time).unwrap_or_default()
}

#[cfg(not(target_os = "linux"))]
fn of_thread() -> Duration {
    passed()
}

/// When some time is over by a clock. One by the clock of a thread is for that thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    clock: Clock,
    at: Duration,
}

impl Deadline {
    /// This much later than now; none if that is later than any time.
    pub fn after(clock: Clock, time: Duration) -> Option<Self> {
        clock.now().checked_add(time).map(|at| Self { clock, at })
    }

    /// Whether the time is over.
    pub fn is_over(self) -> bool {
        self.clock.now() >= self.at
    }

    /// How much time is left.
    pub fn left(self) -> Duration {
        self.at.saturating_sub(self.clock.now())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_deadline_is_over_when_its_time_is() {
        let deadline = Deadline::after(Clock::Wall, Duration::from_millis(20)).expect("it is soon");
        assert!(!deadline.is_over() && deadline.left() > Duration::ZERO);
        std::thread::sleep(Duration::from_millis(25));
        assert!(deadline.is_over());
        assert_eq!(deadline.left(), Duration::ZERO);
        assert_eq!(Deadline::after(Clock::Wall, Duration::MAX), None);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_thread_that_waits_takes_no_time_of_its_own() {
        let [begin, wall] = [Clock::Thread, Clock::Wall].map(Clock::now);
        std::thread::sleep(Duration::from_millis(200));
        assert!(Clock::Wall.now() - wall >= Duration::from_millis(200));
        assert!(Clock::Thread.now() - begin < Duration::from_millis(100));
        let mut sum = 0_u64;
        while Clock::Thread.now() - begin < Duration::from_millis(5) {
            sum = std::hint::black_box(sum.wrapping_add(1));
        }
        assert!(sum > 0);
    }
}
