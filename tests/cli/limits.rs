//! Limits of the whole program.

use crate::support::{asercheck, file};
use asercheck_bench::hostile::{Hostile, models};

/// The most resident memory that the program says it had, in mebibytes.
fn peak(errors: &str) -> f64 {
    let text = errors.split_once("peak memory ").expect("there are statistics").1;
    let number = text.split_once(" MiB").expect("it is some mebibytes").0;
    number.parse().expect("it is a number")
}

/// Exponentially many sets of locks can be held, and each engine runs out of memory at once; it never has more than it may.
#[test]
fn memory_stays_below_its_limit() {
    let wanted = |model: &Hostile| model.name == "contexts-recursive-25";
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

/// Each lock inside each other one, in all modes: a deadlock of eight of them has 256 combinations of modes, and there are 16,000 of
/// them. They are made one at a time.
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
