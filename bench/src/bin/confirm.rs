//! Confirmation: known bugs must be confirmed on a Java virtual machine, correct classes never.
//!
//! `cargo run --release -p asercheck-bench --bin confirm` takes the pairs of `models/java/confirm`. It writes a report
//! that claims a finding about each class, and `asercheck confirm` runs it. With `--generate N` it also makes N
//! correct classes at random, each method of which holds one lock, and claims that each pair of their methods
//! interferes. It ends with an error if a correct class is confirmed, or fewer bugs than `--least`. A Java development
//! kit is needed.

use anyhow::{Context, bail, ensure};
use asercheck_bench::correct_classes::{Generated, generate};
use clap::Parser;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

#[derive(Parser)]
#[command(about = "Confirms known bugs and no correct class on a real Java virtual machine")]
struct Arguments {
    /// The folder with `expected.tsv` and `classes`.
    #[arg(long, default_value = "models/java/confirm")]
    pairs: PathBuf,
    /// The program `asercheck`; by default the one beside this program.
    #[arg(long)]
    asercheck: Option<PathBuf>,
    /// Wall-clock time for the bugs, and for the twins.
    #[arg(long, default_value = "4m")]
    time: String,
    /// Number of bugs that must be confirmed.
    #[arg(long, default_value_t = 30)]
    least: usize,
    /// Number of random correct classes.
    #[arg(long, default_value_t = 0)]
    generate: usize,
    /// Wall-clock time for the random classes.
    #[arg(long, default_value = "4m")]
    generated_time: String,
    /// The seed of the first random class.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only random classes, no pairs.
    #[arg(long)]
    only_generated: bool,
}

/// A claimed finding.
struct Claim {
    class: String,
    unit: String,
    by: String,
}

