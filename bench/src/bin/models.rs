//! Time of several engines on all queries of the fourteen patterns, or about data races and deadlocks, of model files.
//!
//! `cargo run --release -p asercheck-bench --bin models -- models/*.eml` prints a Markdown table: for each model the
//! number of queries, the best of some runs of each engine in seconds (the engines alternate), and the ratio of the
//! last engine to the first.

use anyhow::anyhow;
use asercheck::phases::UnitMode;
use asercheck::{Engine, Limits, Options, Verdict, check_all, model};
use asercheck_bench::compare::{lock_queries, pattern_queries};
use clap::Parser;
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(Parser)]
#[command(about = "Measures engines on model files")]
struct Arguments {
    /// The models.
    #[arg(required = true)]
    models: Vec<PathBuf>,
    /// The engines.
    #[arg(long, value_delimiter = ',', default_value = "explicit,symbolic")]
    engines: Vec<Engine>,
    /// Number of measurements of each engine.
    #[arg(long, default_value_t = 3)]
    runs: usize,
    /// Asks for data races and deadlocks instead of patterns.
    #[arg(long)]
    locks: bool,
    /// Seconds for a query.
    #[arg(long, default_value_t = 10)]
    timeout: u64,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let names: Vec<_> = arguments.engines.iter().map(|engine| engine.name()).collect();
    println!("| model | queries | violated | {} | ratio |", names.join(" | "));
    println!("|---|---|---|{}---|", "---|".repeat(names.len()));
    for path in &arguments.models {
        let model = model::load(path).map_err(|rejected| anyhow!(rejected.render(false)))?.model;
        let queries = if arguments.locks { lock_queries(&model) } else { pattern_queries(&model, UnitMode::Both) };
        let limits = Limits::default().with_timeout(Duration::from_secs(arguments.timeout));
        let mut best = vec![Duration::MAX; arguments.engines.len()];
        let mut cells = vec![String::new(); arguments.engines.len()];
        let mut violated = 0;
        for _ in 0..arguments.runs.max(1) {
            for (place, engine) in arguments.engines.iter().enumerate() {
                let options = Options::default().with_engine(*engine).with_limits(limits.clone()).with_jobs(1);
                let begin = Instant::now();
                let outcomes = check_all(&model, &queries, &options, |_, _| {})?;
                best[place] = best[place].min(begin.elapsed());
                let open = outcomes.iter().filter(|outcome| matches!(outcome.verdict, Verdict::Unknown(_))).count();
                cells[place] = format!("{:.4}", best[place].as_secs_f64());
                if open > 0 {
                    cells[place] += &format!(" ({open} unknown)");
                } else {
                    let violations = outcomes.iter().filter(|outcome| matches!(outcome.verdict, Verdict::Violation(_)));
                    violated = violations.count();
                }
            }
        }
        let ratio = best[best.len() - 1].as_secs_f64() / best[0].as_secs_f64();
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        println!("| {name} | {} | {violated} | {} | {ratio:.0} |", queries.len(), cells.join(" | "));
    }
    Ok(())
}
