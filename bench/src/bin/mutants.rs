//! Mutation checks: leaves out one condition after the other and runs the tests, each of which must then fail.
//!
//! `cargo run --release -p asercheck-bench --bin mutants` copies the files under version control to a folder of its own,
//! changes one place at a time there, runs the tests that should notice, and ends with an error if some change survives.
//! `-- --list` names the mutants, `-- NAME...` runs only those whose names contain one of the words.

use anyhow::{Context, bail};
use clap::Parser;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// A change that makes the program wrong.
struct Mutant {
    name: &'static str,
    file: &'static str,
    /// This text, which stands in the file once,
    from: &'static str,
    /// becomes this.
    to: &'static str,
    /// The package whose tests notice.
    package: &'static str,
}

const fn mutant(
    name: &'static str,
    package: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
) -> Mutant {
    Mutant { name, file, from, to, package }
}

const COMPATIBLE: &str = "lockhist/src/compatible.rs";
const SEGMENT: &str = "lockhist/src/segment.rs";
const HISTORY: &str = "lockhist/src/history.rs";
const RELATION: &str = "lockhist/src/symbolic/relation.rs";
const COMPATIBILITY: &str = "lockhist/src/symbolic/compatibility.rs";
const CLONE: &str = "src/encode/clone.rs";

