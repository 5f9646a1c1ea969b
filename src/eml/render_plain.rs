//! Diagnostics as text without the lines of the source: message, file, line, column, notes and help.

use super::diagnostic::{Diagnostic, Severity, visible};
use super::source::Source;

impl Diagnostic {
    /// The diagnostic as text, with a newline at its end; there are no colors without the feature `cli`.
    pub fn render(&self, source: &Source, _colors: bool) -> String {
        let severity = match self.severity() {
            Severity::Error => "error",
            Severity::Warning => "warning",
        };
        let mut text = format!("{severity}: {}\n", self.message());
        if let Some(label) = self.primary() {
            let start = label.span.start;
            text.push_str(&format!("--> {}:{}:{}\n", visible(source.name()), start.line, start.column));
        }
        let mut add = |kind, message: &String| text.push_str(&format!(" = {kind}: {message}\n"));
        self.notes().iter().for_each(|note| add("note", note));
        // Help says how to write a text; who has none made the model in code.
        if source.text().is_some() {
            self.helps().iter().for_each(|help| add("help", help));
        }
        text
    }
}
