//! `asercheck fmt`: pretty-prints EML.

use super::arguments::FormatArguments;
use super::check::{is_standard_input, source_at};
use super::output::Terminal;
use super::{Exit, Failure};
use anyhow::{Context, anyhow};
use asercheck::syntax::{self, SyntaxError, render_all};
use std::path::Path;

/// Runs the command. Every file is read, even if one before it is wrong.
pub(crate) fn run(arguments: &FormatArguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let mut exit = Exit::Success;
    for path in &arguments.files {
        match one(path, arguments, terminal) {
            Ok(true) => {}
            Ok(false) if exit == Exit::Success => exit = Exit::Violation,
            Ok(false) => {}
            Err(failure) => {
                terminal.complain(&failure.error);
                // Standard output cannot be written for the other files, either.
                if failure.exit == Exit::Internal {
                    return Ok(failure.exit);
                }
                exit = failure.exit;
            }
        }
    }
    Ok(exit)
}

/// Returns the text of a file and its canonical form.
fn formatted(path: &Path, terminal: &Terminal) -> Result<(String, String), Failure> {
    let colors = terminal.colors_messages();
    let source =
        source_at(path).map_err(|error| Failure::input(anyhow!(error.diagnostic().render(error.source(), colors))))?;
    let text = source.text().unwrap_or_default();
    let program = syntax::parse(text).map_err(|errors| {
        let diagnostics: Vec<_> = errors.iter().map(SyntaxError::diagnostic).collect();
        Failure::input(anyhow!(render_all(&diagnostics, &source, colors)))
    })?;
    Ok((text.to_string(), syntax::print(&program)))
}

/// Formats one file; with `--check`, returns whether it is canonical.
fn one(path: &Path, arguments: &FormatArguments, terminal: &Terminal) -> Result<bool, Failure> {
    if arguments.write && is_standard_input(path) {
        return Err(Failure::input(anyhow!("standard input, `-`, cannot be written; leave --write away")));
    }
    let (text, canonical) = formatted(path, terminal)?;
    if arguments.check {
        if text != canonical {
            terminal.print(&format!("{}\n", path.display())).context("standard output").map_err(Failure::internal)?;
        }
        return Ok(text == canonical);
    }
    if !arguments.write {
        terminal.print(&canonical).context("standard output").map_err(Failure::internal)?;
    } else if text != canonical {
        std::fs::write(path, canonical).with_context(|| path.display().to_string()).map_err(Failure::input)?;
    }
    Ok(true)
}
