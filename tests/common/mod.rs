//! What several test programs share. Each of them uses its own part.
#![allow(dead_code)]

pub mod syntax;

use std::path::{Path, PathBuf};

/// The path of something in the folder of the tests.
pub fn test_path(relative: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(relative)
}

/// The EML files of a folder below the tests, by name.
pub fn eml_files(folder: &str) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(test_path(folder)).expect("the folder can be read");
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.expect("the folder can be read").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "eml"))
        .collect();
    files.sort();
    files
}
