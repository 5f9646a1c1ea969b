//! `show`, and `replay` step by step.

use crate::cli::support::{asercheck, command, file};
use serde_json::Value;
use std::io::Write;
use std::process::Stdio;

fn report(arguments: &[&str]) -> String {
    asercheck(&[&["check"], arguments, &["--format", "json"]].concat()).out.replace("TIME", "0.0")
}

#[test]
fn a_report_a_query_and_lines_of_a_batch_are_shown() {
    let text = report(&["models/bank.eml", "--pattern", "1"]);
    let whole = asercheck(&["show", &file("show.json", &text)]);
    assert_eq!(whole.code, Some(0), "{whole:?}");
    whole.assert_snapshot("show_report");
    let value: Value = serde_json::from_str(&text).expect("JSON");
    let query = value["queries"]
        .as_array()
        .and_then(|all| all.iter().find(|query| query["verdict"] == "violation"))
        .expect("a violation");
    let mut line = query.clone();
    line["model"] = value["model"].clone();
    line["engine"] = value["engine"].clone();
    line["units"] = value["units"].clone();
    let one = asercheck(&["show", &file("show-query.json", query.to_string()), "--model", "models/bank.eml"]);
    let lines = asercheck(&["show", &file("show.jsonl", format!("{line}\n{line}\n"))]);
    for run in [&one, &lines] {
        assert_eq!((run.code, run.errors.as_str()), (Some(0), ""), "{run:?}");
        assert!(run.out.contains("finding 1 of ") && run.out.contains('^'), "{run:?}");
    }
}

#[test]
fn without_the_model_there_are_no_source_lines() {
    let value: Value = serde_json::from_str(&report(&["models/bank.eml", "--pattern", "1"])).expect("JSON");
    let run = asercheck(&["show", &file("show-bare.json", value["queries"][0].to_string())]);
    assert_eq!((run.code, run.errors.as_str()), (Some(0), ""), "{run:?}");
    assert!(run.out.contains("finding 1 of ") && !run.out.contains('^') && !run.out.contains("fingerprint"), "{run:?}");
    let gone = report(&["models/bank.eml", "--pattern", "1"]).replace("models/bank.eml", "models/none.eml");
    let run = asercheck(&["show", &file("show-gone.json", gone)]);
    assert_eq!(run.code, Some(0));
    assert!(run.errors.contains("cannot read models/none.eml") && run.errors.contains("no source lines"), "{run:?}");
}

#[test]
fn standard_input_is_read() {
    let mut child =
        command(&["show", "-"]).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it can be started");
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(report(&["models/bank.eml", "--pattern", "1"]).as_bytes())
        .expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).contains("finding 1 of "));
}

#[test]
fn nothing_to_show() {
    let run = asercheck(&["show", &file("show-safe.json", report(&["models/stack-repaired.eml"]))]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""));
    assert!(run.errors.contains("nothing to show"));
    asercheck(&["show", &file("show-empty.json", "")]).assert_refused("the file is empty");
    asercheck(&["show", &file("show-later.json", "{\"version\": 2, \"queries\": []}")]).assert_refused("version 2");
}

#[test]
fn a_replay_step_by_step() {
    let path = file("steps.json", report(&["models/bank.eml", "--pattern", "1", "--processes", "AtoB,BtoA"]));
    let run = asercheck(&["replay", &path, "--steps"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    run.assert_snapshot("replay_steps");
}
