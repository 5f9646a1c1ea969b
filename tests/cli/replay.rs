//! `replay`: good witnesses, and such that somebody has changed.

use crate::cli::support::{asercheck, assert_runs, file, temporary};
use serde_json::{Value, json};

/// The report of the stack's violation, without times.
fn report() -> Value {
    let arguments = ["check", "models/stack.eml", "--pattern", "12", "--processes", "T1,T2", "--locations"];
    let run = asercheck(&[&arguments[..], &["item,storage", "--format", "json"]].concat());
    serde_json::from_str(&run.out.replace("TIME", "0.0")).expect("it is a report")
}

/// The same with a change to its only witness.
fn tampered(name: &str, change: impl FnOnce(&mut Value)) -> String {
    let mut report = report();
    change(&mut report["queries"][0]["witness"]);
    file(name, report.to_string())
}

#[test]
fn a_whole_report_replays() {
    let all = asercheck(&["check", "models/stack.eml", "--format", "json"]);
    let path = file("report.json", all.out.replace("TIME", "0.0"));
    let run = asercheck(&["replay", &path]);
    assert_eq!(run.code, Some(0));
    run.assert_snapshot("replay_report");
    assert_eq!(asercheck(&["replay", &path, "--quiet"]).out, "");
}

#[test]
fn one_query_replays_on_the_model_that_is_named() {
    let path = file("query.json", report()["queries"][0].to_string());
    let run = asercheck(&["replay", &path, "--model", "models/stack.eml"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    asercheck(&["replay", &path]).assert_refused("--model");
    // The repaired model has other functions, and in it nothing of the kind can happen.
    let run = asercheck(&["replay", &path, "--model", "models/stack-repaired.eml"]);
    assert_eq!(run.code, Some(4), "{run:?}");
}

#[test]
fn an_automaton_of_the_user_is_named() {
    let arguments = ["check", "models/skew.eml", "--automaton", "models/skew.phases", "--format", "json"];
    let path = file("skew.json", asercheck(&arguments).out.replace("TIME", "0.0"));
    asercheck(&["replay", &path]).assert_refused("`write_skew`");
    let run = asercheck(&["replay", &path, "--automaton", "models/skew.phases"]);
    assert_eq!((run.code, run.out.lines().count()), (Some(0), 2), "{run:?}");
}

#[test]
fn a_changed_witness_fails_where_it_was_changed() {
    let runs = [
        // The second thread acquires the stack while the first holds it.
        tampered("early.json", |witness| {
            let steps = witness["steps"].as_array_mut().expect("a list");
            let other: Vec<_> = steps.iter().filter(|step| step["thread"] == 1).take(5).cloned().collect();
            steps.splice(5..5, other);
        }),
        tampered("missing.json", |witness| drop(witness["steps"].as_array_mut().expect("a list").remove(4))),
        tampered("place.json", |witness| witness["steps"][5]["column"] = json!(3)),
        tampered("event.json", |witness| witness["steps"][5]["event"] = json!(3)),
        tampered("short.json", |witness| drop(witness["steps"].as_array_mut().expect("a list").pop())),
        tampered("name.json", |witness| witness["steps"][4]["object"] = json!("heap")),
        tampered("thread.json", |witness| witness["steps"][0]["thread"] = json!(7)),
        tampered("threads.json", |witness| witness["threads"][1] = json!("T1")),
    ]
    .map(|path| asercheck(&["replay", &path]));
    assert!(runs.iter().all(|run| run.code == Some(4)), "{runs:?}");
    assert_runs("replay_tampered", &runs);
}

#[test]
fn files_without_witnesses() {
    asercheck(&["replay", "models/stack.eml"]).assert_refused("no queries with witnesses");
    asercheck(&["replay", &file("empty.json", "")]).assert_refused("the file is empty");
    asercheck(&["replay", temporary("none.json").to_str().expect("UTF-8")]).assert_refused("cannot read");
    let safe = asercheck(&["check", "models/stack-repaired.eml", "--format", "json"]).out.replace("TIME", "0.0");
    let run = asercheck(&["replay", &file("safe.json", safe)]);
    assert_eq!((run.code, run.out.as_str()), (Some(0), ""));
    assert!(run.errors.contains("nothing was replayed"), "{run:?}");
    let quiet = asercheck(&["replay", temporary("safe.json").to_str().expect("UTF-8"), "--quiet"]);
    assert_eq!((quiet.code, quiet.errors.as_str()), (Some(0), ""));
}

/// Each mistake is called by its name.
#[test]
fn files_that_are_wrong() {
    let changed = |name: &str, change: &dyn Fn(&mut Value)| {
        let mut report = report();
        change(&mut report);
        file(name, report.to_string())
    };
    let query = report()["queries"][0].to_string();
    for (path, words) in [
        (file("cut.json", &report().to_string()[..200]), "it is not JSON: EOF while parsing"),
        (file("other.json", "{ \"format\": 3 }"), "it has neither `queries`, as a report of `check`, nor `automaton`"),
        (file("list.json", "[]"), "it has neither `queries`"),
        (changed("verdict.json", &|report| report["queries"][0]["verdict"] = json!("bad")), "unknown variant `bad`"),
        (changed("no-engine.json", &|report| drop(report.as_object_mut().map(|all| all.remove("engine")))), "`engine`"),
        (changed("units.json", &|report| report["units"] = json!("foo")), "the units `foo` are neither `both` nor"),
        (file("units-line.json", query.replacen('{', "{\"units\": \"foo\",", 1)), "the units `foo` are neither"),
        (file("line.jsonl", format!("{query}\n{{}}\n")), "line 2: it has neither"),
        (file("torn.jsonl", format!("{query}\n{}\n", &query[..50])), "line 2: it is not JSON: EOF"),
    ] {
        let run = asercheck(&["replay", &path]);
        run.assert_refused(words);
        assert!(!run.errors.contains("missing field `automaton`"), "{run:?}");
    }
}

/// A line that cannot be tried costs that line only.
#[test]
fn the_others_are_replayed() {
    let good = report()["queries"][0].clone();
    let change = |change: &dyn Fn(&mut Value)| {
        let mut line = good.clone();
        line["model"] = json!("models/stack.eml");
        change(&mut line);
        line.to_string()
    };
    let lines = [
        change(&|line| drop(line.as_object_mut().map(|members| members.remove("witness")))),
        change(&|line| line["automaton"] = json!("none")),
        change(&|line| line["model"] = json!("models/none.eml")),
        change(&|_| ()),
    ];
    let path = file("some.jsonl", lines.join("\n"));
    let run = asercheck(&["replay", &path]);
    assert_eq!((run.code, run.out.lines().count()), (Some(2), 1), "{run:?}");
    assert!(run.out.contains(": replayed, "), "{run:?}");
    for words in ["some.jsonl: 12 [item, storage] [T1, T2]: a violation without", "automaton `none`", "models/none.eml"]
    {
        assert!(run.errors.contains(words), "{words}: {run:?}");
    }
    let json = asercheck(&["replay", &path, "--format", "json"]).out;
    let value: Value = serde_json::from_str(&json).expect("JSON");
    let replays: Vec<_> =
        value["results"].as_array().expect("a list").iter().map(|result| &result["replays"]).collect();
    assert_eq!(replays, [&json!(false), &json!(false), &json!(false), &json!(true)]);
}

#[test]
fn a_report_about_standard_input_wants_its_model() {
    let mut report = report();
    report["model"] = json!("<stdin>");
    let path = file("of-stdin.json", report.to_string());
    asercheck(&["replay", &path]).assert_refused("name its file with --model");
    assert_eq!(asercheck(&["replay", &path, "--model", "models/stack.eml", "-q"]).code, Some(0));
    let shown = asercheck(&["show", &path]);
    assert_eq!((shown.code, shown.errors.as_str()), (Some(0), ""), "{shown:?}");
}

#[test]
fn damaged_interleavings_are_not_shown() {
    for path in [
        tampered("show-thread.json", |witness| witness["steps"][0]["thread"] = json!(7)),
        tampered("show-empty.json", |witness| witness["steps"] = json!([])),
    ] {
        asercheck(&["show", &path]).assert_refused("1 of 1 queries");
        let replayed = asercheck(&["replay", &path, "--steps"]);
        assert_eq!(replayed.code, Some(4), "{replayed:?}");
    }
}
