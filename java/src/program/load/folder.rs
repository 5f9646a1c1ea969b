//! Loading the class files and archives of a folder.

use super::file;
use super::loader::{Loader, Stop};
use crate::class_file::Role;
use crate::program::diagnostic::Cause;
use crate::program::origin::Origin;
use std::path::{Path, PathBuf};

/// Loads the files of a folder and its subfolders in the order of their names. Symbolic links to files are followed;
/// symbolic links to folders are not, because they could form a cycle.
pub(crate) fn read(loader: &mut Loader<'_>, path: &Path, role: Role) -> Result<(), Stop> {
    // The pending paths, the next one last.
    let mut open = vec![path.to_path_buf()];
    while let Some(path) = open.pop() {
        // A link is followed if it is the path of the folder itself, which the caller named.
        let is_folder =
            path.symlink_metadata().is_ok_and(|metadata| metadata.is_dir()) || open.is_empty() && path.is_dir();
        if !is_folder {
            file::read(loader, &path, role)?;
            continue;
        }
        loader.entry(&Origin::file(&path))?;
        match entries(&path) {
            Ok(entries) => open.extend(entries.into_iter().rev()),
            Err(error) => loader.report(Origin::file(&path), Cause::Unreadable(error.to_string())),
        }
    }
    Ok(())
}

/// The subfolders, class files and archives of a folder, sorted by name.
fn entries(path: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(path)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() || is_readable(&entry.path()) {
            entries.push(entry.path());
        }
    }
    entries.sort();
    Ok(entries)
}

fn is_readable(path: &Path) -> bool {
    let extension = path.extension().unwrap_or_default();
    ["class", "jar", "war", "ear", "zip", "jmod"].iter().any(|known| extension.eq_ignore_ascii_case(known))
}
