//! The selection of queries, and limits.

use crate::cli::support::{asercheck, command, file};
use serde_json::Value;
use std::process::Stdio;
use std::time::{Duration, Instant};

fn json(arguments: &[&str]) -> (Option<i32>, Value) {
    let run = asercheck(&[arguments, &["--format", "json"]].concat());
    let report = serde_json::from_str(&run.out.replace("TIME", "0.0"));
    (run.code, report.unwrap_or_else(|error| panic!("{error}: {run:?}")))
}

/// A model with so many locations, of which one is used.
fn wide(locations: usize) -> String {
    let names: Vec<_> = (0..locations).map(|number| format!("x{number}")).collect();
    let text = format!("shared {};\nprocess P * 2 {{ atomic {{ read x1; write x1; }} }}\n", names.join(","));
    file(&format!("wide{locations}.eml"), text)
}

#[test]
fn locations_that_nobody_accesses_cost_nothing() {
    let begin = Instant::now();
    let run = asercheck(&[&wide(300), "-q"]);
    assert_eq!(run.code, Some(1));
    assert!(run.out.contains("808800 queries, 808799 safe, 1 violation"), "{run:?}");
    let run = asercheck(&[&wide(10_000), "-q", "--memory", "100MiB"]);
    assert!(run.out.contains("899960000 queries, 899959999 safe, 1 violation, 0 unknown"), "{run:?}");
    // A program without optimization on a busy machine.
    assert!(begin.elapsed() < Duration::from_secs(10));
}

#[test]
fn few_queries_are_all_listed_and_of_many_those_that_are_not_safe() {
    let (code, few) = json(&[&wide(20)]);
    let queries = few["queries"].as_array().expect("a list");
    assert_eq!((code, queries.len()), (Some(1), 20 * 5 + 9 * 20 * 19));
    assert_eq!(few.get("unlisted"), None);
    let labels: Vec<_> = queries.iter().map(|query| query["automaton"].as_str().expect("a label")).collect();
    let mut sorted = labels.clone();
    sorted.sort_by_key(|label| label.parse::<usize>().expect("a number"));
    assert_eq!(labels, sorted);
    let (code, many) = json(&[&wide(300)]);
    assert_eq!((code, many["queries"].as_array().map(Vec::len)), (Some(1), Some(1)));
    assert_eq!((&many["unlisted"], &many["summary"]["queries"]), (&Value::from(808_799), &Value::from(808_800)));
}

/// Nothing that can be decided within a second by any engine: every function calls the next one twice, under locks.
fn endless() -> String {
    let locks: Vec<_> = (0..20).map(|number| format!("l{number}")).collect();
    let mut text = format!("lock {};\nshared x;\n", locks.join(", "));
    for number in 0..20 {
        let body: String = (0..20)
            .map(|lock| format!("or {{ sync l{lock} {{ write x; call f{}; }} }} ", (number + lock) % 20))
            .collect();
        text += &format!("fn f{number}() {{ choose {{ }} {body} }}\n");
    }
    text + "process P { atomic { call f0; } }\nprocess Q { atomic { call f1; } }\n"
}

#[test]
fn the_total_time_ends_what_is_not_decided() {
    let model = file("endless.eml", endless());
    let begin = Instant::now();
    let (code, report) = json(&[&model, "--engine", "interleave", "--total-timeout", "1s"]);
    assert!(begin.elapsed() < Duration::from_secs(5));
    let count = |name: &str| report["summary"][name].as_u64().expect("a number");
    assert!(count("unknown") > 0 && count("queries") == 10, "{report}");
    assert_eq!(code, Some(if count("violation") > 0 { 1 } else { 3 }));
    assert_eq!(report["ended"], "timeout");
    assert_eq!(report["queries"].as_array().map(Vec::len), Some(10));
    for query in report["queries"].as_array().expect("a list") {
        assert!(query["verdict"] != "unknown" || query["reason"] == "timeout", "{query}");
    }
    let text = asercheck(&["models/stack.eml", "--total-timeout", "0s"]);
    assert_eq!(text.code, Some(3));
    let sooner = ["was not read to its end", "queries after the end (timeout)"];
    assert!(sooner.iter().any(|words| text.out.contains(words) || text.errors.contains(words)), "{text:?}");
}

