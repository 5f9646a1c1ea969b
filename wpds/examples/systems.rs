//! Writes a pushdown system of a given shape and size in the text format, for measurements.
//!
//! `cargo run --release -p wpds --example systems -- 100000 > system.txt`, then `wpds post system.txt`.

#[path = "../../bench/src/systems.rs"]
mod systems;

use clap::{Parser, ValueEnum};
use std::io::{self, BufWriter, Write};
use wpds::{Rule, RuleId, System};

#[derive(Parser)]
#[command(about = "Writes a pushdown system")]
struct Arguments {
    /// Approximate number of rules.
    rules: usize,
    #[arg(long, default_value = "program")]
    shape: Shape,
    /// Number of control states of a random system.
    #[arg(long, default_value_t = 10)]
    controls: u32,
    /// Systems of equal seeds are equal.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Bound of the random weights of the rules; 2 for no weights.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u64).range(2..))]
    weights: u64,
}

#[derive(Clone, Copy, ValueEnum)]
enum Shape {
    /// Procedures that call each other, one control state; every rule is reachable.
    Program,
    /// Random rules.
    Random,
    /// A symbol with a step to each place of a chain, the farther the costlier, and the worst first.
    Fan,
}

fn main() -> io::Result<()> {
    let arguments = Arguments::parse();
    let (rules, most) = (arguments.rules, arguments.weights);
    let mut out = BufWriter::new(io::stdout().lock());
    match arguments.shape {
        Shape::Program => {
            write(&mut out, &systems::program(rules, arguments.seed, |rng| rng.u64(1..most)), most)?;
            let last = systems::last_node();
            writeln!(out, "initial p0 g0 final\ntarget p0 g{last} any\ntarget p0 g{last} final")?;
            writeln!(out, "target any * any\ntarget any * final")?;
        }
        Shape::Random => {
            let system = systems::random(rules, arguments.controls, arguments.seed, |rng| rng.u64(1..most));
            write(&mut out, &system, most)?;
            writeln!(out, "initial p0 * final\ntarget p{} * final", arguments.controls.max(1) - 1)?;
        }
        Shape::Fan => {
            let count = rules as u32 / 2;
            write(&mut out, &systems::fan(count), 0)?;
            writeln!(out, "initial p0 g0 final\ntarget p0 g{} final", count - 1)?;
        }
    }
    out.flush()
}

/// Writes the rules, with weights if there are any.
fn write(out: &mut impl Write, system: &System<u64>, most: u64) -> io::Result<()> {
    for rule in (0..system.rule_count() as u32).map(RuleId::new) {
        let (from, read) = system.left(rule);
        write!(out, "p{} g{} -> ", from.index(), read.index())?;
        match system.rule(rule) {
            Rule::Pop { control } => write!(out, "p{}", control.index())?,
            Rule::Step { control, symbol } => write!(out, "p{} g{}", control.index(), symbol.index())?,
            Rule::Push { control, symbol, below } => {
                write!(out, "p{} g{} g{}", control.index(), symbol.index(), below.index())?;
            }
        }
        if most == 2 { writeln!(out)? } else { writeln!(out, " : {}", system.weight(rule))? }
    }
    Ok(())
}
