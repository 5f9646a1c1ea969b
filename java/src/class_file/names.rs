//! The interning table of all names, descriptors and strings of a program.
//!
//! Class files hold *modified UTF-8* (JVMS 4.4.7): NUL takes two bytes, a character above U+FFFF is a pair of
//! surrogates of three bytes each, and unpaired surrogates are allowed. Nearly all texts are also plain UTF-8 and are
//! stored unchanged. The others are decoded: an unpaired surrogate becomes `\u{d800}`, an invalid byte `\x{ff}`, and
//! every backslash is doubled.
//!
//! **Invariant.** Two texts of class files have the same [`Name`] if and only if their bytes are equal. Plain texts are
//! compared by their bytes. A decoded text carries a mark, so that it differs from a plain text with the same
//! characters. Decoding is injective because backslashes are doubled. (Texts from other places, as in [`Names::find`],
//! are plain texts.)

use hashbrown::HashTable;
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

/// The index of an interned text: the name of a class (`java/util/Map$Entry`), field or method, a descriptor, a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Name(u32);

impl Name {
    /// The index, from 0.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The interning table.
#[derive(Clone, Debug, Default)]
pub(crate) struct Names {
    text: String,
    /// The end of each text in `text`, and whether it is decoded. A text begins at the end of the previous one.
    ends: Vec<(u32, bool)>,
    table: HashTable<Name>,
}

/// The error of a full table: it holds at most 4 GiB of text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Full;

impl Names {
    /// The text of a name.
    pub(crate) fn text(&self, name: Name) -> &str {
        let start = match name.index() {
            0 => 0,
            index => self.ends[index - 1].0,
        };
        &self.text[start as usize..self.ends[name.index()].0 as usize]
    }

    /// Interns modified UTF-8.
    pub(crate) fn add_modified(&mut self, bytes: &[u8]) -> Result<Name, Full> {
        match plain(bytes) {
            Some(text) => self.add_marked(text, false),
            None => self.add_marked(&decode(bytes), true),
        }
    }

    /// Interns a plain text.
    pub(crate) fn add(&mut self, text: &str) -> Result<Name, Full> {
        self.add_marked(text, false)
    }

    /// Interns a part of a text: returns the name that the part has as a text of its own.
    pub(crate) fn add_part(&mut self, whole: Name, part: &str) -> Result<Name, Full> {
        if !self.ends[whole.index()].1 {
            return self.add_marked(part, false);
        }
        let is_plain = !part.replace("\\\\", "").contains(|one| one == '\\' || one == '\0' || one > '\u{ffff}');
        match is_plain {
            true => self.add_marked(&part.replace("\\\\", "\\"), false),
            false => self.add_marked(part, true),
        }
    }

    fn add_marked(&mut self, text: &str, decoded: bool) -> Result<Name, Full> {
        if let Some(name) = self.find_marked(text, decoded) {
            return Ok(name);
        }
        let end = u32::try_from(self.text.len() + text.len()).map_err(|_| Full)?;
        let name = Name(u32::try_from(self.ends.len()).map_err(|_| Full)?);
        self.text.push_str(text);
        self.ends.push((end, decoded));
        let Self { text, ends, table } = self;
        let hash_again = |name: &Name| {
            let start = name.index().checked_sub(1).map_or(0, |before| ends[before].0);
            let (end, decoded) = ends[name.index()];
            hash(&text[start as usize..end as usize], decoded)
        };
        table.insert_unique(hash_again(&name), name, hash_again);
        Ok(name)
    }

    /// Interns the descriptor of an array whose elements have this class or array descriptor.
    pub(crate) fn add_array_of(&mut self, class: Name) -> Result<Name, Full> {
        self.add_marked(&array_of(self.text(class)), self.ends[class.index()].1)
    }

    /// The name that [`add_array_of`](Self::add_array_of) returned, if it was called.
    pub(crate) fn find_array_of(&self, class: Name) -> Option<Name> {
        self.find_marked(&array_of(self.text(class)), self.ends[class.index()].1)
    }

    /// The name of a plain text, if it is interned.
    pub(crate) fn find(&self, text: &str) -> Option<Name> {
        self.find_marked(text, false)
    }

    fn find_marked(&self, text: &str, decoded: bool) -> Option<Name> {
        let is_same = |name: &Name| self.ends[name.index()].1 == decoded && self.text(*name) == text;
        self.table.find(hash(text, decoded), is_same).copied()
    }

