//! How text looks: colors or none, box characters or plain ASCII.

use anstyle::{AnsiColor, Color, Style as Ansi};
use std::fmt;

/// Which characters a terminal can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Charset {
    /// Lines and arrows.
    Unicode,
    /// Plain ASCII.
    Ascii,
}

/// How text is decorated.
#[derive(Clone, Copy, Debug)]
pub struct Style {
    /// Which characters are used.
    pub charset: Charset,
    /// Whether colors are used.
    pub colors: bool,
    /// How many columns the terminal has, if the output goes to one.
    pub width: Option<usize>,
}

/// What a piece of text is.
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
    /// The text, decorated for its role.
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

    /// One of two texts, by the charset.
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
