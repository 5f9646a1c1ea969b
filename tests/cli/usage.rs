//! Wrong usage: exit code 2, and a message that says what was expected.

use crate::support::{asercheck, assert_runs};

#[test]
fn wrong_arguments() {
    let check = |arguments: &[&str]| asercheck(&[&["check", "models/stack.eml"], arguments].concat());
    let runs = [
        check(&["--pattern", "15"]),
        check(&["--units", "none"]),
        check(&["--format", "xml"]),
        check(&["--timeout", "soon"]),
        check(&["--memory", "much"]),
        check(&["--jobs", "0"]),
        check(&["--no-reduce", "everything"]),
        check(&["--verbose"]),
        check(&["models/stack.eml"]),
        asercheck(&["check"]),
        asercheck(&[]),
    ];
    runs.iter().for_each(|run| run.assert_refused(""));
    assert_runs("usage_arguments", &runs);
    check(&["--engine", "fast"]).assert_refused("[possible values: auto, symbolic, explicit, kahlon-gupta");
}

#[test]
fn names_that_the_model_does_not_have() {
    let check = |arguments: &[&str]| asercheck(&[&["check", "models/stack.eml"], arguments].concat());
    let runs = [
        check(&["--locations", "item,heap"]),
        check(&["--locations", "item,item"]),
        check(&["--locations", "item", "--pattern", "12"]),
        check(&["--processes", "T1,T3"]),
        check(&["--processes", "T1,T1"]),
        check(&["--processes", "T1"]),
        check(&["--automaton", "models/none.phases"]),
        check(&["--automaton", "models/stack.eml"]),
    ];
    runs.iter().for_each(|run| run.assert_refused(""));
    assert_runs("usage_names", &runs);
}

#[test]
fn help_and_version_are_no_errors() {
    for arguments in [&["--help"][..], &["check", "--help"], &["replay", "--help"], &["fmt", "--help"], &["--version"]]
    {
        let run = asercheck(arguments);
        assert_eq!((run.code, run.errors.as_str()), (Some(0), ""), "{arguments:?}");
        assert!(run.out.lines().all(|line| line.chars().count() <= 120), "{}", run.out);
    }
    assert_eq!(asercheck(&["--version"]).out, format!("asercheck {}\n", env!("CARGO_PKG_VERSION")));
}
