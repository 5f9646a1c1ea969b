//! Time and memory of the engines on families of generated models that grow in one dimension at a time.
//!
//! `cargo run --release -p asercheck-bench --bin families` decides all queries of each model by the first engine, and a
//! sample of them by every engine, each run in a process of its own, one after the other, and prints times and peak
//! memory side by side. If the system reports processor time, this is used; other programs on the machine influence it
//! less.

use anyhow::{Context, bail};
use asercheck::phases::UnitMode;
use asercheck::query::Query;
use asercheck::{Engine, Limits, Options, Verdict, check_all, model, peak_memory};
use asercheck_bench::compare::{lock_queries, pattern_queries};
use clap::Parser;
use generate::family::{self, Shape, Size};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::str::FromStr;
use std::time::{Duration, Instant};

#[derive(Parser)]
#[command(about = "Measures engines on models that grow in one dimension")]
struct Arguments {
    /// The engines; all queries are asked of the first only.
    #[arg(long, value_delimiter = ',', default_value = "explicit,symbolic")]
    engines: Vec<Engine>,
    /// The dimensions.
    #[arg(
        long,
        value_delimiter = ',',
        default_value = "statements,depth,locks,locations,processes,sections,branching,starts,ring,orders,calls,recursion"
    )]
    dimensions: Vec<String>,
    /// Number of queries of each model for every engine.
    #[arg(long, default_value_t = 10)]
    sample: usize,
    /// Seconds for a query.
    #[arg(long, default_value_t = 20)]
    timeout: u64,
    /// Only writes the models into this folder, for other programs.
    #[arg(long, value_name = "FOLDER")]
    write: Option<PathBuf>,
    /// Largest number of statements, or of critical sections.
    #[arg(long, default_value_t = 100_000)]
    most: usize,
    /// Makes one run; the program calls itself with this option.
    #[arg(long, hide = true)]
    run: Option<Run>,
}

/// One run of an engine: the model, and the number of queries; 0 for all.
#[derive(Clone, Debug)]
struct Run {
    engine: Engine,
    size: Size,
    sample: usize,
}

impl Run {
    fn text(&self) -> String {
        let Size { shape, statements, depth, locks, locations, processes } = self.size;
        format!("{}:{}:{statements}:{depth}:{locks}:{locations}:{processes}:{}", self.engine, shape.name(), self.sample)
    }
}

impl FromStr for Run {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> anyhow::Result<Self> {
        let (engine, rest) = text.split_once(':').context("engine:shape:sizes")?;
        let (shape, rest) = rest.split_once(':').context("engine:shape:sizes")?;
        let shape = Shape::ALL.into_iter().find(|known| known.name() == shape).context("a shape")?;
        let numbers = rest.split(':').map(str::parse).collect::<Result<Vec<usize>, _>>()?;
        let [statements, depth, locks, locations, processes, sample] = numbers[..] else { bail!("six numbers") };
        let engine = engine.parse().map_err(anyhow::Error::new)?;
        Ok(Self { engine, size: Size { shape, statements, depth, locks, locations, processes }, sample })
    }
}

