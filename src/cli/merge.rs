//! `asercheck merge`: unites batches.

use super::arguments::MergeArguments;
use super::batch::{complain_of, failure};
use super::output::Terminal;
use super::{Exit, Failure};
use anyhow::Context;
use asercheck::batch::{merge, verdict_table};

/// Runs the command. Nothing is written if a query has conflicting verdicts.
pub(crate) fn run(arguments: &MergeArguments, terminal: &Terminal) -> Result<Exit, Failure> {
    let merged = merge(&arguments.folders).map_err(failure)?;
    if !merged.disagreements.is_empty() {
        complain_of(&merged.disagreements, terminal);
        return Ok(Exit::Internal);
    }
    merged.write(&arguments.out).map_err(failure)?;
    let missing = merged.header.expected().saturating_sub(merged.records.len());
    if missing > 0 && merged.header.shard.is_none() {
        terminal.tell(&format!("warning: {missing} queries have no result\n"));
    }
    if !arguments.quiet {
        let table = verdict_table(&merged.header.engines, &merged.records, terminal.style());
        terminal.print(&table).context("standard output").map_err(Failure::internal)?;
    }
    Ok(Exit::Success)
}
