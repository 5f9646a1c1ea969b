//! Words of models and automata.

use crate::error::{Place, Unread};

/// A word, a number or a sign; at the end of the text an empty sign.
#[derive(Clone, Copy)]
pub(crate) struct Token<'t> {
    pub text: &'t str,
    pub is_name: bool,
    pub place: Place,
}

/// Words in order, and the next one.
pub(crate) struct Tokens<'t> {
    pub all: Vec<Token<'t>>,
    next: usize,
    reserved: &'static [&'static str],
}

impl<'t> Tokens<'t> {
    /// Reads all words of a text. Reserved words are no names.
    pub fn new(text: &'t str, reserved: &'static [&'static str]) -> Result<Tokens<'t>, Unread> {
        let mut all = Vec::new();
        let (mut place, mut rest) = (Place { line: 1, column: 1 }, text);
        while let Some(first) = rest.chars().next() {
            let length = match first {
                _ if first.is_whitespace() => first.len_utf8(),
                '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
                '/' if rest.starts_with("/*") => {
                    2 + rest[2..].find("*/").ok_or_else(|| (place, "this comment has no end".into()))? + 2
                }
                '-' if rest.starts_with("->") => 2,
                ';' | ',' | '{' | '}' | '(' | ')' | '*' | ':' => 1,
                '0'..='9' => length(rest, |c| c.is_ascii_digit()),
                _ if first.is_alphabetic() || first == '_' => {
                    length(rest, |c| c.is_alphanumeric() || "_.$".contains(c))
                }
                _ => return Err((place, format!("unexpected character {first:?}"))),
            };
            let (text, after) = rest.split_at(length);
            if !first.is_whitespace() && first != '/' {
                all.push(Token { text, is_name: first.is_alphabetic() || first == '_', place });
            }
            for character in text.chars() {
                place.column = place.column.saturating_add(1);
                if character == '\n' {
                    place = Place { line: place.line.saturating_add(1), column: 1 };
                }
            }
            rest = after;
        }
        all.push(Token { text: "", is_name: false, place });
        Ok(Tokens { all, next: 0, reserved })
    }

    pub fn peek(&self) -> Token<'t> {
        self.all[self.next]
    }

    /// The next word; the end of the text stays.
    pub fn take(&mut self) -> Token<'t> {
        let token = self.peek();
        self.next = (self.next + 1).min(self.all.len() - 1);
        token
    }

    /// Takes the next word if it is this one.
    pub fn accept(&mut self, text: &str) -> bool {
        let is = self.peek().text == text;
        if is {
            self.take();
        }
        is
    }

    pub fn expect(&mut self, text: &str) -> Result<Place, Unread> {
        let token = self.take();
        if token.text == text { Ok(token.place) } else { Err((token.place, format!("expected `{text}`"))) }
    }

    pub fn name(&mut self) -> Result<Token<'t>, Unread> {
        let token = self.take();
        let is_name = token.is_name && !self.reserved.contains(&token.text);
        if is_name { Ok(token) } else { Err((token.place, "expected a name".into())) }
    }

    /// Names between commas.
    pub fn names(&mut self) -> Result<Vec<Token<'t>>, Unread> {
        let mut names = vec![self.name()?];
        while self.accept(",") {
            names.push(self.name()?);
        }
        Ok(names)
    }
}

fn length(text: &str, is_part: impl Fn(char) -> bool) -> usize {
    text.find(|c| !is_part(c)).unwrap_or(text.len())
}
