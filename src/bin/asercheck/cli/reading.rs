//! Reading a model within the limits that its queries have.
//!
//! A thread of its own reads a model. If a limit is met, the command abandons the thread: reading, for example of a
//! text of many gigabytes or a list of millions of names, ends with the process.

use asercheck::{Limits, StopReason};
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// Interval between two checks of the limits.
const LOOK: Duration = Duration::from_millis(2);

/// One part in this number of the memory stays free, for the data that is read between two checks.
const ROOM_PART: u64 = 16;

/// Least time for reading, however short the limit is. The limit is meant for queries, and a small model is read in far
/// less time; so it does not depend on the load of the machine whether the queries are listed.
const LEAST: Duration = Duration::from_millis(500);

/// The stack size of a main thread.
const STACK: usize = 8 << 20;

/// Returns the limits that are left since an earlier time.
pub(crate) fn remaining(limits: &Limits, begin: Instant) -> Limits {
    let left = limits.timeout.map(|timeout| timeout.saturating_sub(begin.elapsed()));
    limits.clone().with_timeout(left)
}

/// Runs a function that reads, until it returns or a limit is met. The time begins now, and is at least half a second;
/// the memory is that of the process.
///
/// # Errors
/// The limit that was met. The function still runs, so that the process should end soon.
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
        // After a limit was met, there is no receiver.
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
            // The thread has panicked, and printed its message.
            Err(RecvTimeoutError::Disconnected) => match reader.join() {
                Err(panic) => resume_unwind(panic),
                Ok(()) => unreachable!("the thread sends before it ends"),
            },
        }
    }
}
