//! Mutants: changes that break one condition of a theorem each. The tests must fail with every one of them.
//!
//! `cargo run --release -p asercheck-bench --bin mutants` copies the files under version control to a folder of its
//! own and changes one place at a time in the copy. It runs the tests that should fail and ends with an error if some
//! mutant survives. `-- --list` prints the names of the mutants; `-- NAME...` runs those whose names contain one of
//! the words.
//!
//! `-- --certificates` runs no tests: it prints how many violated queries each mutant of the engines calls safe, on the
//! models of `models/` and on random ones, and how many of these have a certificate that `asercheck-verify` accepts.
//! None may have one.
//!
//! `bench/mutants.toml` lists the mutants. Changes of other places are the task of cargo-mutants (see
//! `bench/README.md`). Some conditions can be left out without any change of a verdict. Such mutants survive:
//!
//! - encode/compatibility.rs, `after`: that a segment releases only held locks. The sequences of a whole path begin
//!   without locks, and so does each of their segments, independent of its predecessors in a diagram.
//! - encode/compatibility.rs, `begin`: that the locks held at the end are disjoint. Compatibility of the last phase
//!   implies it.
//! - scenario.rs, `extend`: that a thread takes no transition before its start. Until then its word has
//!   `Allowed::Nothing`.
//! - sets.rs, `minimal_node` and the second `remainder` of `union`: sets that are not antichains have the same minimal
//!   elements and take more memory.
//! - merge.rs: that the exits of the known node are unchanged. They change only when nodes are merged, which keeps the
//!   future.
//! - kahlon_gupta: that covered tuples and tuples without use for the phase before are left out, and the comparison of
//!   sketches before inclusion. Without them there are more tuples, and more time is needed.
//! - compatible.rs: that the locks acquired by a path are not held throughout by another one. Condition 2 requires the
//!   same of the end of the path.
//! - product.rs, the condition `is_late`: it leaves out ticks of steps that change no history; the same ticks come
//!   again later.
//! - search, `both_start` of sleep_sets.rs and interference.rs: a thread can always be started as one that plays no
//!   thread of the automaton, so two starts of one process end in the same states in both orders. The condition only
//!   makes sets larger.
//! - must_locks.rs: that a lock is not held where it is acquired again after a wait. The holder keeps the thread from
//!   acquiring it in any case.
//! - stateful.rs: that a state is visited again if fewer steps sleep. Of 15,000 random models (seeds from 7,000,000 and
//!   8,000,000, `search --variant sleep`) none has another verdict without it. Whether it is needed is unknown.
//! - dynamic: that an event which cannot be swapped hides none before it, and that a step meets others if the automaton
//!   could have noticed it in an earlier phase. Of 1,500 and 4,500 random models (seeds from 9,000,000,
//!   `search --variant dynamic`) none shows a difference. Another search confirms an exhausted one in any case.
//! - dynamic: that a thread is added at two states for each race while context switches are bounded. Such a search is
//!   no proof, with it or without.
//! - dynamic: that a stack is too deep. An exhausted search is repeated with persistent sets, which check this, and a
//!   bounded search is no proof. The line only saves the second search.
//! - schedule.rs, `gives_back` of a call: a call keeps no lock that it acquires. The next step of the same chunk needs
//!   no lock and is allowed in the same phases, so the steps of others in between can come after the chunk as well.

use anyhow::{Context, bail};
use clap::Parser;
use serde::Deserialize;
use std::collections::BTreeSet;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Time limit of the tests of a mutant.
const TIME_LIMIT: Duration = Duration::from_secs(1200);

/// Time limit of the certificates of a mutant, and of the unchanged engines, with the build.
const VERDICTS_LIMIT: Duration = Duration::from_secs(600);

/// The table, relative to the root of the repository.
const TABLE: &str = "bench/mutants.toml";

/// A change that makes the program wrong.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Mutant {
    name: String,
    /// Path relative to the root of the repository.
    file: PathBuf,
    /// Text that occurs in the file once.
    from: String,
    /// Its replacement.
    to: String,
    /// The package whose tests must fail, and arguments of `cargo test` that select some of them.
    tests: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    mutant: Vec<Mutant>,
}

/// Reads the table of mutants.
fn all_mutants(root: &Path) -> anyhow::Result<Vec<Mutant>> {
    let text = std::fs::read_to_string(root.join(TABLE)).context(TABLE)?;
    let table: Table = toml::from_str(&text).context(TABLE)?;
    let mut names = BTreeSet::new();
    match table.mutant.iter().find(|mutant| !names.insert(&mutant.name)) {
        Some(twice) => bail!("two mutants have the name {}", twice.name),
        None => Ok(table.mutant),
    }
}

