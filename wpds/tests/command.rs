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
    // It may end before it has read everything.
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
    assert!(text.ends_with("p body p : 1\nq back final : 0\np back final : 1\np main final : 4\n"), "{text}");
}

#[test]
fn wrong_input_is_exit_code_2() {
    for (arguments, input, message) in [
        (&["post", "-"][..], "p a ->", "wpds: -:1:7: expected a control state, found the end of the line\n"),
        (&["post", "-", "--witness", "r"], SYSTEM, "wpds: there is no control state `r`\n"),
        (&["pre", "-", "--witness", "p,none"], SYSTEM, "wpds: there is no stack symbol `none`\n"),
        (&["post", "-", "--witness", "q,back"], SYSTEM, "wpds: post finds runs to a control state with any stack\n"),
    ] {
        let output = wpds(arguments, input);
        assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(2), message));
    }
    assert_eq!(wpds(&["post", "no such file"], "").status.code(), Some(2));
    assert_eq!(wpds(&["past"], "").status.code(), Some(2));
}
