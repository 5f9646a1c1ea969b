//! `--cache`: answers of earlier runs.
//!
//! A cache is a folder with a file for each answer, named after the key of its question (see `question`). The first line of a file has a hash of the rest, which is JSON and
//! begins with the key.
//!
//! **Invariants.**
//! - What is given is what was kept under this key, by whichever run: the hash fits to the text, and the key in the text is the one that is asked for. Everything else (a file that is
//!   torn, changed, empty, of another form, under another name, or no file) is as if it was not there.
//! - A file is whole when it gets its name: it is written under a name of its own, and renamed. So runs can use a folder at the same time; the
//!   last one of those that find the same out is kept.
//! - Only answers are kept of which nothing is open.
//!
//! A folder that can be read and not written gives answers and keeps none. The hash is no signature: who can write into the folder can write wrong answers into it.

use super::hashed::Hashed;
use super::question::{Answer, KeyBeginning};
use crate::cli::Failure;
use crate::cli::output::Terminal;
use anyhow::{Context, anyhow};
use asercheck::records::java::{FindingRecord, Labels};
use asercheck::results::QueryRecord;
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// The first line of a file begins so. It is changed when the form is.
const FORM: &str = "asercheck java answer 1 ";

/// Larger answers are neither kept nor read.
const LARGEST: u64 = 1 << 30;

/// A folder with answers.
pub(super) struct Cache {
    folder: PathBuf,
    beginning: KeyBeginning,
    given: AtomicUsize,
    asked: AtomicUsize,
    kept: AtomicUsize,
    /// The first reason why an answer was not kept that should have been.
    trouble: Mutex<Option<io::Error>>,
}

/// An answer in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored<Key, Findings, Records> {
    key: Key,
    queries: usize,
    spared: usize,
    violations: usize,
    /// Each with its labels, which its own JSON does not have.
    findings: Findings,
    records: Records,
}

