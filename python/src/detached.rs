//! An analysis on a thread of its own, while the calling thread handles signals.
//!
//! Invariant: the function returns at most `LOOK` + `GRACE`, and the time of the callback, after a signal handler or
//! the callback has raised an exception. The analysis is cancelled then. If it does not end within `GRACE`, its thread
//! is left alone: it owns all its data, touches no Python object, and ends by itself.

use crate::errors::{exception, internal};
use asercheck::Cancellation;
use asercheck::requests::{Error, Progress, Step};
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// Interval between two checks of signals and of the progress.
const LOOK: Duration = Duration::from_millis(30);

/// The time that an analysis has to end after it was cancelled.
const GRACE: Duration = Duration::from_millis(250);

/// The stack size of a main thread, which the command has.
const STACK: usize = 8 << 20;

/// The last step that was not reported yet. Steps in between are dropped, so that a slow callback delays nothing.
type Latest = Arc<Mutex<Option<(usize, Option<usize>, String)>>>;

/// Runs an analysis; `progress` is called with the numbers of decided and of all items, and the name of the last one.
pub fn run<T: Send + 'static>(
    py: Python<'_>,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce(&Cancellation, &Progress<'_>) -> Result<T, Error> + Send + 'static,
) -> PyResult<T> {
    let (cancellation, latest) = (Cancellation::default(), Latest::default());
    let (its_cancellation, its_latest, wants_steps) = (cancellation.clone(), latest.clone(), progress.is_some());
    let (sender, mut receiver) = sync_channel(1);
    let analysis = move || {
        let note = |step: Step<'_>| {
            if wants_steps {
                let step = (step.done, step.total, step.name.to_string());
                let mut latest = its_latest.lock().unwrap_or_else(PoisonError::into_inner);
                // Threads may come in another order than their numbers.
                if latest.as_ref().is_none_or(|latest| latest.0 <= step.0) {
                    *latest = Some(step);
                }
            }
        };
        let result = catch_unwind(AssertUnwindSafe(|| work(&its_cancellation, &note)));
        // Without a receiver, nobody waits for the result any more.
        let _ = sender.send(result.unwrap_or_else(|panic| Err(internal(text_of(&*panic)))));
    };
    let started = thread::Builder::new().stack_size(STACK).name("asercheck".into()).spawn(analysis);
    started.map_err(|error| exception(py, &internal(format!("cannot start threads: {error}"))))?;
    loop {
        let received;
        (receiver, received) = py.detach(move || wait(receiver, LOOK));
        let continues = py.check_signals().and_then(|()| report(py, progress.as_ref(), &latest));
        if let Err(raised) = continues {
            cancellation.cancel();
            if received.is_err() {
                py.detach(move || drop(wait(receiver, GRACE)));
            }
            return Err(raised);
        }
        match received {
            Ok(result) => return result.map_err(|error| exception(py, &error)),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => {
                return Err(exception(py, &internal("the analysis has ended without a result".into())));
            }
        }
    }
}

/// Waits for a result; returns the receiver, too, which no other thread may have at the same time.
fn wait<T>(receiver: Receiver<T>, time: Duration) -> (Receiver<T>, Result<T, RecvTimeoutError>) {
    let received = receiver.recv_timeout(time);
    (receiver, received)
}

/// Calls the callback with the last step, if there is a new one.
fn report(py: Python<'_>, progress: Option<&Py<PyAny>>, latest: &Latest) -> PyResult<()> {
    let Some(progress) = progress else { return Ok(()) };
    let step = latest.lock().unwrap_or_else(PoisonError::into_inner).take();
    step.map_or(Ok(()), |step| progress.call1(py, step).map(drop))
}

/// The message of a panic.
fn text_of(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    format!("internal error: {}", text.unwrap_or("the analysis has panicked"))
}
