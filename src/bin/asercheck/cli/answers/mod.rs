//! `--cache`: answers of earlier runs, in a folder or in an object store.
//!
//! Each answer has a file or an object, named after the key of its question. The first line of its text names its form,
//! and has a hash of the rest.
//!
//! **Invariants.**
//! - A returned answer was stored under its key by some run: the hash matches the text. A text that is incomplete,
//!   changed, empty, or of another form counts as missing. The caller compares the key, which is part of the text, so
//!   that a renamed file gives no answer.
//! - A text is complete when it gets its name, and all texts under one name answer the same question. So any number of
//!   runs can use a place at the same time. In an object store the first text stays; only a damaged one is replaced.
//!
//! A place that can be read but not written gives answers and stores none. The hash is no signature: whoever can write
//! there can write wrong answers.

mod folder;
#[cfg(feature = "object-store")]
mod objects;
mod texts;

pub(crate) use texts::Removed;

use super::Failure;
use super::cache_place::{CachePlace, CacheUse};
use super::output::Terminal;
use super::value_hash::ValueHash;
use anyhow::{Context, anyhow};
use asercheck::Cancellation;
use folder::Folder;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::SystemTime;
use texts::{LARGEST, Texts, name_of};

/// Answers of one form.
pub(crate) struct Answers {
    texts: Box<dyn Texts>,
    /// The name of the place, for messages.
    place: String,
    /// The beginning of the first line of a text. It changes with the form.
    form: &'static str,
    usage: CacheUse,
    given: AtomicUsize,
    asked: AtomicUsize,
    kept: AtomicUsize,
    /// Keys whose texts were damaged.
    damaged: Mutex<BTreeSet<String>>,
    /// The first error because of which an answer was not read or stored.
    trouble: Mutex<Option<io::Error>>,
}

impl Answers {
    /// Opens a place; a folder is made if it does not exist. After a cancellation nothing is waited for.
    pub(crate) fn open(
        place: &CachePlace,
        usage: CacheUse,
        form: &'static str,
        cancellation: &Cancellation,
    ) -> Result<Self, Failure> {
        let texts = texts(place, usage, cancellation)?;
        if usage == CacheUse::ReadWrite
            && let Err((error, false)) = texts.probe()
        {
            return Err(Failure::input(anyhow!(error).context(format!("cannot write into {place}"))));
        }
        let [given, asked, kept] = [(); 3].map(|()| AtomicUsize::new(0));
        let (damaged, trouble, place) = (Mutex::default(), Mutex::default(), place.to_string());
        Ok(Self { texts, place, form, usage, given, asked, kept, damaged, trouble })
    }

    /// Returns the answer that `parse` makes of the text under a key, if there is one.
    pub(crate) fn get<T>(&self, key: &str, parse: impl FnOnce(&str) -> Option<T>) -> Option<T> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let text = self.texts.read(&name_of(key)).unwrap_or_else(|error| {
            self.note(error);
            None
        })?;
        let answer = body(&text, self.form).and_then(parse);
        if answer.is_none() {
            self.damaged.lock().unwrap_or_else(PoisonError::into_inner).insert(key.to_string());
        }
        self.given.fetch_add(usize::from(answer.is_some()), Ordering::Relaxed);
        answer
    }

    /// Stores a text that contains the key. Returns whether it is stored.
    pub(crate) fn keep(&self, key: &str, body: serde_json::Result<String>) -> bool {
        if self.usage == CacheUse::ReadOnly {
            return false;
        }
        let is_damaged = self.damaged.lock().unwrap_or_else(PoisonError::into_inner).remove(key);
        let result = match body.map(|body| whole(&body, self.form)) {
            Ok(text) if text.len() as u64 > LARGEST => return false,
            Ok(text) => self.texts.write(&name_of(key), &text, is_damaged),
            Err(error) => Err(error.into()),
        };
        self.kept.fetch_add(usize::from(result.is_ok()), Ordering::Relaxed);
        result.map_err(|error| self.note(error)).is_ok()
    }

    fn note(&self, error: io::Error) {
        self.trouble.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    /// Warns if answers could not be read or stored.
    pub(crate) fn warn(&self, terminal: &Terminal) {
        if let Some(error) = &*self.trouble.lock().unwrap_or_else(PoisonError::into_inner) {
            terminal.tell(&format!("warning: answers are not kept in {}: {error}\n", self.place));
        }
    }

    /// Counts the answers that came from the cache.
    pub(crate) fn statistics(&self) -> String {
        let [given, asked, kept] = [&self.given, &self.asked, &self.kept].map(|count| count.load(Ordering::Relaxed));
        format!("cache: {given} of {asked} answers found, {kept} added\n")
    }
}

/// Removes the answers, of all forms, that were written before a time.
pub(crate) fn remove_before(place: &CachePlace, time: SystemTime) -> Result<Removed, Failure> {
    let texts = texts(place, CacheUse::ReadOnly, &Cancellation::default())?;
    texts.remove_before(time).with_context(|| format!("cannot remove answers from {place}")).map_err(Failure::input)
}

fn texts(place: &CachePlace, usage: CacheUse, cancellation: &Cancellation) -> Result<Box<dyn Texts>, Failure> {
    match place {
        CachePlace::Folder(folder) => Ok(Box::new(Folder::open(folder, usage).map_err(Failure::input)?)),
        #[cfg(feature = "object-store")]
        CachePlace::Url(url) => Ok(Box::new(objects::Objects::open(url, cancellation).map_err(Failure::input)?)),
        #[cfg(not(feature = "object-store"))]
        CachePlace::Url(url) => {
            let _ = cancellation;
            let why = "this build of asercheck has no object stores: build it with --features object-store, or use the \
                       Python package, which has them";
            Err(Failure::input(anyhow!("cannot use {url}: {why}")))
        }
    }
}

/// Returns the whole text of a body.
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
}
