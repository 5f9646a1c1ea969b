//! The classification of archive entries.

/// The kinds of archive entries that are read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryKind {
    Class,
    Archive,
}

/// The kind of an entry by its name; none if the entry is not read.
pub(crate) fn entry_kind(name: &str) -> Option<EntryKind> {
    // Classes for particular versions of Java; the classes for all versions are outside of this folder.
    if name.starts_with("META-INF/versions/") {
        return None;
    }
    match name.rsplit_once('.')?.1 {
        "class" => Some(EntryKind::Class),
        "jar" | "war" => Some(EntryKind::Archive),
        _ => None,
    }
}
