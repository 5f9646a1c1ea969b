//! Output that depends on nothing but the input.

use crate::support::{Run, asercheck};

/// Checks that several runs print the same but for the times.
fn assert_same(runs: &[Run]) {
    for run in &runs[1..] {
        assert_eq!((&run.out, &run.errors, run.code), (&runs[0].out, &runs[0].errors, runs[0].code));
    }
}

#[test]
fn two_runs_print_the_same() {
    for model in ["stack", "shop2", "bubblesort3", "workers", "spawner-both", "lottery2"] {
        let model = format!("models/{model}.eml");
        for engine in ["explicit", "symbolic"] {
            let run = || asercheck(&["check", &model, "--engine", engine, "--format", "json"]);
            assert_same(&[run(), run()]);
        }
    }
}

#[test]
fn the_number_of_jobs_changes_nothing() {
    for model in ["stack", "shop2", "bubblesort3", "pipeline-early", "observer"] {
        let model = format!("models/{model}.eml");
        let run = |jobs| asercheck(&["check", &model, "--jobs", jobs]);
        assert_same(&["1", "4", "2"].map(run));
    }
}

#[test]
fn exit_codes_are_verdicts() {
    let code = |arguments: &[&str]| asercheck(&[&["check"], arguments, &["--quiet"]].concat()).code;
    assert_eq!(code(&["models/stack-repaired.eml"]), Some(0));
    assert_eq!(code(&["models/stack.eml"]), Some(1));
    assert_eq!(code(&["models/stack.eml", "--pattern", "3"]), Some(0));
    assert_eq!(code(&["models/stack.eml", "--pattern", "0"]), Some(2));
    assert_eq!(code(&["models/stack-repaired.eml", "--timeout", "0s"]), Some(3));
}
