//! The paper's power series and Schwoon's encoding on the same pushdown systems: the ablation of section 7.
//!
//! `cargo run --release -p asercheck-bench --bin schwoon` makes random programs for some numbers of locks and phases,
//! sums up all their paths through all phases with both encodings, compares the results, and prints a table: variables
//! of a weight that crosses all phases, seconds, and the most nodes of a weight.

use anyhow::{Context, bail};
use asercheck_bench::encodings::{Flat, Program, Series, sum};
use clap::Parser;
use lockhist::symbolic::{Budget, StateRelations};
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(Parser)]
#[command(about = "Compares two encodings of weights")]
struct Arguments {
    /// Numbers of locks.
    #[arg(long, value_delimiter = ',', default_values_t = [1, 2, 3, 4])]
    locks: Vec<usize>,
    /// Numbers of phases.
    #[arg(long, value_delimiter = ',', default_values_t = [2, 3, 4, 6])]
    phases: Vec<usize>,
    /// Number of statements of a program.
    #[arg(long, default_value_t = 60)]
    statements: usize,
    /// The seed.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Seconds for each sum.
    #[arg(long, default_value_t = 60)]
    patience: u64,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    println!("| locks | phases | variables, series | flat | seconds, series | flat | nodes, series | flat |");
    println!("|---|---|---|---|---|---|---|---|");
    for locks in &arguments.locks {
        for phases in &arguments.phases {
            row(&arguments, *locks, *phases)?;
        }
    }
    Ok(())
}

fn row(arguments: &Arguments, locks: usize, phases: usize) -> anyhow::Result<()> {
    let program = Program::random(arguments.seed, locks, arguments.statements);
    let layout = Arc::new(StateRelations::layout(locks, phases).context("too many variables")?);
    let patience = Duration::from_secs(arguments.patience);
    let begin = Instant::now();
    let mut series = Series::new(layout.clone(), begin + patience);
    let system = program.in_phases(&mut series, phases).ok();
    let by_series = system.and_then(|system| sum(&mut series, system, phases - 1));
    let seconds = |begin: Instant| format!("{:.3}", begin.elapsed().as_secs_f64());
    let series_time = if by_series.is_some() { seconds(begin) } else { format!("> {}", arguments.patience) };
    let begin = Instant::now();
    let mut flat = Flat::new(layout, begin + patience);
    let by_flat = program.in_one_state(&mut flat).ok().and_then(|system| sum(&mut flat, system, 0));
    let flat_time = if by_flat.is_some() { seconds(begin) } else { format!("> {}", arguments.patience) };
    if let (Some(Some(series)), Some(Some(flat_sum))) = (&by_series, &by_flat) {
        let agrees = flat.relations().agrees(flat_sum, series, &Budget::unlimited());
        if agrees != Ok(true) {
            bail!("the encodings disagree for {locks} locks and {phases} phases");
        }
    }
    let of_series = (phases + 1) * 2 * locks * (locks + 1);
    println!(
        "| {locks} | {phases} | {of_series} | {} | {series_time} | {flat_time} | {} | {} |",
        flat.relations().variables(),
        series.most_nodes(),
        flat.most_nodes()
    );
    Ok(())
}
