//! The output of `check --format json`.

use crate::cli::support::{asercheck, file};
use serde_json::Value;

fn json(arguments: &[&str]) -> Value {
    let run = asercheck(&[arguments, &["--format", "json"]].concat());
    assert_eq!(run.errors, "", "{arguments:?}");
    serde_json::from_str(&run.out.replace("TIME", "0.0")).unwrap_or_else(|error| panic!("{error}: {}", run.out))
}

#[test]
fn a_report_with_witnesses() {
    let run = asercheck(&["check", "models/stack.eml", "--pattern", "12", "--format", "json"]);
    run.assert_snapshot("json_stack");
    let start = ["check", "models/start-unlocked.eml", "--pattern", "3", "--format", "json"];
    asercheck(&start).assert_snapshot("json_start");
}

#[test]
fn a_report_without_decisions() {
    let arguments = ["check", "models/stack.eml", "--pattern", "1", "--processes", "T1,T2", "--timeout", "0s"];
    asercheck(&[&arguments[..], &["--format", "json"]].concat()).assert_snapshot("json_timeout");
}

#[test]
fn every_report_is_one_object_with_counts_that_add_up() {
    for model in ["stack", "stack-repaired", "workers", "start-locked", "recursion"] {
        let report = json(&["check", &format!("models/{model}.eml")]);
        let count = |name: &str| report["summary"][name].as_u64().expect("a number");
        let queries = report["queries"].as_array().expect("a list");
        assert_eq!(queries.len() as u64, count("queries"));
        assert_eq!(count("queries"), count("safe") + count("violation") + count("unknown"));
        for query in queries {
            let violates = query["verdict"] == "violation";
            assert_eq!(query.get("witness").is_some(), violates, "{query}");
            assert_eq!(query.get("reason").is_some(), query["verdict"] == "unknown", "{query}");
        }
        assert!(report["summary"]["seconds"].is_f64());
    }
}

#[test]
fn names_are_quoted_as_they_are() {
    let model = file("größe.eml", "shared größe;\nprocess Prüfer * 2 { atomic { read größe; write größe; } }\n");
    let report = json(&["check", &model, "--pattern", "1"]);
    assert_eq!(report["model"], Value::from(model));
    assert_eq!(report["queries"][0]["locations"][0], "größe");
    assert_eq!(report["queries"][0]["witness"]["threads"][1], "Prüfer#2");
}
