//! Models built without a text.

use super::boundary::{deep, guarded};
use super::error::AsercheckError;
use super::model::AsercheckModel;
use super::pointers::{free, handle_mut, optional, text};
use asercheck::model::{BlockError, FlatBuilder, Multiplicity};
use asercheck::requests::{Error, built};
use std::ffi::c_char;
use std::mem::take;
use std::ptr::null_mut;

/// The largest number of members of an atomic set.
const MEMBERS: usize = 1 << 24;

/// A model that is built call by call. One thread at a time may use it.
///
/// Kinds are the words of the language. Declarations: `lock`, `rwlock`, `overlap`, `shared`. Blocks: `fn`, `process`,
/// `sync`, `sync read` and `sync write`, with a name; `atomic`, `loop`, `choose` and `or`, without. Statements: `read`,
/// `write`, `acquire`, `acquire read`, `acquire write`, `release`, `wait`, `call`, `start`, `label` and `goto`, with a
/// name; `begin`, `end`, `return`, `skip`, `break` and `continue`, without. A `choose` has blocks `or` and nothing
/// else.
///
/// All texts are copied. A call that is refused changes nothing.
#[derive(Default)]
pub struct AsercheckBuilder(FlatBuilder);

/// Makes an empty builder. The caller frees it with `asercheck_builder_free`, also after `asercheck_builder_build`.
#[unsafe(no_mangle)]
pub extern "C" fn asercheck_builder_new() -> *mut AsercheckBuilder {
    Box::into_raw(Box::default())
}

/// Frees a builder. `NULL` is ignored.
///
/// # Safety
/// The builder is `NULL`, or was made by `asercheck_builder_new` and not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asercheck_builder_free(builder: *mut AsercheckBuilder) {
    // SAFETY: `Box::into_raw` has made it, and the caller passes it once.
    unsafe { free(builder) }
}

/// Runs a call on a builder; returns whether it was accepted.
///
/// # Safety
/// The pointers are null or valid.
unsafe fn call(
    builder: *mut AsercheckBuilder,
    error: *mut *mut AsercheckError,
    work: impl FnOnce(&mut FlatBuilder) -> Result<(), Error>,
) -> bool {
    let work = || {
        // SAFETY: the caller passes null or a valid builder that no other thread uses.
        let builder = unsafe { handle_mut(builder, "builder") }?;
        work(&mut builder.0).map(|()| true)
    };
    // SAFETY: the caller passes null or a place for a pointer.
    unsafe { guarded(error, false, work) }
}

fn wrong_call(error: BlockError) -> Error {
    Error::usage(error.to_string())
}

/// Sets the position, both numbers from 1, of what follows; with a `file` that is not `NULL`, also its file. Returns
/// whether the call was accepted.
///
/// # Safety
/// The builder is `NULL` or valid, the text `NULL` or ends with a zero byte, `error` `NULL` or a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asercheck_builder_at(
    builder: *mut AsercheckBuilder,
    file: *const c_char,
    line: u32,
    column: u32,
    error: *mut *mut AsercheckError,
) -> bool {
    let work = |builder: &mut FlatBuilder| {
        // SAFETY: the caller passes null or a text that ends with a zero byte.
        let file = unsafe { optional(file, "file") }?;
        builder.at(file, line, column);
        Ok(())
    };
    // SAFETY: the caller passes null or valid pointers.
    unsafe { call(builder, error, work) }
}

/// Declares a lock or a location. Returns whether the call was accepted.
///
/// # Safety
/// The builder is `NULL` or valid, the texts `NULL` or end with a zero byte, `error` `NULL` or a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asercheck_builder_declare(
    builder: *mut AsercheckBuilder,
    kind: *const c_char,
    name: *const c_char,
    error: *mut *mut AsercheckError,
) -> bool {
    let work = |builder: &mut FlatBuilder| {
        // SAFETY: the caller passes null or texts that end with a zero byte.
        let (kind, name) = unsafe { (text(kind, "kind")?, text(name, "name")?) };
        let declarations = builder.declarations();
        match kind {
            "lock" => declarations.lock(name),
            "rwlock" => declarations.rwlock(name),
            "overlap" => declarations.overlap(name),
            "shared" => declarations.location(name),
            _ => return Err(Error::usage(format!("there is no declaration `{}`", kind.escape_debug()))),
        };
        Ok(())
    };
    // SAFETY: the caller passes null or valid pointers.
    unsafe { call(builder, error, work) }
}

