//! Tests of the reader, of register form and of the library model: on class files of this repository, on the installed
//! Java, on random methods, and on damaged and hostile input.

mod assembler;
mod builder;
mod differential;
mod facts;
mod form;
mod hostile;
mod installed;
mod large;
mod library;
mod machine;
mod mutated;
mod opcodes;
mod own_calls;
mod reading;
mod shapes;
mod temporary;

use java::{Limits, Program};
use std::path::{Path, PathBuf};

/// The folder of the Java programs of this repository.
fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/java")
}

/// Loads paths; fails on any diagnostic.
fn load(paths: &[PathBuf]) -> Program {
    let (program, diagnostics) = Program::load(paths, &[], &Limits::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    program
}
