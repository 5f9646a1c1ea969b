//! The end of a run from outside: its time is over, or reading takes too much memory.

use limits::{Cancellation, StopReason, resident_memory};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Interval between two checks.
const LOOK: Duration = Duration::from_millis(10);

/// A thread that cancels a run, until this value is dropped.
pub(super) struct Watch {
    is_over: Arc<AtomicBool>,
    watcher: Option<JoinHandle<()>>,
}

impl Watch {
    /// Cancels the run at a time, or when the resident memory of the process is greater; nothing to watch needs no
    /// thread.
    ///
    /// # Errors
    /// If the thread cannot be started.
    pub(super) fn begin(
        cancellation: &Cancellation,
        deadline: Option<Instant>,
        memory: Option<u64>,
    ) -> std::io::Result<Self> {
        let is_over = Arc::new(AtomicBool::new(false));
        if deadline.is_none() && memory.is_none() {
            return Ok(Self { is_over, watcher: None });
        }
        // A time that is over already ends the run before it begins, however late the thread starts.
        if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            cancellation.cancel_for(StopReason::Timeout);
            return Ok(Self { is_over, watcher: None });
        }
        let (cancellation, its_end) = (cancellation.clone(), is_over.clone());
        let watcher = thread::Builder::new().spawn(move || {
            while !its_end.load(Ordering::Relaxed) {
                if deadline.is_some_and(|deadline| Instant::now() >= deadline) {
                    return cancellation.cancel_for(StopReason::Timeout);
                }
                if memory.is_some_and(|memory| resident_memory() > memory) {
                    return cancellation.cancel_for(StopReason::Memory);
                }
                thread::park_timeout(LOOK);
            }
        })?;
        Ok(Self { is_over, watcher: Some(watcher) })
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::Relaxed);
        if let Some(watcher) = self.watcher.take() {
            watcher.thread().unpark();
            // The thread does not panic, and even then nothing would be left to end.
            let _ = watcher.join();
        }
    }
}
