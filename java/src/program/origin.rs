//! The places of class files.

use std::path::Path;
use std::sync::Arc;

/// The place of a class file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    /// The file on disk.
    pub file: Arc<Path>,
    /// The entry, if the file is an archive. For an archive in an archive, both entries with `!` between them.
    pub entry: Option<Box<str>>,
}

impl std::fmt::Display for Origin {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{}", self.file.display().to_string().escape_debug())?;
        match &self.entry {
            Some(entry) => write!(out, "!{}", entry.escape_debug()),
            None => Ok(()),
        }
    }
}

impl Origin {
    /// A file or folder.
    pub(crate) fn file(path: &Path) -> Self {
        Self { file: Arc::from(path), entry: None }
    }

    /// An entry of this archive: of the file or of the nested archive.
    pub(crate) fn inside(&self, entry: &str) -> Self {
        let entry = match &self.entry {
            Some(outer) => format!("{outer}!{entry}"),
            None => entry.to_string(),
        };
        Self { file: self.file.clone(), entry: Some(entry.into()) }
    }
}
