//! `asercheck worker`: the process that decides queries for `batch`.

use super::{Exit, Failure};
use anyhow::Context;
use std::io::{self, BufReader};

/// Runs the command: answers requests until there are no more.
pub(crate) fn run() -> Result<Exit, Failure> {
    let served = crate::batch::serve(BufReader::new(io::stdin()), io::stdout().lock());
    served.context("the runner does not listen").map_err(Failure::internal)?;
    Ok(Exit::Success)
}
