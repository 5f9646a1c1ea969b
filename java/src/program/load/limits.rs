//! How much is read.

use std::fmt;

/// Bounds of what is read, and whether to go on.
#[derive(Clone, Copy)]
pub struct Limits<'a> {
    /// The largest class file, in bytes; larger ones are left out. The default is 16 MiB.
    pub class_bytes: u64,
    /// The largest archive inside another archive, in bytes, which is read into memory. The default is 256 MiB.
    pub archive_bytes: u64,
    /// How many bytes are read (after decompression) in all; nothing more is read then. The default is 2 GiB. What is
    /// kept in memory is less than twice as much.
    pub total_bytes: u64,
    /// How many files and entries are looked at in all. The default is 4,000,000.
    pub entries: u64,
    /// Asked before every file and entry and every 64 KiB: reading stops when it says yes. The default says no.
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
