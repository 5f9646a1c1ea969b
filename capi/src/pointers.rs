//! Pointers of C as values of Rust.

use asercheck::requests::Error;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Reads a text that may be absent.
///
/// # Safety
/// The pointer is null, or a text that ends with a zero byte and stays as it is for `'a`.
pub unsafe fn optional<'a>(text: *const c_char, name: &str) -> Result<Option<&'a str>, Error> {
    if text.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller says that the text ends with a zero byte and stays as it is.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map(Some).map_err(|error| Error::usage(format!("{name} is not UTF-8: {error}")))
}

/// Reads a text.
///
/// # Safety
/// As for [`optional`].
pub unsafe fn text<'a>(text: *const c_char, name: &str) -> Result<&'a str, Error> {
    // SAFETY: the caller says the same.
    unsafe { optional(text, name) }?.ok_or_else(|| null(name))
}

/// Reads a handle.
///
/// # Safety
/// The pointer is null, or one that this crate has made for this type, and that is not freed for `'a`.
pub unsafe fn handle<'a, T>(handle: *const T, name: &str) -> Result<&'a T, Error> {
    // SAFETY: the caller says that the pointer is null or valid.
    unsafe { handle.as_ref() }.ok_or_else(|| null(name))
}

/// Reads a handle for changes.
///
/// # Safety
/// As for [`handle`], and no other thread uses it for `'a`.
pub unsafe fn handle_mut<'a, T>(handle: *mut T, name: &str) -> Result<&'a mut T, Error> {
    // SAFETY: the caller says that the pointer is null, or valid and not used by others.
    unsafe { handle.as_mut() }.ok_or_else(|| null(name))
}

/// Frees a handle; null is ignored.
///
/// # Safety
/// The pointer is null, or one that `Box::into_raw` has made, and that is not used any more.
pub unsafe fn free<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: the caller says that `Box::into_raw` has made it, and passes it once.
        let handle = unsafe { Box::from_raw(handle) };
        // A panic while something is freed must not cross the boundary either.
        let _ = catch_unwind(AssertUnwindSafe(|| drop(handle)));
    }
}

/// Returns a text for C.
pub fn returned(text: String) -> Result<*mut c_char, Error> {
    let text = CString::new(text).map_err(|_| Error::usage("the text has a zero byte"))?;
    Ok(text.into_raw())
}

fn null(name: &str) -> Error {
    Error::usage(format!("{name} is NULL"))
}
