//! Messages about a model text: severity, message, places, notes and advice.
//!
//! A diagnostic is plain data; `render` turns it into text.

use std::fmt;

use super::span::Span;

/// The severity of a diagnostic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Severity {
    /// The text is not a model.
    Error,
    /// The text is a model, but perhaps not the one that was meant.
    Warning,
}

/// A place in the text with a short remark.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The place.
    pub span: Span,
    /// The remark: a few words, or none.
    pub text: String,
}

/// One message about a model text.
///
/// Its [`Display`](fmt::Display) form is the message alone, on one line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    severity: Severity,
    message: String,
    primary: Option<Label>,
    secondary: Vec<Label>,
    notes: Vec<String>,
    helps: Vec<String>,
}

impl Diagnostic {
    /// Creates an error with this message and nothing else.
    pub fn error(message: impl Into<String>) -> Self {
        Self::new(Severity::Error, message.into())
    }

    /// Creates a warning with this message and nothing else.
    pub fn warning(message: impl Into<String>) -> Self {
        Self::new(Severity::Warning, message.into())
    }

    fn new(severity: Severity, message: String) -> Self {
        Self { severity, message, primary: None, secondary: Vec::new(), notes: Vec::new(), helps: Vec::new() }
    }

    /// Sets the place that the message is about.
    #[must_use]
    pub fn at(mut self, span: Span, text: impl Into<String>) -> Self {
        self.primary = Some(Label { span, text: text.into() });
        self
    }

    /// Adds another place that helps to understand the message.
    #[must_use]
    pub fn also(mut self, span: Span, text: impl Into<String>) -> Self {
        self.secondary.push(Label { span, text: text.into() });
        self
    }

    /// Adds a note: a fact that helps to understand the message.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Adds advice.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Self {
        self.helps.push(text.into());
        self
    }

    /// Returns the severity.
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Returns the message.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// Returns the place that the message is about, if there is one.
    pub fn primary(&self) -> Option<&Label> {
        self.primary.as_ref()
    }

    /// Returns the other places that help to understand the message.
    pub fn secondary(&self) -> &[Label] {
        &self.secondary
    }

    /// Returns the notes.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// Returns the advice.
    pub fn helps(&self) -> &[String] {
        &self.helps
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.message)
    }
}

/// Maximal number of characters of a name that a message shows.
const SHOWN_CHARACTERS: usize = 60;

/// Formats a name for messages: in backquotes, cut if it is long, without control characters.
pub fn quote(name: &str) -> String {
    let start: String = name.chars().take(SHOWN_CHARACTERS).collect();
    let cut = if name.chars().nth(SHOWN_CHARACTERS).is_some() { "…" } else { "" };
    format!("`{}{cut}`", visible(&start))
}

/// Replaces control characters, and those that change the direction of writing, by escape sequences.
pub(super) fn visible(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        if is_visible(character) {
            shown.push(character);
        } else {
            shown.extend(character.escape_default());
        }
    }
    shown
}

/// Whether a character is neither a control character nor an invisible or bidirectional formatting character.
pub(super) fn is_visible(character: char) -> bool {
    !character.is_control()
        && !matches!(character,
            '\u{ad}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_names_are_short_and_printable() {
        assert_eq!(quote("item"), "`item`");
        assert_eq!(quote("a\u{1b}[1mb\n"), "`a\\u{1b}[1mb\\n`");
        let long = quote(&"é".repeat(1000));
        assert_eq!(long.chars().count(), SHOWN_CHARACTERS + 3);
    }
}
