//! Loading: from paths to a program.
//!
//! Nothing is ever written, so the names of archive entries, whatever they contain, appear only in diagnostics. The
//! name of a class comes from its class file and not from the place of the file.

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
    /// Loads class files, folders and archives (jar, war, zip, jmod). The classes of `libraries` have
    /// [`Role::Library`].
    ///
    /// Folders are searched for class files and archives, without following symbolic links to folders. Archives are
    /// searched for class files and for nested archives (the libraries of a war), whose classes have [`Role::Bundled`];
    /// `META-INF/versions` is omitted. The first of several classes with one name is loaded, and a diagnostic reports
    /// each of the others. Classes are numbered in the order of the paths, and within a folder or archive in the order
    /// of the names.
    ///
    /// An unreadable file or entry is omitted and reported in a diagnostic. Linear in the size of the input, apart from
    /// sorting names.
    pub fn load(paths: &[PathBuf], libraries: &[PathBuf], limits: &Limits<'_>) -> (Self, Vec<Diagnostic>) {
        let mut loader = Loader::new(*limits);
        for (paths, role) in [(paths, Role::Given), (libraries, Role::Library)] {
            for path in paths {
                // The cause has already been reported.
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
