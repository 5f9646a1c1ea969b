//! `--cache`: confirmations of earlier runs (see `answers`).
//!
//! The key of a confirmation has this program, the kit with the classes that it compiled, the contents of the class
//! path, and the question.

use crate::cli::Failure;
use crate::cli::answers::{Answers, hash_of_file, hash_of_program};
use crate::cli::arguments::CacheArguments;
use crate::cli::value_hash::ValueHash;
use ::confirm::{ConfirmationStore, Jdk};
use anyhow::Context;
use asercheck::Cancellation;
use asercheck::audit::Confirmation;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The first words of a file. They change when the form changes.
const FORM: &str = "asercheck confirmation 1 ";

/// The confirmations of a cache.
pub(super) struct Cache {
    pub(super) answers: Answers,
    /// The hash of the program, the kit and the class path, which all keys of the run begin with.
    beginning: ValueHash,
}

/// A confirmation in a file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored<Key, Record> {
    key: Key,
    record: Record,
}

impl Cache {
    /// Opens the cache that the arguments name, for questions about a class path, some of whose entries give tests.
    pub(super) fn open(
        arguments: &CacheArguments,
        (jdk, class_path, tests): (&Jdk, &[PathBuf], &[PathBuf]),
        cancellation: &Cancellation,
    ) -> Result<Option<Self>, Failure> {
        let Some((place, usage)) = arguments.place() else { return Ok(None) };
        let mut beginning = ValueHash::new();
        beginning.add(&hash_of_program()?);
        beginning.add(&jdk.identity());
        for entry in class_path {
            let hash = hash_of_entry(entry).with_context(|| format!("cannot read {}", entry.display()));
            beginning.add(&hash.map_err(Failure::input)?);
            beginning.add(&tests.contains(entry));
        }
        Ok(Some(Self { answers: Answers::open(place, usage, FORM, cancellation)?, beginning }))
    }

    fn key(&self, question: &str) -> String {
        let mut key = self.beginning.clone();
        key.add(&question);
        key.hexadecimal()
    }
}

impl ConfirmationStore for Cache {
    fn get(&self, question: &str) -> Option<Confirmation> {
        let key = self.key(question);
        self.answers.get(&key, |body| {
            let stored: Stored<String, Confirmation> = serde_json::from_str(body).ok()?;
            (stored.key == key).then_some(stored.record)
        })
    }

    fn keep(&self, question: &str, confirmation: &Confirmation) {
        let key = self.key(question);
        let body = serde_json::to_string(&Stored { key: &key, record: confirmation });
        self.answers.keep(&key, body);
    }
}

/// Returns the hash of a file, or of all files of a folder with their relative paths.
fn hash_of_entry(entry: &Path) -> io::Result<String> {
    if !entry.is_dir() {
        return hash_of_file(entry);
    }
    let mut files = Vec::new();
    let mut folders = vec![entry.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for one in fs::read_dir(folder)? {
            let one = one?;
            // Links to folders are not followed, because they may form a cycle.
            let list = if one.file_type()?.is_dir() { &mut folders } else { &mut files };
            list.push(one.path());
        }
    }
    files.sort();
    let mut hash = ValueHash::new();
    for file in files.iter().filter(|file| file.is_file()) {
        hash.add(&file.strip_prefix(entry));
        hash.add(&hash_of_file(file)?);
    }
    Ok(hash.hexadecimal())
}
