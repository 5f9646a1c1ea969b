//! Tests of the reader and of register form: on class files of our own, on what a machine has of Java, and on what is
//! made to do harm.

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
mod reading;
mod shapes;
mod temporary;

use java::{Limits, Program};
use std::path::{Path, PathBuf};

/// The folder of our own Java programs.
fn models() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/java")
}

/// Loads paths without any diagnostic.
fn load(paths: &[PathBuf]) -> Program {
    let (program, diagnostics) = Program::load(paths, &[], &Limits::default());
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    program
}
