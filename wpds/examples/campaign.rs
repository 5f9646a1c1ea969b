//! Compares saturation with its definitions and with plain exploration, on random systems and over each kind of
//! weights.
//!
//! `cargo run --release -p wpds --example campaign -- [SYSTEMS [SEED]]`; it prints the seed, and ends with an error at
//! the first difference, with the seed of the system.

#![allow(dead_code, reason = "the modules are those of the tests")]

#[path = "../tests/suite/oracle/mod.rs"]
mod oracle;
#[path = "../tests/suite/support.rs"]
mod support;
#[path = "../tests/suite/transformations.rs"]
mod transformations;

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<u64> = std::env::args().skip(1).filter_map(|argument| argument.parse().ok()).collect();
    let count = arguments.first().copied().unwrap_or(100_000);
    let first = arguments.get(1).copied().unwrap_or(1);
    println!("{count} systems, seeds from {first}");
    for seed in first..first.saturating_add(count) {
        let case = oracle::Case::random(seed);
        if let Err(error) = oracle::check(&case) {
            println!("seed {seed}: {error}\n{case:#?}");
            return ExitCode::FAILURE;
        }
        if (seed - first + 1).is_multiple_of(10_000) {
            println!("{} compared", seed - first + 1);
        }
    }
    println!("all agree");
    ExitCode::SUCCESS
}
