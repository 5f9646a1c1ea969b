//! The clocks by which time is counted.
//!
//! On a busy machine a thread may have to wait. The wall clock counts this time, the clock of the thread does not. So a
//! query that is decided within an amount of processor time is decided within it whatever else the machine does.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

/// A clock by which time is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Clock {
    /// The wall clock.
    #[default]
    Wall,
    /// The processor time of the calling thread; the wall clock if the system does not have that time.
    Thread,
}

impl Clock {
    /// The present time of this clock. Clocks begin at an arbitrary time. The times of different threads' clocks are
    /// not comparable.
    pub fn now(self) -> Duration {
        match self {
            Self::Wall => passed(),
            Self::Thread => of_thread(),
        }
    }
}

/// The time since the first call of this function.
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

/// A point in time on a clock. A deadline on the clock of a thread is for that thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    clock: Clock,
    at: Duration,
}

impl Deadline {
    /// The deadline this much later than now; none if that exceeds the range of times.
    pub fn after(clock: Clock, time: Duration) -> Option<Self> {
        clock.now().checked_add(time).map(|at| Self { clock, at })
    }

    /// Whether the time is over.
    pub fn is_over(self) -> bool {
        self.clock.now() >= self.at
    }

    /// The time that is left.
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
