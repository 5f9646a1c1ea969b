//! Tokens of the text form.

use crate::error::{ErrorKind, TextError};
use nom::branch::alt;
use nom::bytes::complete::{tag, take_till, take_until, take_while, take_while1};
use nom::character::complete::satisfy;
use nom::combinator::{recognize, value};
use nom::sequence::{delimited, preceded};
use nom::{IResult, Parser};

/// The words that cannot be names.
pub(crate) const KEYWORDS: [&str; 8] = ["automaton", "forbid", "on", "atomic", "read", "write", "begin", "end"];

/// A token with its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) text: &'a str,
    pub(crate) offset: usize,
}

impl Token<'_> {
    pub(crate) fn is_name(&self) -> bool {
        self.text.starts_with(begins_name) && !KEYWORDS.contains(&self.text)
    }

    pub(crate) fn error(&self, kind: ErrorKind) -> TextError {
        TextError { offset: self.offset, length: self.text.len(), kind }
    }
}

fn begins_name(character: char) -> bool {
    character.is_alphabetic() || character == '_'
}

fn continues_name(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '.' | '$')
}

fn blank(input: &str) -> IResult<&str, ()> {
    let comment = alt((
        recognize(preceded(tag("//"), take_till(|c| c == '\n'))),
        recognize(delimited(tag("/*"), take_until("*/"), tag("*/"))),
    ));
    value((), alt((take_while1(char::is_whitespace), comment))).parse(input)
}

fn word(input: &str) -> IResult<&str, &str> {
    recognize((satisfy(begins_name), take_while(continues_name))).parse(input)
}

fn token(input: &str) -> IResult<&str, &str> {
    let sign = recognize(satisfy(|c| "(){},;:*".contains(c)));
    alt((word, tag("->"), sign)).parse(input)
}

/// Returns the tokens of a text; the last one is empty, at the end of the text.
pub(crate) fn tokens(text: &str) -> Result<Vec<Token<'_>>, TextError> {
    let mut tokens = Vec::new();
    let mut rest = text.strip_prefix('\u{feff}').unwrap_or(text);
    loop {
        let offset = text.len() - rest.len();
        if let Ok((after, ())) = blank(rest) {
            rest = after;
        } else if let Ok((after, text)) = token(rest) {
            tokens.push(Token { text, offset });
            rest = after;
        } else if let Some(character) = rest.chars().next() {
            let open = rest.starts_with("/*");
            let kind = if open { ErrorKind::OpenComment } else { ErrorKind::Character(character) };
            return Err(TextError { offset, length: if open { 2 } else { character.len_utf8() }, kind });
        } else {
            tokens.push(Token { text: "", offset });
            return Ok(tokens);
        }
    }
}
