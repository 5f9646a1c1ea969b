//! Several diagnostics as one text.

use super::diagnostic::Diagnostic;
use super::source::Source;

/// Maximal number of diagnostics that [`render_all`] shows; it counts the others.
const SHOWN_DIAGNOSTICS: usize = 50;

/// Renders diagnostics, separated by blank lines: the first 50, and the number of the others.
pub fn render_all(diagnostics: &[Diagnostic], source: &Source, colors: bool) -> String {
    let mut rendered: Vec<String> =
        diagnostics.iter().take(SHOWN_DIAGNOSTICS).map(|diagnostic| diagnostic.render(source, colors)).collect();
    let more = diagnostics.len().saturating_sub(SHOWN_DIAGNOSTICS);
    if more > 0 {
        rendered.push(format!("... and {more} more\n"));
    }
    rendered.join("\n")
}