/// Counts: findings by verdict, and forced schedules.
struct Results {
    verdicts: BTreeMap<String, usize>,
    confirmed: Vec<String>,
    schedules: usize,
    clients: usize,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let program = match &arguments.asercheck {
        Some(program) => program.clone(),
        None => std::env::current_exe()?.with_file_name("asercheck"),
    };
    ensure!(program.is_file(), "{} is not there; build it first", program.display());
    let folder = std::env::temp_dir().join(format!("asercheck-bench-confirm-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let outcome = run(&arguments, &program, &folder);
    fs::remove_dir_all(&folder)?;
    outcome
}

fn run(arguments: &Arguments, program: &Path, folder: &Path) -> anyhow::Result<()> {
    let mut wrong = Vec::new();
    let mut few = None;
    if !arguments.only_generated {
        let bugs = claims(&arguments.pairs, "")?;
        let found = confirm(program, folder, &arguments.pairs.join("classes"), &bugs, &arguments.time)?;
        found.print("bugs", bugs.len());
        let is_open = |claim: &&Claim| !found.confirmed.contains(&claim.class);
        bugs.iter().filter(is_open).for_each(|claim| println!("  not confirmed: {}", claim.class));
        few = (found.confirmed.len() < arguments.least).then_some(found.confirmed.len());
        let twins = claims(&arguments.pairs, "Repaired")?;
        let found = confirm(program, folder, &arguments.pairs.join("classes"), &twins, &arguments.time)?;
        found.print("repaired twins", twins.len());
        wrong.extend(found.confirmed);
    }
    if arguments.generate > 0 {
        let classes = generate(arguments.seed, arguments.generate);
        let compiled = compile(folder, &classes)?;
        let claims = classes.iter().flat_map(claims_of).collect::<Vec<_>>();
        println!(
            "correct classes of the seeds {} to {}",
            arguments.seed,
            arguments.seed + arguments.generate as u64 - 1
        );
        let found = confirm(program, folder, &compiled, &claims, &arguments.generated_time)?;
        found.print("pairs of methods of correct classes", claims.len());
        wrong.extend(found.confirmed);
    }
    ensure!(wrong.is_empty(), "correct classes are confirmed: {}", wrong.join(", "));
    match few {
        Some(count) => bail!("only {count} bugs are confirmed"),
        None => Ok(()),
    }
}

/// Returns the findings of the table about classes with this end of their names.
fn claims(pairs: &Path, suffix: &str) -> anyhow::Result<Vec<Claim>> {
    let table = pairs.join("expected.tsv");
    let text = fs::read_to_string(&table).with_context(|| table.display().to_string())?;
    let claim = |line: &str| {
        let mut fields = line.split('\t');
        let class = format!("confirm.{}{suffix}", fields.next().unwrap_or_default());
        let mut method = || format!("{class}.{}", fields.next().unwrap_or_default());
        let (unit, by) = (method(), method());
        Claim { class, unit, by }
    };
    Ok(text.lines().skip(1).map(claim).collect())
}

/// Returns each pair of methods of a class.
fn claims_of(class: &Generated) -> Vec<Claim> {
    let full = |method: &String| format!("{}.{method}", class.name);
    let pair = |unit: &String, by: &String| Claim { class: class.name.clone(), unit: full(unit), by: full(by) };
    let pairs = class.methods.iter().flat_map(|unit| class.methods.iter().map(move |by| pair(unit, by)));
    pairs.collect()
}

/// Compiles generated classes into a folder.
fn compile(folder: &Path, classes: &[Generated]) -> anyhow::Result<PathBuf> {
    let (sources, compiled) = (folder.join("sources"), folder.join("classes"));
    fs::create_dir_all(&sources)?;
    let mut list = String::new();
    for class in classes {
        let file = sources.join(format!("{}.java", class.name));
        fs::write(&file, &class.source)?;
        writeln!(list, "{}", file.display())?;
    }
    let files = folder.join("files");
    fs::write(&files, list)?;
    let status =
        Command::new("javac").arg("-nowarn").arg("-d").arg(&compiled).arg(format!("@{}", files.display())).status();
    ensure!(status.context("there is no javac")?.success(), "generated classes do not compile");
    Ok(compiled)
}

/// Runs the findings with the program.
fn confirm(program: &Path, folder: &Path, classes: &Path, claims: &[Claim], time: &str) -> anyhow::Result<Results> {
    let begin = Instant::now();
    let (report, out) = (folder.join("report.json"), folder.join("out.json"));
    fs::write(&report, report_of(claims))?;
    let mut command = Command::new(program);
    command
        .arg("confirm")
        .arg(&report)
        .arg(classes)
        .args(["--time", time, "--fail-on", "confirmed", "--output"])
        .arg(&out);
    let status = command.stdout(Stdio::null()).status()?;
    ensure!(matches!(status.code(), Some(0 | 1)), "asercheck confirm ended with {status}");
    let results = Results::of(&fs::read_to_string(&out)?);
    println!("{:.1} s", begin.elapsed().as_secs_f64());
    Ok(results)
}

/// Returns a report of `asercheck java` that claims findings.
fn report_of(claims: &[Claim]) -> String {
    let one = |claim: &Claim| {
        let Claim { class, unit, by } = claim;
        format!(
            r#"{{"class":"{class}","kind":"{}","claim":"named","entries":1,"queries":1,"subsumed":0,"seconds":0.0,
"locations":[],"unknown":[],"assumptions":[],"findings":[{{"fingerprint":"0","patterns":[1],"locations":[],
"other_locations":[],"unit":"{unit}","by":"{by}","other_by":[],"rank":1.0,"group":"lost update","at_fault":"unit",
"violations":1,"witness":{{"threads":[],"steps":[]}}}}]}}"#,
            if class.contains(".Static") { "static" } else { "object" }
        )
    };
    let subjects: Vec<String> = claims.iter().map(one).collect();
    let count = claims.len();
    format!(
        r#"{{"version":4,"paths":[],"mode":"client","engine":"explicit","units":"both","summary":{{"classes":{count},
"subjects":{count},"violated":{count},"proved":0,"open":0,"nothing_asked":0,"findings":{count},"queries":{count},"subsumed":0,
"violation":{count},"unknown":0,"seconds":0.0}},"subjects":[{}],"skipped":{{}},"problems":[]}}"#,
        subjects.join(",\n")
    )
}

impl Results {
    /// Reads the results of a report whose lines have one member each.
    fn of(report: &str) -> Self {
        let (mut verdicts, mut confirmed) = (BTreeMap::new(), Vec::new());
        let (mut schedules, mut clients, mut class) = (0, 0, String::new());
        for line in report.lines() {
            let Some((member, value)) = line.trim().split_once(": ") else { continue };
            let value = value.trim_end_matches(',').trim_matches('"');
            match member.trim_matches('"') {
                "class" => class = value.to_string(),
                "schedules_tried" => schedules += value.parse().unwrap_or(0),
                "clients_tried" => clients += value.parse().unwrap_or(0),
                "verdict" => {
                    *verdicts.entry(value.to_string()).or_insert(0) += 1;
                    confirmed.extend((value == "confirmed").then(|| class.clone()));
                }
                _ => {}
            }
        }
        Self { verdicts, confirmed, schedules, clients }
    }

    fn print(&self, what: &str, count: usize) {
        let verdicts: Vec<String> = self.verdicts.iter().map(|(name, count)| format!("{count} {name}")).collect();
        let Self { clients, schedules, .. } = self;
        println!("{count} {what}: {}; {clients} clients, {schedules} forced runs", verdicts.join(", "));
    }
}
