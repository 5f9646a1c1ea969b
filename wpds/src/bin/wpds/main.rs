//! `wpds`: saturates pushdown systems in files and measures the time.
//!
//! Exit codes: 0 if the system was saturated, 2 for wrong usage or input.

mod arguments;
mod memory;
mod run;

use clap::Parser;
use std::process::ExitCode;

fn main() -> ExitCode {
    match run::run(&arguments::Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("wpds: {message}");
            ExitCode::from(2)
        }
    }
}
