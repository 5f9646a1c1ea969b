//! What could not be read, and why.

use super::origin::Origin;
use crate::class_file::Malformed;
use std::fmt;

/// Something that was left out, or is probably not intended. The rest was read.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The file or entry, or a part of the file system.
    pub origin: Origin,
    /// What is wrong with it.
    pub cause: Cause,
}

/// What is wrong with a file or an entry of an archive.
#[derive(Clone, Debug)]
pub enum Cause {
    /// It cannot be read, or not be decompressed.
    Unreadable(String),
    /// It is neither a folder nor a class file nor an archive.
    UnknownKind,
    /// An archive whose directory is damaged, as that of a download that was cut off: its entries are looked for one by
    /// one.
    Archive(String),
    /// An entry that only those who know its password can read.
    Encrypted,
    /// It is larger than [`Limits`](crate::Limits) allow.
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The class file is damaged, and left out.
    Class(Malformed),
    /// A part of the class file is damaged, and left out; of a method's code, when it is asked for.
    Part(Malformed),
    /// The class file has a version of the format that came later than this library; it is read all the same.
    Version(u16),
    /// A class of the same name was found before; this one is left out.
    Duplicate {
        /// The class.
        class: String,
        /// Where it was found first.
        first: Origin,
        /// Whether the two class files have the same content.
        is_same: bool,
    },
    /// The class extends or implements itself through others; a link is left out.
    Cycle(String),
    /// An archive in an archive in an archive.
    NestedTooDeep,
    /// No more is read as a limit is reached: of bytes, of entries, or of what a program can hold.
    LimitReached,
    /// No more is read as the caller said so.
    Cancelled,
    /// There are more diagnostics.
    More {
        /// How many.
        count: usize,
        /// How many of them are about something that is missing.
        missing: usize,
    },
}

impl Cause {
    /// Whether it is only worth knowing: nothing that should be there is missing.
    pub fn is_note(&self) -> bool {
        matches!(self, Self::Duplicate { is_same: true, .. } | Self::Version(_) | Self::More { missing: 0, .. })
    }

    /// Whether something that was given is missing in the program.
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

/// The diagnostics of one load, up to a number.
#[derive(Debug, Default)]
pub(crate) struct Diagnostics {
    kept: Vec<Diagnostic>,
    dropped: usize,
    /// How many of the dropped ones are about something that is missing.
    missing: usize,
    /// Where the last one was dropped.
    last: Option<Origin>,
}

impl Diagnostics {
    /// How many are kept: an archive of 100,000 damaged entries need not be told of 100,000 times.
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
