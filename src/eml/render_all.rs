//! Several diagnostics as one text.

use super::diagnostic::Diagnostic;
use super::source::Source;

/// How many diagnostics [`render_all`] shows before it only counts.
const SHOWN_DIAGNOSTICS: usize = 50;

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
