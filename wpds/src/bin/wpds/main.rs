//! `wpds`: saturates pushdown systems in files and measures the time.
//!
//! Exit codes: 0 if the system was saturated or the question decided, 2 for wrong usage or input.

mod arguments;
mod figures;
mod input;
mod memory;
mod names;
mod reach;
mod run;
mod saturate;
mod weights;

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
