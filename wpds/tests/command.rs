//! The command as a user runs it.

#![cfg(feature = "command")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

const SYSTEM: &str =
    "p main -> p body back : 2\np body -> p\np back -> q back\ninitial p main final\ntarget q back final\n";

fn wpds(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_wpds"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command starts");
    // The command may end before it has read all input.
    let _ = child.stdin.take().expect("a pipe").write_all(input.as_bytes());
    child.wait_with_output().expect("the command ends")
}

#[test]
fn both_directions_find_the_shortest_run() {
    let run = "a run of 3 rules with weight 4:\np main -> p body back\np body -> p\np back -> q back\n";
    for arguments in [["post", "-", "--witness", "q"], ["pre", "-", "--witness", "p,main"]] {
        let output = wpds(&[&arguments[..], &["--semiring", "min-plus"]].concat(), SYSTEM);
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && text.ends_with(run), "{arguments:?}: {text}");
    }
}

#[test]
fn the_automaton_is_printed() {
    let output = wpds(&["pre", "-", "--print", "--semiring", "min-plus"], SYSTEM);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.ends_with("q back final : 0\np back final : 1\np body p : 1\np main final : 4\n"), "{text}");
}

#[test]
fn reachability_is_decided_in_each_direction() {
    let run = "a run of 3 rules with weight 4:\np main -> p body back\np body -> p\np back -> q back\n";
    for direction in [&[][..], &["--direction", "pre"], &["--direction", "post"]] {
        let arguments = [&["reach", "-", "--witness", "--semiring", "min-plus"], direction].concat();
        assert_eq!(answer(&wpds(&arguments, SYSTEM)), format!("reachable with weight 4\n{run}"));
    }
    let run = run.replace("weight 4", "weight 1");
    for direction in [&[][..], &["--direction", "pre"], &["--direction", "post"]] {
        let arguments = [&["reach", "-", "--witness"], direction].concat();
        assert_eq!(answer(&wpds(&arguments, SYSTEM)), format!("reachable with weight 1\n{run}"));
        let other = SYSTEM.replace("target q back", "target q main");
        assert_eq!(answer(&wpds(&arguments, &other)), "not reachable\n");
    }
    let output = wpds(&["reach", "-", "--semiring", "min-plus", "--direction", "dual"], SYSTEM);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn sets_of_configurations_are_expressions() {
    let reach = |initial: &str, target: &str| {
        answer(&wpds(&["reach", "-", "--initial", initial, "--target", target, "--semiring", "min-plus"], SYSTEM))
    };
    assert_eq!(reach("<[p], [main] .*>", "<[^p], [back] [main]>"), "reachable with weight 4\n");
    assert_eq!(reach("<[p], [main]>", "<[q], [back] [main]>"), "not reachable\n");
    let output = wpds(&["reach", "-", "--target", "<[r]>"], SYSTEM);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!((output.status.code(), errors.as_str()), (Some(2), "wpds: --target:3: there is no control state `r`\n"));
}

#[test]
fn longest_runs_are_printed() {
    let longest = |text: &str| answer(&wpds(&["reach", "-", "--longest"], text));
    assert_eq!(longest(SYSTEM), "longest run: 4\n");
    assert_eq!(longest(&format!("{SYSTEM}p main -> p main : 0\np body -> p body : 0\n")), "longest run: 4\n");
    assert_eq!(longest(&format!("{SYSTEM}p main -> q back : 9\n")), "longest run: 9\n");
    assert_eq!(longest(&format!("{SYSTEM}p body -> p body body : 0\n")), "longest run: unbounded\n");
    assert_eq!(longest(&SYSTEM.replace("target q", "target p")), "longest run: 3\n");
    assert_eq!(longest("p a -> p b\ntarget p b final\n"), "not reachable\n");
}

#[test]
fn a_converted_system_gives_the_same_answers() {
    let json = wpds(&["convert", "-", "--to", "pdaaal"], SYSTEM);
    let json = String::from_utf8(json.stdout).expect("text");
    let arguments = ["reach", "-", "--witness", "--semiring", "min-plus"];
    let run = "reachable with weight 4\na run of 4 rules with weight 4:\np main -> <p,body>0.1'' back\n\
               <p,body>0.1'' back -> p body back\np body -> p\np back -> q back\n";
    assert_eq!(answer(&wpds(&[&arguments[..], &["--format", "pdaaal"]].concat(), &json)), run);
    let text = wpds(&["convert", "-", "--to", "text", "--format", "pdaaal"], &json);
    let text = String::from_utf8(text.stdout).expect("text");
    assert_eq!(answer(&wpds(&arguments, &text)), run);
    let plain = wpds(&["convert", "-", "--to", "text", "--semiring", "boolean"], SYSTEM);
    assert!(String::from_utf8_lossy(&plain.stdout).starts_with("p main -> p body back\n"));
}

#[test]
fn wrong_input_is_exit_code_2() {
    for (arguments, input, message) in [
        (&["post", "-"][..], "p a ->", "wpds: -:1:7: expected a control state, found the end of the line\n"),
        (&["post", "-", "--witness", "r"], SYSTEM, "wpds: there is no control state `r`\n"),
        (
            &["post", "-"],
            "p * -> q *\n",
            "wpds: -:1:3: `*` is no name: it stands for every stack symbol, and only in lines of `initial` and `target`\n",
        ),
        (
            &["post", "-"],
            "p a -> p *\n",
            "wpds: -:1:10: `*` is no name: it stands for every stack symbol, and only in lines of `initial` and `target`\n",
        ),
        (
            &["post", "-"],
            "p a -> p a\np \u{feff}a -> p\n",
            "wpds: -:2:3: a byte-order mark inside the file; it may stand at the beginning only, and is ignored there\n",
        ),
        (
            &["post", "-"],
            "p a -> p a : 18446744073709551615\n",
            "wpds: -:1:14: `18446744073709551615` is no weight: a natural number below 2^64 - 1 is expected\n",
        ),
        (&["pre", "-", "--witness", "p,none"], SYSTEM, "wpds: there is no stack symbol `none`\n"),
        (&["post", "-", "--witness", "q,back"], SYSTEM, "wpds: post finds runs to a control state with any stack\n"),
    ] {
        let output = wpds(arguments, input);
        assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(2), message));
    }
    assert_eq!(wpds(&["post", "no such file"], "").status.code(), Some(2));
    assert_eq!(wpds(&["past"], "").status.code(), Some(2));
}

