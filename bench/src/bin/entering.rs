//! Compares what is found of classes if calls are entered as the analysis does it, and if all are.
//!
//! `cargo run --release -p asercheck-bench --bin entering -- FOLDER_OR_ARCHIVE... [--library FILE]... [--seconds N]`
//!
//! A unit that is broken only if all calls are entered is listed; the exit code is 1 then.

use asercheck::java::{Limits, Program};
use asercheck_bench::jvm::entering::compare;
use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

#[derive(Parser)]
struct Arguments {
    /// Class files, folders and archives; each is a program of its own.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// What they use.
    #[arg(long)]
    library: Vec<PathBuf>,
    /// Processor time of each class, in each of the two ways.
    #[arg(long, default_value_t = 5)]
    seconds: u64,
}

fn main() -> ExitCode {
    let Arguments { paths, library, seconds } = Arguments::parse();
    let mut is_hidden = false;
    for path in paths {
        let (program, diagnostics) = Program::load(std::slice::from_ref(&path), &library, &Limits::default());
        for diagnostic in &diagnostics {
            eprintln!("{}: {diagnostic:?}", path.display());
        }
        let found = compare(&program, Duration::from_secs(seconds));
        println!(
            "{}: {} subjects, {} broken units, {} not decided",
            path.display(),
            found.subjects,
            found.broken,
            found.open
        );
        found.hidden.iter().for_each(|unit| println!("  only if all calls are entered: {unit}"));
        found.vanished.iter().for_each(|unit| println!("  only if calls are left out: {unit}"));
        is_hidden |= !found.hidden.is_empty();
    }
    ExitCode::from(u8::from(is_hidden))
}
