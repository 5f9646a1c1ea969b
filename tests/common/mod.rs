//! Functions shared by several test programs. Each program uses only some of them.
#![allow(dead_code)]

pub mod syntax;

use std::path::{Path, PathBuf};

/// Returns a path in the folder of the tests.
pub fn test_path(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(relative)
}

/// Returns the EML files of a folder of the tests, by name.
pub fn eml_files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(test_path(folder)).expect("the folder can be read");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "eml"))
        .collect();
    files.sort();
    files
}