/// Declares an atomic set with `count` members. Returns whether the call was accepted.
///
/// # Safety
/// The builder is `NULL` or valid, the texts `NULL` or end with a zero byte, `error` `NULL` or a place for a pointer.
/// `members` is `NULL`, or has `count` texts.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asercheck_builder_atomic_set(
    builder: *mut AsercheckBuilder,
    name: *const c_char,
    members: *const *const c_char,
    count: usize,
    error: *mut *mut AsercheckError,
) -> bool {
    let work = |builder: &mut FlatBuilder| {
        // SAFETY: the caller passes null or a text that ends with a zero byte.
        let name = unsafe { text(name, "name") }?;
        if members.is_null() || count > MEMBERS {
            return Err(Error::usage("members is NULL, or their number is too large"));
        }
        let mut names = Vec::new();
        for place in 0..count {
            // SAFETY: the caller passes `count` texts, which end with a zero byte.
            names.push(unsafe { text(*members.add(place), "a member") }?);
        }
        builder.declarations().atomic_set(name, names);
        Ok(())
    };
    // SAFETY: the caller passes null or valid pointers.
    unsafe { call(builder, error, work) }
}

/// Opens a process with a number of instances; 0 for any number. Returns whether the call was accepted.
///
/// # Safety
/// The builder is `NULL` or valid, the text `NULL` or ends with a zero byte, `error` `NULL` or a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asercheck_builder_open_process(
    builder: *mut AsercheckBuilder,
    name: *const c_char,
    instances: u32,
    error: *mut *mut AsercheckError,
) -> bool {
    let work = |builder: &mut FlatBuilder| {
        // SAFETY: the caller passes null or a text that ends with a zero byte.
        let name = unsafe { text(name, "name") }?;
        let multiplicity = match instances {
            0 => Multiplicity::Many,
            1 => Multiplicity::Single,
            count => Multiplicity::Times(count),
        };
        builder.open_process(name, multiplicity).map_err(wrong_call)
    };
    // SAFETY: the caller passes null or valid pointers.
    unsafe { call(builder, error, work) }
}

/// Opens a block; the `name` of kinds without one is `NULL`. Returns whether the call was accepted.
///
/// # Safety
/// The builder is `NULL` or valid, the texts `NULL` or end with a zero byte, `error` `NULL` or a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asercheck_builder_open(
    builder: *mut AsercheckBuilder,
    kind: *const c_char,
    name: *const c_char,
    error: *mut *mut AsercheckError,
) -> bool {
    let work = |builder: &mut FlatBuilder| {
        // SAFETY: the caller passes null or texts that end with a zero byte.
        let (kind, name) = unsafe { (text(kind, "kind")?, optional(name, "name")?) };
        builder.open(kind, name).map_err(wrong_call)
    };
    // SAFETY: the caller passes null or valid pointers.
    unsafe { call(builder, error, work) }
}

/// Adds a statement to the innermost block; the `name` of kinds without one is `NULL`. Returns whether the call was
/// accepted.
///
/// # Safety
/// The builder is `NULL` or valid, the texts `NULL` or end with a zero byte, `error` `NULL` or a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asercheck_builder_statement(
    builder: *mut AsercheckBuilder,
    kind: *const c_char,
    name: *const c_char,
    error: *mut *mut AsercheckError,
) -> bool {
    let work = |builder: &mut FlatBuilder| {
        // SAFETY: the caller passes null or texts that end with a zero byte.
        let (kind, name) = unsafe { (text(kind, "kind")?, optional(name, "name")?) };
        builder.statement(kind, name).map_err(wrong_call)
    };
    // SAFETY: the caller passes null or valid pointers.
    unsafe { call(builder, error, work) }
}

/// Closes the innermost block. Returns whether the call was accepted.
///
/// # Safety
/// The builder is `NULL` or valid, `error` `NULL` or a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asercheck_builder_close(
    builder: *mut AsercheckBuilder,
    error: *mut *mut AsercheckError,
) -> bool {
    // SAFETY: the caller passes null or valid pointers.
    unsafe { call(builder, error, |builder| builder.close().map_err(wrong_call)) }
}

/// Builds the model, by the same rules as for texts; errors show the `name`. The builder is empty afterwards, also
/// after an error. The caller frees the model with `asercheck_model_free`; it is `NULL` after an error.
///
/// # Safety
/// The builder is `NULL` or valid, the text `NULL` or ends with a zero byte, `error` `NULL` or a place for a pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn asercheck_builder_build(
    builder: *mut AsercheckBuilder,
    name: *const c_char,
    error: *mut *mut AsercheckError,
) -> *mut AsercheckModel {
    let build = || {
        // SAFETY: the caller passes null or a valid builder that no other thread uses.
        let builder = unsafe { handle_mut(builder, "builder") }?;
        // SAFETY: the caller passes null or a text that ends with a zero byte.
        let name = unsafe { text(name, "name") }?;
        let taken = take(&mut builder.0);
        let (loaded, program) = deep(|| built(name, taken.build().map_err(wrong_call)?))?;
        Ok(Box::into_raw(Box::new(AsercheckModel { loaded, program: Some(program) })))
    };
    // SAFETY: the caller passes null or a place for a pointer.
    unsafe { guarded(error, null_mut(), build) }
}
