//! Wrong usage: exit code 2, and a message that names the expected arguments.

use crate::cli::support::{asercheck, assert_runs};

#[test]
fn wrong_arguments() {
    let check = |arguments: &[&str]| asercheck(&[&["check", "models/stack.eml"], arguments].concat());
    let runs = [
        check(&["--pattern", "15"]),
        check(&["--units", "none"]),
        check(&["--format", "xml"]),
        check(&["--timeout", "soon"]),
        check(&["--memory", "much"]),
        check(&["--timeout", "5"]),
        check(&["--memory", "2"]),
        check(&["--jobs", "0"]),
        check(&["--no-reduce", "everything"]),
        check(&["--verbose"]),
        check(&["-", "-"]),
        check(&["--pattern", "5-1"]),
        check(&["--pattern", "1-15"]),
        check(&["--summary", "--all"]),
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
        check(&["--locations", "itm,storage"]),
        check(&["--locations", "item", "--pattern", "12"]),
        check(&["--locations", "item,storage,item", "--pattern", "1-14"]),
        check(&["--processes", "T1,T3"]),
        check(&["--processes", "T1,Thread"]),
        check(&["--locks", "stak,client1", "--deadlocks"]),
        check(&["--engine", "explict"]),
        asercheck(&["shw", "models/stack.eml"]),
        asercheck(&["models/stak.eml"]),
        check(&["--processes", "T1,T1"]),
        check(&["--processes", "T1"]),
        check(&["--automaton", "models/none.phases"]),
        check(&["--automaton", "models/stack.eml"]),
    ];
    runs.iter().for_each(|run| run.assert_refused(""));
    assert_runs("usage_names", &runs);
}

/// `java` counts the processor time of a class, all other limits the time that passes.
#[test]
fn help_says_by_which_clock_time_is_counted() {
    let clock = |command: &str, option: &str| {
        let help = asercheck(&[command, "--help"]).out;
        let (_, about) = help.split_once(&format!("{option} <DURATION>\n")).unwrap_or_else(|| panic!("{help}"));
        about.trim_start().split(' ').next().unwrap_or_default().to_string()
    };
    assert_eq!(clock("java", "--timeout"), "Processor");
    for (command, option) in
        [("check", "--timeout"), ("batch", "--timeout"), ("check", "--total-timeout"), ("java", "--total-timeout")]
    {
        assert_eq!(clock(command, option), "Wall-clock", "{command} {option}");
    }
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

#[test]
fn patterns_are_numbers_and_ranges() {
    let count = |patterns: &[&str]| {
        let run = asercheck(&[&["check", "models/stack.eml", "-q"], patterns].concat());
        run.out
            .split(": ")
            .nth(2)
            .and_then(|rest| rest.split(' ').next())
            .and_then(|count| count.parse::<usize>().ok())
            .unwrap_or_else(|| panic!("{run:?}"))
    };
    let each = (1..=14).map(|number: usize| count(&["--pattern", &number.to_string()])).collect::<Vec<_>>();
    assert_eq!(count(&["--pattern", "1-5"]), each[..5].iter().sum::<usize>());
    assert_eq!(
        count(&["--pattern", "2,12-14,3-4", "--pattern", "2"]),
        each[1..4].iter().chain(&each[11..]).sum::<usize>()
    );
}

#[test]
fn several_models_in_one_call() {
    let run = asercheck(&["check", "models/stack.eml", "models/none.eml", "models/stack-repaired.eml", "-q"]);
    assert_eq!((run.code, run.out.lines().count()), (Some(2), 2), "{run:?}");
    assert!(run.errors.contains("cannot read models/none.eml"), "{run:?}");
    let code = |models: &[&str]| asercheck(&[&["check", "-q"], models].concat()).code;
    assert_eq!(code(&["models/stack-repaired.eml", "models/bank-repaired.eml"]), Some(0));
    assert_eq!(code(&["models/stack-repaired.eml", "models/stack.eml", "models/bank-repaired.eml"]), Some(1));
    assert_eq!(code(&["models/stack-repaired.eml", "models/bank-repaired.eml", "--timeout", "0s"]), Some(3));
    // A name that one of them lacks is said with the model.
    let run = asercheck(&["check", "models/stack.eml", "models/bank.eml", "--locations", "item", "-q"]);
    assert_eq!((run.code, run.out.lines().count()), (Some(2), 1));
    assert!(run.errors.starts_with("error: models/bank.eml: the model has no location `item`"), "{run:?}");
}

/// Also the help and the version may meet a full device.
#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("it is there");
    for arguments in [&["--help"][..], &["--version"], &["explain"]] {
        let status = crate::cli::support::command(arguments).stdout(full()).status().expect("it can be started");
        assert_eq!(status.code(), Some(4), "{arguments:?}");
    }
}

#[test]
fn an_empty_model_is_vacuous_whatever_is_selected() {
    let empty = crate::cli::support::file("nothing.eml", "");
    for arguments in [&["-q"][..], &["-q", "--pattern", "1-14"], &["-q", "--pattern", "3"]] {
        let run = asercheck(&[&["check", &empty], arguments].concat());
        assert_eq!(run.code, Some(0), "{run:?}");
        assert!(run.out.contains("vacuous (the model has no process)"), "{run:?}");
    }
}
