//! `--cache`: a folder with answers of earlier runs.
//!
//! Each answer has a file, named after the key of its question. The first line of a file names its form, and has a hash
//! of the rest.
//!
//! **Invariants.**
//! - A returned answer was stored under its key by some run: the hash matches the text. A file that is incomplete,
//!   changed, empty, or of another form counts as missing. The caller compares the key, which is part of the text, so
//!   that a renamed file gives no answer.
//! - A file is complete when it gets its name: it is written under a temporary name, and renamed. So several runs can
//!   use a folder at the same time; if several store the same answer, the last one stays.
//!
//! A folder that can be read but not written gives answers and stores none. The hash is no signature: whoever can write
//! into the folder can write wrong answers into it.

use super::Failure;
use super::output::Terminal;
use super::value_hash::ValueHash;
use anyhow::{Context, anyhow};
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Size above which answers are neither stored nor read.
const LARGEST: u64 = 1 << 30;

/// A folder with answers of one form.
pub(crate) struct Answers {
    folder: PathBuf,
    /// The beginning of the first line of a file. It changes with the form.
    form: &'static str,
    given: AtomicUsize,
    asked: AtomicUsize,
    kept: AtomicUsize,
    /// The first error because of which an answer was not stored.
    trouble: Mutex<Option<io::Error>>,
}

impl Answers {
    /// Opens a folder, which is made if it does not exist.
    pub(crate) fn open(folder: &Path, form: &'static str) -> Result<Self, Failure> {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))
            .map_err(Failure::input)?;
        let entries = fs::read_dir(folder);
        let mut entries =
            entries.with_context(|| format!("cannot read the folder {}", folder.display())).map_err(Failure::input)?;
        let [given, asked, kept] = [(); 3].map(|()| AtomicUsize::new(0));
        let answers = Self { folder: folder.to_path_buf(), form, given, asked, kept, trouble: Mutex::new(None) };
        if let Err(error) = answers.write_unfinished("probe", b"").and_then(fs::remove_file) {
            // The stored answers are still useful.
            if !entries.any(|entry| entry.is_ok_and(|entry| is_answer(&entry.path()))) {
                let error = anyhow!(error).context(format!("cannot write into the folder {}", folder.display()));
                return Err(Failure::input(error));
            }
        }
        Ok(answers)
    }

    /// Returns the answer that `parse` makes of the text under a key, if there is one.
    pub(crate) fn get<T>(&self, key: &str, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let text = read(&self.path(key))?;
        let answer = parse(body(&text, self.form)?)?;
        self.given.fetch_add(1, Ordering::Relaxed);
        Some(answer)
    }

    /// Stores a text that contains the key.
    pub(crate) fn keep(&self, key: &str, body: serde_json::Result<String>) {
        let result = match body.map(|body| whole(&body, self.form)) {
            Ok(text) if text.len() as u64 > LARGEST => return,
            Ok(text) => self.write_whole(key, text.as_bytes()),
            Err(error) => Err(error.into()),
        };
        match result {
            Ok(()) => drop(self.kept.fetch_add(1, Ordering::Relaxed)),
            Err(error) => {
                self.trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
        }
    }

    /// Warns if answers could not be stored.
    pub(crate) fn warn(&self, terminal: &Terminal) {
        if let Some(error) = &*self.trouble.lock().unwrap_or_else(PoisonError::into_inner) {
            terminal.tell(&format!("warning: answers are not kept in {}: {error}\n", self.folder.display()));
        }
    }

    /// Counts the answers that came from the folder.
    pub(crate) fn statistics(&self) -> String {
        let [given, asked, kept] = [&self.given, &self.asked, &self.kept].map(|count| count.load(Ordering::Relaxed));
        format!("cache: {given} of {asked} answers found, {kept} added\n")
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}.answer"))
    }

    fn write_whole(&self, key: &str, bytes: &[u8]) -> io::Result<()> {
        let unfinished = self.write_unfinished(key, bytes)?;
        fs::rename(&unfinished, self.path(key)).inspect_err(|_| drop(fs::remove_file(&unfinished)))
    }

    /// Writes a file under a unique name.
    fn write_unfinished(&self, key: &str, bytes: &[u8]) -> io::Result<PathBuf> {
        let number = RandomState::new().build_hasher().finish();
        let path = self.folder.join(format!("{key}.{}-{number:016x}.new", std::process::id()));
        File::create_new(&path)?.write_all(bytes).inspect_err(|_| drop(fs::remove_file(&path)))?;
        Ok(path)
    }
}

/// Whether a file has the name of an answer.
fn is_answer(path: &Path) -> bool {
    let is_key = |name: &str| name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    path.extension().is_some_and(|extension| extension == "answer")
        && path.file_stem().and_then(|name| name.to_str()).is_some_and(is_key)
}

/// Reads the text of a regular file.
fn read(path: &Path) -> Option<String> {
    let about = fs::metadata(path).ok()?;
    (about.is_file() && about.len() <= LARGEST).then(|| fs::read_to_string(path).ok()).flatten()
}

/// Returns the text of a file with a body.
fn whole(body: &str, form: &str) -> String {
    format!("{form}{}\n{body}", ValueHash::of_bytes(body.as_bytes()))
}

/// Returns the body of a complete text.
fn body<'a>(text: &'a str, form: &str) -> Option<&'a str> {
    let (hash, body) = text.strip_prefix(form)?.split_once('\n')?;
    (hash == ValueHash::of_bytes(body.as_bytes())).then_some(body)
}

/// Returns the hash of this program.
pub(crate) fn hash_of_program() -> Result<String, Failure> {
    let path = super::batch::program()?;
    let hash =
        hash_of_file(&path).with_context(|| format!("cannot read this program, {}, for --cache", path.display()));
    hash.map_err(Failure::input)
}

/// Returns the hash of a file.
pub(crate) fn hash_of_file(path: &Path) -> io::Result<String> {
    let (mut file, mut hash, mut buffer) = (File::open(path)?, ValueHash::new(), vec![0; 1 << 16]);
    loop {
        match file.read(&mut buffer)? {
            0 => return Ok(hash.hexadecimal()),
            count => hash.add_bytes(&buffer[..count]),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FORM: &str = "asercheck test 1 ";

    #[test]
    fn only_what_was_kept_is_given() {
        let text = whole("some answer", FORM);
        assert_eq!(body(&text, FORM), Some("some answer"));
        assert_eq!(body(&text, "asercheck test 2 "), None, "another form");
        for end in 0..text.len() {
            assert_eq!(body(&text[..end], FORM), None, "torn at {end}");
        }
        for place in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[place] ^= 1;
            let changed = String::from_utf8(bytes).expect("ASCII");
            assert_eq!(body(&changed, FORM), None, "changed at {place}");
        }
        assert_eq!(body(&format!("{text} "), FORM), None);
    }

    #[test]
    fn files_of_other_names_are_no_answers() {
        let key = "0".repeat(64);
        assert!(is_answer(Path::new(&format!("cache/{key}.answer"))));
        for other in [format!("{key}.json"), format!("{key}0.answer"), format!("{key}.1-2.new"), "a.answer".into()] {
            assert!(!is_answer(Path::new(&other)), "{other}");
        }
    }
}
