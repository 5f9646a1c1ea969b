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
