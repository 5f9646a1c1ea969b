//! *Lost*: small Java classes with known answers, written so that an analysis may lose an effect.
//!
//! `cargo run --release -p asercheck-bench --bin lost` compiles the classes of `bench/lost`, analyses each one by
//! itself, and prints the unexpected answers and their number. A faulty class that is proved is a *wrong
//! proof*, unless an assumption is printed for it. The program ends with an error if there are more of these than
//! `--most`. It needs a JDK.
//!
//! In a text of the folder, a class begins with a line of its name, the faulty method, the field, the expected answer,
//! the mode (`client`, or `main` for whole programs) and a note, separated by tabs.

use anyhow::{Context, ensure};
use clap::Parser;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[derive(Parser)]
#[command(about = "Asks about small Java classes that were written to be lost")]
struct Arguments {
    /// The folder with the texts.
    #[arg(long, default_value = "bench/lost")]
    classes: PathBuf,
    /// The program `asercheck`; by default the one beside this program.
    #[arg(long)]
    asercheck: Option<PathBuf>,
    /// Only classes whose names contain this.
    #[arg(long, default_value = "")]
    only: String,
    /// Allowed number of faulty classes that are proved without a printed assumption.
    #[arg(long, default_value_t = usize::MAX)]
    most: usize,
}

/// A class with its answer.
struct Case {
    name: String,
    is_broken: bool,
    is_program: bool,
    note: String,
    source: String,
}

impl Case {
    /// Whether the source declares a top-level class with this name.
    fn declares(&self, name: &str) -> bool {
        self.name == name
            || ["class", "interface", "enum", "record"].into_iter().any(|kind| {
                let declared = format!("{kind} {name}");
                let mut after = self.source.match_indices(&declared).map(|(at, _)| at + declared.len());
                after.any(|at| !self.source[at..].starts_with(|next: char| next.is_alphanumeric() || next == '_'))
            })
    }
}

/// The beginning of all sources.
const HEAD: &str = "package features;\nimport java.util.*;\nimport java.util.concurrent.*;\n\
                    import java.util.concurrent.atomic.*;\nimport java.util.concurrent.locks.*;\n\
                    import java.util.function.*;\nimport java.util.stream.*;\n";

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let beside = std::env::current_exe()?.with_file_name("asercheck");
    let asercheck = arguments.asercheck.unwrap_or(beside);
    ensure!(asercheck.exists(), "there is no {}: build it, or name it with --asercheck", asercheck.display());
    let work = std::env::temp_dir().join(format!("asercheck-lost-{}", std::process::id()));
    let mut texts: Vec<PathBuf> = fs::read_dir(&arguments.classes)
        .with_context(|| format!("{} cannot be read", arguments.classes.display()))?
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "txt"))
        .collect();
    texts.sort();
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for text in texts {
        let mut cases = cases(&fs::read_to_string(&text)?)?;
        cases.retain(|case| case.name.contains(&arguments.only));
        if cases.is_empty() {
            continue;
        }
        let of_text = work.join(text.file_stem().unwrap_or_default());
        compile(&cases, &of_text)?;
        for case in &cases {
            let verdict = ask(&asercheck, &of_text, case)?;
            if verdict != "right" {
                println!("{verdict}\t{}\t{}", case.name, case.note);
            }
            *counts.entry((if case.is_broken { "broken" } else { "safe" }, verdict)).or_default() += 1;
        }
    }
    fs::remove_dir_all(&work).ok();
    for ((expected, verdict), count) in &counts {
        println!("{expected}: {verdict}: {count}");
    }
    let wrong = counts.get(&("broken", "wrong proof")).copied().unwrap_or(0);
    ensure!(wrong <= arguments.most, "{wrong} broken classes are called proved");
    Ok(())
}

fn cases(text: &str) -> anyhow::Result<Vec<Case>> {
    let mut found: Vec<Case> = Vec::new();
    for line in text.lines() {
        let Some(fields) = line.strip_prefix("//\t") else {
            let case = found.last_mut().context("a text begins with the line of a class")?;
            case.source.push_str(line);
            case.source.push('\n');
            continue;
        };
        let fields: Vec<&str> = fields.split('\t').collect();
        let [name, _, _, expected, mode, note] = fields[..] else { anyhow::bail!("six fields are needed: {line}") };
        found.push(Case {
            name: name.into(),
            is_broken: expected == "broken",
            is_program: mode == "main",
            note: note.into(),
            source: HEAD.into(),
        });
    }
    Ok(found)
}

/// Compiles all classes with one call, each into a folder of its own.
fn compile(cases: &[Case], work: &Path) -> anyhow::Result<()> {
    let [sources, classes] = ["sources", "classes"].map(|name| work.join(name));
    fs::create_dir_all(&sources)?;
    fs::create_dir_all(&classes)?;
    let mut list = String::new();
    for case in cases {
        let path = sources.join(format!("{}.java", case.name));
        fs::write(&path, &case.source)?;
        list.push_str(&format!("{}\n", path.display()));
    }
    let files = work.join("files");
    fs::write(&files, list)?;
    let mut javac = Command::new("javac");
    javac.args(["-nowarn", "-g", "-encoding", "UTF-8", "--release", "17", "-d"]).arg(&classes);
    let status = javac.arg(format!("@{}", files.display())).status();
    ensure!(status.context("there is no javac")?.success(), "the classes do not compile");
    for entry in fs::read_dir(classes.join("features"))? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let outermost = name.split('$').next().unwrap_or(&name);
        let of = cases.iter().find(|case| case.declares(outermost));
        let own = work.join("own").join(&of.with_context(|| format!("no class declares {outermost}"))?.name);
        fs::create_dir_all(&own)?;
        fs::rename(&path, own.join(path.file_name().unwrap_or_default()))?;
    }
    Ok(())
}

/// Returns the answer about a class, as a named class and as one that appears thread-safe, or about a whole program.
fn ask(asercheck: &Path, work: &Path, case: &Case) -> anyhow::Result<&'static str> {
    let class = format!("features.{}", case.name);
    let questions = match case.is_program {
        true => vec![vec!["--main", &class]],
        false => vec![vec!["--class", &class], Vec::new()],
    };
    let mut verdicts = BTreeSet::new();
    let mut assumed = 0;
    for question in questions {
        let mut command = Command::new(asercheck);
        command.arg("java").arg(work.join("own").join(&case.name)).args(["--format", "json", "-q", "--timeout", "20s"]);
        let out = command.args(question).output()?;
        let report: Value = serde_json::from_slice(&out.stdout)
            .with_context(|| format!("{}: {}", case.name, String::from_utf8_lossy(&out.stderr)))?;
        for subject in report["subjects"].as_array().map_or(&[][..], Vec::as_slice) {
            verdicts.insert(subject["verdict"].as_str().unwrap_or_default().to_string());
            assumed += subject["assumptions"].as_array().map_or(0, Vec::len);
        }
    }
    let has = |verdict: &str| verdicts.contains(verdict);
    Ok(match case.is_broken {
        is_broken if has("violated") => {
            if is_broken {
                "right"
            } else {
                "false alarm"
            }
        }
        _ if has("open") => "open",
        false if has("proved") => "right",
        true if has("proved") && assumed > 0 => "proved as assumed",
        true if has("proved") => "wrong proof",
        _ => "nothing asked",
    })
}
