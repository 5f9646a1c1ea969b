//! Models.

use super::boundary::{deep, guarded};
use super::error::AsercheckError;
use super::pointers::{self, free, handle, returned, text};
use asercheck::model::{self, Loaded};
use asercheck::requests::loaded;
use asercheck::syntax::ast::Program;
use asercheck::syntax::{Source, print};
use std::ffi::c_char;
use std::path::Path;
use std::ptr::null_mut;

/// A model of a concurrent program. It does not change, so several threads may use it at the same time.
pub struct AsercheckModel {
    pub(super) loaded: Loaded,
    /// The syntax tree of a model that was built without a text.
    pub(super) program: Option<Program>,
}

/// Reads a model from a text in the language of `asercheck check`. Errors show the `name`. Both texts are copied. The
/// caller frees the model with `asercheck_model_free`; it is `NULL` after an error.
///
/// # Safety
/// The texts are `NULL` or end with a zero byte. `error` is `NULL` or a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asercheck_model_from_text(
    text: *const c_char,
    name: *const c_char,
    error: *mut *mut AsercheckError,
) -> *mut AsercheckModel {
    let read = || {
        // SAFETY: the caller passes null or texts that end with a zero byte.
        let (text, name) = unsafe { (pointers::text(text, "text")?, pointers::text(name, "name")?) };
        let loaded = deep(|| loaded(model::from_source(Source::new(name, text))))?;
        Ok(Box::into_raw(Box::new(AsercheckModel { loaded, program: None })))
    };
    // SAFETY: the caller passes null or a place for a pointer.
    unsafe { guarded(error, null_mut(), read) }
}

/// Reads a model from a file. The caller frees the model with `asercheck_model_free`; it is `NULL` after an error.
///
/// # Safety
/// The path is `NULL` or ends with a zero byte. `error` is `NULL` or a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asercheck_model_from_file(
    path: *const c_char,
    error: *mut *mut AsercheckError,
) -> *mut AsercheckModel {
    let read = || {
        // SAFETY: the caller passes null or a text that ends with a zero byte.
        let path = unsafe { text(path, "path") }?;
        let loaded = deep(|| loaded(model::load(Path::new(path))))?;
        Ok(Box::into_raw(Box::new(AsercheckModel { loaded, program: None })))
    };
    // SAFETY: the caller passes null or a place for a pointer.
    unsafe { guarded(error, null_mut(), read) }
}

/// The text of a model; that of a model that was built without a text is printed. The caller frees the text with
/// `asercheck_string_free`; it is `NULL` after an error.
///
/// # Safety
/// The model is `NULL`, or was returned by a function and not freed. `error` is `NULL` or a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asercheck_model_text(
    model: *const AsercheckModel,
    error: *mut *mut AsercheckError,
) -> *mut c_char {
    let printed = || {
        // SAFETY: the caller passes null or a valid model.
        let model = unsafe { handle(model, "model") }?;
        returned(match &model.program {
            Some(program) => print(program),
            None => model.loaded.source.text().unwrap_or_default().to_string(),
        })
    };
    // SAFETY: the caller passes null or a place for a pointer.
    unsafe { guarded(error, null_mut(), printed) }
}

/// Frees a model. `NULL` is ignored.
///
/// # Safety
/// The model is `NULL`, or was returned by a function and not freed, and no run uses it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asercheck_model_free(model: *mut AsercheckModel) {
    // SAFETY: `Box::into_raw` has made it, and the caller passes it once.
    unsafe { free(model) }
}
