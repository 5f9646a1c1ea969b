//! Diagnostics as text without the lines of the source: message, file, line, column, notes and help.

use super::diagnostic::{Diagnostic, Severity, visible};
use super::source::Source;

/// How many diagnostics [`render_all`] shows before it only counts.
const SHOWN_DIAGNOSTICS: usize = 50;

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

/// Several diagnostics, a blank line between them; of very many only the first ones.
pub fn render_all(diagnostics: &[Diagnostic], source: &Source, colors: bool) -> String {
    let mut rendered: Vec<String> =
        diagnostics.iter().take(SHOWN_DIAGNOSTICS).map(|diagnostic| diagnostic.render(source, colors)).collect();
    let more = diagnostics.len().saturating_sub(SHOWN_DIAGNOSTICS);
    if more > 0 {
        rendered.push(format!("... and {more} more\n"));
    }
    rendered.join("\n")
}
