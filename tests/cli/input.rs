//! Input that is no model: every time a message and exit code 2, never a panic.

use crate::cli::support::{asercheck, assert_runs, command, file};
use std::io::Read;
use std::process::Stdio;

#[test]
fn files_that_cannot_be_read() {
    let check = |path: &str| asercheck(&["check", path]);
    let runs = [check("models/none.eml"), check("models"), check("models/stack.eml/none.eml")];
    runs.iter().for_each(|run| run.assert_refused("cannot read"));
    assert_runs("input_unreadable", &runs);
}

#[test]
fn files_that_are_no_text() {
    let binary: Vec<u8> = (0..4096_u32).map(|number| (number.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    asercheck(&["check", &file("binary.eml", binary)]).assert_refused("UTF-8");
    asercheck(&["check", &file("zeros.eml", [0; 100])]).assert_refused("zeros.eml:1:1");
    let automaton = file("binary.phases", [0xff, 0xfe, 0]);
    asercheck(&["check", "models/stack.eml", "--automaton", &automaton]).assert_refused("UTF-8");
}

#[test]
fn an_empty_file_is_a_model_without_queries() {
    let run = asercheck(&["check", &file("empty.eml", "")]);
    assert_eq!(run.code, Some(0));
    run.assert_snapshot("input_empty");
    let automaton = file("empty.phases", "");
    asercheck(&["check", "models/stack.eml", "--automaton", &automaton]).assert_refused("the file holds no automaton");
}

#[test]
fn blocks_of_any_depth_are_decided() {
    let deep = |open: &str, depth: usize| {
        let (open, close) = (open.repeat(depth), "}".repeat(depth));
        format!("lock l; shared x; process P * 2 {{ atomic {{ {open} read x; write x; {close} }} }}")
    };
    for (open, code) in [("atomic {", 1), ("sync l {", 0), ("loop {", 1), ("choose { skip; } or {", 1)] {
        let model = file("deep.eml", deep(open, 20_000));
        let run = asercheck(&["check", &model, "--pattern", "1"]);
        assert_eq!(run.code, Some(code), "{open}: {run:?}");
        assert!(run.out.len() < 10_000, "{open}: {} bytes", run.out.len());
        assert_eq!(asercheck(&["fmt", &model]).code, Some(0));
    }
}

#[test]
fn very_long_names_are_names() {
    let [location, process] = ["x", "P"].map(|letter| letter.repeat(100_000));
    let text =
        format!("shared {location}; process {process} * 2 {{ atomic {{ read {location}; write {location}; }} }}");
    let model = file("long.eml", text);
    for form in ["text", "json"] {
        let run = asercheck(&["check", &model, "--pattern", "1", "--format", form]);
        assert_eq!((run.code, run.errors.as_str()), (Some(1), ""));
        assert!(run.out.contains(&location) && run.out.contains(&process));
    }
}

#[test]
fn a_file_name_may_be_any_text() {
    let model = file("with space & ünïcödé.eml", "process P { skip; }\n");
    let run = asercheck(&["check", &model, "--quiet"]);
    assert_eq!((run.code, run.errors.as_str()), (Some(0), ""));
    assert!(run.out.starts_with(&model), "{run:?}");
}

/// A model whose report is longer than the buffer of a pipe.
fn long_report() -> String {
    let reads: String = (0..400).map(|_| "read x; ").collect();
    file("verbose.eml", format!("shared x; process P * 2 {{ atomic {{ {reads}write x; }} }}"))
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    for form in ["text", "json"] {
        let model = long_report();
        let arguments = ["check", &model, "--all", "--format", form];
        assert!(asercheck(&arguments).out.len() > 1 << 16, "the report is longer than the pipe");
        let mut command = command(&arguments);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it can be started");
        let mut first = [0];
        child.stdout.take().expect("a pipe").read_exact(&mut first).expect("there is output");
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.code(), Some(1), "the verdict, also if nobody reads it");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    }
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let Ok(full) = std::fs::OpenOptions::new().write(true).open("/dev/full") else { return };
    let output = command(&["check", "models/stack.eml"]).stdout(full).output().expect("it can be started");
    assert_eq!(output.status.code(), Some(4));
    assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: standard output: "));
}

/// A text that takes long to read, or much memory: the limits are those of queries.
#[test]
fn limits_hold_while_a_model_is_read() {
    let statement = "sync l { read x; write x; } choose { call f; } or { skip; }\n";
    let text = format!("lock l;\nshared x;\nfn f() {{ }}\nprocess P * 2 {{\n{}}}\n", statement.repeat(60_000));
    let model = file("large.eml", text);
    for (limit, reason) in [("--timeout=50ms", "timeout"), ("--memory=32MiB", "memory")] {
        let run = asercheck(&["check", &model, "--pattern", "1", limit]);
        assert_eq!((run.code, run.out.as_str()), (Some(3), ""), "{run:?}");
        assert!(
            run.errors.ends_with(&format!("large.eml: unknown ({reason}): it was not read to its end\n")),
            "{run:?}"
        );
        let run = asercheck(&["check", &model, "--format", "json", limit]);
        let report: serde_json::Value =
            serde_json::from_str(&run.out.replace("TIME", "0.0")).expect("the output is JSON");
        assert_eq!((run.code, &report["ended"], &report["summary"]["queries"]), (Some(3), &reason.into(), &0.into()));
    }
    // Within the limits, mistakes are reported as without them.
    let broken = file("broken.eml", "process P {");
    asercheck(&["check", &broken, "--timeout=300s", "--memory=64GiB"]).assert_refused("broken.eml:1:12");
}
