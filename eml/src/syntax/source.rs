//! The text of a model with its name, and reading it from a file.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use super::diagnostic::Diagnostic;
use super::lines::LineIndex;
use super::span::Span;

/// Texts of this many bytes and more are refused: spans count bytes in 32 bits.
pub const SIZE_LIMIT: u64 = u32::MAX as u64;

/// A model text and its name, which messages show; the renderer takes its lines from here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    name: String,
    /// `None` for models that were built from code.
    text: Option<String>,
}

impl Source {
    /// Creates a source from a text in memory.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), text: Some(text.into()) }
    }

    /// Creates the source of a model that was built from code: messages show positions, but no lines.
    pub fn without_text(name: impl Into<String>) -> Self {
        Self { name: name.into(), text: None }
    }

    /// Reads a file; its path becomes the name.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, is too large, or is not UTF-8.
    pub fn read(path: &Path) -> Result<Self, ReadError> {
        let name = path.display().to_string();
        match read_limited(path) {
            Ok(bytes) => Self::from_bytes(name, bytes),
            Err(kind) => Err(ReadError { source: Self::without_text(name), kind }),
        }
    }

    /// Reads a stream to its end, for example standard input.
    ///
    /// # Errors
    ///
    /// If the stream cannot be read, is too large, or is not UTF-8.
    pub fn read_from(name: impl Into<String>, reader: impl Read) -> Result<Self, ReadError> {
        let (name, mut bytes) = (name.into(), Vec::new());
        match reader.take(SIZE_LIMIT).read_to_end(&mut bytes) {
            Ok(_) => Self::from_bytes(name, bytes),
            Err(error) => Err(ReadError { source: Self::without_text(name), kind: error.into() }),
        }
    }

    /// Decodes the bytes of a file.
    ///
    /// # Errors
    ///
    /// If there are too many, or they are not UTF-8.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, ReadError> {
        if bytes.len() as u64 >= SIZE_LIMIT {
            return Err(ReadError { source: Self::without_text(name), kind: ReadErrorKind::TooLarge });
        }
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Self::new(name, text)),
            Err(error) => Err(not_utf8(name.into(), error.as_bytes())),
        }
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the text, if the model has one.
    pub fn text(&self) -> Option<&str> {
        self.text.as_deref()
    }
}

/// Reads the bytes of a file. A file that is too large is not read; a file of unknown size is read up to the limit.
fn read_limited(path: &Path) -> Result<Vec<u8>, ReadErrorKind> {
    let file = File::open(path)?;
    if file.metadata()?.len() >= SIZE_LIMIT {
        return Err(ReadErrorKind::TooLarge);
    }
    let mut bytes = Vec::new();
    file.take(SIZE_LIMIT).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the error about the first byte that is not UTF-8.
fn not_utf8(name: String, bytes: &[u8]) -> ReadError {
    // Everything before that byte stays as it is, so that the offset is the same in the repaired text.
    let text = String::from_utf8_lossy(bytes).into_owned();
    let offset = std::str::from_utf8(bytes).map_or_else(|error| error.valid_up_to(), str::len);
    let shown = text[offset..].chars().next().map_or(0, char::len_utf8);
    let span = LineIndex::new(&text[..offset]).span(offset..offset + shown);
    ReadError {
        source: Source::new(name, text),
        kind: ReadErrorKind::NotUtf8 {
            span,
            byte: bytes.get(offset).copied().unwrap_or_default(),
            looks_like_utf16: bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]),
        },
    }
}

/// A failure to read a text.
#[derive(Debug)]
pub struct ReadError {
    source: Source,
    kind: ReadErrorKind,
}

/// The kinds of failures to read a text.
#[derive(Debug)]
#[non_exhaustive]
pub enum ReadErrorKind {
    /// An error of the operating system.
    Unreadable(io::Error),
    /// A text of [`SIZE_LIMIT`] bytes or more.
    TooLarge,
    /// A byte that does not belong to any character.
    NotUtf8 {
        /// Its place; the source of the error has a replacement character there.
        span: Span,
        /// The byte.
        byte: u8,
        /// Whether the file starts with the byte order mark of UTF-16.
        looks_like_utf16: bool,
    },
}

impl From<io::Error> for ReadErrorKind {
    fn from(error: io::Error) -> Self {
        Self::Unreadable(error)
    }
}

impl ReadError {
    /// Returns the source for rendering the diagnostic: the text as far as it could be read.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Returns the kind of failure.
    pub fn kind(&self) -> &ReadErrorKind {
        &self.kind
    }

    /// Returns the message for users.
    pub fn diagnostic(&self) -> Diagnostic {
        match &self.kind {
            ReadErrorKind::Unreadable(error) => Diagnostic::error(format!("cannot read {}: {error}", self.source.name)),
            ReadErrorKind::TooLarge => {
                Diagnostic::error(format!("{} is too large: the limit is 4 GiB", self.source.name))
            }
            ReadErrorKind::NotUtf8 { span, byte, looks_like_utf16 } => {
                let diagnostic = Diagnostic::error("the text is not UTF-8")
                    .at(*span, format!("byte 0x{byte:02X} belongs to no character"));
                diagnostic.help(if *looks_like_utf16 {
                    "the file looks like UTF-16; save it as UTF-8"
                } else {
                    "save the file as UTF-8; if it is no text at all, it is no model"
                })
            }
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.diagnostic().fmt(formatter)
    }
}

impl std::error::Error for ReadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            ReadErrorKind::Unreadable(error) => Some(error),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_bad_byte_is_located_in_characters() {
        let error = Source::from_bytes("m", b"lock a;\n\xc3\xa9\xff\xfe".to_vec()).unwrap_err();
        let ReadErrorKind::NotUtf8 { span, byte, .. } = error.kind() else {
            panic!("{error}");
        };
        assert_eq!((span.start.line, span.start.column, *byte), (2, 2, 0xff));
        let text = error.source().text().unwrap();
        assert!(text[span.offset as usize..].starts_with('\u{fffd}'));
    }

    #[test]
    fn a_truncated_character_at_the_end_is_found() {
        let error = Source::from_bytes("m", b"lock \xe2\x82".to_vec()).unwrap_err();
        let ReadErrorKind::NotUtf8 { span, byte, .. } = error.kind() else {
            panic!("{error}");
        };
        assert_eq!((span.offset, *byte), (5, 0xe2));
    }

    #[test]
    fn a_missing_file_is_named() {
        let error = Source::read(Path::new("no-such-file.eml")).unwrap_err();
        assert!(error.to_string().contains("no-such-file.eml"));
    }
}