/// Returns the sizes of a family.
fn family(dimension: &str, most: usize) -> anyhow::Result<Vec<Size>> {
    let up_to = |counts: &[usize], base: Size| -> Vec<Size> {
        let counts = counts.iter().filter(|count| **count <= most);
        counts.map(|statements| Size { statements: *statements, ..base }).collect()
    };
    let base = Size { shape: Shape::Layers, statements: 1000, depth: 4, locks: 4, locations: 8, processes: 2 };
    let sizes: Vec<Size> = match dimension {
        "statements" => up_to(&[10, 100, 1000, 10_000, 30_000, 100_000], base),
        "sections" => {
            let base = Size { shape: Shape::Sections, depth: 1, locations: 1, ..base };
            up_to(&[100, 3000, 10_000, 30_000, 100_000], base)
        }
        "branching" => {
            let base = Size { shape: Shape::Branching, depth: 1, locks: 8, locations: 1, ..base };
            up_to(&[100, 1000, 5000, 20_000], base)
        }
        "depth" => [1, 4, 16, 50].map(|depth| Size { depth, ..base }).into(),
        "locks" => [1, 2, 4, 8, 16].map(|locks| Size { locks, ..base }).into(),
        "locations" => [2, 4, 8, 16, 32].map(|locations| Size { locations, ..base }).into(),
        "processes" => [2, 4, 8].map(|processes| Size { processes, ..base }).into(),
        "starts" => [8, 16, 32].map(|processes| Size { shape: Shape::Starts, processes, ..base }).into(),
        "ring" => [8, 16, 32].map(|processes| Size { shape: Shape::Ring, processes, locks: processes, ..base }).into(),
        "orders" => {
            let size = |(processes, locks)| Size { shape: Shape::Orders, processes, locks, ..base };
            [(4, 4), (6, 4), (8, 4), (2, 16), (2, 32)].map(size).into()
        }
        "calls" => [2, 4, 8].map(|locks| Size { shape: Shape::Calls, locks, depth: locks, ..base }).into(),
        "recursion" => {
            let size = |locks| Size { shape: Shape::Recursion, locks, depth: locks, locations: 1, ..base };
            [8, 10, 12, 14, 16, 18].map(size).into()
        }
        _ => bail!("there is no dimension {dimension}"),
    };
    Ok(sizes)
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    if let Some(run) = &arguments.run {
        println!("{}", measure(run, arguments.timeout)?);
        return Ok(());
    }
    for dimension in &arguments.dimensions {
        if let Some(folder) = &arguments.write {
            write(folder, dimension, &family(dimension, arguments.most)?)?;
            continue;
        }
        println!(
            "\n{dimension}: statements depth locks locations processes | engine: queries, violations, unknown, seconds of the processor, seconds, peak MiB"
        );
        for size in family(dimension, arguments.most)? {
            let Size { shape: _, statements, depth, locks, locations, processes } = size;
            println!("{statements:7} {depth:3} {locks:3} {locations:3} {processes:3}");
            let all = arguments.engines.iter().take(1).map(|engine| (*engine, 0));
            for (engine, sample) in all.chain(arguments.engines.iter().map(|engine| (*engine, arguments.sample))) {
                println!("    {}", apart(&Run { engine, size, sample }, arguments.timeout)?);
            }
        }
    }
    Ok(())
}

/// Writes the models of a dimension, by number.
fn write(folder: &Path, dimension: &str, sizes: &[Size]) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (number, size) in sizes.iter().enumerate() {
        std::fs::write(folder.join(format!("{dimension}{number}.eml")), family::model(size, 1))?;
    }
    Ok(())
}

/// Makes a run in a process of its own, so that the peak of its memory is its own.
fn apart(run: &Run, timeout: u64) -> anyhow::Result<String> {
    let child = Command::new(std::env::current_exe()?)
        .args(["--run", &run.text(), "--timeout", &timeout.to_string()])
        .stderr(Stdio::inherit())
        .output()?;
    if !child.status.success() {
        return Ok(format!("{}: ended with {}", run.engine, child.status));
    }
    Ok(String::from_utf8(child.stdout)?.trim_end().to_string())
}

fn measure(run: &Run, timeout: u64) -> anyhow::Result<String> {
    let text = family::model(&run.size, 1);
    let model = model::from_text("family.eml", &text).map_err(|error| anyhow::anyhow!("{error}"))?.model;
    let all = match run.size.shape.is_about_deadlocks() {
        true => lock_queries(&model),
        false => pattern_queries(&model, UnitMode::Both),
    };
    let queries = sample(all, run.sample);
    let limits = Limits::default().with_timeout(Duration::from_secs(timeout));
    let options = Options::default().with_engine(run.engine).with_limits(limits).with_jobs(1);
    let (begin, before) = (Instant::now(), processor_time());
    let outcomes = check_all(&model, &queries, &options, |_, _| {})?;
    let seconds = begin.elapsed().as_secs_f64();
    let processor = processor_time().zip(before).map_or(seconds, |(after, before)| (after - before).as_secs_f64());
    let count = |wanted: fn(&Verdict) -> bool| outcomes.iter().filter(|outcome| wanted(&outcome.verdict)).count();
    Ok(format!(
        "{}: {} queries, {} violations, {} unknown, {processor:.2} s of the processor, {seconds:.3} s, {} MiB",
        run.engine,
        queries.len(),
        count(|verdict| matches!(verdict, Verdict::Violation(_))),
        count(|verdict| matches!(verdict, Verdict::Unknown(_))),
        peak_memory().unwrap_or(0) >> 20,
    ))
}

/// Returns the processor time of this process in hundredths of seconds; none if the system does not report it.
fn processor_time() -> Option<Duration> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may contain any characters; the times are words 12 and 13 after it.
    let words = text.rsplit_once(')')?.1.split_whitespace().skip(11).take(2);
    let ticks: u64 = words.filter_map(|word| word.parse::<u64>().ok()).sum();
    Some(Duration::from_millis(10 * ticks))
}

/// Returns this number of queries, evenly spread; all for 0.
fn sample(queries: Vec<Query>, count: usize) -> Vec<Query> {
    let every = if count == 0 { 1 } else { queries.len().div_ceil(count).max(1) };
    queries.into_iter().step_by(every).collect()
}
