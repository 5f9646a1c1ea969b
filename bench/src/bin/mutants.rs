//! Mutation checks: leaves out one condition after the other and runs the tests, each of which must then fail.
//!
//! `cargo run --release -p asercheck-bench --bin mutants` copies the files under version control to a folder of its
//! own, changes one place at a time there, runs the tests that should notice, and ends with an error if some change
//! survives. `-- --list` names the mutants, `-- NAME...` runs only those whose names contain one of the words.
//!
//! The changes stand beside the code: in `mutants.toml` of each folder, with the file, a text that stands in it once,
//! what it becomes, and the package whose tests notice, with arguments of `cargo test` that choose among them.
//!
//! Some places look like conditions but have no mutant, since without them every verdict stays the same:
//!
//! - compatibility.rs, `after`: that a segment releases only what is held. The sequences of a whole path begin without
//!   locks, so each of their segments does, whatever comes before it in a diagram.
//! - compatibility.rs, `begin`: that the locks held at the end are disjoint; Compatible asks the same of the last phase.
//! - scenario.rs, `extend`: that a thread takes no transition before its start. Until then its word has
//!   `Allowed::Nothing`.
//! - sets.rs, `minimal_node` and the second `remainder` of `union`: sets that are not antichains have the same minimal
//!   elements and take more memory.
//! - merge.rs: that the exits of the node that is known are still the same. They change only when nodes are merged, and
//!   that keeps the future.
//! - kahlon_gupta, that covered tuples and those of no use to the phase before are left out, and the look at sketches
//!   before inclusion is decided: without them more tuples are kept and more time is needed.
//! - compatible.rs, that the locks acquired by a path are not held throughout by another: condition 2 asks the same of
//!   its end.
//! - product.rs, the condition `is_late`: for steps that change no history it leaves out ticks that come again later.
//! - search, `both_start` of sleep_sets.rs and interference.rs: a thread can always be started as one that plays no
//!   thread of the automaton, so two that start one process have the same ends in both orders. The condition only makes
//!   sets larger.
//! - must_locks.rs, that a lock is not held where it is taken again after a wait: whoever holds it keeps the thread from
//!   that in any case.
//! - stateful.rs, that a state is looked at again where fewer steps sleep: of 15,000 random models (seeds from 7,000,000
//!   and 8,000,000, `search --variant sleep`) none has another verdict without it. Whether it is needed is not known.
//! - dynamic, that an event which cannot be swapped hides none before it, and that a step meets others if the automaton
//!   could have noticed it in an earlier phase: of 1,500 and 4,500 random models (seeds from 9,000,000,
//!   `search --variant dynamic`) none shows a difference. What such a search exhausts is confirmed by another one in
//!   any case.
//! - dynamic, that within a bound on context switches a thread is added at two states for each race: such a search is
//!   no proof, with it or without.
//! - dynamic, that a stack is too deep: what is exhausted is searched once more with persistent sets, which say so, and
//!   a search that is bounded is no proof. The line only spares that second search.
//! - schedule.rs, `gives_back` of a call: a call keeps no lock that it takes, and what follows it in the same chunk
//!   needs no lock and is allowed in the same phases, so whatever others do in between can come right behind the chunk
//!   as well.

use anyhow::{Context, bail};
use clap::Parser;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long the tests of a mutant may take.
const PATIENCE: Duration = Duration::from_secs(1200);

/// The name of a table.
const TABLE: &str = "mutants.toml";

/// A change that makes the program wrong.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutant {
    name: String,
    /// In the folder of the table; when it is read, from the root.
    file: PathBuf,
    /// This text, which stands in the file once,
    from: String,
    /// becomes this.
    to: String,
    /// The package whose tests notice, and arguments of `cargo test` that choose among them.
    tests: String,
}

/// What changes the files of a folder.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    mutant: Vec<Mutant>,
}

/// All of them, by their tables.
fn all_mutants(root: &Path) -> anyhow::Result<Vec<Mutant>> {
    let mut mutants = Vec::new();
    for name in under_version_control(root)?.iter().filter(|name| name.file_name().is_some_and(|name| name == TABLE)) {
        let text = std::fs::read_to_string(root.join(name)).with_context(|| name.display().to_string())?;
        let table: Table = toml::from_str(&text).with_context(|| name.display().to_string())?;
        let folder = name.parent().context("a folder")?;
        mutants.extend(table.mutant.into_iter().map(|mutant| Mutant { file: folder.join(&mutant.file), ..mutant }));
    }
    let mut names = BTreeSet::new();
    match mutants.iter().find(|mutant| !names.insert(&mutant.name)) {
        Some(twice) => bail!("two mutants have the name {}", twice.name),
        None => Ok(mutants),
    }
}

/// The root of the repository.
fn root() -> anyhow::Result<PathBuf> {
    Ok(Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the workspace")?.to_path_buf())
}

/// The files under version control, from the root.
fn under_version_control(root: &Path) -> anyhow::Result<BTreeSet<PathBuf>> {
    let output = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output().context("git ls-files")?;
    let names = String::from_utf8(output.stdout)?;
    Ok(names.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from).collect())
}

