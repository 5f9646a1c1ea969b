//! The `asercheck` command.

mod batch;
mod cli;
mod report;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::run()
}
