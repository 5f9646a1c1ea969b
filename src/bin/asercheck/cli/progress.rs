//! Progress on a terminal, once a run takes longer than a second.

use asercheck::answers::VerdictKind;
use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::fmt;
use std::io::{self, IsTerminal};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Time after which progress is shown.
const PATIENCE: Duration = Duration::from_secs(1);

/// Part of the work before whose end no estimate is shown: the first queries of a run say little about the others.
const LEAST_PART: f64 = 0.05;

/// Time, in seconds, over which the estimate is smoothed.
const SMOOTHING: f64 = 10.0;

/// The words for answers to queries.
pub(crate) const ANSWERS: [&str; 3] = ["safe", "violations", "unknown"];

/// Counts the decided queries or classes, and shows their number on standard error.
pub(crate) struct Progress {
    bar: ProgressBar,
    estimate: Arc<Mutex<Estimate>>,
    /// The number of things for each word, in the order of the message.
    counts: Vec<(&'static str, usize)>,
    /// Words after the counts.
    note: String,
    /// Dropped to end the thread that waits until progress is shown.
    done: Option<Sender<()>>,
    waiter: Option<JoinHandle<()>>,
    /// The lines that are shown as soon as progress is; none if they are shown at once.
    waiting: Arc<Mutex<Option<Vec<String>>>>,
}

impl Progress {
    /// Starts to show the progress of a run over this many things, if the number is known, which are counted by these
    /// words; shows nothing if the user does not want it or standard error is no terminal.
    pub(crate) fn new(count: Option<usize>, things: &str, words: &[&'static str], wanted: bool) -> Self {
        let bar = ProgressBar::with_draw_target(count.map(|count| count as u64), ProgressDrawTarget::hidden());
        let template = format!("{{bar:30}} {{pos}}/{{len}} {things}, {{elapsed}} elapsed{{left}}{{msg}}");
        let estimate = Arc::new(Mutex::new(Estimate::default()));
        let shared = estimate.clone();
        let style = ProgressStyle::with_template(&template).unwrap_or_else(|_| ProgressStyle::default_bar());
        bar.set_style(style.with_key("left", move |state: &ProgressState, text: &mut dyn fmt::Write| {
            let mut estimate = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let seconds = state.len().and_then(|all| estimate.update(state.pos(), all, state.elapsed().as_secs_f64()));
            if let Some(seconds) = seconds {
                let _ = write!(text, ", about {:#} left", HumanDuration(Duration::from_secs_f64(seconds)));
            }
        }));
        let counts = words.iter().map(|word| (*word, 0)).collect();
        let waiting = Arc::new(Mutex::new(Some(Vec::new())));
        let mut progress = Self { bar, estimate, counts, note: String::new(), done: None, waiter: None, waiting };
        if wanted && io::stderr().is_terminal() {
            let (sender, receiver) = mpsc::channel();
            let bar = progress.bar.clone();
            progress.done = Some(sender);
            let waiting = progress.waiting.clone();
            progress.waiter = Some(thread::spawn(move || {
                if receiver.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout) {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.enable_steady_tick(Duration::from_millis(200));
                    let lines = waiting.lock().unwrap_or_else(PoisonError::into_inner).take();
                    bar.suspend(|| lines.into_iter().flatten().for_each(|line| eprintln!("{line}")));
                }
            }));
        }
        progress
    }

    /// Counts one by its word.
    pub(crate) fn count(&mut self, word: &str) {
        self.counts.iter_mut().filter(|(own, _)| *own == word).for_each(|(_, count)| *count += 1);
        self.show_counts();
        self.bar.inc(1);
    }

    /// Shows some words after the counts.
    pub(crate) fn note(&mut self, words: &str) {
        self.note = words.to_string();
        self.show_counts();
    }

    fn show_counts(&self) {
        let counts = self.counts.iter().map(|(word, count)| format!("{count} {word}"));
        let words: Vec<String> = counts.chain(Some(self.note.clone()).filter(|note| !note.is_empty())).collect();
        self.bar.set_message(format!("; {}", words.join(", ")));
    }

