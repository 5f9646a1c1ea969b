//! The token found at the place of a syntax error.

use std::fmt;

use super::diagnostic::{is_visible, quote};
use super::token::{begins_name, continues_name, is_keyword};

/// The token at the place of an error.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FoundToken {
    /// The end of the text.
    End,
    /// A keyword.
    Keyword(String),
    /// A name.
    Name(String),
    /// A number.
    Number(String),
    /// Any other character.
    Character(char),
}

impl fmt::Display for FoundToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FoundToken::End => formatter.write_str("the end of the text"),
            FoundToken::Keyword(word) => write!(formatter, "the keyword {}", quote(word)),
            FoundToken::Name(name) => formatter.write_str(&quote(name)),
            FoundToken::Number(digits) => write!(formatter, "the number {}", quote(digits)),
            FoundToken::Character(character) if character.is_ascii_graphic() => {
                write!(formatter, "`{character}`")
            }
            // Other characters may look like ASCII characters, or be invisible.
            FoundToken::Character(character) => {
                write!(formatter, "the character U+{:04X}", u32::from(*character))?;
                if is_visible(*character) && character.is_alphanumeric() {
                    write!(formatter, " `{character}`")?;
                }
                Ok(())
            }
        }
    }
}

/// Describes the token at the start of a text; returns it with its length in bytes.
pub(super) fn found_at(text: &str) -> (FoundToken, usize) {
    let Some(first) = text.chars().next() else {
        return (FoundToken::End, 0);
    };
    let run = |belongs: fn(char) -> bool| {
        let length = text.find(|character| !belongs(character));
        &text[..length.unwrap_or(text.len())]
    };
    if begins_name(first) {
        let word = run(continues_name);
        let found =
            if is_keyword(word) { FoundToken::Keyword(word.to_string()) } else { FoundToken::Name(word.to_string()) };
        (found, word.len())
    } else if first.is_ascii_digit() {
        let digits = run(|character| character.is_ascii_digit());
        (FoundToken::Number(digits.to_string()), digits.len())
    } else {
        (FoundToken::Character(first), first.len_utf8())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_described_as_users_see_them() {
        let described = |text: &str| found_at(text).0.to_string();
        assert_eq!(described(""), "the end of the text");
        assert_eq!(described("loop {"), "the keyword `loop`");
        assert_eq!(described("loops;"), "`loops`");
        assert_eq!(described("12a"), "the number `12`");
        assert_eq!(described("é-"), "`é`");
        assert_eq!(described("-"), "`-`");
        assert_eq!(described("²"), "the character U+00B2 `²`");
        assert_eq!(described("\u{37e}"), "the character U+037E");
        assert_eq!(described("\0"), "the character U+0000");
        assert_eq!(described("\u{202e}"), "the character U+202E");
    }
}