#[derive(Parser)]
#[command(about = "Checks that the tests notice broken conditions")]
struct Arguments {
    /// Only names the mutants.
    #[arg(long)]
    list: bool,
    /// Only mutants whose names contain one of these.
    names: Vec<String>,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let wanted = |mutant: &Mutant| {
        arguments.names.is_empty() || arguments.names.iter().any(|name| mutant.name.contains(name.as_str()))
    };
    let root = root()?;
    let mut mutants = all_mutants(&root)?;
    mutants.retain(wanted);
    if arguments.list {
        mutants.iter().for_each(|mutant| println!("{} ({})", mutant.name, mutant.tests));
        return Ok(());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let copy = target.join("mutants");
    copy_tree(&root, &copy)?;
    for mutant in &mutants {
        place(&copy, mutant)?;
    }
    let mut survivors = Vec::new();
    let mut passed = BTreeSet::new();
    for mutant in &mutants {
        if passed.insert(&mutant.tests) && cargo_test(&copy, mutant, &[])? != Ending::Success {
            bail!("without any change these tests do not pass: {}", mutant.tests);
        }
        let begin = Instant::now();
        let path = copy.join(&mutant.file);
        let text = place(&copy, mutant)?;
        std::fs::write(&path, text.replacen(&mutant.from, &mutant.to, 1))?;
        let builds = cargo_test(&copy, mutant, &["--no-run"])? == Ending::Success;
        let ending = if builds { cargo_test(&copy, mutant, &[])? } else { Ending::Failure };
        let survives = ending == Ending::Success;
        std::fs::write(&path, text)?;
        let verdict = match (builds, ending) {
            (false, _) => "does not build",
            (true, Ending::Success) => "SURVIVES",
            (true, Ending::Failure) => "noticed",
            (true, Ending::Late) => "noticed (does not end)",
        };
        println!("{verdict}: {} ({:.0} s)", mutant.name, begin.elapsed().as_secs_f64());
        if !builds || survives {
            survivors.push(mutant.name.as_str());
        }
    }
    if !survivors.is_empty() {
        bail!("not noticed by the tests: {}", survivors.join("; "));
    }
    Ok(())
}

/// The text of the mutant's file, in which the place to change stands once.
fn place(root: &Path, mutant: &Mutant) -> anyhow::Result<String> {
    let path = root.join(&mutant.file);
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    match text.matches(&mutant.from).count() {
        1 => Ok(text),
        count => bail!("{}: the place to change stands in {} {count} times", mutant.name, mutant.file.display()),
    }
}

/// Copies what is under version control; files that are the same already stay as they are, and what an older copy had
/// besides is removed, but for what was built.
fn copy_tree(root: &Path, copy: &Path) -> anyhow::Result<()> {
    let names = under_version_control(root)?;
    let wanted: BTreeSet<_> = names.iter().map(|name| copy.join(name)).collect();
    let built = copy.join("target");
    let mut folders = vec![copy.to_path_buf()];
    while let Some(folder) = folders.pop().filter(|folder| folder.is_dir()) {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() && path != built {
                folders.push(path);
            } else if path.is_file() && !wanted.contains(&path) {
                std::fs::remove_file(path)?;
            }
        }
    }
    for name in names {
        let (from, to) = (root.join(&name), copy.join(&name));
        let Ok(content) = std::fs::read(&from) else { continue };
        if std::fs::read(&to).is_ok_and(|old| old == content) {
            continue;
        }
        std::fs::create_dir_all(to.parent().context("a folder")?)?;
        std::fs::write(to, content)?;
    }
    Ok(())
}

/// How a command ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Success,
    Failure,
    /// It was ended.
    Late,
}

/// Runs the tests of a mutant in the copy. Without debug information of what is built again and again, which takes
/// time.
fn cargo_test(copy: &Path, mutant: &Mutant, arguments: &[&str]) -> anyhow::Result<Ending> {
    let (cargo, names) = mutant.tests.split_once(" -- ").unwrap_or((&mutant.tests, ""));
    let mut command = Command::new("cargo");
    for package in ["asercheck", "asercheck-bench"] {
        command.arg("--config").arg(format!("profile.dev.package.{package}.debug=0"));
    }
    command.args(["test", "-q", "-p"]).args(cargo.split_whitespace()).args(arguments);
    command.arg("--").args(names.split_whitespace());
    // A folder of its own, so that nobody takes what is built here for the program.
    command.env("CARGO_TARGET_DIR", copy.join("target"));
    command.current_dir(copy).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = command.process_group(0).spawn().context("cargo")?;
    let begin = Instant::now();
    loop {
        match child.try_wait()? {
            Some(status) => return Ok(if status.success() { Ending::Success } else { Ending::Failure }),
            None if begin.elapsed() < PATIENCE => std::thread::sleep(Duration::from_millis(200)),
            None => {
                // The tests are in cargo's process group.
                Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status().context("kill")?;
                child.wait()?;
                return Ok(Ending::Late);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mutant_has_its_place() {
        let root = root().expect("a folder");
        let mutants = all_mutants(&root).expect("tables of mutants");
        assert!(mutants.len() > 250, "{} mutants", mutants.len());
        let misplaced = mutants.iter().filter_map(|mutant| place(&root, mutant).err().map(|error| error.to_string()));
        let misplaced: Vec<String> = misplaced.collect();
        assert!(misplaced.is_empty(), "tables of mutants do not fit the code: {}", misplaced.join("\n"));
    }
}
