//! Answers in a folder, each in a file.
//!
//! A file is written under a temporary name, and renamed. If several runs store the same answer, the last one stays.

use super::texts::{LARGEST, Removed, Texts, is_answer, name_of};
use crate::cli::cache_place::CacheUse;
use anyhow::Context;
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A folder with answers.
pub(super) struct Folder(PathBuf);

impl Folder {
    /// Opens a folder. It is made if it does not exist, unless it is only read.
    pub(super) fn open(folder: &Path, usage: CacheUse) -> anyhow::Result<Self> {
        if usage == CacheUse::ReadWrite {
            fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        }
        fs::read_dir(folder).with_context(|| format!("cannot read the folder {}", folder.display()))?;
        Ok(Self(folder.to_path_buf()))
    }

    /// Writes a file under a unique name.
    fn write_unfinished(&self, name: &str, bytes: &[u8]) -> io::Result<PathBuf> {
        let number = RandomState::new().build_hasher().finish();
        let path = self.0.join(format!("{name}.{}-{number:016x}.new", std::process::id()));
        File::create_new(&path)?.write_all(bytes).inspect_err(|_| drop(fs::remove_file(&path)))?;
        Ok(path)
    }
}

impl Texts for Folder {
    fn probe(&self) -> Result<(), (io::Error, bool)> {
        let probed = self.write_unfinished("probe", b"").and_then(fs::remove_file);
        let has_answers = || {
            fs::read_dir(&self.0).is_ok_and(|entries| entries.flatten().any(|entry| is_file_of_answer(&entry.path())))
        };
        probed.map_err(|error| (error, has_answers()))
    }

    fn read(&self, name: &str) -> io::Result<Option<String>> {
        let path = self.0.join(name);
        let is_readable = fs::metadata(&path).is_ok_and(|about| about.is_file() && about.len() <= LARGEST);
        // A file that cannot be read is a missing one; a file that is no text is a damaged one.
        let bytes = is_readable.then(|| fs::read(&path).ok()).flatten();
        Ok(bytes.map(|bytes| String::from_utf8(bytes).unwrap_or_default()))
    }

    fn write(&self, name: &str, text: &str, _is_damaged: bool) -> io::Result<()> {
        let unfinished = self.write_unfinished(name.trim_end_matches(".answer"), text.as_bytes())?;
        fs::rename(&unfinished, self.0.join(name)).inspect_err(|_| drop(fs::remove_file(&unfinished)))
    }

    fn remove_before(&self, time: SystemTime) -> io::Result<Removed> {
        let mut counts = Removed::default();
        for entry in fs::read_dir(&self.0)? {
            let entry = entry?;
            let path = entry.path();
            // Files that a run has left unfinished have no other use.
            let is_own = is_file_of_answer(&path) || is_unfinished(&path);
            let Ok(about) = entry.metadata() else { continue };
            if !is_own || !about.is_file() {
                continue;
            }
            if about.modified()? >= time {
                counts.left += 1;
                continue;
            }
            match fs::remove_file(&path) {
                Ok(()) => (counts.removed, counts.bytes) = (counts.removed + 1, counts.bytes + about.len()),
                // Another program has removed it.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(counts)
    }
}

fn is_file_of_answer(path: &Path) -> bool {
    path.file_name().and_then(|name| name.to_str()).is_some_and(is_answer)
}

/// Whether a file has the name of an unfinished answer: `KEY.PROCESS-NUMBER.new`.
fn is_unfinished(path: &Path) -> bool {
    let name = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".new"));
    let key = name.and_then(|name| name.split_once('.')).map(|(key, _)| key);
    key.is_some_and(|key| key == "probe" || is_answer(&name_of(key)))
}
