//! Completions for shells and manual pages, both generated from the description of the command line.

use super::arguments::{Arguments, CompletionsArguments, ManArguments};
use super::output::Terminal;
use super::{Exit, Failure};
use anyhow::Context;
use clap::CommandFactory;

/// Prints completions.
pub(super) fn completions(arguments: &CompletionsArguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut <Arguments as CommandFactory>::command(), "asercheck", &mut script);
    let script = String::from_utf8_lossy(&script);
    terminal.print(&script).context("standard output").map_err(Failure::internal)?;
    Ok(Exit::Success)
}

/// Writes the manual pages.
pub(super) fn man(arguments: &ManArguments) -> Result<Exit, Failure> {
    let folder = &arguments.folder;
    let written = std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(<Arguments as CommandFactory>::command(), folder));
    written.with_context(|| folder.display().to_string()).map_err(Failure::input)?;
    Ok(Exit::Success)
}
