//! The command with files that cannot be read, and with output that nobody takes.

use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str], stdout: Stdio) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_asercheck-verify"));
    command.current_dir(format!("{}/tests/fixtures", env!("CARGO_MANIFEST_DIR"))).args(arguments);
    command.stdout(stdout).output().expect("the command runs")
}

/// The exit code, and all that is printed.
fn answer(arguments: &[&str]) -> (Option<i32>, String) {
    let output = run(arguments, Stdio::piped());
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn files_that_cannot_be_read_are_named() {
    assert_eq!(answer(&["wait.eml", "wait.cert"]).0, Some(0));
    for (arguments, reason) in [
        (&["none.eml", "wait.cert"][..], "none.eml: "),
        (&["wait.eml", "."], ".: "),
        (&["wait.eml", env!("CARGO_BIN_EXE_asercheck-verify")], "UTF-8"),
        (&["wait.eml", "wait.eml"], "wait.eml:1:1: F1: "),
        (&["wait.cert", "wait.cert"], "wait.cert:"),
        (&["modes.eml", "wait.cert"], "wait.cert:2:1: F1: "),
        (&["wait.eml", "wait.cert", "--automaton", "wait.eml"], "wait.eml:1:1: expected `automaton`"),
        (&["wait.eml", "wait.cert", "--automaton"], "usage: "),
        (&["wait.eml", "wait.cert", "--force"], "unknown option --force"),
        (&["wait.eml"], "usage: "),
    ] {
        let (code, text) = answer(arguments);
        assert!(code == Some(2) && text.starts_with("error: ") && text.contains(reason), "{arguments:?}: {text}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn endless_files_and_full_disks_end_the_command() {
    for arguments in [["/dev/zero", "wait.cert"], ["wait.eml", "/dev/zero"]] {
        let (code, text) = answer(&arguments);
        assert!(code == Some(2) && text.contains("/dev/zero: there are more than 268435456 bytes"), "{text}");
    }
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full disk").into();
    for arguments in [&["wait.eml", "wait.cert"][..], &["--help"]] {
        let output = run(arguments, full());
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && text.contains("No space left"), "{text}");
    }
    let mut command = Command::new(env!("CARGO_BIN_EXE_asercheck-verify"));
    assert_eq!(command.stderr(full()).status().expect("the command runs").code(), Some(2));
}
