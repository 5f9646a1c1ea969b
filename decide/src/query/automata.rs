//! Automata from files.

use eml::syntax::{Diagnostic, Source, span_in};
use phases::Automaton;
use std::fmt;
use std::path::Path;

/// An error in a file of automata.
#[derive(Clone, Debug)]
pub struct AutomatonError {
    source: Source,
    diagnostic: Box<Diagnostic>,
}

impl AutomatonError {
    /// The message, with the line of the text that it refers to.
    pub fn render(&self, colors: bool) -> String {
        self.diagnostic.render(&self.source, colors)
    }

    /// The message and its place.
    pub fn diagnostic(&self) -> &Diagnostic {
        &self.diagnostic
    }

    /// The text.
    pub fn source(&self) -> &Source {
        &self.source
    }
}

impl fmt::Display for AutomatonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for AutomatonError {}

/// Reads the phase automata of a file; there is at least one.
///
/// # Errors
/// If the file cannot be read or its text is wrong.
pub fn load_automata(path: &Path) -> Result<Vec<Automaton>, AutomatonError> {
    let source = Source::read(path)
        .map_err(|error| AutomatonError { source: error.source().clone(), diagnostic: Box::new(error.diagnostic()) })?;
    automata_of(source)
}

/// Reads the phase automata of a text; there is at least one.
///
/// # Errors
/// If the text is wrong.
pub fn automata_of(source: Source) -> Result<Vec<Automaton>, AutomatonError> {
    let text = source.text().unwrap_or_default();
    let diagnostic = match phases::parse(text) {
        Ok(automata) if !automata.is_empty() => return Ok(automata),
        Ok(_) => {
            let end = span_in(text, text.len()..text.len());
            Diagnostic::error("the file holds no automaton").at(end, "an automaton is expected before the end")
        }
        Err(error) => {
            let span = span_in(text, error.offset..error.offset + error.length);
            let diagnostic = Diagnostic::error(error.kind.to_string()).at(span, "");
            error.kind.hint().into_iter().fold(diagnostic, Diagnostic::help)
        }
    };
    Err(AutomatonError { source, diagnostic: Box::new(diagnostic) })
}
