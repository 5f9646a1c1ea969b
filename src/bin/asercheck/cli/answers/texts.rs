//! Places of texts, each with a name.

use std::io;
use std::time::SystemTime;

/// Size above which answers are neither stored nor read.
pub(super) const LARGEST: u64 = 1 << 30;

/// Texts by name.
pub(super) trait Texts: Send + Sync {
    /// Tries to write. If that fails, returns whether there are answers to read.
    fn probe(&self) -> Result<(), (io::Error, bool)>;
    /// Reads the text of a name; none if there is no text of that name.
    fn read(&self, name: &str) -> io::Result<Option<String>>;
    /// Writes a text. If there is one of that name, it may stay, unless it is damaged.
    fn write(&self, name: &str, text: &str, is_damaged: bool) -> io::Result<()>;
    /// Removes the answers that were written before a time.
    fn remove_before(&self, time: SystemTime) -> io::Result<Removed>;
}

/// The numbers of answers, and their bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Removed {
    pub(crate) removed: usize,
    pub(crate) bytes: u64,
    pub(crate) left: usize,
}

/// The name of the text of a key.
pub(super) fn name_of(key: &str) -> String {
    format!("{key}.answer")
}

/// Whether a name is that of an answer.
pub(super) fn is_answer(name: &str) -> bool {
    let is_key = |key: &str| key.len() == 64 && key.bytes().all(|byte| byte.is_ascii_hexdigit());
    name.strip_suffix(".answer").is_some_and(is_key)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_other_names_are_no_answers() {
        let key = "0".repeat(64);
        assert!(is_answer(&name_of(&key)));
        for other in [format!("{key}.json"), format!("{key}0.answer"), format!("{key}.1-2.new"), "a.answer".into()] {
            assert!(!is_answer(&other), "{other}");
        }
    }
}
