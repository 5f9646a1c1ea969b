//! Progress on a terminal, once a run takes longer than a second.

use asercheck::answers::VerdictKind;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// After this time progress is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// Counts what is decided on standard error.
pub(crate) struct Progress {
    bar: ProgressBar,
    safe: usize,
    violations: usize,
    unknown: usize,
    /// Dropped to end the thread that waits until progress is shown.
    done: Option<Sender<()>>,
    waiter: Option<JoinHandle<()>>,
}

impl Progress {
    /// Progress of a run over this many things, if that is known; shows nothing if it is not wanted or standard error
    /// is no terminal.
    pub(crate) fn new(count: Option<usize>, things: &str, wanted: bool) -> Self {
        let bar = ProgressBar::with_draw_target(count.map(|count| count as u64), ProgressDrawTarget::hidden());
        let template = format!("{{bar:30}} {{pos}}/{{len}} {things}, {{elapsed}} elapsed, about {{eta}} left{{msg}}");
        bar.set_style(ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar()));
        let mut progress = Self { bar, safe: 0, violations: 0, unknown: 0, done: None, waiter: None };
        if wanted && io::stderr().is_terminal() {
            let (sender, receiver) = mpsc::channel();
            let bar = progress.bar.clone();
            progress.done = Some(sender);
            progress.waiter = Some(thread::spawn(move || {
                if receiver.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.enable_steady_tick(Duration::from_millis(200));
                }
            }));
        }
        progress
    }

    /// Counts one, with its verdict.
    pub(crate) fn count(&mut self, verdict: VerdictKind) {
        *match verdict {
            VerdictKind::Safe => &mut self.safe,
            VerdictKind::Violation => &mut self.violations,
            VerdictKind::Unknown => &mut self.unknown,
        } += 1;
        let Self { safe, violations, unknown, .. } = self;
        self.bar.set_message(format!("; {safe} safe, {violations} violations, {unknown} unknown"));
        self.bar.inc(1);
    }

    /// Says that what was counted so far took no time of this run.
    pub(crate) fn begin(&self) {
        self.bar.reset_eta();
        self.bar.reset_elapsed();
    }

    /// Does something that writes to standard error.
    pub(crate) fn suspend(&self, work: impl FnOnce()) {
        self.bar.suspend(work);
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        drop(self.done.take());
        if let Some(waiter) = self.waiter.take() {
            // The thread does not panic, and if it did there would just be no progress.
            let _ = waiter.join();
        }
        self.bar.finish_and_clear();
    }
}
