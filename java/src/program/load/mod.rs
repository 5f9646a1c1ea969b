//! From paths to a program.
//!
//! Nothing is ever written, so the names of an archive's entries, whatever they are, only stand in diagnostics. The
//! name of a class is what its file says, not where the file stands.

mod archive;
mod entry_kind;
mod file;
mod folder;
mod limits;
mod loader;
mod salvage;

pub use limits::Limits;

use super::class_table::Program;
use super::diagnostic::{Cause, Diagnostic};
use super::origin::Origin;
use crate::class_file::Role;
use loader::{Loader, Stop};
use std::path::{Path, PathBuf};

impl Program {
    /// Reads class files, folders and archives (jar, war, zip, jmod); of `libraries` the classes are marked as such.
    ///
    /// Folders are searched for class files and archives, without following symbolic links to folders. Archives are
    /// searched for class files, and for archives in them (the libraries of a war), whose classes are
    /// [`Role::Bundled`]. Of several classes with one name, the first one is taken, and a diagnostic tells of the
    /// others; `META-INF/versions` of an archive is left out. Classes are numbered in the order of the paths, and in a
    /// folder or archive in the order of the names.
    ///
    /// What cannot be read costs that file or entry, and is told in a diagnostic. Linear in what is read.
    pub fn load(paths: &[PathBuf], libraries: &[PathBuf], limits: &Limits<'_>) -> (Self, Vec<Diagnostic>) {
        let mut loader = Loader::new(*limits);
        for (paths, role) in [(paths, Role::Given), (libraries, Role::Library)] {
            for path in paths {
                // What stopped is told where it did.
                if read_path(&mut loader, path, role).is_err() {
                    return loader.finish();
                }
            }
        }
        loader.finish()
    }
}

fn read_path(loader: &mut Loader<'_>, path: &Path, role: Role) -> Result<(), Stop> {
    match std::fs::metadata(path) {
        Err(error) => loader.report(Origin::file(path), Cause::Unreadable(error.to_string())),
        Ok(metadata) if metadata.is_dir() => folder::read(loader, path, role)?,
        Ok(_) => file::read(loader, path, role)?,
    }
    Ok(())
}
