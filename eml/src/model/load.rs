//! Models from files and texts, with the source and the errors for messages.

use std::fmt;
use std::path::Path;

use super::{Errors, Model, ModelError, Warning};
use crate::syntax::{self, Diagnostic, ReadError, Source, Span, SyntaxError, render_all};

/// A model with its text.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The model.
    pub model: Model,
    /// Probable oversights, in the order of the text.
    pub warnings: Vec<Warning>,
    /// The text, for rendering the warnings.
    pub source: Source,
}

/// A text that is no model.
#[derive(Debug)]
pub struct Rejected {
    source: Source,
    reason: RejectedReason,
}

/// The reason why a text is no model.
#[derive(Debug)]
#[non_exhaustive]
pub enum RejectedReason {
    /// The text cannot be read.
    Read(ReadError),
    /// It does not follow the grammar.
    Syntax(Vec<SyntaxError>),
    /// It breaks other rules of the language.
    Model(Errors<ModelError>),
}

/// Reads a model from a file.
///
/// # Errors
///
/// If the file cannot be read or is no model; the error has all messages.
pub fn load(path: &Path) -> Result<Loaded, Box<Rejected>> {
    match Source::read(path) {
        Ok(source) => from_source(source),
        Err(error) => Err(Box::new(Rejected::from(error))),
    }
}

/// Reads a model from a text; messages show its name.
///
/// # Errors
///
/// If the text is no model.
///
/// # Examples
///
/// ```
/// use eml::model;
///
/// let rejected = model::from_text("m.eml", "process P { read y; }").unwrap_err();
/// assert!(rejected.render(false).starts_with(
///     "error: the location `y` is not declared
///  --> m.eml:1:18"
/// ));
/// ```
pub fn from_text(name: &str, text: &str) -> Result<Loaded, Box<Rejected>> {
    from_source(Source::new(name, text))
}

/// Reads a model from a source.
///
/// # Errors
///
/// If the text is no model.
pub fn from_source(source: Source) -> Result<Loaded, Box<Rejected>> {
    match model_of(source.text().unwrap_or_default()) {
        Ok((model, warnings)) => Ok(Loaded { model, warnings, source }),
        Err(reason) => Err(Box::new(Rejected { source, reason })),
    }
}

/// Reads a model from a source, and lets all its locks overlap, as if an `overlap` item named them.
///
/// # Errors
///
/// If the text is no model.
pub fn from_source_with_overlap(source: Source) -> Result<Loaded, Box<Rejected>> {
    match syntax::parse(source.text().unwrap_or_default()) {
        Ok(mut program) => {
            program.let_locks_overlap();
            match Model::from_program(&program) {
                Ok((model, warnings)) => Ok(Loaded { model, warnings, source }),
                Err(errors) => Err(Box::new(Rejected { source, reason: RejectedReason::Model(errors) })),
            }
        }
        Err(errors) => Err(Box::new(Rejected { source, reason: RejectedReason::Syntax(errors) })),
    }
}

fn model_of(text: &str) -> Result<(Model, Vec<Warning>), RejectedReason> {
    let program = syntax::parse(text).map_err(RejectedReason::Syntax)?;
    Model::from_program(&program).map_err(RejectedReason::Model)
}

/// Completes the span of a statement by its offset and length, up to its block or its end. `lines` are the lines with
/// the number of bytes before them.
fn locate(place: &mut Span, lines: &[(usize, &str)]) {
    let Some((before, line)) = lines.get(place.start.line as usize - 1) else { return };
    let mark = line.len() - line.trim_start_matches('\u{feff}').len();
    let column = place.start.column as usize - 1;
    let from = line[mark..].char_indices().nth(column).map_or(line.len(), |(at, _)| mark + at);
    let end = line[from..].find([';', '{', '\n']).map_or(line.len(), |length| from + length);
    let length = line[from..end].trim_end().len();
    place.offset = u32::try_from(before + from).unwrap_or(u32::MAX);
    place.length = u32::try_from(length).unwrap_or(u32::MAX);
}

impl Loaded {
    /// Adds more warnings about the model, for example those of a lock analysis. The model has only the lines and
    /// columns of statements; their spans are looked up in the text.
    pub fn add_warnings(&mut self, mut warnings: Vec<Warning>) {
        let mut places: Vec<_> = warnings.iter_mut().filter_map(Warning::place_mut).collect();
        if !places.is_empty() {
            let lines = self.source.text().unwrap_or_default().split_inclusive('\n');
            let lines: Vec<_> =
                lines.scan(0, |end, line| Some((std::mem::replace(end, *end + line.len()), line))).collect();
            places.iter_mut().for_each(|place| locate(place, &lines));
        }
        self.warnings.extend(warnings);
    }

    /// Returns the warnings as messages.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.warnings.iter().map(Warning::diagnostic).collect()
    }

    /// Renders the warnings; the text is empty if there are none.
    pub fn render_warnings(&self, colors: bool) -> String {
        render_all(&self.diagnostics(), &self.source, colors)
    }
}

impl Rejected {
    /// Returns the text.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// Returns the reason why it is no model.
    pub fn reason(&self) -> &RejectedReason {
        &self.reason
    }

    /// Returns all messages, in the order of the text.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        match &self.reason {
            RejectedReason::Read(error) => vec![error.diagnostic()],
            RejectedReason::Syntax(errors) => errors.iter().map(SyntaxError::diagnostic).collect(),
            RejectedReason::Model(errors) => errors.iter().map(ModelError::diagnostic).collect(),
        }
    }

    /// Renders all messages.
    pub fn render(&self, colors: bool) -> String {
        render_all(&self.diagnostics(), &self.source, colors)
    }
}

impl From<ReadError> for Rejected {
    fn from(error: ReadError) -> Self {
        Self { source: error.source().clone(), reason: RejectedReason::Read(error) }
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.render(false))
    }
}

impl std::error::Error for Rejected {}
