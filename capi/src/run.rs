//! Queries and audits.

use super::boundary::{deep, guarded};
use super::cancellation::AsercheckCancellation;
use super::error::AsercheckError;
use super::model::AsercheckModel;
use super::pointers::{handle, optional, returned, text};
use asercheck::Cancellation;
use asercheck::requests::{self, AuditRequest, CheckRequest, Error, ErrorKind, Progress, Step};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::ffi::{CString, c_char, c_void};
use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

/// A function that is called with the progress of a run: the numbers of decided and of all queries or classes
/// (`SIZE_MAX` if that is not known), the name of the last one, and the `data` that was given to the run. Threads of
/// the run call it, one at a time. It must return: no exceptions, no `longjmp`. The name is valid during the call.
pub type AsercheckProgress =
    Option<unsafe extern "C" fn(done: usize, total: usize, name: *const c_char, data: *mut c_void)>;

/// The callback with its data.
struct Callback {
    function: unsafe extern "C" fn(usize, usize, *const c_char, *mut c_void),
    data: *mut c_void,
}

// SAFETY: the data is only passed to the callback, and the header says that other threads call it.
unsafe impl Send for Callback {}

/// Reads a request, runs it, and returns the answer as JSON.
///
/// # Safety
/// The pointers are null or valid.
unsafe fn run<R: DeserializeOwned + Sync, T: Serialize + Send>(
    request: &str,
    cancellation: *const AsercheckCancellation,
    (progress, data): (AsercheckProgress, *mut c_void),
    work: impl Fn(&R, &Cancellation, &Progress<'_>) -> Result<T, Error> + Sync,
) -> Result<*mut c_char, Error> {
    let request: R = serde_json::from_str(request).map_err(|error| Error::usage(error.to_string()))?;
    // SAFETY: the caller passes null or a valid switch.
    let cancellation = unsafe { cancellation.as_ref() }.map(|switch| switch.0.clone()).unwrap_or_default();
    let callback = progress.map(|function| Mutex::new(Callback { function, data }));
    let step = |step: Step<'_>| {
        let Some(callback) = &callback else { return };
        let name = CString::new(step.name).unwrap_or_default();
        let callback = callback.lock().unwrap_or_else(PoisonError::into_inner);
        // SAFETY: the caller passes a function of this type, and the name ends with a zero byte.
        unsafe { (callback.function)(step.done, step.total.unwrap_or(usize::MAX), name.as_ptr(), callback.data) };
    };
    let answer = deep(|| {
        let answer = work(&request, &cancellation, &step)?;
        serde_json::to_string(&answer).map_err(|error| Error::new(ErrorKind::Internal, error.to_string()))
    })?;
    returned(answer)
}

/// Decides queries of a model. The `request` is a JSON object, `NULL` for the defaults; all members are optional:
///
/// `patterns` (`"all"`, or a list of numbers), `races`, `deadlocks`, `automata` (files), `automaton_texts`,
/// `locations`, `locks`, `processes`, `units`, `engine`, `no_reduce`, `timeout` and `total_timeout` (seconds), `memory`
/// (bytes), `jobs`.
///
/// The answer is what `asercheck check --format json` prints. The caller frees it with `asercheck_string_free`; it is
/// `NULL` after an error. `cancellation` and `progress` may be `NULL`. After a cancellation, the queries that are left
/// are unknown.
///
/// # Safety
/// The model and the switch are `NULL` or valid, and the model is not freed before the function returns. The text is
/// `NULL` or ends with a zero byte. `error` is `NULL` or a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asercheck_check(
    model: *const AsercheckModel,
    request: *const c_char,
    cancellation: *const AsercheckCancellation,
    progress: AsercheckProgress,
    data: *mut c_void,
    error: *mut *mut AsercheckError,
) -> *mut c_char {
    let work = || {
        // SAFETY: the caller passes null or a valid model.
        let model = unsafe { handle(model, "model") }?;
        // SAFETY: the caller passes null or a text that ends with a zero byte.
        let request = unsafe { optional(request, "request") }?.unwrap_or("{}");
        let check = |request: &CheckRequest, cancellation: &Cancellation, step: &Progress<'_>| {
            requests::check(&model.loaded, request, cancellation, step)
        };
        // SAFETY: the caller passes null or a valid switch.
        unsafe { run(request, cancellation, (progress, data), check) }
    };
    // SAFETY: the caller passes null or a place for a pointer.
    unsafe { guarded(error, null_mut(), work) }
}

/// Audits Java classes. The `request` is a JSON object with `paths`; all other members are optional:
///
/// `libraries`, `sources`, `classes`, `exclude`, `methods`, `fields`, `main`, `summaries`, `patterns` (`"all"`, or a
/// list of numbers), `races`, `deadlocks`, `automata` (files), `automaton_texts`, `units`, `engine`, `no_reduce`,
/// `timeout` (seconds of processor time for each class, 10 by default), `total_timeout` (seconds), `memory` (bytes),
/// `jobs`, `keep_going`, `all_queries`.
///
/// The answer is what `asercheck java --format json` prints. The caller frees it with `asercheck_string_free`; it is
/// `NULL` after an error. `cancellation` and `progress` may be `NULL`. After a cancellation, the classes that are left
/// are open.
///
/// # Safety
/// The switch is `NULL` or valid. The text is `NULL` or ends with a zero byte. `error` is `NULL` or a place for a
/// pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asercheck_audit(
    request: *const c_char,
    cancellation: *const AsercheckCancellation,
    progress: AsercheckProgress,
    data: *mut c_void,
    error: *mut *mut AsercheckError,
) -> *mut c_char {
    let work = || {
        // SAFETY: the caller passes null or a text that ends with a zero byte.
        let request = unsafe { text(request, "request") }?;
        let audit = |request: &AuditRequest, cancellation: &Cancellation, step: &Progress<'_>| {
            requests::audit(request, cancellation, step)
        };
        // SAFETY: the caller passes null or a valid switch.
        unsafe { run(request, cancellation, (progress, data), audit) }
    };
    // SAFETY: the caller passes null or a place for a pointer.
    unsafe { guarded(error, null_mut(), work) }
}
