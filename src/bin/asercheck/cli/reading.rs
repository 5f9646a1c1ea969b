//! Reading a model within the limits that its queries have.
//!
//! A model is read by a thread of its own, which the command leaves behind when a limit is reached: whatever reading is
//! busy with then, a text of many gigabytes or a list of millions of names, ends with the process.

use asercheck::{Limits, StopReason};
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// So often the limits are looked at.
const LOOK: Duration = Duration::from_millis(2);

/// One part in so many of the memory stays free, for what is read between two looks.
const ROOM_PART: u64 = 16;

/// However short the limit is, this much time is given. A limit is meant for queries, and a small model is read in far
/// less, so that it does not depend on the load of the machine whether its queries are told.
const LEAST: Duration = Duration::from_millis(500);

/// As much as a main thread has.
const STACK: usize = 8 << 20;

/// The same limits of what began a while ago.
pub(crate) fn remaining(limits: &Limits, begin: Instant) -> Limits {
    let left = limits.timeout.map(|timeout| timeout.saturating_sub(begin.elapsed()));
    limits.clone().with_timeout(left)
}

/// Does something that reads, until it is done or a limit is reached. The time begins now, and half a second is always
/// given; the memory is that of the process.
///
/// # Errors
/// Which limit was reached; the work then goes on, so the process should end soon.
pub(crate) fn within<T: Send + 'static>(
    limits: &Limits,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, StopReason> {
    if limits.timeout.is_none() && limits.memory.is_none() {
        return Ok(work());
    }
    let begin = Instant::now();
    let (sender, receiver) = sync_channel(1);
    let reader = thread::Builder::new().stack_size(STACK).spawn(move || {
        // Nobody listens after a limit was reached.
        let _ = sender.send(work());
    });
    let reader = reader.expect("a process can have a second thread");
    loop {
        match receiver.recv_timeout(LOOK) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => {
                if limits.timeout.is_some_and(|timeout| begin.elapsed() >= timeout.max(LEAST)) {
                    return Err(StopReason::Timeout);
                }
                let used = memory_stats::memory_stats().map_or(0, |stats| stats.physical_mem as u64);
                if limits.memory.is_some_and(|memory| used > memory - memory / ROOM_PART) {
                    return Err(StopReason::Memory);
                }
            }
            // It has panicked, and said so.
            Err(RecvTimeoutError::Disconnected) => match reader.join() {
                Err(panic) => resume_unwind(panic),
                Ok(()) => unreachable!("the thread sends before it ends"),
            },
        }
    }
}
