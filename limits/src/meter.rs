//! Compares the resources that one query uses with its limits.
//!
//! Memory is the resident memory of the whole process, as in the limit; the operating system provides it. Between two
//! measurements it grows only by the memory allocated meanwhile: little, except when tables double. A table of `s`
//! bytes that doubles needs `2 s` more until it has moved; and when it doubled last, from half the size, memory grew by
//! at least `s/2`. So four times the greatest growth between two measurements is kept in reserve, and a query ends
//! before it makes the table that would not fit. In any case a part of the limit is kept in reserve, for growth too
//! small to be measured: tables that have not doubled yet, and allocations between two measurements.

use super::memory::resident_memory;
use super::{Cancellation, Clock, Limits, Steps, StopReason};
use std::cell::Cell;
use std::time::{Duration, Instant};

/// Units of work between two checks of the clock. Engines count work so that this takes well below a millisecond.
const INTERVAL: u32 = 2048;

/// Wall-clock time between two looks at the clock and the memory. Both ask the operating system: a look takes about ten
/// microseconds.
const LOOK_INTERVAL: Duration = Duration::from_millis(1);

/// The reserve in any case: this fraction of the limit, up to a maximum.
const ROOM_PART: u64 = 16;
const MOST_ROOM: u64 = 16 << 20;

/// The reserve for each byte of growth.
const ROOM_PER_GROWTH: u64 = 4;

/// Counts down the limits of one query from its beginning.
#[derive(Clone, Debug)]
pub struct Meter {
    timeout: Option<Duration>,
    clock: Clock,
    /// A time of that clock.
    deadline: Cell<Option<Duration>>,
    memory: Option<u64>,
    cancellation: Cancellation,
    /// The budget of steps, and the number of its steps that have to be left.
    steps: Option<(Steps, u64)>,
    countdown: Cell<u32>,
    next_look: Cell<Instant>,
    /// The resident memory at the last measurement.
    resident: Cell<u64>,
    /// The greatest growth between two measurements.
    growth: Cell<u64>,
}

impl Meter {
    /// Starts measuring now.
    pub fn start(limits: &Limits) -> Self {
        let spent =
            limits.since.filter(|_| limits.clock == Clock::Wall).map_or(Duration::ZERO, |since| since.elapsed());
        let end = |timeout| limits.clock.now().checked_add(timeout).map(|end: Duration| end.saturating_sub(spent));
        let steps = limits.steps.as_ref().map(|steps| {
            // A query takes some steps in any case.
            steps.take(u64::from(INTERVAL));
            (steps.clone(), steps.left() / 2)
        });
        Self {
            steps,
            timeout: limits.timeout,
            clock: limits.clock,
            deadline: Cell::new(limits.timeout.and_then(end)),
            memory: limits.memory,
            cancellation: limits.cancellation.clone(),
            countdown: Cell::new(INTERVAL),
            next_look: Cell::new(Instant::now()),
            resident: Cell::new(if limits.memory.is_some() { resident_memory() } else { 0 }),
            growth: Cell::new(0),
        }
    }

    /// A meter for an attempt that may fail, with a part of the limits: of the time of the whole query, and of the
    /// memory and the steps that are left.
    pub fn share(&self, part: f64) -> Self {
        let share = self.clone();
        let own = self.timeout.and_then(|timeout| self.clock.now().checked_add(timeout.mul_f64(part)));
        share.deadline.set(self.deadline.get().min(own.or(self.deadline.get())));
        let used = self.resident.get();
        let memory = self.memory.map(|limit| used + (limit.saturating_sub(used) as f64 * part) as u64);
        let steps = self.steps.as_ref().map(|(steps, kept)| {
            let own = steps.left().saturating_sub(*kept);
            (steps.clone(), steps.left() - (own as f64 * part) as u64)
        });
        Self { memory, steps, ..share }
    }

