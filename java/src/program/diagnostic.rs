//! Diagnostics of loading.

use super::origin::Origin;
use crate::class_file::Malformed;
use std::fmt;

/// A file, entry or part that was omitted, or that is probably unintended. The rest was loaded.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The file, folder or entry.
    pub origin: Origin,
    /// The cause.
    pub cause: Cause,
}

/// The causes of diagnostics.
#[derive(Clone, Debug)]
pub enum Cause {
    /// It cannot be read or decompressed.
    Unreadable(String),
    /// It is neither a folder nor a class file nor a supported archive.
    UnknownKind,
    /// The directory of an archive is damaged, for example because a download was truncated. Its entries are searched
    /// one by one.
    Archive(String),
    /// The entry is encrypted.
    Encrypted,
    /// It exceeds a size limit of [`Limits`](crate::Limits).
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The class file is damaged and was omitted.
    Class(Malformed),
    /// A part of the class file is damaged and was omitted. Damage within the code of a method is found only on
    /// decoding.
    Part(Malformed),
    /// The class file has a later version of the format than this crate knows. It was loaded nevertheless.
    Version(u16),
    /// Another class of the same name was loaded before. This one was omitted.
    Duplicate {
        /// The name of the class.
        class: String,
        /// The place of the loaded class.
        first: Origin,
        /// Whether the two class files are identical.
        is_same: bool,
    },
    /// The class is its own supertype. One edge of the cycle was removed.
    Cycle(String),
    /// The archive is nested too deeply: in an archive in an archive.
    NestedTooDeep,
    /// Loading stopped at a limit on bytes, entries or names.
    LimitReached,
    /// Loading was cancelled.
    Cancelled,
    /// More diagnostics exist than are kept.
    More {
        /// Their number.
        count: usize,
        /// The number of those for which something is missing in the program.
        missing: usize,
    },
}

impl Cause {
    /// Whether it is a note: nothing is missing in the program, and nothing contradicts it.
    pub fn is_note(&self) -> bool {
        matches!(self, Self::Duplicate { is_same: true, .. } | Self::Version(_) | Self::More { missing: 0, .. })
    }

    /// Whether part of the input is missing in the program.
    pub fn is_missing(&self) -> bool {
        !matches!(self, Self::Duplicate { .. } | Self::Version(_) | Self::More { missing: 0, .. })
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: {}", self.origin, self.cause)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(why) => write!(out, "cannot be read: {}", why.escape_debug()),
            Self::UnknownKind => out.write_str("is neither a folder nor a class file, jar, war, zip or jmod"),
            Self::Archive(why) => {
                write!(out, "the archive is damaged, and its entries are looked for one by one: {}", why.escape_debug())
            }
            Self::Encrypted => out.write_str("is encrypted, and left out"),
            Self::TooLarge { limit } => write!(out, "is larger than {limit} bytes, and left out"),
            Self::Class(malformed) => write!(out, "is damaged, and left out: {malformed}"),
            Self::Part(malformed) => write!(out, "a part is damaged, and left out: {malformed}"),
            Self::Version(version) => write!(out, "has version {version}, which is newer than what is known"),
            Self::Duplicate { class, first, is_same } => {
                let how = if *is_same { "the same class" } else { "another class" };
                write!(out, "{how} {} was found in {first} before; this one is left out", class.escape_debug())
            }
            Self::Cycle(class) => {
                write!(out, "the class {} extends or implements itself; the link is left out", class.escape_debug())
            }
            Self::NestedTooDeep => out.write_str("is an archive in an archive in an archive, and left out"),
            Self::LimitReached => out.write_str("a limit is reached; from here on nothing is read"),
            Self::Cancelled => out.write_str("reading was cancelled; from here on nothing is read"),
            Self::More { count, .. } => write!(out, "and {count} more"),
        }
    }
}

/// The diagnostics of one load, up to a maximum number.
#[derive(Debug, Default)]
pub(crate) struct Diagnostics {
    kept: Vec<Diagnostic>,
    dropped: usize,
    /// The number of dropped diagnostics for which something is missing in the program.
    missing: usize,
    /// The place of the last dropped diagnostic.
    last: Option<Origin>,
}

impl Diagnostics {
    /// The maximum number of kept diagnostics: an archive may have 100,000 damaged entries.
    const KEPT: usize = 10_000;

    pub(crate) fn add(&mut self, origin: Origin, cause: Cause) {
        if self.kept.len() < Self::KEPT {
            self.kept.push(Diagnostic { origin, cause });
        } else {
            self.dropped += 1;
            self.missing += usize::from(cause.is_missing());
            self.last = Some(origin);
        }
    }

    pub(crate) fn finish(mut self) -> Vec<Diagnostic> {
        if let Some(origin) = self.last {
            self.kept.push(Diagnostic { origin, cause: Cause::More { count: self.dropped, missing: self.missing } });
        }
        self.kept
    }
}
