//! `asercheck report`: tables and plots of a batch.

use super::arguments::ReportArguments;
use super::batch::{complain_of, failure};
use super::output::Terminal;
use super::{Exit, Failure};
use crate::batch::{merge, report, vacuous_models, verdict_table};
use anyhow::Context;

/// Runs the command.
pub(crate) fn run(arguments: &ReportArguments, terminal: &Terminal) -> Result<Exit, Failure> {
    // Sorts the records, and selects one for each query.
    let merged = merge(std::slice::from_ref(&arguments.folder)).map_err(failure)?;
    let out = arguments.out.clone().unwrap_or_else(|| arguments.folder.join("report"));
    report::write(&merged, &out).map_err(failure)?;
    if !arguments.quiet {
        let table = verdict_table(&merged.header.engines, &merged.records, terminal.style());
        let vacuous = vacuous_models(&merged.header.models);
        let text = format!("{table}{vacuous}\n{}\n", out.join(report::PAGE).display());
        terminal.print(&text).context("standard output").map_err(Failure::internal)?;
    }
    complain_of(&merged.disagreements, terminal);
    Ok(if merged.disagreements.is_empty() { Exit::Success } else { Exit::Internal })
}
