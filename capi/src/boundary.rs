//! The boundary: panics and errors of Rust as errors of C.

use super::error::{AsercheckError, internal};
use asercheck::requests::{Error, ErrorKind};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

/// The stack size of a main thread.
const STACK: usize = 8 << 20;

/// Runs a function; an error or a panic becomes an error of C, and then the result is the `failure`.
///
/// # Safety
/// `error` is null, or a place for a pointer.
pub unsafe fn guarded<T>(error: *mut *mut AsercheckError, failure: T, work: impl FnOnce() -> Result<T, Error>) -> T {
    let result = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| Err(internal(&*panic)));
    let (value, failed) = match result {
        Ok(value) => (value, None),
        Err(failed) => (failure, Some(failed)),
    };
    if !error.is_null() {
        let made = failed.map_or(std::ptr::null_mut(), AsercheckError::boxed);
        // SAFETY: the caller says that it is a place for a pointer; it need not be initialized.
        unsafe { error.write(made) };
    }
    value
}

/// Runs a function on a thread with the stack of a main thread, however small that of the caller is. A panic is an
/// error.
pub(super) fn deep<T: Send>(work: impl FnOnce() -> Result<T, Error> + Send) -> Result<T, Error> {
    thread::scope(|scope| {
        let started = thread::Builder::new().stack_size(STACK).name("asercheck".into()).spawn_scoped(scope, work);
        let thread = started.map_err(|error| {
            Error::new(ErrorKind::Internal, format!("internal error: cannot start threads: {error}"))
        })?;
        thread.join().unwrap_or_else(|panic| Err(internal(&*panic)))
    })
}
