//! The kinds of archive entries that are read.

/// What an entry is worth reading for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum EntryKind {
    Class,
    Archive,
}

/// What an entry of this name is worth reading for.
pub(crate) fn entry_kind(name: &str) -> Option<EntryKind> {
    // Classes for some versions of Java only; those for all versions stand outside.
    if name.starts_with("META-INF/versions/") {
        return None;
    }
    match name.rsplit_once('.')?.1 {
        "class" => Some(EntryKind::Class),
        "jar" | "war" => Some(EntryKind::Archive),
        _ => None,
    }
}
