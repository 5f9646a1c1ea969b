//! Writes a pushdown system of program shape in the text format of `wpds`, for measurements.
//!
//! `cargo run --release -p asercheck-bench --bin systems -- 100000 > system.txt`, then `wpds post system.txt`.

use asercheck_bench::systems;
use clap::Parser;
use std::io::{self, BufWriter, Write};
use wpds::{Rule, RuleId};

#[derive(Parser)]
#[command(about = "Writes a pushdown system of program shape")]
struct Arguments {
    /// Approximate number of rules.
    rules: usize,
    /// Systems of equal seeds are equal.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Bound of the random weights of the rules; without it, rules have no weights.
    #[arg(long, value_parser = clap::value_parser!(u64).range(2..))]
    weights: Option<u64>,
}

fn main() -> io::Result<()> {
    let arguments = Arguments::parse();
    let most = arguments.weights.unwrap_or(2);
    let system = systems::program(arguments.rules, arguments.seed, |rng| rng.u64(1..most));
    let mut out = BufWriter::new(io::stdout().lock());
    for rule in (0..system.rule_count() as u32).map(RuleId::new) {
        write!(out, "p n{} -> p", system.left(rule).1.index())?;
        match system.rule(rule) {
            Rule::Pop { .. } => {}
            Rule::Step { symbol, .. } => write!(out, " n{}", symbol.index())?,
            Rule::Push { symbol, below, .. } => write!(out, " n{} n{}", symbol.index(), below.index())?,
        }
        if arguments.weights.is_some() {
            write!(out, " : {}", system.weight(rule))?;
        }
        writeln!(out)?;
    }
    let last = systems::last_node();
    writeln!(out, "initial p n0 final\ntarget p n{last} any\ntarget p n{last} final")?;
    writeln!(out, "target any * any\ntarget any * final")?;
    out.flush()
}
