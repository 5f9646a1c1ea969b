//! The class files and archives of a folder.

use super::file;
use super::loader::{Loader, Stop};
use crate::class_file::Role;
use crate::program::diagnostic::Cause;
use crate::program::origin::Origin;
use std::path::{Path, PathBuf};

/// Reads what is in a folder and the folders in it, in the order of the names. Symbolic links to files are followed,
/// those to folders are not, so that nothing is read for ever.
pub(crate) fn read(loader: &mut Loader<'_>, path: &Path, role: Role) -> Result<(), Stop> {
    // What is still to be read, the next one last.
    let mut open = vec![path.to_path_buf()];
    while let Some(path) = open.pop() {
        // Of the folder itself, a link is followed: it was named.
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

/// The folders, class files and archives in a folder, by name.
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
