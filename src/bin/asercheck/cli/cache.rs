//! `asercheck cache`: removes old answers of a cache.

use super::answers::{Removed, remove_before};
use super::arguments::{CacheAction, CacheCommand};
use super::output::Terminal;
use super::{Exit, Failure};
use crate::report::counted;
use anyhow::{Context, anyhow};
use bytesize::ByteSize;
use std::time::SystemTime;

/// Runs the command.
pub(crate) fn run(command: &CacheCommand, terminal: &Terminal) -> Result<Exit, Failure> {
    let CacheAction::Prune(arguments) = &command.action;
    let before = SystemTime::now().checked_sub(arguments.older);
    let before = before.ok_or_else(|| Failure::input(anyhow!("no answer can be so old")))?;
    let Removed { removed, bytes, left } = remove_before(&arguments.cache, before)?;
    let size = ByteSize::b(bytes).display().iec();
    let text = format!("{} removed ({size}), {left} left\n", counted(removed, "answer", "answers"));
    terminal.print(&text).context("standard output").map_err(Failure::internal)?;
    Ok(Exit::Success)
}
