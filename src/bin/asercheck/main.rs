//! The `asercheck` command.

mod batch;
mod cli;
mod report;
mod stable_hash;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
