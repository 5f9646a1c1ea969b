//! A long differential campaign: engines against each other on random models.
//!
//! `cargo run --release -p asercheck-bench --bin campaign -- --models 20000` compares all engines on the queries of
//! 20,000 models in both unit modes and prints counts. At the first disagreement it ends with an error, the seed and
//! the model. Options select other models: `--starts` with many starts of processes, `--modes` with read-write locks
//! and waiting, `--overlap` with locks that do not nest, `--recursion` with recursion under locks. Others select the
//! queries: `--automata` of random phase automata of two and three threads,
//! `--lock-automata` of random automata with lock events and with threads that must not move, `--built-in` of races and
//! deadlocks.

use anyhow::{Context, bail};
use asercheck::model::{self, Model};
use asercheck::phases::{Automaton, Exclusion, UnitMode, deadlock, races};
use asercheck::query::Query;
use asercheck::{Bounds, Engine, Limits, Options, Reductions};
use asercheck_bench::compare::{Comparison, automaton_queries, compare_options, pattern_queries, reductions};
use clap::Parser;
use generate::automata::{automata, lock_automata};
use generate::random::{self, Shape};
use generate::starts;
use std::time::{Duration, Instant};

#[derive(Parser)]
#[command(about = "Compares engines on random models")]
struct Arguments {
    /// Number of models.
    #[arg(long, default_value_t = 1000)]
    models: u64,
    /// The first seed; the models have consecutive ones.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// The engines to compare.
    #[arg(long, value_delimiter = ',', default_value = "symbolic,explicit,interleave")]
    engines: Vec<Engine>,
    /// Seconds for a query; slower queries count as open.
    #[arg(long, default_value = "10", value_parser = seconds)]
    timeout: Duration,
    /// Limit of global states in the interleaving search of a query; larger queries count as open.
    #[arg(long, default_value_t = 50_000)]
    states: usize,
    /// Models without `start`.
    #[arg(long)]
    no_starts: bool,
    /// Models with many starts of processes, anywhere.
    #[arg(long)]
    starts: bool,
    /// Limit of simultaneous instances in the interleaving search; larger queries count as open.
    #[arg(long, default_value_t = 12)]
    instances: usize,
    /// Models with read-write locks and waiting.
    #[arg(long)]
    modes: bool,
    /// Models with locks that overlap, some of them read-write locks.
    #[arg(long)]
    overlap: bool,
    /// Models with much recursion under locks.
    #[arg(long)]
    recursion: bool,
    /// Compares `explicit` without reductions, too.
    #[arg(long)]
    unreduced: bool,
    /// Upper bound on the queries of each model, which are chosen at random.
    #[arg(long, default_value_t = usize::MAX)]
    queries: usize,
    /// Asks random phase automata instead of the patterns.
    #[arg(long)]
    automata: bool,
    /// Asks random phase automata with events of locks.
    #[arg(long)]
    lock_automata: bool,
    /// Asks races and deadlocks of two and three threads.
    #[arg(long)]
    built_in: bool,
}

impl Arguments {
    /// Returns the queries about the model of a seed, in parts with names.
    fn queries(&self, model: &Model, seed: u64) -> Vec<(String, Vec<Query>)> {
        let mut asked = Vec::new();
        if self.automata {
            asked.push(automata(seed));
        }
        if self.lock_automata {
            asked.push(lock_automata(seed));
        }
        if self.built_in {
            asked.push(built_in());
        }
        if asked.is_empty() {
            let units = [UnitMode::Both, UnitMode::First];
            return units.map(|units| (format!("{units:?}"), pattern_queries(model, units))).to_vec();
        }
        let queries = asked.into_iter().map(|automata| {
            let text: Vec<_> = automata.iter().map(ToString::to_string).collect();
            (format!("automata\n{}", text.join("")), automaton_queries(model, automata))
        });
        queries.collect()
    }

    /// Returns the options that are compared, with their names.
    fn deciders(&self, options: &Options) -> Vec<(&'static str, Options)> {
        let engines = self.engines.iter().map(|engine| (engine.name(), options.clone().with_engine(*engine)));
        let plain = options.clone().with_engine(Engine::Explicit).with_reductions(Reductions::none());
        engines.chain(self.unreduced.then_some(("explicit without reductions", plain))).collect()
    }

    /// Returns the text of the model of a seed.
    fn model(&self, seed: u64) -> String {
        if self.starts {
            return starts::model(seed);
        }
        let mut shape = match (self.recursion, self.overlap, self.modes) {
            (true, _, _) => Shape::with_recursion(seed),
            (false, true, _) => Shape::with_overlap(seed),
            (false, false, true) => Shape::with_modes(seed),
            (false, false, false) => Shape::of_seed(seed),
        };
        shape.starts &= !self.no_starts;
        random::model(seed, &shape)
    }
}

/// Returns the automata of races, of deadlocks of two threads with each kind of exclusion, and of deadlocks of three.
fn built_in() -> Vec<Automaton> {
    let exclusions = [Exclusion::Plain, Exclusion::HeldInWrite, Exclusion::WantedInWrite];
    let of_two = exclusions.iter().flat_map(|first| exclusions.map(|second| deadlock(&[*first, second])));
    races().iter().cloned().chain(of_two).chain([deadlock(&[Exclusion::Plain; 3])]).collect()
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.parse().map_err(|error: std::num::ParseFloatError| error.to_string())?;
    Duration::try_from_secs_f64(seconds).map_err(|error| error.to_string())
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let begin = Instant::now();
    let options = Options::default()
        .with_limits(Limits::default().with_timeout(arguments.timeout))
        .with_bounds(Bounds { states: arguments.states, instances: arguments.instances, ..Bounds::default() });
    let mut total = Comparison::default();
    for number in 0..arguments.models {
        let seed = arguments.seed + number;
        let text = arguments.model(seed);
        let loaded =
            model::from_text(&format!("seed-{seed}.eml"), &text).map_err(|error| anyhow::anyhow!("{error}\n{text}"))?;
        let options = options.clone().with_reductions(reductions(seed));
        for (asked, mut queries) in arguments.queries(&loaded.model, seed) {
            fastrand::Rng::with_seed(seed).shuffle(&mut queries);
            queries.truncate(arguments.queries);
            let found = compare_options(&loaded.model, &queries, &arguments.deciders(&options))
                .with_context(|| format!("seed {seed}, {asked}:\n{text}"))?;
            if !found.disagreements.is_empty() {
                bail!("seed {seed}, {asked}:\n{}\n{text}", found.disagreements.join("\n"));
            }
            total.add(found);
        }
        if (number + 1) % 500 == 0 || number + 1 == arguments.models {
            eprintln!(
                "{} models, {} queries decided alike, {} violations, {} left open by an engine, {:.0} s",
                number + 1,
                total.decided,
                total.violations,
                total.open,
                begin.elapsed().as_secs_f64()
            );
        }
    }
    println!(
        "no disagreement: {} models from seed {}, {} queries decided alike, {} of them violations, {} left open",
        arguments.models, arguments.seed, total.decided, total.violations, total.open
    );
    Ok(())
}
