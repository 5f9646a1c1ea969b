//! Loading the class files of an archive without a directory.
//!
//! The directory is at the end of an archive, so a truncated archive lacks it. Each entry begins with a header that
//! contains its name, and compressed data mark their own end. The archive is therefore searched for headers, and the
//! data after a header are accepted if their checksum is correct.

use super::entry_kind::{EntryKind, entry_kind};
use super::loader::{CLASS_FILE, Content, Loader, Stop};
use crate::class_file::Role;
use crate::program::origin::Origin;
use std::io::{Read, Seek, SeekFrom};

/// The first bytes of the header of an entry.
const HEADER: &[u8] = b"PK\x03\x04";

/// Loads all class files that can be found. The archive is read into memory, up to the limit for archives.
pub(crate) fn read(
    loader: &mut Loader<'_>,
    mut reader: impl Read + Seek,
    origin: &Origin,
    role: Role,
) -> Result<(), Stop> {
    if reader.seek(SeekFrom::Start(0)).is_err() {
        return Ok(());
    }
    let limit = loader.limits.archive_bytes;
    let Content::Whole(bytes) = loader.content(reader, origin, limit, None)? else { return Ok(()) };
    let mut rest = &bytes[..];
    while let Some(start) = rest.windows(HEADER.len()).position(|window| window == HEADER) {
        rest = &rest[start + HEADER.len()..];
        let Some(entry) = Entry::parse(rest) else { continue };
        let inside = origin.inside(&entry.name);
        loader.entry(&inside)?;
        if entry_kind(&entry.name) != Some(EntryKind::Class) {
            continue;
        }
        let class_limit = loader.limits.class_bytes;
        let mut data = entry.data;
        let content = match entry.is_compressed {
            false => loader.content(data.take(entry.size.into()), &inside, class_limit, Some(CLASS_FILE))?,
            true => {
                let mut decoder = flate2::bufread::DeflateDecoder::new(data);
                let content = loader.content(&mut decoder, &inside, class_limit, Some(CLASS_FILE))?;
                data = decoder.into_inner();
                content
            }
        };
        if let Content::Whole(class) = content
            && entry.is_intact(&class, data)
        {
            loader.class(&class, inside, role)?;
            if entry.is_compressed {
                rest = data;
            }
        }
    }
    Ok(())
}

/// The header of an entry, without its first bytes, and the data.
struct Entry<'a> {
    name: String,
    is_compressed: bool,
    /// The checksum of the uncompressed data; none if it follows the data.
    checksum: Option<u32>,
    /// The size of the data, if they are not compressed.
    size: u32,
    /// The data and the rest of the archive.
    data: &'a [u8],
}

impl<'a> Entry<'a> {
    fn parse(header: &'a [u8]) -> Option<Self> {
        let two = |at: usize| Some(u16::from_le_bytes(*header.get(at..)?.first_chunk()?));
        let four = |at: usize| Some(u32::from_le_bytes(*header.get(at..)?.first_chunk()?));
        let (flags, method) = (two(2)?, two(4)?);
        let name_length = usize::from(two(22)?);
        let name = header.get(26..26 + name_length)?;
        let data = header.get(26 + name_length + usize::from(two(24)?)..)?;
        let (is_encrypted, has_data_descriptor) = (flags & 1 == 1, flags & 8 == 8);
        let is_compressed = match method {
            0 if !has_data_descriptor => false,
            8 => true,
            _ => return None,
        };
        let checksum = four(10).filter(|_| !has_data_descriptor);
        let name = String::from_utf8_lossy(name).into_owned();
        (!is_encrypted).then_some(Self { name, is_compressed, checksum, size: four(14)?, data })
    }

    /// Whether the checksum of the content is correct. `rest` is the archive after the data, where a data descriptor
    /// with the checksum may follow.
    fn is_intact(&self, content: &[u8], rest: &[u8]) -> bool {
        let mut found = flate2::Crc::new();
        found.update(content);
        let rest = rest.strip_prefix(b"PK\x07\x08").unwrap_or(rest);
        let expected = self.checksum.or_else(|| rest.first_chunk().map(|bytes| u32::from_le_bytes(*bytes)));
        expected == Some(found.sum())
    }
}
