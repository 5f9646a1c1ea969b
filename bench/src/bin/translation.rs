//! A long check of the translation of Java: what really happens to objects of small random classes, executed with a
//! real heap and real threads, must be possible in the models that are made of them.
//!
//! `cargo run --release -p asercheck-bench --bin translation -- --programs 5000` ends with an error if something
//! happens that a model calls safe, with the seed, the smallest such program that is found, and the schedule.
//! `--path FOLDER` takes class files instead. With `--sparing` it is compared instead what is found with and without
//! the queries that are spared.

use anyhow::bail;
use asercheck_bench::jvm::compare::{Compared, Effort, compare, load, load_path};
use asercheck_bench::jvm::compile::compile;
use asercheck_bench::jvm::random;
use asercheck_bench::jvm::schedules::Bounds;
use asercheck_bench::jvm::shrink::shrink;
use asercheck_bench::jvm::source::Source;
use asercheck_bench::jvm::sparing::{self, Spared};
use clap::Parser;
use std::path::PathBuf;
use std::time::Instant;

#[derive(Parser)]
#[command(about = "Compares Java programs with their models")]
struct Arguments {
    /// How many programs.
    #[arg(long, default_value_t = 1000)]
    programs: u64,
    /// The first seed; the programs have consecutive ones.
    #[arg(long, default_value_t = 0)]
    seed: u64,
    /// Clients of each class.
    #[arg(long, default_value_t = 24)]
    clients: usize,
    /// States that are visited for each client.
    #[arg(long, default_value_t = 2000)]
    states: usize,
    /// How often a thread is interrupted that could go on.
    #[arg(long, default_value_t = 2)]
    interruptions: u8,
    /// Of each so many-th program all patterns are decided, to count how many violations really happen.
    #[arg(long, default_value_t = 20)]
    decide: u64,
    /// Class files instead of random programs.
    #[arg(long)]
    path: Option<PathBuf>,
    /// Goes on behind a miss, without making it smaller.
    #[arg(long)]
    keep_going: bool,
    /// Compares what is found with and without the queries that are spared.
    #[arg(long)]
    sparing: bool,
    /// Only prints the programs.
    #[arg(long)]
    print: bool,
    /// Writes the class files of the programs to this folder, and does nothing else.
    #[arg(long)]
    write: Option<PathBuf>,
}

impl Arguments {
    fn effort(&self, decides: bool) -> Effort {
        let bounds = Bounds { interruptions: self.interruptions, states: self.states, ..Bounds::default() };
        Effort { clients: self.clients, bounds, decides }
    }

    fn compare(&self, source: &Source, seed: u64, decides: bool) -> Compared {
        compare(&load(&compile(source)), seed, self.effort(decides))
    }
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let begin = Instant::now();
    if arguments.sparing {
        return compare_sparing(&arguments, begin);
    }
    if let Some(path) = &arguments.path {
        let compared = compare(&load_path(path.clone()), arguments.seed, arguments.effort(true));
        compared.misses.iter().for_each(|miss| println!("{miss}"));
        return report(&arguments, 1, &compared, begin);
    }
    let mut total = Compared::default();
    for number in 0..arguments.programs {
        let seed = arguments.seed + number;
        let source = random::program(seed);
        if let Some(folder) = &arguments.write {
            let folder = folder.join(format!("{seed}/made"));
            std::fs::create_dir_all(&folder)?;
            for (name, content) in compile(&source) {
                std::fs::write(folder.join(format!("{name}.class")), content)?;
            }
            continue;
        }
        if arguments.print {
            println!("// seed {seed}\n{source}");
            continue;
        }
        let compared = arguments.compare(&source, seed, number % arguments.decide == 0);
        if let Some(fault) = compared.faults.first() {
            println!("seed {seed}: {fault}\n{source}");
        }
        if let Some(miss) = compared.misses.first() {
            if arguments.keep_going {
                println!("seed {seed}: {miss}");
            } else {
                let smallest =
                    shrink(&source, |candidate| !arguments.compare(candidate, seed, false).misses.is_empty());
                let misses = arguments.compare(&smallest, seed, false).misses;
                bail!("seed {seed}: {miss}\nsmallest:\n{smallest}\n{}", misses.first().unwrap_or(miss));
            }
        }
        total.add(compared);
        if (number + 1) % 500 == 0 {
            eprintln!(
                "{} programs, {} patterns happened, {} missed, {:.0} s",
                number + 1,
                total.happened,
                total.misses.len(),
                begin.elapsed().as_secs_f64()
            );
        }
    }
    report(&arguments, arguments.programs, &total, begin)
}

/// Decides classes with and without the queries that are spared; the first difference is an error.
fn compare_sparing(arguments: &Arguments, begin: Instant) -> anyhow::Result<()> {
    let mut total = Spared::default();
    let mut add = |about: &str, found: Spared| {
        if let Some(difference) = found.differences.first() {
            bail!("{about}: {difference}");
        }
        total.add(found);
        Ok(())
    };
    match &arguments.path {
        Some(path) => add("", sparing::compare(&load_path(path.clone())))?,
        None => {
            for seed in (0..arguments.programs).map(|number| arguments.seed + number) {
                let found = sparing::compare(&load(&compile(&random::program(seed))));
                add(&format!("seed {seed}"), found)?;
            }
        }
    }
    println!("{total:?}; {:.0} s", begin.elapsed().as_secs_f64());
    Ok(())
}

fn report(arguments: &Arguments, programs: u64, total: &Compared, begin: Instant) -> anyhow::Result<()> {
    println!(
        "{programs} programs from seed {}: {} subjects, {} of them static fields ({} more without a model), {} clients ({} unsupported), {} states, {} patterns happened, {} of them to static fields, {} of them left open, {} missed; of {} violations that are reported, {} were seen to happen; {:.0} s",
        arguments.seed,
        total.subjects,
        total.static_subjects,
        total.stuck,
        total.clients,
        total.unsupported,
        total.states,
        total.happened,
        total.happened_to_statics,
        total.open,
        total.misses.len(),
        total.reported,
        total.confirmed,
        begin.elapsed().as_secs_f64()
    );
    total.reasons.iter().for_each(|reason| println!("no model: {reason}"));
    if !total.misses.is_empty() {
        bail!("{} patterns happened that the models call safe", total.misses.len());
    }
    Ok(())
}