/// Returns the root of the repository.
fn root() -> anyhow::Result<PathBuf> {
    Ok(Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the workspace")?.to_path_buf())
}

/// Returns the files under version control, relative to the root.
fn under_version_control(root: &Path) -> anyhow::Result<BTreeSet<PathBuf>> {
    let output = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output().context("git ls-files")?;
    let names = String::from_utf8(output.stdout)?;
    Ok(names.split('\0').filter(|name| !name.is_empty()).map(PathBuf::from).collect())
}

#[derive(Parser)]
#[command(about = "Checks that the tests fail if a condition is broken")]
struct Arguments {
    /// Only print the names of the mutants.
    #[arg(long)]
    list: bool,
    /// Ask for certificates of the violated queries that a mutant of the engines calls safe, instead of running tests.
    #[arg(long)]
    certificates: bool,
    /// Only mutants whose names contain one of these words.
    names: Vec<String>,
}

fn main() -> anyhow::Result<()> {
    let arguments = Arguments::parse();
    let is_selected = |mutant: &Mutant| {
        arguments.names.is_empty() || arguments.names.iter().any(|name| mutant.name.contains(name.as_str()))
    };
    let root = root()?;
    let mut mutants = all_mutants(&root)?;
    mutants.retain(is_selected);
    if arguments.list {
        mutants.iter().for_each(|mutant| println!("{} ({})", mutant.name, mutant.tests));
        return Ok(());
    }
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), PathBuf::from);
    let copy = target.join("mutants");
    copy_tree(&root, &copy)?;
    for mutant in &mutants {
        original_text(&copy, mutant)?;
    }
    if arguments.certificates {
        return ask_for_certificates(&copy, &mutants);
    }
    let mut survivors = Vec::new();
    let mut passed = BTreeSet::new();
    for mutant in &mutants {
        if passed.insert(&mutant.tests) {
            check_unchanged(&copy, mutant)?;
        }
        let begin = Instant::now();
        let path = copy.join(&mutant.file);
        let text = original_text(&copy, mutant)?;
        std::fs::write(&path, text.replacen(&mutant.from, &mutant.to, 1))?;
        let builds = cargo_test(&copy, mutant, &["--no-run"])? == Ending::Success;
        let ending = if builds { cargo_test(&copy, mutant, &[])? } else { Ending::Failure };
        let survives = ending == Ending::Success;
        std::fs::write(&path, text)?;
        let verdict = match (builds, ending) {
            (false, _) => "does not build",
            (true, Ending::Success) => "SURVIVES",
            (true, Ending::Failure) => "killed",
            (true, Ending::Timeout) => "killed (by the time limit)",
        };
        println!("{verdict}: {} ({:.0} s)", mutant.name, begin.elapsed().as_secs_f64());
        if !builds || survives {
            survivors.push(mutant.name.as_str());
        }
    }
    if !survivors.is_empty() {
        bail!("not killed by the tests: {}", survivors.join("; "));
    }
    Ok(())
}

/// The folders of the crates that decide queries on models.
const ENGINES: [&str; 5] = ["decide", "limits", "lockhist", "phases", "wpds"];

/// All engines that are asked, between commas.
const ALL: &str = "auto,explicit,search,symbolic";

/// The engines that a change of a file is likely to change.
fn engines_of(file: &Path) -> &'static str {
    if file.starts_with("decide/src/engine/search") {
        "search"
    } else if file.starts_with("lockhist/src/symbolic") {
        ALL
    } else {
        "auto,explicit"
    }
}

/// Prints for each mutant of the engines how many violated queries it calls safe, and how many of these have a
/// certificate that is accepted.
fn ask_for_certificates(copy: &Path, mutants: &[Mutant]) -> anyhow::Result<()> {
    let violated = copy.join("violated.txt");
    let begin = Instant::now();
    let text = verdicts(copy, ALL, None)?.context("the engines do not build, or take too long")?;
    std::fs::write(&violated, &text)?;
    println!("{} violated queries ({:.0} s)", text.lines().count(), begin.elapsed().as_secs_f64());
    let mut wrong = 0;
    for mutant in mutants.iter().filter(|mutant| ENGINES.iter().any(|folder| mutant.file.starts_with(folder))) {
        let path = copy.join(&mutant.file);
        let text = original_text(copy, mutant)?;
        std::fs::write(&path, text.replacen(&mutant.from, &mutant.to, 1))?;
        let begin = Instant::now();
        let answers = verdicts(copy, engines_of(&mutant.file), Some(&violated))?;
        std::fs::write(&path, text)?;
        let count = |word: &str| {
            answers.as_ref().map_or(0, |answers| answers.lines().filter(|line| line.starts_with(word)).count())
        };
        let (refused, accepted) = (count("refused"), count("ACCEPTED"));
        wrong += accepted;
        let state = if answers.is_some() { "" } else { " (it ended with an error or at the time limit)" };
        println!("| {} | {} | {refused} | {accepted} |{state}", mutant.name, refused + accepted);
        eprintln!("({:.0} s)", begin.elapsed().as_secs_f64());
    }
    if wrong > 0 {
        bail!("{wrong} certificates of violated queries are accepted");
    }
    Ok(())
}

