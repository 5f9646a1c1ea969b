//! The early end of a run: the total time is over, or the user ends it.

use super::Failure;
use super::interrupt::stop_flag;
use asercheck::{Cancellation, Reason, StopReason};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Interval between two checks of the clock and of signals.
const LOOK: Duration = Duration::from_millis(10);

const TOTAL_TIME: u8 = 1;
const SIGNAL: u8 = 2;

/// Cancels a run when it has to end, and records the reason.
pub(crate) struct Ending {
    cause: Arc<AtomicU8>,
    is_over: Arc<AtomicBool>,
    watcher: Option<JoinHandle<()>>,
}

impl Ending {
    /// Cancels at a time or after a first signal; a second signal ends the program.
    pub(crate) fn of(cancellation: Cancellation, deadline: Option<Instant>) -> Result<Self, Failure> {
        let signal = stop_flag()?;
        let (cause, is_over) = (Arc::new(AtomicU8::new(0)), Arc::new(AtomicBool::new(false)));
        // Reading may have taken all the time.
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            cause.store(TOTAL_TIME, Ordering::Relaxed);
            cancellation.cancel_for(StopReason::Timeout);
        }
        let (its_cause, its_end) = (cause.clone(), is_over.clone());
        let watcher = thread::spawn(move || {
            while !its_end.load(Ordering::Relaxed) {
                let is_late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
                let signalled = signal.load(Ordering::Relaxed);
                if is_late || signalled {
                    let (cause, reason) =
                        if signalled { (SIGNAL, StopReason::Cancelled) } else { (TOTAL_TIME, StopReason::Timeout) };
                    its_cause.store(cause, Ordering::Relaxed);
                    cancellation.cancel_for(reason);
                    return;
                }
                thread::park_timeout(LOOK);
            }
        });
        Ok(Self { cause, is_over, watcher: Some(watcher) })
    }

    /// Returns the reason if the run ended early: its time is over, or the user cancelled it.
    pub(crate) fn reason(&self) -> Option<Reason> {
        match self.cause.load(Ordering::Relaxed) {
            TOTAL_TIME => Some(Reason::Timeout),
            SIGNAL => Some(Reason::Cancelled),
            _ => None,
        }
    }
}

impl Drop for Ending {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(watcher) = self.watcher.take() {
            watcher.thread().unpark();
            // The thread does not panic, and even then nothing would be left to end.
            let _ = watcher.join();
        }
    }
}
