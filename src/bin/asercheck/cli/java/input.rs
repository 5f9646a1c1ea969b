//! The input of a run: the classes, and the library model with the rows of the user.

use crate::cli::Failure;
use crate::cli::arguments::JavaArguments;
use crate::cli::output::Terminal;
use crate::cli::reading::within;
use anyhow::{Context, anyhow};
use asercheck::java::library::Library;
use asercheck::java::{self, Diagnostic, Program};
use asercheck::{Limits, Reason};
use std::path::Path;

/// The number of warnings that are printed without `--verbose`.
const MAX_WARNINGS: usize = 10;

/// Reads the classes within the limit on memory. Only the end of the run limits the time.
pub(super) fn load(arguments: &JavaArguments, limits: &Limits) -> Result<(Program, Vec<Diagnostic>), Reason> {
    let (paths, library) = (arguments.paths.clone(), arguments.library.clone());
    let cancellation = limits.cancellation.clone();
    let read = move || {
        let is_cancelled = || cancellation.is_cancelled();
        let reading = java::Limits { is_cancelled: &is_cancelled, ..java::Limits::default() };
        Program::load(&paths, &library, &reading)
    };
    within(&limits.clone().with_timeout(None), read).map_err(Reason::from)
}

/// Prints warnings about files that could not be read and, if `is_verbose`, notes about duplicate classes.
pub(super) fn print_diagnostics(diagnostics: &[Diagnostic], is_verbose: bool, terminal: &Terminal) {
    let printed = || diagnostics.iter().filter(|diagnostic| is_verbose || !diagnostic.cause.is_note());
    for diagnostic in printed().take(if is_verbose { usize::MAX } else { MAX_WARNINGS }) {
        let kind = if diagnostic.cause.is_note() { "note" } else { "warning" };
        terminal.tell(&format!("{kind}: {diagnostic}\n"));
    }
    let count = printed().count();
    if !is_verbose && count > MAX_WARNINGS {
        terminal.tell(&format!("warning: and {} more, which --verbose lists\n", count - MAX_WARNINGS));
    }
}

/// Returns the library model, with the rows of the user before the built-in ones.
pub(super) fn library(arguments: &JavaArguments) -> Result<Library, Failure> {
    let mut library = Library::builtin();
    for path in &arguments.summaries {
        library.add(&text_at(path)?).map_err(|errors| {
            let errors: Vec<String> = errors.iter().map(|error| format!("{}:{error}", path.display())).collect();
            Failure::input(anyhow!("{}", errors.join("\n")))
        })?;
    }
    Ok(library)
}

/// Returns the text of a file.
pub(super) fn text_at(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display())).map_err(Failure::input)
}
