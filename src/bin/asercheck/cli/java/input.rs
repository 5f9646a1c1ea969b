//! What a run reads before it decides anything: classes, rows of the library table, and where the program begins.

use crate::cli::Failure;
use crate::cli::arguments::JavaArguments;
use crate::cli::check::reason_of;
use crate::cli::output::Terminal;
use crate::cli::reading::within;
use anyhow::{Context, anyhow};
use asercheck::java::library::Library;
use asercheck::java::{self, Diagnostic, Program};
use asercheck::{Limits, Reason};
use std::path::Path;

/// So many warnings about what could not be read are told, unless all are wanted.
const WARNINGS: usize = 10;

/// Reads the classes; how much memory that takes is limited, how long it takes by what ends the run.
pub(super) fn load(arguments: &JavaArguments, limits: &Limits) -> Result<(Program, Vec<Diagnostic>), Reason> {
    let (paths, library) = (arguments.paths.clone(), arguments.library.clone());
    let cancellation = limits.cancellation.clone();
    let read = move || {
        let is_cancelled = || cancellation.is_cancelled();
        let reading = java::Limits { is_cancelled: &is_cancelled, ..java::Limits::default() };
        Program::load(&paths, &library, &reading)
    };
    within(&limits.clone().with_timeout(None), read).map_err(reason_of)
}

/// Says what could not be read, and which classes were given more than once.
pub(super) fn tell(diagnostics: &[Diagnostic], is_verbose: bool, terminal: &Terminal) {
    let told = || diagnostics.iter().filter(|diagnostic| is_verbose || !diagnostic.cause.is_note());
    for diagnostic in told().take(if is_verbose { usize::MAX } else { WARNINGS }) {
        let kind = if diagnostic.cause.is_note() { "note" } else { "warning" };
        terminal.tell(&format!("{kind}: {diagnostic}\n"));
    }
    let count = told().count();
    if !is_verbose && count > WARNINGS {
        terminal.tell(&format!("warning: and {} more, which --verbose lists\n", count - WARNINGS));
    }
}

/// What methods do that are not given, with the rows of the user in front.
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

pub(super) fn text_at(path: &Path) -> Result<String, Failure> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display())).map_err(Failure::input)
}