#[test]
#[cfg(unix)]
fn ctrl_c_shows_what_was_decided() {
    let model = file("interrupted.eml", endless());
    let arguments = ["check", &model, "--engine", "interleave", "--jobs", "1"];
    let mut command = command(&arguments);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program can be started");
    std::thread::sleep(Duration::from_millis(700));
    let signal = std::process::Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(signal.is_ok_and(|status| status.success()));
    let run = crate::cli::support::Run::of(&arguments, child.wait_with_output().expect("the program ends"));
    assert!(run.out.contains("after the end (cancelled)"), "{run:?}");
    assert!(run.out.contains(": 10 queries, "), "{run:?}");
    assert_eq!(run.code, Some(if run.out.contains(" 0 violations") { 3 } else { 1 }), "{run:?}");
}

#[test]
fn nothing_asked_is_not_safe() {
    let models = [
        ("vacuous-empty.eml", "", "the model has no process"),
        ("vacuous-functions.eml", "shared x; fn f() { atomic { write x; } }", "the model has no process"),
        ("vacuous-units.eml", "shared x; process P * 2 { write x; }", "the model has no unit of work"),
        ("vacuous-single.eml", "shared x; process P { atomic { write x; } }", "fewer than two instances"),
        ("vacuous-reads.eml", "shared x; process P * 2 { atomic { read x; } }", "no process that can run writes"),
    ];
    for (name, text, why) in models {
        let model = file(name, text);
        let run = asercheck(&[&model, "-q"]);
        assert_eq!((run.code, run.errors.as_str()), (Some(0), ""), "{run:?}");
        assert!(run.out.contains(&format!(": vacuous ({why}")) && !run.out.contains(": safe"), "{run:?}");
        let run = asercheck(&[&model, "-q", "--fail-on-vacuous"]);
        assert_eq!(run.code, Some(2), "{run:?}");
        assert!(run.errors.contains(why), "{run:?}");
        let (code, report) = json(&[&model, "-q"]);
        assert_eq!(code, Some(0));
        assert!(report["vacuous"].as_str().is_some_and(|reason| reason.contains(why)), "{report}");
    }
    let (_, report) = json(&["models/stack.eml"]);
    assert_eq!(report.get("vacuous"), None);
    assert_eq!(asercheck(&["models/stack-repaired.eml", "--fail-on-vacuous"]).code, Some(0));
    // Races need no units.
    let model = file("no-units-races.eml", "lock l; shared x; process P * 2 { sync l { write x; } }");
    let run = asercheck(&[&model, "--races", "--engine", "interleave", "--fail-on-vacuous"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    let run = asercheck(&[&model, "--races", "--patterns", "--engine", "interleave", "--fail-on-vacuous"]);
    assert_eq!(run.code, Some(0), "{run:?}");
}

/// A selection by name may leave no query in a model that has some.
#[test]
fn nothing_named_is_not_safe() {
    let text = "shared x, y; process P { atomic { read x; write x; } } process Q { write x; read y; }";
    let one = file("named-one.eml", text);
    let cases: [(&[&str], &str); 3] = [
        (&["models/gate-broken.eml", "--deadlocks", "--locks", "left,gate"], "in no cycle of locks"),
        (&[&one, "--pattern", "1", "--processes", "Q,P"], "no accesses and units of work"),
        (&[&one, "--pattern", "1", "--locations", "y"], "no accesses and units of work"),
    ];
    for (arguments, why) in cases {
        let run = asercheck(arguments);
        assert!(run.out.contains(": vacuous (") && run.out.contains(why), "{run:?}");
        assert!(!run.out.contains("no deadlock") && run.code == Some(0), "{run:?}");
        let run = asercheck(&[arguments, &["--fail-on-vacuous"]].concat());
        assert_eq!(run.code, Some(2), "{run:?}");
    }
    // Something is asked of these.
    assert_eq!(asercheck(&["models/gate-broken.eml", "--deadlocks", "--fail-on-vacuous"]).code, Some(1));
    assert_eq!(asercheck(&[&one, "--pattern", "1", "--processes", "P,Q", "--fail-on-vacuous"]).code, Some(1));
}

#[test]
fn two_automata_have_two_names() {
    let run =
        asercheck(&["models/stack.eml", "--automaton", "models/skew.phases", "--automaton", "models/skew.phases"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.errors.contains("two automata have the name `missed_update`"), "{run:?}");
}
