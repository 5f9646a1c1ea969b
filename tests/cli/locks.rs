//! `--races` and `--deadlocks`.

use crate::cli::support::{asercheck, file};
use serde_json::{Value, json};

const ALL: [&str; 5] = ["--patterns", "--races", "--deadlocks", "--engine", "interleave"];

fn report(arguments: &[&str]) -> Value {
    let run = asercheck(&[arguments, &["--engine", "interleave", "--format", "json", "-q"]].concat());
    serde_json::from_str(&run.out.replace("TIME", "0.0")).unwrap_or_else(|error| panic!("{error}: {run:?}"))
}

/// The queries of a report, as "automaton objects processes verdict".
fn queries(report: &Value) -> Vec<String> {
    let names = |value: &Value| {
        let names = value.as_array().into_iter().flatten().map(|name| name.as_str().expect("a name"));
        names.collect::<Vec<_>>().join(",")
    };
    let written = |query: &Value| {
        let objects = names(&query["locations"]) + &names(&query["locks"]);
        let text = |name: &str| query[name].as_str().expect("a word").to_string();
        format!("{} {objects} {} {}", text("automaton"), names(&query["processes"]), text("verdict"))
    };
    report["queries"].as_array().expect("a list").iter().map(written).collect()
}

#[test]
fn the_text_output() {
    for (name, model) in [
        ("locks_gate", "models/gate.eml"),
        ("locks_gate_broken", "models/gate-broken.eml"),
        ("locks_readers", "models/readers.eml"),
        ("locks_start_race", "models/start-race.eml"),
        ("locks_upgrade", "models/upgrade.eml"),
    ] {
        asercheck(&[&["check", model], &ALL[..]].concat()).assert_snapshot(name);
    }
    let quiet = asercheck(&[&["check", "models/gate-broken.eml", "-q"], &ALL[..]].concat());
    assert_eq!((quiet.code, quiet.out.lines().count()), (Some(1), 1), "{quiet:?}");
}

#[test]
fn kinds_are_asked_alone_or_together() {
    let labels = |arguments: &[&str]| {
        let report = report(&[&["models/gate-broken.eml"], arguments].concat());
        let labels = report["queries"].as_array().expect("a list").iter().map(|query| query["automaton"].clone());
        let mut labels: Vec<_> = labels.map(|label| label.as_str().expect("a label").to_string()).collect();
        labels.dedup();
        labels
    };
    assert_eq!(labels(&["--races"]), ["race"]);
    assert_eq!(labels(&["--deadlocks"]), ["deadlock2"]);
    assert_eq!(labels(&["--deadlocks", "--races"]), ["race", "deadlock2"]);
    assert_eq!(labels(&[]), ["1", "2", "3", "4", "5"]);
    assert_eq!(labels(&["--pattern", "3", "--races"]), ["3", "race"]);
    assert_eq!(labels(&["--patterns", "--deadlocks"]), ["1", "2", "3", "4", "5", "deadlock2"]);
}

#[test]
fn locks_and_processes_are_named_in_any_rotation() {
    let found =
        |arguments: &[&str]| queries(&report(&[&["models/gate-broken.eml", "--deadlocks"], arguments].concat()));
    let one = ["deadlock2 left,right P,Q violation"];
    assert_eq!(found(&["--locks", "right,left"]), one);
    assert_eq!(found(&["--processes", "Q,P"]), one);
    assert_eq!(found(&["--locks", "right,left", "--processes", "Q,P"]), one);
    assert_eq!(found(&["--locks", "right,left", "--processes", "P,Q"]), [""; 0]);
    assert_eq!(found(&["--locks", "gate,left"]), [""; 0]);
    let refused = |arguments: &[&str], words: &str| {
        asercheck(&[&["models/gate-broken.eml", "--deadlocks"], arguments].concat()).assert_refused(words);
    };
    refused(&["--locks", "left"], "no selected automaton is about one lock");
    refused(&["--locks", "left,middle"], "`middle`");
    refused(&["--processes", "P,P"], "fewer instances");
    let automaton = file("taken.phases", "automaton deadlock2(T) { p: on T begin -> q; }");
    refused(&["--automaton", &automaton], "`deadlock2`");
}

