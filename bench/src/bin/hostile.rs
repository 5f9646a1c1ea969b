//! Runs all engines on models that need more time or memory than there is, and ends with an error if a limit is
//! exceeded.
//!
//! `cargo run --release -p asercheck-bench --bin hostile -- target/release/asercheck` runs the command for one query of
//! each model: pattern 1 on a location and its two processes. It must end within its time and half a second, below its
//! memory, with an answer or with `unknown`. `-- --only NAME` runs the models whose names contain the word.
//!
//! Half a second is also the limit of processor time beyond the time limit. On a busy machine, where a run has to wait
//! for the processor, `--waiting` is the number of seconds for that.

use anyhow::{Context, bail};
use asercheck::Engine;
use asercheck_bench::hostile::{Hostile, models};
use clap::Parser;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

#[derive(Parser)]
struct Arguments {
    /// The program `asercheck`.
    program: PathBuf,
    /// Seconds for each query.
    #[arg(long, default_value_t = 1.0)]
    timeout: f64,
    /// Mebibytes for each query.
    #[arg(long, default_value_t = 256)]
    memory: u64,
    /// Seconds beyond the time and half a second that a run may wait for the processor.
    #[arg(long, default_value_t = 0.0)]
    waiting: f64,
    /// Uses every N-th model only.
    #[arg(long, default_value_t = 1)]
    sample: usize,
    /// The engines; all by default.
    #[arg(long)]
    engine: Vec<Engine>,
    /// Only models whose names contain this.
    #[arg(long)]
    only: Option<String>,
}

/// Seconds beyond its time that a run may take.
const GRACE: f64 = 0.5;

/// Allowed exit codes: all safe, a violation, something unknown.
const ENDS: [Option<i32>; 3] = [Some(0), Some(1), Some(3)];

/// Time and memory of a run.
struct Run {
    code: Option<i32>,
    time: Duration,
    /// Processor time.
    processor_time: Duration,
    peak_kib: u64,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let engines = if arguments.engine.is_empty() { Engine::ALL[1..].to_vec() } else { arguments.engine.clone() };
    let wanted = |model: &Hostile| arguments.only.as_ref().is_none_or(|part| model.name.contains(part));
    let file = std::env::temp_dir().join(format!("hostile-{}.eml", std::process::id()));
    let (mut runs, mut undecided, mut overruns) = (0, 0, 0);
    for model in models().into_iter().filter(wanted).skip(arguments.sample / 2).step_by(arguments.sample) {
        fs::write(&file, &model.text).context("the model cannot be written")?;
        for engine in &engines {
            let run = arguments.run(&file, *engine)?;
            let overrun = arguments.is_overrun(&run);
            (runs, undecided, overruns) =
                (runs + 1, undecided + usize::from(run.code == Some(3)), overruns + usize::from(overrun));
            let mark = if overrun { "OVERRUN" } else { "" };
            let [seconds, processor] = [run.time, run.processor_time].map(|time| time.as_secs_f64());
            let mebibytes = run.peak_kib / 1024;
            let code = run.code.map_or("killed".to_string(), |code| code.to_string());
            println!(
                "{:<28} {engine:<13} exit {code:<6} {seconds:6.2} s, {processor:5.2} s of processors, {mebibytes:5} MiB {mark}",
                model.name
            );
        }
    }
    fs::remove_file(&file).context("the model cannot be removed")?;
    println!("{runs} runs, {undecided} undecided, {overruns} overruns");
    if overruns > 0 {
        bail!("limits were overrun");
    }
    Ok(())
}

impl Arguments {
    fn is_overrun(&self, run: &Run) -> bool {
        let end = self.timeout + GRACE;
        run.processor_time.as_secs_f64() > end
            || run.time.as_secs_f64() > end + self.waiting
            || run.peak_kib > self.memory * 1024
            || !ENDS.contains(&run.code)
    }

    fn run(&self, model: &Path, engine: Engine) -> anyhow::Result<Run> {
        let mut command = Command::new(&self.program);
        command.arg(model).args(["--quiet", "--pattern", "1", "--locations", "x", "--processes", "P,Q"]);
        command.args(["--engine", engine.name()]);
        command.args(["--timeout", &format!("{}s", self.timeout), "--memory", &format!("{}MiB", self.memory)]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let begin = Instant::now();
        let mut child = command.spawn().context("the program cannot be run")?;
        let (mut peak_kib, mut processor_time) = (0, Duration::ZERO);
        loop {
            peak_kib = peak_kib.max(peak_of(&child));
            processor_time = processor_time.max(processor_time_of(&child));
            let time = begin.elapsed();
            if let Some(status) = child.try_wait()? {
                return Ok(Run { code: status.code(), time, processor_time, peak_kib });
            }
            // A run that gets this far is wrong, and is killed to protect the machine.
            if time.as_secs_f64() > self.timeout + self.waiting + 5.0 || peak_kib > self.memory * 1024 * 3 {
                child.kill()?;
            }
            sleep(Duration::from_millis(2));
        }
    }
}

/// Returns the processor time so far, in steps of hundredths of seconds; none if the system does not report it.
fn processor_time_of(child: &Child) -> Duration {
    let text = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
    // The name of the program, in parentheses, may contain any characters; the times are words 12 and 13 after it.
    let words = text.rsplit_once(')').map_or("", |(_, words)| words).split_whitespace();
    let ticks: u64 = words.skip(11).take(2).filter_map(|word| word.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}

/// Returns the peak of resident memory so far, in kibibytes; 0 if the system does not report it.
fn peak_of(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok()).unwrap_or(0)
}
