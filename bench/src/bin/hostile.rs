//! Asks all engines about models that need more time or memory than there is, and ends with an error if a limit is overrun.
//!
//! `cargo run --release -p asercheck-bench --bin hostile -- target/release/asercheck` runs the command for pattern 1 on the two
//! processes of each model. It must end within its time and half a second, below its memory, with an answer or with
//! `unknown`. `-- --only NAME` runs the models whose names contain the word.

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
    /// The program.
    program: PathBuf,
    /// Seconds for each query.
    #[arg(long, default_value_t = 1.0)]
    timeout: f64,
    /// Mebibytes for each query.
    #[arg(long, default_value_t = 256)]
    memory: u64,
    /// Which engines; all by default.
    #[arg(long)]
    engine: Vec<Engine>,
    /// Only models whose names contain this.
    #[arg(long)]
    only: Option<String>,
}

/// How a run may end: all safe, a violation, something unknown.
const ENDS: [Option<i32>; 3] = [Some(0), Some(1), Some(3)];

/// What a run took.
struct Run {
    code: Option<i32>,
    time: Duration,
    peak_kib: u64,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let engines = if arguments.engine.is_empty() { Engine::ALL[1..].to_vec() } else { arguments.engine.clone() };
    let wanted = |model: &Hostile| arguments.only.as_ref().is_none_or(|part| model.name.contains(part));
    let file = std::env::temp_dir().join(format!("hostile-{}.eml", std::process::id()));
    let (mut runs, mut undecided, mut overruns) = (0, 0, 0);
    for model in models().into_iter().filter(wanted) {
        fs::write(&file, &model.text).context("the model cannot be written")?;
        for engine in &engines {
            let run = arguments.run(&file, *engine)?;
            let overrun = run.time.as_secs_f64() > arguments.timeout + 0.5
                || run.peak_kib > arguments.memory * 1024
                || !ENDS.contains(&run.code);
            (runs, undecided, overruns) =
                (runs + 1, undecided + usize::from(run.code == Some(3)), overruns + usize::from(overrun));
            let mark = if overrun { "OVERRUN" } else { "" };
            let (seconds, mebibytes) = (run.time.as_secs_f64(), run.peak_kib / 1024);
            let code = run.code.map_or("killed".to_string(), |code| code.to_string());
            println!("{:<28} {engine:<13} exit {code:<6} {seconds:6.2} s {mebibytes:5} MiB {mark}", model.name);
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
    fn run(&self, model: &Path, engine: Engine) -> anyhow::Result<Run> {
        let mut command = Command::new(&self.program);
        command.arg(model).args(["--quiet", "--pattern", "1", "--processes", "P,Q", "--engine", engine.name()]);
        command.args(["--timeout", &format!("{}s", self.timeout), "--memory", &format!("{}MiB", self.memory)]);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let begin = Instant::now();
        let mut child = command.spawn().context("the program cannot be run")?;
        let mut peak_kib = 0;
        loop {
            peak_kib = peak_kib.max(peak_of(&child));
            let time = begin.elapsed();
            if let Some(status) = child.try_wait()? {
                return Ok(Run { code: status.code(), time, peak_kib });
            }
            // A run that gets this far is wrong, and must not harm the machine.
            if time.as_secs_f64() > self.timeout + 5.0 || peak_kib > self.memory * 1024 * 3 {
                child.kill()?;
            }
            sleep(Duration::from_millis(2));
        }
    }
}

/// The most resident memory so far, in kibibytes; 0 where the system does not tell.
fn peak_of(child: &Child) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix("kB")?.trim().parse().ok()).unwrap_or(0)
}