/// Returns the lines about the run and the automaton, without the measurements.
fn answer(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    text.lines().skip_while(|line| !line.starts_with("peak")).skip(1).map(|line| format!("{line}\n")).collect()
}

#[test]
fn a_byte_order_mark_is_no_part_of_a_name() {
    let arguments = ["post", "-", "--witness", "q", "--print", "--semiring", "min-plus"];
    let (plain, marked) = (wpds(&arguments, SYSTEM), wpds(&arguments, &format!("\u{feff}{SYSTEM}")));
    assert!(plain.status.success() && marked.status.success());
    assert!(!answer(&plain).is_empty());
    assert_eq!(answer(&marked), answer(&plain));
    let marked = wpds(&["post", "-"], "\u{feff}p a ->\n");
    let errors = String::from_utf8_lossy(&marked.stderr).into_owned();
    assert_eq!(errors, "wpds: -:1:7: expected a control state, found the end of the line\n");
}

#[test]
fn sums_that_are_too_large_are_not_shown_as_exact() {
    let most = u64::MAX - 1;
    let input = format!("p a -> q a : {most}\nq a -> r a : 1\nr a -> s a : {most}\ninitial p a final\n");
    let run = |control| wpds(&["post", "-", "--semiring", "min-plus", "--witness", control], &input);
    for (control, first, warns) in [
        ("q", format!("a run of 1 rules with weight {most}:"), false),
        ("r", "a run of 2 rules with weight 2^64-1+:".to_string(), true),
        ("s", "a run of 3 rules with weight 2^64-1+:".to_string(), true),
    ] {
        let output = run(control);
        assert_eq!(answer(&output).lines().next(), Some(first.as_str()));
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(errors.starts_with("wpds: warning: 2^64-1+ stands for any sum"), warns, "{errors}");
    }
}

/// Input that is no text ends with a message, before it fills the memory.
#[test]
fn an_endless_line_is_refused() {
    let output = wpds(&["post", "/dev/zero"], "");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(
        (output.status.code(), errors.as_str()),
        (Some(2), "wpds: /dev/zero:1:1: the line has more than 1 MiB; this is no file of rules\n",)
    );
    let long = "#".repeat(1 << 20);
    assert_eq!(wpds(&["post", "-"], &long).status.code(), Some(0));
}