/// The output of the program that decides queries and asks for certificates; none if it fails. Builds are incremental,
/// as little changes from one to the next.
fn verdicts(copy: &Path, engines: &str, violated: Option<&Path>) -> anyhow::Result<Option<String>> {
    let mut command = Command::new("timeout");
    command.arg(VERDICTS_LIMIT.as_secs().to_string());
    command.args(["cargo", "run", "--quiet", "-p", "asercheck-certify", "--example", "verdicts", "models", engines]);
    command.args(violated).current_dir(copy).stderr(Stdio::null());
    command.env("CARGO_TARGET_DIR", copy.join("target")).env("CARGO_INCREMENTAL", "1");
    let output = command.output().context("cargo")?;
    Ok(output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned()))
}

/// Returns the text of the mutant's file. It is an error if the place to change does not occur in it exactly once.
fn original_text(root: &Path, mutant: &Mutant) -> anyhow::Result<String> {
    let path = root.join(&mutant.file);
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    match text.matches(&mutant.from).count() {
        1 => Ok(text),
        count => bail!("{}: the place to change occurs in {} {count} times", mutant.name, mutant.file.display()),
    }
}

/// Copies the files under version control. Equal files stay untouched; other files in the copy are removed, except for
/// build results.
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

/// Result of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    Success,
    Failure,
    /// The command was killed at the time limit.
    Timeout,
}

/// Returns `cargo test` for the tests of a mutant, in the copy.
fn test_command(copy: &Path, mutant: &Mutant, arguments: &[&str]) -> Command {
    let (cargo, names) = mutant.tests.split_once(" -- ").unwrap_or((&mutant.tests, ""));
    let mut command = Command::new("cargo");
    command.args(["test", "-q", "-p"]).args(cargo.split_whitespace()).args(arguments);
    command.arg("--").args(names.split_whitespace());
    // A folder of its own: programs with mutants must not replace the real ones.
    command.env("CARGO_TARGET_DIR", copy.join("target")).current_dir(copy).stderr(Stdio::null());
    command
}

/// Checks that the tests of a mutant pass without the change, and that there is at least one.
fn check_unchanged(copy: &Path, mutant: &Mutant) -> anyhow::Result<()> {
    let output = test_command(copy, mutant, &[]).output().context("cargo")?;
    if !output.status.success() {
        bail!("without any change these tests fail: {}", mutant.tests);
    }
    let text = String::from_utf8_lossy(&output.stdout);
    let counts =
        text.lines().filter_map(|line| line.strip_prefix("running ")?.split(' ').next()?.parse::<usize>().ok());
    if counts.sum::<usize>() == 0 {
        bail!("these arguments select no test: {}", mutant.tests);
    }
    Ok(())
}

/// Runs the tests of a mutant in the copy, up to the time limit.
fn cargo_test(copy: &Path, mutant: &Mutant, arguments: &[&str]) -> anyhow::Result<Ending> {
    let mut command = test_command(copy, mutant, arguments);
    command.stdout(Stdio::null());
    let mut child = command.process_group(0).spawn().context("cargo")?;
    let begin = Instant::now();
    loop {
        match child.try_wait()? {
            Some(status) => return Ok(if status.success() { Ending::Success } else { Ending::Failure }),
            None if begin.elapsed() < TIME_LIMIT => std::thread::sleep(Duration::from_millis(200)),
            None => {
                // The tests are in cargo's process group.
                Command::new("kill").args(["-KILL", "--", &format!("-{}", child.id())]).status().context("kill")?;
                child.wait()?;
                return Ok(Ending::Timeout);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mutant_applies_to_the_code() {
        let root = root().expect("a folder");
        let mutants = all_mutants(&root).expect("the table of mutants");
        assert!(mutants.len() >= 60, "{} mutants", mutants.len());
        let errors = mutants.iter().filter_map(|mutant| original_text(&root, mutant).err());
        let errors: Vec<String> = errors.map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "the table does not fit the code: {}", errors.join("\n"));
    }
}