    /// A meter with a budget of its own of this many steps, counted from zero, beside the other limits; none if the
    /// limits have a budget.
    pub fn with_steps(&self, steps: u64) -> Option<Self> {
        let own = || Self { steps: Some((Steps::new(steps), 0)), countdown: Cell::new(INTERVAL), ..self.clone() };
        self.steps.is_none().then(own)
    }

    /// The present time of the clock.
    pub fn now(&self) -> Duration {
        self.clock.now()
    }

    /// Extends the deadline by time that was spent on other work than this query.
    pub fn excuse(&self, spent: Duration) {
        self.deadline.set(self.deadline.get().and_then(|deadline| deadline.checked_add(spent)));
    }

    /// Reports units of work: weight operations, states, edges.
    pub fn work_of(&self, units: usize) -> Result<(), StopReason> {
        let left = self.countdown.get();
        if (units as u64) < u64::from(left) {
            self.countdown.set(left - units as u32);
            return Ok(());
        }
        self.countdown.set(INTERVAL);
        if let Some((steps, _)) = &self.steps {
            steps.take((units as u64).max(u64::from(INTERVAL)));
        }
        self.check()
    }

    /// Checks the limits now.
    pub fn check(&self) -> Result<(), StopReason> {
        if self.cancellation.is_cancelled() {
            return Err(StopReason::Cancelled);
        }
        if self.steps.as_ref().is_some_and(|(steps, kept)| steps.left() <= *kept) {
            return Err(StopReason::Steps);
        }
        let now = Instant::now();
        if now < self.next_look.get() {
            return Ok(());
        }
        self.next_look.set(now + LOOK_INTERVAL);
        if self.deadline.get().is_some_and(|deadline| self.clock.now() >= deadline) {
            return Err(StopReason::Timeout);
        }
        self.memory.map_or(Ok(()), |limit| self.check_memory(resident_memory(), limit))
    }

