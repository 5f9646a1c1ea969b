//! Compares the findings about classes with those without a shortcut of the analysis.
//!
//! `cargo run --release -p asercheck-bench --bin entering -- FOLDER_OR_ARCHIVE... [--library FILE]... [--seconds N]`
//! enters all calls, not only the relevant ones. With `--subsumption`, it asks all queries, also the subsumed ones.
//!
//! It lists each violated unit that the shortcut hides, or each difference; the exit code is 1 then.

use asercheck::java::{Limits, Program};
use asercheck_bench::{entering, subsumption};
use clap::Parser;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

#[derive(Parser)]
struct Arguments {
    /// Class files, folders and archives; each is a program of its own.
    #[arg(required = true)]
    paths: Vec<PathBuf>,
    /// Class files that the programs use.
    #[arg(long)]
    library: Vec<PathBuf>,
    /// Processor time of each class, in each of the two ways.
    #[arg(long, default_value_t = 5)]
    seconds: u64,
    /// Compare the findings with and without subsumed queries.
    #[arg(long)]
    subsumption: bool,
}

fn main() -> ExitCode {
    let Arguments { paths, library, seconds, subsumption } = Arguments::parse();
    let limit = Duration::from_secs(seconds);
    let mut differs = false;
    for path in paths {
        let (program, diagnostics) = Program::load(std::slice::from_ref(&path), &library, &Limits::default());
        for diagnostic in &diagnostics {
            eprintln!("{}: {diagnostic:?}", path.display());
        }
        if subsumption {
            let found = subsumption::compare(&program, limit);
            println!("{}: {found:#?}", path.display());
            differs |= !found.differences.is_empty();
            continue;
        }
        let found = entering::compare(&program, limit);
        println!(
            "{}: {} subjects, {} violated units, {} not decided",
            path.display(),
            found.subjects,
            found.violated,
            found.undecided
        );
        found.hidden.iter().for_each(|unit| println!("  only if all calls are entered: {unit}"));
        found.vanished.iter().for_each(|unit| println!("  only if calls are left out: {unit}"));
        differs |= !found.hidden.is_empty();
    }
    ExitCode::from(u8::from(differs))
}