impl Cache {
    /// Opens a folder, which is made if it is not there, for questions whose keys begin so.
    pub(super) fn open(folder: &Path, beginning: KeyBeginning) -> Result<Self, Failure> {
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))
            .map_err(Failure::input)?;
        let entries = fs::read_dir(folder);
        let mut entries =
            entries.with_context(|| format!("cannot read the folder {}", folder.display())).map_err(Failure::input)?;
        let [given, asked, kept] = [(); 3].map(|()| AtomicUsize::new(0));
        let cache = Self { folder: folder.to_path_buf(), beginning, given, asked, kept, trouble: Mutex::new(None) };
        if let Err(error) = cache.write_unfinished("probe", b"").and_then(fs::remove_file) {
            // What is there can be of use.
            if !entries.any(|entry| entry.is_ok_and(|entry| is_answer(&entry.path()))) {
                let error = anyhow!(error).context(format!("cannot write into the folder {}", folder.display()));
                return Err(Failure::input(error));
            }
        }
        Ok(cache)
    }

    /// What the keys of this run have in common.
    pub(super) fn beginning(&self) -> &KeyBeginning {
        &self.beginning
    }

    /// The answer under a key, if it is there.
    pub(super) fn get(&self, key: &str) -> Option<Answer> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let answer = parse(&read(&self.path(key))?, key)?;
        self.given.fetch_add(1, Ordering::Relaxed);
        Some(answer)
    }

    /// Keeps an answer of which nothing is open.
    pub(super) fn keep(&self, key: &str, answer: &Answer) {
        debug_assert!(answer.is_whole());
        let text = text(key, answer);
        let result = match text {
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

    /// Says whether answers could not be kept, if that is wanted.
    pub(super) fn warn(&self, terminal: &Terminal) {
        if let Some(error) = &*self.trouble.lock().unwrap_or_else(PoisonError::into_inner) {
            terminal.tell(&format!("warning: answers are not kept in {}: {error}\n", self.folder.display()));
        }
    }

    /// How many answers came from the cache.
    pub(super) fn statistics(&self) -> String {
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

    /// Writes a file under a name that nobody else has.
    fn write_unfinished(&self, key: &str, bytes: &[u8]) -> io::Result<PathBuf> {
        let number = RandomState::new().build_hasher().finish();
        let path = self.folder.join(format!("{key}.{}-{number:016x}.new", std::process::id()));
        File::create_new(&path)?.write_all(bytes).inspect_err(|_| drop(fs::remove_file(&path)))?;
        Ok(path)
    }
}

/// Whether a file is named as one with an answer.
fn is_answer(path: &Path) -> bool {
    let is_key = |name: &str| name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit());
    path.extension().is_some_and(|extension| extension == "answer")
        && path.file_stem().and_then(|name| name.to_str()).is_some_and(is_key)
}

/// The text of a file, if it is one.
fn read(path: &Path) -> Option<String> {
    let about = fs::metadata(path).ok()?;
    (about.is_file() && about.len() <= LARGEST).then(|| fs::read_to_string(path).ok()).flatten()
}

/// The text of an answer.
fn text(key: &str, answer: &Answer) -> serde_json::Result<String> {
    let Answer { queries, spared, violations, undecided: _, findings, open: _, records } = answer;
    let findings: Vec<_> = findings.iter().map(|finding| (finding, &finding.labels)).collect();
    let (queries, spared, violations) = (*queries, *spared, *violations);
    let body = serde_json::to_string(&Stored { key, queries, spared, violations, findings, records })?;
    Ok(format!("{FORM}{}\n{body}", hash_of(&body)))
}

/// The answer of a text that was kept under this key.
fn parse(text: &str, key: &str) -> Option<Answer> {
    let (hash, body) = text.strip_prefix(FORM)?.split_once('\n')?;
    if hash != hash_of(body) {
        return None;
    }
    let stored: Stored<String, Vec<(FindingRecord, Labels)>, Vec<QueryRecord>> = serde_json::from_str(body).ok()?;
    let Stored { key: own, queries, spared, violations, findings, records } = stored;
    let findings = findings.into_iter().map(|(finding, labels)| FindingRecord { labels, ..finding }).collect();
    let answer = Answer { queries, spared, violations, undecided: 0, findings, open: Vec::new(), records };
    (own == key).then_some(answer)
}

fn hash_of(text: &str) -> String {
    Hashed::of_bytes(text.as_bytes())
}

/// The hash of this program.
pub(super) fn hash_of_program() -> Result<String, Failure> {
    let path = crate::cli::batch::program()?;
    let hash = || -> io::Result<String> {
        let (mut file, mut hash, mut buffer) = (File::open(&path)?, Hashed::new(), vec![0; 1 << 16]);
        loop {
            match file.read(&mut buffer)? {
                0 => return Ok(hash.hexadecimal()),
                count => hash.add_bytes(&buffer[..count]),
            }
        }
    };
    let hash = hash().with_context(|| format!("cannot read this program, {}, for --cache", path.display()));
    hash.map_err(Failure::input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer() -> Answer {
        Answer { queries: 7, spared: 2, violations: 1, ..Answer::default() }
    }

    #[test]
    fn only_what_was_kept_is_given() {
        let text = text("ab", &answer()).expect("JSON");
        assert_eq!(parse(&text, "ab"), Some(answer()));
        assert_eq!(parse(&text, "ac"), None, "another question");
        for end in 0..text.len() {
            assert_eq!(parse(&text[..end], "ab"), None, "torn at {end}");
        }
        for place in 0..text.len() {
            let mut bytes = text.clone().into_bytes();
            bytes[place] ^= 1;
            let changed = String::from_utf8(bytes).expect("ASCII");
            assert_eq!(parse(&changed, "ab"), None, "changed at {place}");
        }
        assert_eq!(parse(&format!("{text} "), "ab"), None);
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
