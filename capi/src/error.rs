//! Errors.

use super::pointers::free;
use asercheck::requests::{Error, ErrorKind};
use std::any::Any;
use std::ffi::{CString, c_char};

/// An error. Functions that can fail have a last parameter `error`: if it is not `NULL`, they store an error there, or
/// `NULL` if there is none. The caller frees it with `asercheck_error_free`.
pub struct AsercheckError {
    message: CString,
    json: CString,
}

impl AsercheckError {
    /// Returns an error for C.
    pub(super) fn boxed(error: Error) -> *mut Self {
        let json = serde_json::to_string(&error).unwrap_or_else(|_| "{}".into());
        let text = |text: String| CString::new(text.replace('\0', "\u{fffd}")).unwrap_or_default();
        Box::into_raw(Box::new(Self { message: text(error.message), json: text(json) }))
    }
}

/// The error for a panic.
pub(super) fn internal(panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic");
    Error::new(ErrorKind::Internal, format!("internal error: {text}"))
}

/// The message of an error; `NULL` for `NULL`. The text belongs to the error: do not free it.
///
/// # Safety
/// The error is `NULL`, or was stored by a function and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asercheck_error_message(error: *const AsercheckError) -> *const c_char {
    // SAFETY: the caller passes null or a valid error.
    unsafe { error.as_ref() }.map_or(std::ptr::null(), |error| error.message.as_ptr())
}

/// An error as JSON; `NULL` for `NULL`: `kind` (`usage`, `input`, `model`, `ended` or `internal`), `message`, and
/// `problems` of a text, with `file`, `line`, `column` and `message`. The text belongs to the error: do not free it.
///
/// # Safety
/// The error is `NULL`, or was stored by a function and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asercheck_error_json(error: *const AsercheckError) -> *const c_char {
    // SAFETY: the caller passes null or a valid error.
    unsafe { error.as_ref() }.map_or(std::ptr::null(), |error| error.json.as_ptr())
}

/// Frees an error. `NULL` is ignored.
///
/// # Safety
/// The error is `NULL`, or was stored by a function and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asercheck_error_free(error: *mut AsercheckError) {
    // SAFETY: `boxed` has made it, and the caller passes it once.
    unsafe { free(error) }
}
