//! The tests of the whole product, in one program: one program is compiled and linked faster than six, and its tests
//! share the processors.

mod batch;
#[cfg(unix)]
mod book;
mod cli;
mod common;
mod malformed;
mod roundtrip;
mod suite;
