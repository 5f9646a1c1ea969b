//! Limits of the whole program.

use crate::cli::support::{asercheck, file};
use asercheck_bench::hostile::{Hostile, models};

/// The most resident memory that the program says it had, in mebibytes.
fn peak(errors: &str) -> f64 {
    let text = errors.split_once("peak memory ").expect("there are statistics").1;
    let number = text.split_once(" MiB").expect("it is some mebibytes").0;
    number.parse().expect("it is a number")
}

/// Exponentially many sets of locks can be held, and each engine runs out of memory at once; it never has more than it
/// may.
#[test]
fn memory_stays_below_its_limit() {
    let wanted = |model: &Hostile| model.name == "contexts-chain-40";
    let hostile = models().into_iter().find(wanted).expect("it is there");
    let model = file("contexts.eml", &hostile.text);
    for (engine, limit) in [("explicit", 32), ("explicit", 96), ("symbolic", 32), ("kahlon-gupta", 48), ("cpds", 64)] {
        let memory = format!("--memory={limit}MiB");
        let question = ["--pattern", "1", "--locations", "x", "--processes", "P,Q", "--statistics", "--quiet"];
        let run = asercheck(&[&["check", &model, "--engine", engine, &memory], &question[..]].concat());
        assert_eq!(run.code, Some(3), "{engine}, {memory}: {run:?}");
        assert!(peak(&run.errors) <= f64::from(limit), "{engine}, {memory}: {run:?}");
    }
}

/// Each lock inside each other one, in all modes: a deadlock of eight of them has 256 combinations of modes, and there
/// are 16,000 of them. They are made one at a time.
#[test]
fn combinations_of_modes_are_not_kept() {
    let pairs = (0..8).flat_map(|outer| (0..8).filter(move |inner| *inner != outer).map(move |inner| (outer, inner)));
    let nested = pairs.map(|(outer, inner)| {
        let inside = format!("choose {{ sync read l{inner} {{ }} }} or {{ sync write l{inner} {{ }} }}");
        format!("{{ choose {{ sync read l{outer} {{ {inside} }} }} or {{ sync write l{outer} {{ {inside} }} }} }}")
    });
    let locks: Vec<_> = (0..8).map(|lock| format!("l{lock}")).collect();
    let body = nested.collect::<Vec<_>>().join(" or ");
    let text = format!("rwlock {};\nprocess P * many {{ choose {body} }}\n", locks.join(", "));
    let model = file("all_modes.eml", text);
    let run =
        asercheck(&["check", &model, "--deadlocks", "--memory=96MiB", "--total-timeout=1s", "--statistics", "-q"]);
    assert_eq!(run.code, Some(3), "{run:?}");
    assert!(peak(&run.errors) <= 96.0, "{run:?}");
}

/// `sync m l0 { sync m l1 { ... body ... } }` in a process with two instances.
fn nested(kind: &str, mode: &str, depth: usize, body: &str) -> String {
    let locks: Vec<_> = (0..depth).map(|lock| format!("l{lock}")).collect();
    let blocks: String = locks.iter().map(|lock| format!("sync {mode} {lock} {{ ")).collect();
    format!("shared x; {kind} {};\nprocess P * 2 {{ {blocks}{body}{} }}\n", locks.join(", "), "} ".repeat(depth))
}

/// Which locks protect a location does not depend on the order in which others are wanted: that would be 4.5 million
/// pairs.
#[test]
fn protected_locations_take_little_memory() {
    let model = file("nested.eml", nested("lock", "", 3_000, "read x; write x;"));
    let run = asercheck(&["check", &model, "--races", "--memory=96MiB", "--statistics", "--quiet"]);
    assert_eq!(run.code, Some(3), "more than 64 contended locks");
    assert!(peak(&run.errors) <= 64.0, "{}", run.errors);
}

/// They are looked for within the time for everything.
#[test]
fn warnings_about_locks_are_not_looked_for_after_the_end() {
    let model = file("upgrade.eml", nested("rwlock", "read", 3_000, "sync write l0 { write x; }"));
    let run = |timeout: &str| asercheck(&["check", &model, "--races", "--total-timeout", timeout]);
    let warns = |timeout: &str| run(timeout).errors.contains("warning: `l0` may be held in read mode");
    assert_eq!([warns("100s"), warns("0s")], [true, false]);
}

/// Files with automata have the limits of models.
#[test]
fn automata_are_read_within_the_limits() {
    let states: String = (0..1_000).map(|state| format!("q{state}: on T begin -> q{}; ", state + 1)).collect();
    let text: String = (0..1_000).map(|number| format!("automaton a{number}(T) {{ {states} }}\n")).collect();
    let automata = file("many.phases", text);
    let limits = [("--memory=48MiB", "memory"), ("--timeout=0s", "timeout"), ("--total-timeout=0s", "timeout")];
    for (limit, reason) in limits {
        let run = asercheck(&["check", "models/stack.eml", "--automaton", &automata, limit, "--format", "json"]);
        assert_eq!(run.code, Some(3), "{limit}: {run:?}");
        let errors = format!("models/stack.eml: unknown ({reason}): it was not read to its end\n");
        assert!(run.errors.ends_with(&errors) && run.out.contains("\"ended\""), "{limit}: {run:?}");
    }
}