#[test]
fn reports_say_what_is_known_of_locations_and_cycles() {
    let report = report(&["models/gate-broken.eml", "--races", "--deadlocks"]);
    let location = json!([{
        "location": "x", "status": "protected", "locks": ["left", "right"], "writers": ["P", "Q"], "readers": ["P", "Q"]
    }]);
    assert_eq!(report["locations"], location);
    let cycle =
        json!([{"locks": ["left", "right"], "status": "violation", "queries": 1, "violation": 1, "unknown": 0}]);
    assert_eq!(report["cycles"]["cycles"], cycle);
    let statuses = |model: &str| {
        let report = self::report(&[model, "--races"]);
        let records = report["locations"].as_array().expect("a list").clone();
        records.iter().map(|record| record["status"].as_str().expect("a word").to_string()).collect::<Vec<_>>()
    };
    assert_eq!(statuses("models/start-race.eml"), ["race", "protected"]);
    assert_eq!(statuses("models/start-race-repaired.eml"), ["never at the same time", "protected"]);
    assert_eq!(statuses("models/read-cycle.eml"), ["read only"]);
    // Only a part of the processes says nothing about the location.
    assert_eq!(
        self::report(&["models/start-race.eml", "--races", "--processes", "Main,Worker"]).get("locations"),
        None
    );
    assert_eq!(self::report(&["models/stack.eml"]).get("cycles"), None);
}

/// A race is one of two automata, and a deadlock over read-write locks one of several: the witness says which.
#[test]
fn witnesses_replay() {
    for model in ["gate-broken", "readers", "start-race", "write-cycle", "transfer", "philosophers"] {
        let path = format!("models/{model}.eml");
        let run = asercheck(&["check", &path, "--races", "--deadlocks", "--engine", "interleave", "--format", "json"]);
        let report = run.out.replace("TIME", "0.0");
        let found = report.matches("\"verdict\": \"violation\"").count();
        assert!(found > 0, "{model}");
        let json = file(&format!("{model}-locks.json"), report);
        let run = asercheck(&["replay", &json]);
        assert_eq!((run.code, run.out.lines().count()), (Some(0), found), "{run:?}");
    }
    // Both threads only read: that is no deadlock.
    let run =
        asercheck(&["check", "models/write-cycle.eml", "--deadlocks", "--engine", "interleave", "--format", "json"]);
    let changed = run.out.replace("TIME", "0.0").replace("\"mode\": \"write\"", "\"mode\": \"read\"");
    let run = asercheck(&["replay", &file("readers-wait.json", changed)]);
    assert_eq!(run.code, Some(4), "{run:?}");
}

#[test]
fn undecided_locations_are_unknown() {
    let model = "models/start-race.eml";
    let run = asercheck(&[model, "--races", "--engine", "interleave", "--timeout", "0s", "-q"]);
    assert_eq!(run.code, Some(3), "{run:?}");
    let report = report(&["models/start-race-repaired.eml", "--races", "--timeout", "0s"]);
    assert_eq!(report["locations"][0]["status"], "unknown");
    assert_eq!(report["locations"][1]["status"], "protected");
    let report = self::report(&["models/gate.eml", "--deadlocks", "--timeout", "0s"]);
    assert!(report["summary"]["unknown"].as_u64() > Some(0), "{report}");
}

#[test]
fn threads_that_wait_for_ever_are_reported() {
    let model = file(
        "for-ever.eml",
        "lock l, m;\nrwlock r;\nshared x;\nfn f() { sync write r { write x; } }\nprocess P * 2 { atomic { sync read r { call f; } } }\nprocess Q { sync l { wait l; wait m; } }\n",
    );
    asercheck(&[&model, "--pattern", "1", "--engine", "interleave"]).assert_snapshot("locks_warnings");
}
