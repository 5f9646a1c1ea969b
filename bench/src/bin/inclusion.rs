//! *Trace inclusion*: executions on a Java virtual machine must be possible in the models of classes.
//!
//! `cargo run --release -p asercheck-bench --bin inclusion -- FOLDER...` takes folders of class files, each a program
//! of its own (or folders of such folders); methods are called at random, and their events are compared with the models
//! (see the module `inclusion`). It ends with an error if a trace is missing. With `--compile PROGRAM`, the folders are
//! sources, which the Java program compiles, each file into a folder of its own. With `--random N`, N random programs
//! are made instead (see the module `programs`), those of consecutive seeds; the number of each construct in them is
//! printed.

use anyhow::{Context, bail};
use asercheck_bench::inclusion::judge::{Judged, Missing, Subject, judge};
use asercheck_bench::inclusion::machine::{Effort, Recorder};
use asercheck_bench::inclusion::subjects::{Analysed, Chosen, analysed, classes};
use asercheck_bench::inclusion::trace::Session;
use asercheck_bench::programs::{Counts, Grammar, compiled};
use clap::Parser;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Number of random programs that are compiled and run at a time.
const BATCH: usize = 100;

#[derive(Parser)]
#[command(about = "Compares what the real Java machine does with the models of classes")]
struct Arguments {
    /// Folders of class files, or folders of such folders.
    #[arg(required_unless_present = "random")]
    folders: Vec<PathBuf>,
    /// Number of random programs.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with_all = ["folders", "compile"])]
    random: u64,
    /// Folder for the sources of random programs, instead of one that is removed at the end.
    #[arg(long, value_name = "FOLDER", requires = "random")]
    sources: Option<PathBuf>,
    /// A Java program that compiles the folders, which contain sources. Its arguments are a folder of sources and one
    /// for the class files.
    #[arg(long, value_name = "PROGRAM")]
    compile: Option<PathBuf>,
    /// The seed of the first run, and of the first random program.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of runs of each class, each with new objects.
    #[arg(long, default_value_t = 4)]
    runs: usize,
    /// Number of calls in each run.
    #[arg(long, default_value_t = 12)]
    calls: usize,
    /// Time limit of a call, in milliseconds.
    #[arg(long, default_value_t = 150)]
    patience: u64,
    /// Time limit of the analysis of a subject, in seconds.
    #[arg(long, default_value_t = 10)]
    timeout: u64,
    /// A class with known missing traces; may be repeated.
    #[arg(long, value_name = "CLASS")]
    known: Vec<String>,
    /// Number of random public classes of each folder, instead of those that appear thread-safe.
    #[arg(long, value_name = "N")]
    some: Option<usize>,
    /// Prints the projections of missing traces, up to the missing event.
    #[arg(long)]
    traces: bool,
    /// Only classes whose names contain this.
    #[arg(long, default_value = "")]
    class: String,
}

/// Totals.
#[derive(Default)]
struct Total {
    classes: usize,
    subjects: usize,
    undecided: BTreeMap<String, String>,
    failures: BTreeMap<String, String>,
    timeouts: usize,
    judged: Judged,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let begin = Instant::now();
    let recorder = Recorder::new()?.context("there is no Java development kit for the recorder (17 to 23)")?;
    let mut total = Total::default();
    if arguments.random > 0 {
        random(&arguments, &recorder, &mut total)?;
    }
    let mut folders = Vec::new();
    for folder in &arguments.folders {
        let compiled = arguments.compile.as_ref().map(|program| recorder.compiled(program, folder)).transpose()?;
        folders.extend(programs(&compiled.unwrap_or_else(|| folder.clone()))?);
    }
    total.add_folders(&folders, &arguments, &recorder)?;
    total.print(begin.elapsed());
    let is_new = |missing: &Missing| !arguments.known.contains(&missing.subject);
    if total.judged.missing.iter().any(is_new) { bail!("some traces are missing") } else { Ok(()) }
}

/// Compares random programs with their models, a batch at a time.
fn random(arguments: &Arguments, recorder: &Recorder, total: &mut Total) -> anyhow::Result<()> {
    let grammar = Grammar::builtin();
    let folder = arguments.sources.clone().unwrap_or_else(|| recorder.sources());
    let mut counts: Counts = grammar.constructs().map(|construct| (construct.to_string(), 0)).collect();
    let last = arguments.seed + arguments.random;
    for first in (arguments.seed..last).step_by(BATCH) {
        let seeds = first..last.min(first + BATCH as u64);
        let (folders, found) = compiled(recorder, &grammar, &folder, seeds.clone())?;
        for (construct, count) in found {
            *counts.entry(construct).or_default() += count;
        }
        total.add_folders(&folders, arguments, recorder)?;
        let Judged { units, missing, .. } = &total.judged;
        eprintln!("programs before seed {}: {units} traces, {} kinds missing", seeds.end, missing.len());
    }
    println!("constructs in {} programs from seed {}:", arguments.random, arguments.seed);
    for (construct, count) in counts {
        println!("  {construct}: {count}");
    }
    Ok(())
}

