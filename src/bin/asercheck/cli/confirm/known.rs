//! `--cache`: what came of a finding is known if the same was asked of the same classes on the same Java before.
//!
//! The key has this program, the Java side as it was compiled by the kit (by the name of its folder), the class path by
//! what is in its files, and the question. Kept is only what more time would not change: what is confirmed, and what
//! was tried to its end.

use super::jdk::Jdk;
use crate::cli::Failure;
use crate::cli::answers::{Answers, hash_of_file, hash_of_program};
use crate::cli::hashed::Hashed;
use crate::cli::output::Terminal;
use anyhow::Context;
use asercheck::audit::Confirmation;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// How files begin. It is changed when their form is.
const FORM: &str = "asercheck confirmation 1 ";

/// A folder with answers.
pub(super) struct Known {
    answers: Answers,
    beginning: Hashed,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored<Key, Record> {
    key: Key,
    record: Record,
}

impl Known {
    /// Opens a folder for questions about a class path.
    pub(super) fn open(folder: &Path, jdk: &Jdk, path: &[PathBuf]) -> Result<Self, Failure> {
        let mut beginning = Hashed::new();
        beginning.add(&hash_of_program()?);
        beginning.add(&jdk.classes.file_name());
        for entry in path {
            let hash = hash_of_entry(entry).with_context(|| format!("cannot read {}", entry.display()));
            beginning.add(&hash.map_err(Failure::input)?);
        }
        Ok(Self { answers: Answers::open(folder, FORM)?, beginning })
    }

    /// What is known of a question.
    pub(super) fn get(&self, question: &str) -> Option<Confirmation> {
        let key = self.key(question);
        self.answers.get(&key, |body| {
            let stored: Stored<String, Confirmation> = serde_json::from_str(body).ok()?;
            (stored.key == key).then_some(stored.record)
        })
    }

    /// Keeps what came of a question.
    pub(super) fn keep(&self, question: &str, record: &Confirmation) {
        let key = self.key(question);
        let body = serde_json::to_string(&Stored { key: &key, record });
        self.answers.keep(&key, body);
    }

    /// Says whether answers could not be kept.
    pub(super) fn warn(&self, terminal: &Terminal) {
        self.answers.warn(terminal);
    }

    fn key(&self, question: &str) -> String {
        let mut key = self.beginning.clone();
        key.add(&question);
        key.hexadecimal()
    }
}

/// The hash of a file, or of the files of a folder with their names in it.
fn hash_of_entry(entry: &Path) -> io::Result<String> {
    if !entry.is_dir() {
        return hash_of_file(entry);
    }
    let mut files = Vec::new();
    let mut folders = vec![entry.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for one in fs::read_dir(folder)? {
            let one = one?;
            // Links to folders are not followed: they may lead around.
            let list = if one.file_type()?.is_dir() { &mut folders } else { &mut files };
            list.push(one.path());
        }
    }
    files.sort();
    let mut hash = Hashed::new();
    for file in files.iter().filter(|file| file.is_file()) {
        hash.add(&file.strip_prefix(entry));
        hash.add(&hash_of_file(file)?);
    }
    Ok(hash.hexadecimal())
}
