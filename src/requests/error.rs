//! Errors of requests as data, with the places in texts.

use crate::model::{Built, Loaded, Model, Rejected, Warning};
use crate::query::AutomatonError;
use crate::syntax::ast::Program;
use crate::syntax::{Diagnostic, FileId, Source};
use serde::Serialize;
use std::fmt;

/// The kind of an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum ErrorKind {
    /// The request is wrong: an option, or a name that the model does not have.
    Usage,
    /// A file cannot be read, or there are no classes.
    Input,
    /// A text is no model or no automaton; there are problems with places.
    Model,
    /// The run was ended, by a limit or by the caller, before there was anything to report.
    Ended,
    /// An internal error: trust no verdict of the run.
    Internal,
}

/// A message about a place in a text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The file, or the name that the caller gave to the text.
    pub file: String,
    /// The line, from 1; absent for the whole file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    /// The column, from 1, in characters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
    /// The message.
    pub message: String,
}

impl Problem {
    fn of(diagnostic: &Diagnostic, name: &str, file_of: impl Fn(FileId) -> Option<String>) -> Self {
        let start = diagnostic.primary().map(|label| label.span.start);
        Self {
            file: start.and_then(|start| file_of(start.file)).unwrap_or_else(|| name.to_string()),
            line: start.map(|start| start.line),
            column: start.map(|start| start.column),
            message: diagnostic.message().to_string(),
        }
    }

    fn of_text(diagnostic: &Diagnostic, source: &Source) -> Self {
        Self::of(diagnostic, source.name(), |_| None)
    }
}

/// An error of a request.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Error {
    /// The kind.
    pub kind: ErrorKind,
    /// The message, for a text with the lines that it refers to.
    pub message: String,
    /// The places in a text, in its order; empty for other kinds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub problems: Vec<Problem>,
}

impl Error {
    /// An error without places.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), problems: Vec::new() }
    }

    /// An error in the request itself.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Usage, message)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Error {}

impl From<Rejected> for Error {
    fn from(rejected: Rejected) -> Self {
        let kind = match rejected.reason() {
            crate::model::RejectedReason::Read(_) => ErrorKind::Input,
            _ => ErrorKind::Model,
        };
        let source = rejected.source();
        let problems = rejected.diagnostics().iter().map(|one| Problem::of_text(one, source)).collect();
        Self { kind, message: rejected.render(false).trim_end().to_string(), problems }
    }
}

impl From<AutomatonError> for Error {
    fn from(error: AutomatonError) -> Self {
        let kind = if error.source().text().is_none() { ErrorKind::Input } else { ErrorKind::Model };
        let problem = Problem::of_text(error.diagnostic(), error.source());
        Self { kind, message: error.render(false).trim_end().to_string(), problems: vec![problem] }
    }
}

/// Returns a model that was read, or the error.
///
/// # Errors
/// If the text is no model.
pub fn loaded(result: Result<Loaded, Box<Rejected>>) -> Result<Loaded, Error> {
    result.map_err(|rejected| Error::from(*rejected))
}

/// Returns a model that was built, under this name, with its syntax tree.
///
/// # Errors
/// If the calls make no model.
pub fn built(name: &str, built: Built) -> Result<(Loaded, Program), Error> {
    let source = Source::without_text(name);
    match built {
        Ok((model, warnings, program)) => Ok((Loaded { model, warnings, source }, program)),
        Err(refused) => {
            let file = |id| refused.file(id).map(String::from);
            let all = refused.errors.iter().map(|error| Problem::of(&error.diagnostic(), name, file));
            let problems: Vec<_> = all.collect();
            let line = |one: &Problem| match (one.line, one.column) {
                (Some(line), Some(column)) => format!("{}:{line}:{column}: {}", one.file, one.message),
                _ => format!("{}: {}", one.file, one.message),
            };
            let message = problems.iter().map(line).collect::<Vec<_>>().join("\n");
            Err(Error { kind: ErrorKind::Model, message, problems })
        }
    }
}

/// The warnings of a model.
pub fn warnings_of(loaded: &Loaded) -> Vec<Problem> {
    let Loaded { model, warnings, source } = loaded;
    let file = |model: &Model, id| model.file(id).map(String::from);
    let problem = |warning: &Warning| Problem::of(&warning.diagnostic(), source.name(), |id| file(model, id));
    warnings.iter().map(problem).collect()
}
