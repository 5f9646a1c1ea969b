//! Loading a class file or an archive, according to its first bytes.

use super::archive;
use super::loader::{CLASS_FILE, Content, Loader, Stop};
use crate::class_file::Role;
use crate::program::diagnostic::Cause;
use crate::program::origin::Origin;
use std::io::Read;
use std::path::Path;

/// The first bytes of a jmod file, before the archive.
const JMOD: &[u8] = b"JM\x01\x00";

/// Loads a class file or an archive.
pub(super) fn read(loader: &mut Loader<'_>, path: &Path, role: Role) -> Result<(), Stop> {
    let origin = Origin::file(path);
    loader.entry(&origin)?;
    let is_file = std::fs::metadata(path).is_ok_and(|metadata| metadata.is_file());
    if !is_file {
        // Reading a pipe or a device could block for ever.
        loader.report(origin, Cause::UnknownKind);
        return Ok(());
    }
    let mut file = match std::fs::File::open(path) {
        Ok(file) => std::io::BufReader::new(file),
        Err(error) => {
            loader.report(origin, Cause::Unreadable(error.to_string()));
            return Ok(());
        }
    };
    let mut start = [0; 4];
    let mut length = 0;
    while length < start.len() {
        match file.read(&mut start[length..]) {
            Ok(0) => break,
            Ok(count) => length += count,
            Err(error) => {
                loader.report(origin, Cause::Unreadable(error.to_string()));
                return Ok(());
            }
        }
    }
    match &start[..length] {
        CLASS_FILE => {
            let limit = loader.limits.class_bytes;
            if let Content::Whole(bytes) = loader.content(start.chain(file), &origin, limit, None)? {
                loader.class(&bytes, origin, role)?;
            }
            Ok(())
        }
        [b'P', b'K', ..] => archive::read(loader, file, &origin, role, archive::Kind::Given),
        JMOD => {
            let reader = archive::Shifted::new(file, 4);
            archive::read(loader, reader, &origin, role, archive::Kind::Jmod)
        }
        _ => {
            loader.report(origin, Cause::UnknownKind);
            Ok(())
        }
    }
}
