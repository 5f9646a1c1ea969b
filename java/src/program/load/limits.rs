//! The limits of loading.

use std::fmt;

/// Bounds on the input, and cancellation.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// The maximum size of a class file in bytes; larger ones are omitted. The default is 16 MiB.
    pub class_bytes: u64,
    /// The maximum size in bytes of an archive that is read into memory: one inside another archive, or one with a
    /// damaged directory. Larger ones are omitted. The default is 256 MiB.
    pub archive_bytes: u64,
    /// The maximum total size in bytes after decompression, at which loading stops. The default is 2 GiB. The program
    /// takes less than twice this amount of memory.
    pub total_bytes: u64,
    /// The maximum number of examined files and entries, at which loading stops. The default is 4,000,000.
    pub entries: u64,
    /// The cancellation check, called before every file and entry and every 64 KiB. Loading stops when it returns true.
    /// The default always returns false.
    pub is_cancelled: &'a (dyn Fn() -> bool + Sync),
}

impl Default for Limits<'_> {
    fn default() -> Self {
        Self {
            class_bytes: 16 << 20,
            archive_bytes: 256 << 20,
            total_bytes: 2 << 30,
            entries: 4_000_000,
            is_cancelled: &|| false,
        }
    }
}

impl fmt::Debug for Limits<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Limits")
            .field("class_bytes", &self.class_bytes)
            .field("archive_bytes", &self.archive_bytes)
            .field("total_bytes", &self.total_bytes)
            .field("entries", &self.entries)
            .finish_non_exhaustive()
    }
}
