//! Words of models and automata.

use std::collections::HashMap;
use std::fmt;

/// A position in a text: line and column, from 1; columns count characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The line.
    pub line: usize,
    /// The column.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(to, "{}:{}", self.line, self.column)
    }
}

/// A reason why a text cannot be read, with its position.
pub(crate) type Unread = (Place, String);

/// A name, a number or a sign; at the end of the text an empty word.
#[derive(Clone, Copy)]
pub(crate) struct Token<'t> {
    pub text: &'t str,
    pub place: Place,
}

impl<'t> Token<'t> {
    pub fn error<T>(self, reason: impl Into<String>) -> Result<T, Unread> {
        Err((self.place, reason.into()))
    }

    /// The entry of a table with this name.
    pub fn known<T: Copy>(self, names: &HashMap<&str, T>, kind: &str) -> Result<T, Unread> {
        find(names, kind, self.text).or_else(|reason| self.error(reason))
    }

    /// Adds an entry with this name, made of the number of entries before it.
    pub fn declare<T>(self, names: &mut HashMap<&'t str, T>, entry: impl FnOnce(usize) -> T) -> Result<(), Unread> {
        let entry = entry(names.len());
        if names.insert(self.text, entry).is_none() {
            return Ok(());
        }
        self.error(format!("`{}` is there already", self.text))
    }
}

/// The entry of a table with a name.
pub(crate) fn find<T: Copy>(names: &HashMap<&str, T>, kind: &str, name: &str) -> Result<T, String> {
    names.get(name).copied().ok_or_else(|| format!("F1: there is no {kind} `{name}`"))
}

/// The most words of a text.
pub(crate) const MOST_WORDS: usize = 1 << 24;

/// The words of a text in order, and the next one.
pub(crate) struct Tokens<'t> {
    pub all: Vec<Token<'t>>,
    pub next: usize,
    reserved: &'static str,
}

impl<'t> Tokens<'t> {
    /// Reads all words of a text. Reserved words are no names.
    pub fn new(text: &'t str, reserved: &'static str) -> Result<Tokens<'t>, Unread> {
        let mut all = Vec::new();
        let (mut place, mut rest) = (Place { line: 1, column: 1 }, text);
        while let Some(first) = rest.chars().next() {
            let up_to = |is_end: fn(char) -> bool| Some(rest.find(is_end).unwrap_or(rest.len()));
            let length = match first {
                _ if first.is_whitespace() => Some(first.len_utf8()),
                '/' if rest.starts_with("//") => up_to(|c| c == '\n'),
                '/' if rest.starts_with("/*") => rest[2..].find("*/").map(|end| end + 4),
                '-' if rest.starts_with("->") => Some(2),
                _ if ";,:*(){}".contains(first) => Some(1),
                '0'..='9' => up_to(|c| !c.is_ascii_digit()),
                _ if is_first(first) => up_to(|c| !(c.is_alphanumeric() || "_.$".contains(c))),
                _ => None,
            };
            let Some(length) = length else { return Err((place, format!("{first:?} begins no word"))) };
            let (text, after) = rest.split_at(length);
            if !first.is_whitespace() && first != '/' {
                all.push(Token { text, place });
            }
            if all.len() > MOST_WORDS {
                return Err((place, format!("there are more than {MOST_WORDS} words")));
            }
            for character in text.chars() {
                place.column += 1;
                if character == '\n' {
                    place = Place { line: place.line + 1, column: 1 };
                }
            }
            rest = after;
        }
        all.push(Token { text: "", place });
        Ok(Tokens { all, next: 0, reserved })
    }

    /// The next word.
    pub fn peek(&self) -> Token<'t> {
        self.all[self.next]
    }

    /// Takes the next word; the end of the text stays.
    pub fn take(&mut self) -> Token<'t> {
        let token = self.peek();
        self.next = (self.next + 1).min(self.all.len() - 1);
        token
    }

    /// Takes the next word if it is this one.
    pub fn accept(&mut self, text: &str) -> bool {
        let is = self.peek().text == text;
        self.next += usize::from(is);
        is
    }

    /// Takes these words, which have spaces in between.
    pub fn expect(&mut self, words: &str) -> Result<(), Unread> {
        for word in words.split(' ') {
            let token = self.peek();
            if !self.accept(word) {
                return token.error(format!("expected `{word}`"));
            }
        }
        Ok(())
    }

    /// Whether a word is a name.
    pub fn is_name(&self, text: &str) -> bool {
        text.starts_with(is_first) && !self.reserved.split(' ').any(|word| word == text)
    }

    pub fn name(&mut self) -> Result<Token<'t>, Unread> {
        let token = self.take();
        if self.is_name(token.text) { Ok(token) } else { token.error("expected a name") }
    }

    /// Names between commas.
    pub fn names(&mut self) -> Result<Vec<Token<'t>>, Unread> {
        let mut names = vec![self.name()?];
        while self.accept(",") {
            names.push(self.name()?);
        }
        Ok(names)
    }

    /// Takes a mode, if there is one: whether it is `read`.
    pub fn mode(&mut self) -> Option<bool> {
        if self.accept("read") { Some(true) } else { self.accept("write").then_some(false) }
    }
}

fn is_first(first: char) -> bool {
    first.is_alphabetic() || first == '_'
}
