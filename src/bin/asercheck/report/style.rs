//! The look of text: colors or none, box characters or plain ASCII.

use anstyle::{AnsiColor, Color, Style as Ansi};
use std::fmt;

/// The characters that a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// Lines and arrows.
    Unicode,
    /// Plain ASCII.
    Ascii,
}

/// The decoration of text.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// The characters that are used.
    pub charset: Charset,
    /// Whether colors are used.
    pub colors: bool,
    /// The number of columns of the terminal, if the output goes to one.
    pub width: Option<usize>,
}

/// The role of a part of the text, which decides its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Heading,
    Good,
    Bad,
    Open,
    Marked,
    Faint,
}

impl Style {
    /// Decorates a text for its role.
    pub(super) fn paint<T: fmt::Display>(self, role: Role, text: T) -> Painted<T> {
        let color = |color: AnsiColor| Ansi::new().fg_color(Some(Color::Ansi(color)));
        let ansi = match role {
            _ if !self.colors => Ansi::new(),
            Role::Heading => Ansi::new().bold(),
            Role::Good => color(AnsiColor::Green),
            Role::Bad | Role::Marked => color(AnsiColor::Red).bold(),
            Role::Open => color(AnsiColor::Yellow),
            Role::Faint => Ansi::new().dimmed(),
        };
        Painted { ansi, text }
    }

    /// Returns one of two texts, by the charset.
    pub(super) fn pick<'a>(self, unicode: &'a str, ascii: &'a str) -> &'a str {
        match self.charset {
            Charset::Unicode => unicode,
            Charset::Ascii => ascii,
        }
    }
}

/// A text with its decoration.
#[derive(Clone, Debug)]
pub(super) struct Painted<T> {
    ansi: Ansi,
    text: T,
}

impl<T: fmt::Display> fmt::Display for Painted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.ansi.render(), self.text, self.ansi.render_reset())
    }
}