const MUTANTS: &[Mutant] = &[
    mutant("compatible: condition 1", "lockhist", COMPATIBLE, "held.meets(*other_held)", "false"),
    mutant(
        "compatible: condition 2",
        "lockhist",
        COMPATIBLE,
        "(throughout | segment.acquired()).meets(other_throughout | other.acquired())",
        "false",
    ),
    mutant("compatible: condition 3", "lockhist", COMPATIBLE, "acyclic(threads, Segment::acquisitions)", "true"),
    mutant("compatible: condition 4", "lockhist", COMPATIBLE, "acyclic(threads, Segment::releases)", "true"),
    mutant("compatible: condition 5a", "lockhist", COMPATIBLE, "touched.meets(other_throughout)", "false"),
    mutant(
        "compatible: condition 5b",
        "lockhist",
        COMPATIBLE,
        "(other.used() | other.acquired()).meets(throughout)",
        "false",
    ),
    mutant(
        "compatible: cycles of two only",
        "lockhist",
        COMPATIBLE,
        "        if last.is_empty() {\n            return rest.is_empty();",
        "        if last.is_empty() {\n            return threads.len() > 2 || rest.is_empty();",
    ),
    mutant(
        "segment: update of AH",
        "lockhist",
        SEGMENT,
        "s.acquisitions.of(lock) | used_after",
        "s.acquisitions.of(lock)",
    ),
    mutant("segment: update of RH", "lockhist", SEGMENT, "t.releases.of(lock) | used_before", "t.releases.of(lock)"),
    mutant(
        "segment: used locks",
        "lockhist",
        SEGMENT,
        "s.used | t.used | (s.acquired() & t.released())",
        "s.used | t.used",
    ),
    mutant(
        "post: update of AH",
        "lockhist",
        HISTORY,
        "|other| acquired.of(other) | lock)",
        "|other| if lock.contains(other) { lock } else { acquired.of(other) })",
    ),
    mutant(
        "post: update of RH",
        "lockhist",
        HISTORY,
        "released.get(other).unwrap_or(own | before)",
        "released.get(other).unwrap_or(own)",
    ),
    mutant(
        "ptrans: locks held",
        "lockhist",
        HISTORY,
        "Self::start(self.finally_held())",
        "Self::start(self.held_throughout)",
    ),
    mutant(
        "symbolic: condition 1",
        "lockhist",
        COMPATIBILITY,
        "(held, released), (released, held), (released, released)]",
        "(held, released), (released, held)]",
    ),
    mutant(
        "symbolic: condition 2",
        "lockhist",
        COMPATIBILITY,
        "(acquired, held), (acquired, acquired)]",
        "(acquired, held)]",
    ),
    mutant(
        "symbolic: condition 5",
        "lockhist",
        COMPATIBILITY,
        "[(held, used), (used, held)]",
        "[(held, used), (held, used)]",
    ),
    mutant(
        "symbolic: condition 3",
        "lockhist",
        COMPATIBILITY,
        "for edge in [Bit::Acquisitions, Bit::Releases]",
        "for edge in [Bit::Releases]",
    ),
    mutant(
        "symbolic: condition 4",
        "lockhist",
        COMPATIBILITY,
        "for edge in [Bit::Acquisitions, Bit::Releases]",
        "for edge in [Bit::Acquisitions]",
    ),
    mutant(
        "symbolic: pairwise only",
        "lockhist",
        COMPATIBILITY,
        "2..=(thread + 1).min(self.layout.locks())",
        "2..=2_usize.min(thread + 1).min(self.layout.locks())",
    ),
    mutant(
        "symbolic: update of AH",
        "lockhist",
        RELATION,
        "Bit::Acquisitions(i, j) if j == lock =>",
        "Bit::Acquisitions(i, j) if j == lock && i == j =>",
    ),
    mutant(
        "symbolic: update of RH",
        "lockhist",
        RELATION,
        "self.read(phase, Bit::Used(j)).or(&self.read(phase, Bit::Releases(j, j)))",
        "self.constant(false)",
    ),
    mutant(
        "post*: joins of calls with returns",
        "wpds",
        "wpds/src/post_star.rs",
        "None => self.join_leaving(semiring, id, source, symbol, target, &delta),",
        "None => Ok(()),",
    ),
    mutant(
        "post*: what is new",
        "wpds",
        "wpds/src/post_star.rs",
        "                semiring.combine_into(&mut transition.pending, &delta)?;\n",
        "                let _ = &delta;\n                transition.pending = transition.weight.clone();\n                if semiring.is_zero(&delta) {\n                    return Ok(());\n                }\n                transition.pending = semiring.zero();\n",
    ),
    mutant(
        "phases: fusing asks for the end of the unit",
        "phases",
        "phases/src/fuse.rs",
        "if !waits || !stays ||",
        "if !waits ||",
    ),
    mutant(
        "encoding: unit of an access",
        "asercheck",
        CLONE,
        "location, in_unit: now.in_unit }",
        "location, in_unit: true }",
    ),
    mutant(
        "encoding: unit of the caller",
        "asercheck",
        CLONE,
        "in_unit: context.in_unit && self.touched.acts(procedure),",
        "in_unit: false,",
    ),
    mutant("encoding: inner units", "asercheck", CLONE, "Operation::Begin if now.in_unit => Label::Plain,\n", ""),
    mutant(
        "encoding: reentrant locks",
        "asercheck",
        CLONE,
        "Some(lock) if !without.held.contains(lock) =>",
        "Some(lock) =>",
    ),
    mutant(
        "encoding: locks of the caller",
        "asercheck",
        CLONE,
        "held: context.held & self.touched.locks(procedure),",
        "held: LockSet::EMPTY,",
    ),
    mutant(
        "encoding: contended locks",
        "asercheck",
        "src/encode/contention.rs",
        "users(*lock) > 1",
        "users(*lock) > 2",
    ),
    mutant(
        "encoding: forbidden actions",
        "asercheck",
        "src/encode/product.rs",
        "Label::Act(action) if self.tree.forbids(position, &action) => return,\n",
        "",
    ),
    mutant(
        "encoding: ticks",
        "asercheck",
        "src/encode/product.rs",
        "        if self.matters(node) {\n            self.tick(position, node, sink);\n        }\n",
        "",
    ),
    mutant(
        "encoding: stops before the last phase",
        "asercheck",
        "src/encode/solve.rs",
        "else { own_phases..word.len() };",
        "else { word.len() - 1..word.len() };\n    let stops = if own_phases + 1 < word.len() { stops.end..stops.end } else { stops };",
    ),
    mutant(
        "starts: what comes before a start",
        "asercheck",
        "src/encode/plan.rs",
        "if present { Conduct::Forbidden(forbidden) } else { Conduct::Absent }",
        "Conduct::Forbidden(forbidden)",
    ),
    mutant(
        "starts: order of creation",
        "asercheck",
        "src/encode/plan.rs",
        "Some(phase) if started(phase.event.thread.index()) => next.push(Milestone::Transition(done)),\n        Some(_) => {}",
        "Some(_) => next.push(Milestone::Transition(done)),",
    ),
    mutant(
        "starts: shared creators",
        "asercheck",
        "src/encode/cast.rs",
        "for creator in 0..cast.len() {",
        "for creator in 0..0 {",
    ),
    mutant(
        "explicit: dead ends",
        "asercheck",
        "src/encode/choose.rs",
        "        self.dead.insert(walkers.clone());\n",
        "        self.dead.insert(walkers.clone());\n        for walker in walkers {\n            self.dead.insert(vec![*walker; walkers.len()]);\n        }\n        if walkers.len() == 2 {\n            self.dead.insert(vec![walkers[1], walkers[0]]);\n        }\n",
    ),
    mutant(
        "explicit: locks held between phases",
        "asercheck",
        "src/encode/choose.rs",
        "(held - segment.released()) | segment.acquired()",
        "segment.acquired()",
    ),
];

