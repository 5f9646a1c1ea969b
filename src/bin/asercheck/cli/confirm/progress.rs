//! The progress of a confirmation: the findings with an answer, the confirmed ones, and the schedules a second.

use crate::cli::progress::Progress;
use ::confirm::Event;
use asercheck::audit::{Confirmation, ConfirmationVerdict};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

/// The words for tests that give objects, and for others.
const TESTED: [&str; 2] = ["giving objects", "others"];

/// The progress of a run, which several threads report.
pub(super) struct ConfirmationProgress {
    begin: Instant,
    is_wanted: bool,
    state: Mutex<State>,
}

/// The counts so far.
#[derive(Default)]
struct State {
    /// None before the number of findings is known.
    progress: Option<Progress>,
    schedules: usize,
}

impl ConfirmationProgress {
    /// The progress of a run that began at a time.
    pub(super) fn new(begin: Instant, is_wanted: bool) -> Self {
        Self { begin, is_wanted, state: Mutex::default() }
    }

    /// Counts an event, and shows confirmed findings at once.
    pub(super) fn receive(&self, event: Event<'_>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let State { progress, schedules } = &mut *state;
        match (event, progress) {
            (Event::Testing { tests }, progress) => {
                *progress = Some(Progress::new(Some(tests), "tests run", &TESTED, self.is_wanted));
            }
            (Event::Tested { gives }, Some(progress)) => progress.count(TESTED[usize::from(!gives)]),
            (Event::Started { findings }, progress) => {
                let words = ConfirmationVerdict::ALL.map(ConfirmationVerdict::name);
                *progress = Some(Progress::new(Some(findings), "findings run", &words, self.is_wanted));
            }
            (Event::Schedules(count), Some(progress)) => {
                *schedules += count;
                progress.note(&rate(*schedules, self.begin.elapsed().as_secs_f64()));
            }
            (Event::Answered { class, confirmation, .. }, Some(progress)) => {
                progress.count(confirmation.verdict.name());
                tell_confirmed(progress, class, confirmation);
            }
            (Event::Observed { class, confirmation }, Some(progress)) => tell_confirmed(progress, class, confirmation),
            (Event::Tested { .. } | Event::Schedules(_) | Event::Answered { .. } | Event::Observed { .. }, None) => {}
        }
    }
}

/// Shows a confirmed finding at once.
fn tell_confirmed(progress: &Progress, class: &str, confirmation: &Confirmation) {
    if let Some(shown) = &confirmation.demonstration {
        progress.tell(format!("confirmed: {class}: {}", shown.says));
    }
}

/// Returns the number of schedules a second in words.
fn rate(schedules: usize, seconds: f64) -> String {
    format!("{:.0} schedules a second", schedules as f64 / seconds.max(0.001))
}
