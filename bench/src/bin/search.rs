//! Compares the variants of the systematic search with each other, with the decision procedure and with the plain
//! search on random models.
//!
//! `cargo run --release -p asercheck-bench --bin search -- --models 20000` prints the number of states and transitions
//! of each variant. At the first disagreement it ends with an error, the seed and the model.

use anyhow::{Context, bail};
use asercheck::model::{self, Model};
use asercheck::phases::UnitMode;
use asercheck::query::Query;
use asercheck::{Bounds, Limits};
use asercheck_bench::compare::{automaton_queries, lock_queries, pattern_queries};
use asercheck_bench::search::{Compared, Tally, compare_variants, variants};
use clap::Parser;
use generate::automata::{automata, lock_automata};
use generate::random::{self, Shape};
use generate::starts;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

#[derive(Parser)]
#[command(about = "Compares the variants of the systematic search on random models")]
struct Arguments {
    /// Number of models.
    #[arg(long, default_value_t = 1000)]
    models: u64,
    /// The first seed; the models have consecutive ones.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Upper bound on the queries of each model, which are chosen at random.
    #[arg(long, default_value_t = 6)]
    queries: usize,
    /// Limit of states of one search; larger queries count as open.
    #[arg(long, default_value_t = 20_000)]
    states: usize,
    /// Only variants whose names contain this.
    #[arg(long, default_value = "")]
    variant: String,
    /// Bounds that the variants meet often, different for each model; other engines have the usual bounds.
    #[arg(long)]
    tight: bool,
}

/// Returns the model of a seed; the kinds of constructs take turns.
fn text_of(seed: u64) -> String {
    match seed % 5 {
        0 => random::model(seed, &Shape::of_seed(seed)),
        1 => random::model(seed, &Shape::with_modes(seed)),
        2 => random::model(seed, &Shape { processes: 3, statements: 4, starts: true, ..Shape::of_seed(seed) }),
        3 => random::model(seed, &Shape::with_overlap(seed)),
        _ => starts::model(seed),
    }
}

/// Returns queries about the model; the kinds of properties take turns.
fn queries_of(model: &Model, seed: u64) -> Vec<Query> {
    match seed / 5 % 5 {
        0 => pattern_queries(model, UnitMode::Both),
        1 => pattern_queries(model, UnitMode::First),
        2 => automaton_queries(model, automata(seed)),
        3 => automaton_queries(model, lock_automata(seed)),
        _ => lock_queries(model),
    }
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let begin = Instant::now();
    let limits = Limits::default().with_timeout(Duration::from_secs(5));
    let bounds = Bounds { states: arguments.states, instances: 5, stack: 8, ..Bounds::default() };
    let mut variants = variants();
    variants.retain(|variant| variant.name.contains(&arguments.variant));
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let mut asked = 0;
    for number in 0..arguments.models {
        let seed = arguments.seed + number;
        let text = text_of(seed);
        let loaded = model::from_text("seed.eml", &text).map_err(|error| anyhow::anyhow!("{error}\n{text}"))?;
        let mut queries = queries_of(&loaded.model, seed);
        fastrand::Rng::with_seed(seed).shuffle(&mut queries);
        queries.truncate(arguments.queries);
        asked += queries.len();
        let bounds = if arguments.tight { Compared::tight(bounds, seed) } else { Compared::alike(bounds) };
        let found = compare_variants(&loaded.model, &queries, &variants, (bounds, &limits), &mut tallies)
            .with_context(|| format!("seed {seed}:\n{text}"))?;
        if !found.is_empty() {
            bail!("seed {seed}:\n{}\n{text}", found.join("\n"));
        }
        if (number + 1) % 500 == 0 {
            eprintln!("{} models, {asked} queries, {:.0} s", number + 1, begin.elapsed().as_secs_f64());
        }
    }
    println!("no disagreement: {} models from seed {}, {asked} queries", arguments.models, arguments.seed);
    for (name, Tally { decided, violations, open, states, transitions }) in tallies {
        println!(
            "{name:24} {decided:8} decided {violations:7} violations {open:6} open {states:12} states {transitions:12} transitions"
        );
    }
    Ok(())
}