/// Returns the folders of programs: the folders inside of this one, or this one itself.
fn programs(folder: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let mut inner = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        // Folders of packages begin with a small letter; `META-INF` is no program.
        inner.extend((path.is_dir() && name != "META-INF" && name.starts_with(char::is_uppercase)).then_some(path));
    }
    inner.sort();
    Ok(if inner.is_empty() { vec![folder.to_path_buf()] } else { inner })
}

impl Total {
    /// Compares the programs in these folders with their models.
    fn add_folders(&mut self, folders: &[PathBuf], arguments: &Arguments, recorder: &Recorder) -> anyhow::Result<()> {
        let chosen = arguments.some.map_or(Chosen::Claiming, |count| Chosen::Some(count, arguments.seed));
        let is_wanted = |class: &str| class.contains(&arguments.class);
        // The virtual machine has a working folder of its own.
        let folders: Vec<PathBuf> = folders.iter().map(std::path::absolute).collect::<Result<_, _>>()?;
        let mut all: Vec<(PathBuf, String)> = Vec::new();
        for folder in &folders {
            let wanted = classes(folder, chosen).into_iter().filter(|class| is_wanted(class));
            all.extend(wanted.map(|class| (folder.clone(), class)));
        }
        let effort = Effort {
            seed: arguments.seed,
            runs: arguments.runs,
            calls: arguments.calls,
            milliseconds: arguments.patience,
        };
        let mut recording = recorder.start(&all, effort)?;
        // The models are made at the same time.
        let mut models: BTreeMap<(String, String), Vec<Analysed>> = BTreeMap::new();
        for folder in &folders {
            for subject in analysed(folder, chosen, Duration::from_secs(arguments.timeout)) {
                if is_wanted(&subject.class) {
                    models.entry((folder.display().to_string(), subject.class.clone())).or_default().push(subject);
                }
            }
        }
        let mut rest = &all[..];
        loop {
            let sessions = recording.finish()?;
            for session in &sessions {
                let subjects = models.remove(&(session.folder.clone(), session.class.clone())).unwrap_or_default();
                self.add(session, &subjects, arguments.traces);
            }
            // A virtual machine ends early if a class has started too many threads.
            rest = rest.get(sessions.len()..).unwrap_or_default();
            if rest.is_empty() || sessions.is_empty() {
                return Ok(());
            }
            recording = recorder.start(rest, effort)?;
        }
    }

    fn add(&mut self, session: &Session, subjects: &[Analysed], has_traces: bool) {
        self.classes += 1;
        self.timeouts += session.runs.iter().map(|run| run.timeouts).sum::<usize>();
        if let Some(why) = &session.failure {
            self.failures.insert(session.class.clone(), why.clone());
        }
        for subject in subjects {
            self.subjects += 1;
            let isolated = match &subject.model {
                Ok(isolated) => isolated.as_ref(),
                Err(why) => {
                    self.undecided.insert(subject.class.clone(), why.clone());
                    continue;
                }
            };
            let Analysed { class, is_static, finals, .. } = subject;
            let subject = Subject { class, is_static: *is_static, finals, isolated };
            let mut found: BTreeMap<(String, String), Missing> = BTreeMap::new();
            for run in &session.runs {
                let mut judged = judge(subject, run);
                for missing in std::mem::take(&mut judged.missing) {
                    found.entry((missing.unit.clone(), missing.event.clone())).or_insert(missing);
                }
                self.judged.add(judged);
            }
            // Printed at once: a long campaign may be stopped.
            found.values().for_each(|missing| print_missing(missing, has_traces));
            self.judged.missing.extend(found.into_values());
        }
    }

    fn print(&self, took: Duration) {
        for (class, why) in &self.undecided {
            println!("{class}: undecided: {why}");
        }
        for (class, why) in &self.failures {
            println!("{class}: not driven: {why}");
        }
        let Judged { units, included, methods, too_large, in_part, assumed, missing } = &self.judged;
        let classes: std::collections::BTreeSet<&str> = missing.iter().map(|missing| &*missing.subject).collect();
        println!(
            "{} classes, {} subjects, {units} traces of units of {} methods, {included} included, {} missing in {} subjects \
             ({} kinds), {} too large, {} in part, {} against what is assumed, {} subjects undecided, {} calls not ended; {:.0} s",
            self.classes,
            self.subjects,
            methods.len(),
            units - included - too_large - in_part - assumed,
            classes.len(),
            missing.len(),
            too_large,
            in_part,
            assumed,
            self.undecided.len(),
            self.timeouts,
            took.as_secs_f64()
        );
    }
}

fn print_missing(missing: &Missing, has_trace: bool) {
    println!("{}: missing in {}: {}", missing.subject, missing.unit, missing.event);
    println!("    seed {}, unit {}, event {}", missing.place.0, missing.place.1, missing.number);
    if has_trace {
        missing.trace.iter().for_each(|step| println!("      {step}"));
    }
}