    /// Stops if the next growth might exceed the limit.
    fn check_memory(&self, resident: u64, limit: u64) -> Result<(), StopReason> {
        let growth = resident.saturating_sub(self.resident.replace(resident));
        self.growth.set(self.growth.get().max(growth));
        let room = (limit / ROOM_PART).min(MOST_ROOM).max(ROOM_PER_GROWTH * self.growth.get());
        if resident.saturating_add(room) > limit { Err(StopReason::Memory) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    #[test]
    fn every_limit_stops() {
        let spent = |limits: Limits| {
            (0..2 * INTERVAL).try_for_each({
                let meter = Meter::start(&limits);
                move |_| meter.work_of(1)
            })
        };
        assert_eq!(spent(Limits::default()), Ok(()));
        assert_eq!(spent(Limits { timeout: Some(Duration::ZERO), ..Limits::default() }), Err(StopReason::Timeout));
        assert_eq!(spent(Limits { memory: Some(1), ..Limits::default() }), Err(StopReason::Memory));
        let limits = Limits::default();
        limits.cancellation.clone().cancel();
        assert_eq!(spent(limits), Err(StopReason::Cancelled));
    }

    #[test]
    fn time_can_begin_before_a_query_is_asked() {
        let limits = Limits { timeout: Some(Duration::from_secs(60)), ..Limits::default() };
        let since = |seconds| {
            let since = Instant::now().checked_sub(Duration::from_secs(seconds)).expect("the clock runs");
            Meter::start(&Limits { since: Some(since), ..limits.clone() }).check()
        };
        assert_eq!([since(1), since(61)], [Ok(()), Err(StopReason::Timeout)]);
    }

    #[test]
    fn a_query_takes_half_of_the_steps_that_are_left() {
        let (steps, all) = (Steps::new(64 * u64::from(INTERVAL)), 64 * INTERVAL);
        let limits = Limits::default().with_steps(steps.clone());
        let done = || {
            let meter = Meter::start(&limits);
            (0..all).take_while(|_| meter.work_of(1) == Ok(())).count()
        };
        let first = done();
        assert!((31 * INTERVAL - 1..33 * INTERVAL).contains(&(first as u32)), "{first}");
        let second = done();
        assert!(second < first / 2 + INTERVAL as usize, "{second}");
        assert!(steps.left() > 0);
        let (begin, share) = (steps.left(), Meter::start(&limits).share(0.5));
        assert_eq!((0..all).try_for_each(|_| share.work_of(1)), Err(StopReason::Steps));
        assert!(steps.left() > begin / 2, "half of the half");
    }

    #[test]
    fn a_budget_of_its_own_counts_from_zero() {
        let meter = Meter::start(&Limits::default());
        let done = || {
            let own = meter.with_steps(4 * u64::from(INTERVAL)).expect("the limits have no budget");
            (0..64 * INTERVAL).take_while(|_| own.work_of(1) == Ok(())).count()
        };
        let first = done();
        assert_eq!(first as u32, 4 * INTERVAL - 1);
        meter.work_of(3).expect("there is no limit");
        assert_eq!(done(), first, "whatever was done before");
        let limits = Limits::default().with_steps(Steps::new(u64::MAX / 2));
        assert!(Meter::start(&limits).with_steps(1).is_none());
    }

    #[test]
    fn much_work_at_once_is_noticed() {
        let meter = Meter::start(&Limits { timeout: Some(Duration::ZERO), ..Limits::default() });
        assert_eq!(meter.work_of(usize::MAX), Err(StopReason::Timeout));
    }

    #[test]
    fn memory_is_looked_at_again_and_again() {
        let meter = Meter::start(&Limits { memory: Some(resident_memory() + 96 * MIB), ..Limits::default() });
        assert_eq!(meter.check(), Ok(()));
        let big = vec![1u8; 192 << 20];
        std::thread::sleep(2 * LOOK_INTERVAL);
        assert_eq!(meter.check(), Err(StopReason::Memory));
        assert_eq!(big[big.len() / 2], 1);
    }

    #[test]
    fn room_is_kept_for_a_table_that_doubles() {
        let limit = 256 * MIB;
        let after = |sizes: &[u64]| {
            let meter = Meter::start(&Limits::default());
            meter.resident.set(sizes[0] * MIB);
            sizes.iter().try_for_each(|mebibytes| meter.check_memory(mebibytes * MIB, limit))
        };
        assert_eq!(after(&[1, 10, 30, 50, 70, 90, 110, 130, 150, 170]), Ok(()), "small steps need little room");
        assert_eq!(after(&[1, 10, 30, 50, 70, 90, 110, 130, 150, 170, 190]), Err(StopReason::Memory));
        assert_eq!(after(&[1, 40, 80]), Ok(()));
        assert_eq!(after(&[1, 40, 80, 101]), Err(StopReason::Memory));
        assert_eq!(after(&[1, 2, 100]), Err(StopReason::Memory));
        assert_eq!(after(&[1, 2, 3, 4]), Ok(()));
        let steps: Vec<u64> = (1..=limit / MIB).collect();
        let fits = (1..steps.len()).take_while(|count| after(&steps[..*count]) == Ok(())).count();
        assert_eq!(fits as u64, (limit - MOST_ROOM) / MIB, "room is kept in any case");
    }

    #[test]
    fn a_share_is_less_and_can_be_excused() {
        let limits = Limits { timeout: Some(Duration::from_secs(60)), memory: Some(1 << 40), ..Limits::default() };
        let meter = Meter::start(&limits);
        let share = meter.share(0.5);
        let [own, shared] = [&meter, &share].map(|meter| meter.deadline.get().expect("there is a limit"));
        assert!(shared + Duration::from_secs(29) < own, "half of the time");
        assert!(share.memory < Some(600 << 30), "half of the memory");
        meter.excuse(Duration::from_secs(7));
        assert_eq!(meter.deadline.get(), Some(own + Duration::from_secs(7)));
        assert!(Meter::start(&Limits::default()).share(0.5).deadline.get().is_none());
    }
}
