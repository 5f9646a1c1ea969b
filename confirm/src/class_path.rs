//! The class path of clients.

use crate::error::{Error, Operation};
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the archives and folders among some paths, as absolute paths, because targets run in folders of their own.
/// Single class files are left out.
///
/// # Errors
/// A path does not exist.
pub fn class_path(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let absolute = |path: &PathBuf| fs::canonicalize(path).map_err(Operation::Read.on(path));
    paths.iter().filter(|path| is_entry(path) || !Path::exists(path)).map(absolute).collect()
}

/// Whether a class path can contain this path.
fn is_entry(path: &Path) -> bool {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    path.is_dir() || matches!(extension, "jar" | "zip" | "war")
}
