//! Any calls of the C interface return: with a value or with an error, never both, without a panic, and with everything
//! freed once.
//!
//! `cargo +nightly fuzz run --fuzz-dir tests/fuzz capi`
#![no_main]
#![allow(unsafe_code)]

#[path = "../../../capi/src/lib.rs"]
mod capi_in_fuzz;

use capi_in_fuzz::*;
use libfuzzer_sys::fuzz_target;
use std::ffi::{CStr, CString, c_char};
use std::ptr::{null, null_mut};

/// Words of the interface, so that many calls fit; the last ones are wrong.
const WORDS: [&[u8]; 36] = [
    b"lock", b"rwlock", b"overlap", b"shared", b"fn", b"process", b"sync", b"sync read", b"sync write", b"atomic",
    b"loop", b"choose", b"or", b"read", b"write", b"acquire", b"acquire read", b"release", b"wait", b"call",
    b"start", b"label", b"goto", b"begin", b"end", b"return", b"skip", b"break", b"continue", b"l", b"x", b"f", b"P",
    b"", b"a b", b"\xff",
];

/// The requests; all are small enough to be decided in a moment.
const REQUESTS: [&[u8]; 6] = [
    b"{\"timeout\":0.05,\"total_timeout\":0.2}",
    b"{\"races\":true,\"deadlocks\":true,\"timeout\":0.05,\"total_timeout\":0.2}",
    b"{\"patterns\":[1,12],\"locations\":[\"x\"],\"total_timeout\":0.2}",
    b"{\"patterns\":[99]}",
    b"{",
    b"\xff",
];

/// The bytes of an input, one after the other; zeros at its end.
struct Bytes<'a>(std::slice::Iter<'a, u8>);

impl Bytes<'_> {
    fn next(&mut self) -> usize {
        usize::from(self.0.next().copied().unwrap_or_default())
    }

    fn text(&mut self, from: &[&[u8]]) -> Option<CString> {
        let place = self.next() % (from.len() + 1);
        from.get(place).map(|text| CString::new(*text).expect("no zero byte"))
    }
}

fn pointer(text: &Option<CString>) -> *const c_char {
    text.as_ref().map_or(null(), |text| text.as_ptr())
}

/// There is an error exactly if the call has failed.
fn check(has_failed: bool, error: *mut AsercheckError) {
    assert_eq!(has_failed, !error.is_null());
    if has_failed {
        // SAFETY: the error was stored just now, and is freed once.
        let [message, json] = unsafe { [asercheck_error_message(error), asercheck_error_json(error)] };
        // SAFETY: both texts belong to the error, which is freed after them.
        let [message, json] = unsafe { [CStr::from_ptr(message), CStr::from_ptr(json)] };
        assert!(!message.is_empty() && json.to_str().is_ok_and(|json| json.starts_with('{')));
        // SAFETY: as above.
        unsafe { asercheck_error_free(error) };
    }
}

fn decide(model: *mut AsercheckModel, bytes: &mut Bytes<'_>) {
    let (request, mut error) = (bytes.text(&REQUESTS), null_mut());
    let request = request.unwrap_or_else(|| CString::from(c"{\"total_timeout\":0.2}"));
    // SAFETY: the model is valid, and freed at the end; texts are freed once.
    unsafe {
        let answers = asercheck_check(model, request.as_ptr(), null(), None, null_mut(), &mut error);
        check(answers.is_null(), error);
        asercheck_string_free(answers);
        let mut error = null_mut();
        let text = asercheck_model_text(model, &mut error);
        check(text.is_null(), error);
        asercheck_string_free(text);
        asercheck_model_free(model);
    }
}

fuzz_target!(|input: &[u8]| {
    let mut bytes = Bytes(input.iter());
    let builder = asercheck_builder_new();
    // SAFETY: all texts outlive the calls, and the builder is freed at the end.
    unsafe {
        while bytes.0.len() > 1 {
            let (action, kind, name) = (bytes.next() % 8, bytes.text(&WORDS), bytes.text(&WORDS));
            let (kind, name, mut error) = (pointer(&kind), pointer(&name), null_mut());
            let has_failed = !match action {
                0 => asercheck_builder_declare(builder, kind, name, &mut error),
                1 => asercheck_builder_at(builder, name, bytes.next() as u32, bytes.next() as u32, &mut error),
                2 => asercheck_builder_atomic_set(builder, name, [kind, name].as_ptr(), 2, &mut error),
                3 => asercheck_builder_open_process(builder, name, bytes.next() as u32 % 4, &mut error),
                4 => asercheck_builder_open(builder, kind, name, &mut error),
                5 | 6 => asercheck_builder_statement(builder, kind, name, &mut error),
                _ => asercheck_builder_close(builder, &mut error),
            };
            check(has_failed, error);
        }
        let mut error = null_mut();
        while asercheck_builder_close(builder, null_mut()) {}
        let model = asercheck_builder_build(builder, c"fuzz".as_ptr(), &mut error);
        check(model.is_null(), error);
        if !model.is_null() {
            decide(model, &mut Bytes(input.iter()));
        }
        asercheck_builder_free(builder);
        // The input as a text.
        if let Ok(text) = CString::new(input) {
            let mut error = null_mut();
            let model = asercheck_model_from_text(text.as_ptr(), c"fuzz.eml".as_ptr(), &mut error);
            check(model.is_null(), error);
            if !model.is_null() {
                decide(model, &mut Bytes(input.iter()));
            }
        }
    }
});