/// Backward saturation, and the engines that are built on finite sets.
const BASELINES: &[Mutant] = &[
    mutant(
        "pre*: halves of pushes",
        "wpds",
        "wpds/src/pre_star.rs",
        "        let mut next = self.lists[head.index()].halves;\n",
        "        let mut next = self.lists[head.index()].halves.filter(|_| false);\n",
    ),
    mutant(
        "pre*: order of extend",
        "wpds",
        "wpds/src/pre_star.rs",
        "semiring.extend(self.system.weight(rule), &next.delta)?",
        "semiring.extend(&next.delta, self.system.weight(rule))?",
    ),
    mutant(
        "kahlon-gupta: compatible split",
        "asercheck",
        "src/engine/kahlon_gupta/mod.rs",
        "if compatible_segments(&self.taken)",
        "if !self.taken.is_empty() || compatible_segments(&self.taken)",
    ),
    mutant(
        "kahlon-gupta: update of histories",
        "asercheck",
        "src/engine/kahlon_gupta/process.rs",
        "Label::Lock(operation) => sets.singleton(Segment::of(operation)),",
        "Label::Lock(Operation::Acquire(lock)) => sets.singleton(Segment::of(Operation::Acquire(lock))),",
    ),
    mutant(
        "kahlon-gupta: classes by configurations",
        "asercheck",
        "src/engine/kahlon_gupta/backward.rs",
        "if is_better && self.sets.includes(by.configurations, class.configurations, meter)? {",
        "if is_better {",
    ),
    mutant(
        "kahlon-gupta: start of participants",
        "asercheck",
        "src/engine/kahlon_gupta/mod.rs",
        "if !backward.accepts(*set, &backward.process().initial())",
        "if false",
    ),
    mutant(
        "cpds: cut words",
        "asercheck",
        "src/engine/cpds/words.rs",
        "right.is_cut || letters.len() > self.length",
        "right.is_cut",
    ),
    mutant(
        "cpds: locks",
        "asercheck",
        "src/engine/cpds/intersection.rs",
        "(!is_held(*lock)).then(|| ",
        "(!is_held(*lock) || true).then(|| ",
    ),
    mutant(
        "cpds: forbidden actions",
        "asercheck",
        "src/engine/cpds/intersection.rs",
        "local.conduct.allows(action).then_some(phase)",
        "(local.conduct.allows(action) || action.is_some()).then_some(phase)",
    ),
];

/// All of them.
fn all_mutants() -> impl Iterator<Item = &'static Mutant> {
    MUTANTS.iter().chain(BASELINES)
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
    let wanted = |mutant: &&Mutant| {
        arguments.names.is_empty() || arguments.names.iter().any(|name| mutant.name.contains(name.as_str()))
    };
    let mutants: Vec<_> = all_mutants().filter(wanted).collect();
    if arguments.list {
        mutants.iter().for_each(|mutant| println!("{} ({})", mutant.name, mutant.package));
        return Ok(());
    }
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("the workspace")?.to_path_buf();
    let copy = root.join("target").join("mutants");
    copy_tree(&root, &copy)?;
    for mutant in &mutants {
        place(&copy, mutant)?;
    }
    let mut survivors = Vec::new();
    for mutant in mutants {
        let begin = Instant::now();
        let path = copy.join(mutant.file);
        let text = place(&copy, mutant)?;
        std::fs::write(&path, text.replacen(mutant.from, mutant.to, 1))?;
        let builds = cargo(&copy, &["test", "-q", "--no-run", "-p", mutant.package])?;
        let survives = builds && cargo(&copy, &["test", "-q", "-p", mutant.package])?;
        std::fs::write(&path, text)?;
        let verdict = match (builds, survives) {
            (false, _) => "does not build",
            (true, true) => "SURVIVES",
            (true, false) => "noticed",
        };
        println!("{verdict}: {} ({:.0} s)", mutant.name, begin.elapsed().as_secs_f64());
        if !builds || survives {
            survivors.push(mutant.name);
        }
    }
    if !survivors.is_empty() {
        bail!("not noticed by the tests: {}", survivors.join("; "));
    }
    Ok(())
}

/// The text of the mutant's file, in which the place to change stands once.
fn place(root: &Path, mutant: &Mutant) -> anyhow::Result<String> {
    let path = root.join(mutant.file);
    let text = std::fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    match text.matches(mutant.from).count() {
        1 => Ok(text),
        count => bail!("{}: the place to change stands in {} {count} times", mutant.name, mutant.file),
    }
}

/// Copies what is under version control; files that are the same already stay as they are.
fn copy_tree(root: &Path, copy: &Path) -> anyhow::Result<()> {
    let output = Command::new("git").args(["ls-files", "-z"]).current_dir(root).output().context("git ls-files")?;
    for name in String::from_utf8(output.stdout)?.split('\0').filter(|name| !name.is_empty()) {
        let (from, to): (PathBuf, PathBuf) = (root.join(name), copy.join(name));
        let Ok(content) = std::fs::read(&from) else { continue };
        if std::fs::read(&to).is_ok_and(|old| old == content) {
            continue;
        }
        std::fs::create_dir_all(to.parent().context("a folder")?)?;
        std::fs::write(to, content)?;
    }
    Ok(())
}

/// Whether cargo succeeds in the copy.
fn cargo(copy: &Path, arguments: &[&str]) -> anyhow::Result<bool> {
    let mut command = Command::new("cargo");
    command.args(arguments).current_dir(copy).stdout(Stdio::null()).stderr(Stdio::null());
    Ok(command.status().context("cargo")?.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mutant_has_its_place() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for mutant in all_mutants() {
            place(&root, mutant).expect("the table of mutants fits the code");
        }
    }
}
