//! Loading the class files of an archive.

use super::entry_kind::{EntryKind, entry_kind};
use super::loader::{CLASS_FILE, Content, Loader, Stop};
use super::salvage;
use crate::class_file::{Malformed, Problem, Role};
use crate::program::diagnostic::Cause;
use crate::program::origin::Origin;
use std::io::{Cursor, Read, Seek, SeekFrom};
use zip::result::ZipError;

/// The kinds of archives.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A jar, war or zip file.
    Given,
    /// A jmod file, in which only `classes/` belongs to the class library.
    Jmod,
    /// An archive that is an entry of another archive.
    Nested,
}

/// A reader that hides the first bytes of another one.
pub(crate) struct Shifted<R> {
    inner: R,
    by: u64,
}

impl<R: Read + Seek> Shifted<R> {
    pub(crate) fn new(inner: R, by: u64) -> Self {
        Self { inner, by }
    }
}

impl<R: Read> Read for Shifted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.inner.read(buffer)
    }
}

impl<R: Seek> Seek for Shifted<R> {
    fn seek(&mut self, to: SeekFrom) -> std::io::Result<u64> {
        let to = match to {
            SeekFrom::Start(place) => SeekFrom::Start(place.saturating_add(self.by)),
            relative @ (SeekFrom::Current(_) | SeekFrom::End(_)) => relative,
        };
        let place = self.inner.seek(to)?;
        place.checked_sub(self.by).ok_or_else(|| std::io::ErrorKind::InvalidInput.into())
    }
}

/// Loads the class files of an archive in the order of their names.
pub(crate) fn read(
    loader: &mut Loader<'_>,
    mut reader: impl Read + Seek,
    origin: &Origin,
    role: Role,
    archive_kind: Kind,
) -> Result<(), Stop> {
    let mut archive = match zip::ZipArchive::new(&mut reader) {
        Ok(archive) => archive,
        Err(error) => {
            loader.report(origin.clone(), Cause::Archive(error.to_string()));
            return salvage::read(loader, reader, origin, role);
        }
    };
    let mut entries = Vec::new();
    for index in 0..archive.len() {
        loader.entry(origin)?;
        // Names may be invalid UTF-8; they are only displayed.
        let Ok(entry) = archive.by_index_data(index) else { continue };
        let name = String::from_utf8_lossy(entry.name_raw()).into_owned();
        if archive_kind == Kind::Jmod && !name.starts_with("classes/") {
            continue;
        }
        if let Some(kind) = entry_kind(&name) {
            entries.push((name, kind, index));
        }
    }
    entries.sort_by(|one, other| one.0.cmp(&other.0));
    for (name, kind, index) in entries {
        let origin = origin.inside(&name);
        loader.entry(&origin)?;
        let file = match archive.by_index(index) {
            Ok(file) => file,
            Err(error) => {
                loader.report(origin, cause(&error));
                continue;
            }
        };
        match kind {
            EntryKind::Class => {
                let limit = loader.limits.class_bytes;
                match loader.content(file, &origin, limit, Some(CLASS_FILE))? {
                    Content::Whole(bytes) => loader.class(&bytes, origin, role)?,
                    Content::Other => {
                        let problem = Malformed { offset: 0, problem: Problem::NoClassFile };
                        loader.report(origin, Cause::Class(problem));
                    }
                    Content::Unreadable => {}
                }
            }
            EntryKind::Archive if archive_kind == Kind::Nested => loader.report(origin, Cause::NestedTooDeep),
            EntryKind::Archive => {
                let limit = loader.limits.archive_bytes;
                if let Content::Whole(bytes) = loader.content(file, &origin, limit, Some(b"PK"))? {
                    nested(loader, bytes, &origin, role)?;
                }
            }
        }
    }
    Ok(())
}

/// Loads an archive in an archive, as a bundled library.
fn nested(loader: &mut Loader<'_>, bytes: Vec<u8>, origin: &Origin, role: Role) -> Result<(), Stop> {
    read(loader, Cursor::new(bytes), origin, role.inside(), Kind::Nested)
}

fn cause(error: &ZipError) -> Cause {
    match error {
        ZipError::UnsupportedArchive(ZipError::PASSWORD_REQUIRED) | ZipError::InvalidPassword => Cause::Encrypted,
        _ => Cause::Unreadable(error.to_string()),
    }
}