    /// Counts a query by its answer. The words are [`ANSWERS`].
    pub(crate) fn count_query(&mut self, answer: VerdictKind) {
        let [safe, violations, unknown] = ANSWERS;
        self.count(match answer {
            VerdictKind::Safe => safe,
            VerdictKind::Violation => violations,
            VerdictKind::Unknown => unknown,
        });
    }

    /// Begins to measure: the things counted so far took no time of this run.
    pub(crate) fn begin(&self) {
        *self.estimate.lock().unwrap_or_else(PoisonError::into_inner) = Estimate::after(self.bar.position());
        self.bar.reset_elapsed();
    }

    /// Shows a line above the progress. The lines of a run that ends before progress is shown are not shown.
    pub(crate) fn tell(&self, line: String) {
        if self.waiter.is_none() {
            return;
        }
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *waiting {
            Some(lines) => lines.push(line),
            None => self.bar.suspend(|| eprintln!("{line}")),
        }
    }

    /// Runs something that writes to standard error.
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

/// The time that a run probably still takes.
///
/// The mean time of the things done so far gives an estimate. It jumps where things differ much, so that it is smoothed
/// exponentially: while time passes the last estimate shrinks by as much, and it moves towards the new one.
#[derive(Clone, Copy, Debug, Default)]
struct Estimate {
    /// Things that were done before the run began.
    before: u64,
    /// The seconds of the run at the last estimate, and the seconds that were left.
    last: Option<(f64, f64)>,
}

impl Estimate {
    /// Returns the estimate of a run that continues after this many things.
    fn after(before: u64) -> Self {
        Self { before, last: None }
    }

    /// Returns the seconds that are left when this many of all things are done, after some seconds; none before a
    /// twentieth of the work is done, and when all is done.
    fn update(&mut self, done: u64, all: u64, elapsed: f64) -> Option<f64> {
        let (own, own_all) = (done.saturating_sub(self.before) as f64, all.saturating_sub(self.before) as f64);
        if own < 1.0 || own < LEAST_PART * own_all || done >= all {
            return None;
        }
        let mean = elapsed * (own_all - own) / own;
        let left = match self.last {
            None => mean,
            Some((at, left)) => {
                let passed = (elapsed - at).max(0.0);
                let expected = (left - passed).max(0.0);
                expected + (mean - expected) * (1.0 - (-passed / SMOOTHING).exp())
            }
        };
        self.last = Some((elapsed, left));
        // Work is left, so some time is.
        Some(left.max(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::Estimate;

    #[test]
    fn there_is_no_estimate_at_the_beginning() {
        let mut estimate = Estimate::default();
        assert_eq!(estimate.update(0, 1000, 5.0), None);
        assert_eq!(estimate.update(49, 1000, 60.0), None);
        assert_eq!(estimate.update(50, 1000, 60.0), Some(1140.0));
        assert_eq!(estimate.update(1000, 1000, 90.0), None);
        // Those of an earlier run count neither as done nor as work.
        let mut resumed = Estimate::after(900);
        assert_eq!(resumed.update(904, 1000, 4.0), None);
        assert_eq!(resumed.update(910, 1000, 10.0), Some(90.0));
    }

    #[test]
    fn the_estimate_is_smooth() {
        let mut estimate = Estimate::default();
        estimate.update(50, 1000, 50.0);
        // Many quick ones at once: the mean says 50 s, half a second later.
        let left = estimate.update(500, 1000, 50.5).expect("an estimate");
        assert!((850.0..950.0).contains(&left), "{left}");
        // Nothing is done for a while: it only shrinks slowly towards the mean.
        let later = estimate.update(500, 1000, 60.5).expect("an estimate");
        assert!((300.0..left - 10.0).contains(&later), "{later}");
        assert_eq!(Estimate::default().update(999, 1000, 0.1), Some(1.0), "never 0 s");
    }
}