    /// Releases unused capacity.
    pub(crate) fn shrink(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

/// The descriptor of an array whose elements have this class or array descriptor.
fn array_of(class: &str) -> String {
    if class.starts_with('[') { format!("[{class}") } else { format!("[L{class};") }
}

fn hash(text: &str, decoded: bool) -> u64 {
    let mut hasher = FxHasher::default();
    (text, decoded).hash(&mut hasher);
    hasher.finish()
}

/// The bytes as text, if they have the same meaning in UTF-8.
fn plain(bytes: &[u8]) -> Option<&str> {
    // UTF-8 has neither surrogates nor a two-byte NUL; modified UTF-8 has neither a one-byte NUL nor four-byte
    // characters.
    let text = std::str::from_utf8(bytes).ok()?;
    let is_modified = |byte: &u8| *byte != 0 && *byte < 0xF0;
    bytes.iter().all(is_modified).then_some(text)
}

fn decode(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    let mut units = units(bytes).peekable();
    while let Some(unit) = units.next() {
        match unit {
            Ok(high @ 0xD800..=0xDBFF) => match units.peek() {
                Some(Ok(low @ 0xDC00..=0xDFFF)) => {
                    let code = 0x10000 + ((u32::from(high) - 0xD800) << 10) + (u32::from(*low) - 0xDC00);
                    text.extend(char::from_u32(code));
                    units.next();
                }
                _ => text.push_str(&format!("\\u{{{high:x}}}")),
            },
            Ok(0x5C) => text.push_str("\\\\"),
            Ok(unit) => match char::from_u32(unit.into()) {
                Some(character) => text.push(character),
                None => text.push_str(&format!("\\u{{{unit:x}}}")),
            },
            Err(byte) => text.push_str(&format!("\\x{{{byte:x}}}")),
        }
    }
    text
}

/// The UTF-16 code units of modified UTF-8. A byte that is not part of a unit is an error, and so is each byte of an
/// overlong encoding, except the two-byte NUL.
fn units(bytes: &[u8]) -> impl Iterator<Item = Result<u16, u8>> {
    let mut rest = bytes;
    std::iter::from_fn(move || {
        let continues = |byte: &u8| byte & 0xC0 == 0x80;
        let low = |byte: &u8| u16::from(byte & 0x3F);
        let (unit, length) = match rest {
            [] => return None,
            [one @ 1..=0x7F, ..] => (Ok(u16::from(*one)), 1),
            [0xC0, 0x80, ..] => (Ok(0), 2),
            [one @ 0xC2..=0xDF, two, ..] if continues(two) => (Ok((u16::from(one & 0x1F) << 6) | low(two)), 2),
            [one @ 0xE0..=0xEF, two, three, ..]
                if continues(two) && continues(three) && (*one != 0xE0 || *two >= 0xA0) =>
            {
                (Ok((u16::from(one & 0xF) << 12) | (low(two) << 6) | low(three)), 3)
            }
            [one, ..] => (Err(*one), 1),
        };
        rest = &rest[length..];
        Some(unit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn a_text_has_one_name() {
        let mut names = Names::default();
        let object = names.add_modified(b"java/lang/Object").unwrap();
        assert_eq!(names.add("java/lang/Object"), Ok(object));
        assert_eq!(names.find("java/lang/Object"), Some(object));
        let empty = names.add("").unwrap();
        assert_ne!(empty, object);
        assert_eq!((names.text(empty), names.text(object)), ("", "java/lang/Object"));
        assert_eq!(names.find("java/lang/String"), None);
    }

    #[test]
    fn modified_utf8_is_decoded() {
        let cases: [(&[u8], &str); 8] = [
            (b"\xC3\xA9", "é"),
            (b"a\xC0\x80b", "a\0b"),
            (b"\xED\xA0\xBD\xED\xB8\x80", "😀"),
            (b"\xED\xA0\x80", "\\u{d800}"),
            (b"\xED\xB8\x80\xED\xA0\xBD", "\\u{de00}\\u{d83d}"),
            (b"\xFF\\", "\\x{ff}\\\\"),
            (b"\0", "\\x{0}"),
            (b"\xF0\x9F\x98\x80", "\\x{f0}\\x{9f}\\x{98}\\x{80}"),
        ];
        let mut names = Names::default();
        for (bytes, text) in cases {
            let name = names.add_modified(bytes).unwrap();
            assert_eq!(names.text(name), text);
        }
    }

    #[test]
    fn a_part_is_named_as_if_it_were_alone() {
        let mut names = Names::default();
        for part in [&b"plain"[..], b"back\\slash", b"\xED\xA0\xBD\xED\xB8\x80", b"\xED\xA0\x80", b"a\xC0\x80"] {
            let alone = names.add_modified(part).unwrap();
            for before in [&b"L"[..], b"\xED\xB8\x80"] {
                let whole = names.add_modified(&[before, part].concat()).unwrap();
                let skipped = if before == b"L" { 1 } else { "\\u{de00}".len() };
                let text = names.text(whole)[skipped..].to_string();
                assert_eq!(names.add_part(whole, &text), Ok(alone), "{text}");
            }
        }
    }

    #[test]
    fn different_bytes_have_different_names() {
        // All concatenations of one to four of these, which look alike after decoding.
        let parts: [&[u8]; 9] =
            [b"\\", b"\xED\xA0\x80", b"\xED\xB0\x80", b"\\u{d800}", b"\xC0\x80", b"\0", b"\xC3\xA9", b"\xE9", b"\xC3"];
        let mut names = Names::default();
        let mut known: HashMap<Name, Vec<u8>> = HashMap::new();
        for number in 0..9_usize.pow(4) {
            let digits = [number, number / 9, number / 81, number / 729].map(|digit| parts[digit % 9]);
            for length in 1..=4 {
                let bytes = digits[..length].concat();
                let name = names.add_modified(&bytes).unwrap();
                assert_eq!(known.entry(name).or_insert(bytes.clone()), &bytes);
            }
        }
        assert!(known.len() > 5000);
    }
}
