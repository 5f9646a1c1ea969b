//! The C interface: `libasercheck` and `asercheck.h`, which is generated from this crate.
//!
//! Requests and answers are JSON, with the members of [`asercheck::requests`] and of the records that the command
//! prints. Models are opaque handles.
//!
//! Invariants:
//! - No panic crosses the boundary: each function that does more than to read or free a handle runs in [`guarded`].
//! - A null pointer, or a text that is not UTF-8, is an error and never read further.
//! - Each pointer that a function returns was made by `Box` or `CString`, and is freed by one function of this crate.
//!
//! The comments of functions are the comments of the header, so they are about C.

mod boundary;
mod builder;
mod cancellation;
mod error;
mod model;
mod pointers;
mod run;

pub use builder::*;
pub use cancellation::*;
pub use error::*;
pub use model::*;
pub use run::*;

use std::ffi::{CString, c_char};

/// The version of the library. The text is static: do not free it.
#[unsafe(no_mangle)]
pub extern "C" fn asercheck_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Frees a text that `asercheck_check`, `asercheck_audit` or `asercheck_model_text` has returned. `NULL` is ignored.
///
/// # Safety
/// The text comes from one of these functions, and was not freed before.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asercheck_string_free(text: *mut c_char) {
    if !text.is_null() {
        // SAFETY: the caller passes a text that this crate has made by `CString::into_raw`, and passes it once.
        drop(unsafe { CString::from_raw(text) });
    }
}
